"""`nana keys`, `rooms` and `replay`: what is listed in lines, for whoever asks at the shell."""

import asyncio
import sys

from nana_client.address import Target
from nana_client.keyfile import keys_file, keys_listed
from nana_client.played import played
from nana_client.played_says import empty
from nana_client.played_says import lines as lines_of
from nana_client.reading import said
from nana_client.rooms import NoRooms, lines, rooms_of
from nana_client.shelf import at_home
from nana_client.store import Store


def run_keys(*, write: bool = False, store: Store | None = None) -> int:
    """Show every key, or write the file to choose others in; return the exit code."""
    store = store or Store()
    return said(lambda: _written(store) if write else _listed(store))


def run_rooms(server: Target) -> int:
    """List the open tables of a server, each by its link; return the exit code."""
    return said(lambda: asyncio.run(_rooms(server)))


def run_games(store: Store | None = None) -> int:
    """List the games that were played here, newest first; return the exit code."""
    store = store or Store()
    return said(lambda: _games(store))


def _games(store: Store) -> int:
    try:
        games = played(store.records)
    except OSError as error:
        print(f"nana: {at_home(store.records)} cannot be read: {error.strerror}.", file=sys.stderr)
        return 1
    if not games:
        print(empty(store.keyboard(), kept=store.settings().keep_games))
    for line in lines_of(games):
        print(line)
    return 0


async def _rooms(server: Target) -> int:
    try:
        print("\n".join(lines(await rooms_of(server), server)))
    except NoRooms as error:
        print(f"nana: {error}", file=sys.stderr)
        return 1
    return 0


def _listed(store: Store) -> int:
    keyboard = store.keyboard()
    there = store.keys_file.exists()
    how = "* chosen in" if there else "To choose others: nana keys --write, which makes"
    lines = [*keys_listed(keyboard), "", f"{how} {at_home(store.keys_file)}"]
    print("\n".join(lines))
    for trouble in store.troubles:
        print(f"nana: {trouble}", file=sys.stderr)
    return 1 if store.troubles else 0


def _written(store: Store) -> int:
    """Write a new file; one that is there is its owner's."""
    path, text = store.keys_file, keys_file(store.keyboard())
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        print(f"nana: {at_home(path)} is there already, and stays as it is.", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"nana: {at_home(path)} could not be written: {error.strerror}.", file=sys.stderr)
        return 1
    print(f"Written: {at_home(path)}")
    return 0
