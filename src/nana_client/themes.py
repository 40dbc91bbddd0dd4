"""`nana themes`: which there are, how their numbers look, and a file to begin one's own with."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.text import Text

from nana_client.looks import DEFAULT, LOOKS, for_colours
from nana_client.own_looks import SUFFIX, new_look, own_looks, read_look
from nana_client.reading import said
from nana_client.shelf import at_home
from nana_client.store import Store
from nana_client.theme import Look


def run_themes(new: str | None = None, base: str = DEFAULT, store: Store | None = None) -> int:
    """List the themes, or begin a new one; return the exit code."""
    store = store or Store()
    folder = store.themes
    return said(lambda: _listed(store, folder) if new is None else _begin(folder, new, base))


def _listed(store: Store, folder: Path) -> int:
    looks, troubles = own_looks(folder)
    worn = store.settings().theme or DEFAULT
    how = f"Yours are files NAME{SUFFIX} in {at_home(folder)}; nana themes --new NAME begins one."
    print("\n".join([*listed(looks, worn, in_colour=wants_colour(sys.stdout)), "", how]))
    for trouble in troubles:
        print(f"nana: {trouble}", file=sys.stderr)
    return 1 if troubles else 0


def wants_colour(out: TextIO) -> bool:
    return out.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def listed(own: dict[str, Look], worn: str, *, in_colour: bool) -> Iterator[str]:
    """Yield a line for each theme: which one is worn, its name, and its twelve numbers."""
    for name, look in {**LOOKS, **own}.items():
        sign = "*" if name == worn else " "
        whose = "yours" if name in own else ""
        sample = f"  {_sample(look)}" if in_colour else ""
        yield f"{sign} {name:20} {whose:5}{sample}".rstrip()


def _sample(look: Look) -> str:
    """Write the numbers on their colours, as this terminal can show them."""
    console, text = Console(), Text()
    fit = for_colours("", look, console.color_system)
    for number in range(1, len(fit.ramp) + 1):
        colour = fit.colour(number)
        text.append(f" {number} ", f"{fit.ink_on(colour)} on {colour}")
    with console.capture() as written:
        console.print(text, end="")
    return written.get()


def _begin(folder: Path, name: str, base: str) -> int:
    """Write a file to begin with; never over one that is there."""
    text = new_look(base)
    read = read_look(name, text.encode())
    if not isinstance(read, Look):
        print(f"nana: {'; '.join(read)}.", file=sys.stderr)
        return 2
    path = folder / f"{name}{SUFFIX}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        print(f"nana: {at_home(path)} is there already.", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"nana: {at_home(path)} cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    print(f"Change it with an editor: {at_home(path)}")
    print("It is offered at the next start, in the settings and with `nana themes`.")
    return 0
