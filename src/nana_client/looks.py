"""The looks that come with nana, each picked by hand for every kind of terminal.

The ramp of twelve goes from dark to bright, so it is monotone in grey, and its spacing was
searched for: in true colours the smallest difference between two numbers is ΔE2000 5.4
for normal sight and for each kind of colour blindness alike, among 256 colours it is 6.1.
The ink on each keeps a contrast of 4.7 or more. Colours of the lesser tables are exact
entries of their palettes, so that nothing is left to rounding; but Rich rounds light greys
to darker ones, and so they are written a little lighter than they come out. Of the sixteen,
every terminal has its own idea: these hold for the VGA palette, and are still read in xterm's.
"""

from typing import Final

from msgspec.structs import replace

from nana_client.theme import DIM, PLAIN, REVERSED, Look, contrast

RAMP: Final = (
    "#440154", "#472171", "#414085", "#37598c", "#2d728e", "#25848e",
    "#21968a", "#2aaa81", "#4ec16b", "#73cf55", "#a0d938", "#fde725",
)  # fmt: skip
RAMP_256: Final = (
    "#5f005f", "#5f0087", "#5f00af", "#005f87", "#005faf", "#008787",
    "#5f8787", "#00af87", "#00d75f", "#87d75f", "#afd75f", "#ffd700",
)  # fmt: skip
# Blue, red, magenta, then the bright ones and green, cyan, grey between them, by their light.
RAMP_16: Final = (
    "#0000aa", "#aa0000", "#aa00aa", "#5555ff", "#ff5555", "#00aa00",
    "#00aaaa", "#ff55ff", "#aaaaaa", "#55ff55", "#55ffff", "#ffff55",
)  # fmt: skip

NIGHT: Final = Look(
    table="#0d131b", felt="#13202a", raised="#1a2330",
    text="#e3e8ef", dim="#94a1b3", faint="#4d5a6c",
    accent="#ffc24b", good="#58d68d", bad="#ff7d6e", warn="#f0a35e",
    back="#26364d", weave="#46618a", edge="#5f7da8", ramp=RAMP,
)  # fmt: skip
PAPER: Final = Look(
    table="#ece6d8", felt="#f7f4ec", raised="#e4ddcd",
    text="#23272f", dim="#595e6a", faint="#a19d8e",
    accent="#a04408", good="#13683a", bad="#b4231f", warn="#7d5000",
    back="#d0dbe8", weave="#9cb1cb", edge="#5f7ca2", ramp=RAMP,
)  # fmt: skip
CONTRAST: Final = Look(
    table="#000000", felt="#000000", raised="#1c1c1c",
    text="#ffffff", dim="#d0d0d0", faint="#8a8a8a",
    accent="#ffd700", good="#00ff87", bad="#ff8787", warn="#ffaf5f",
    back="#262626", weave="#6c6c6c", edge="#d0d0d0", ramp=RAMP,
)  # fmt: skip

NIGHT_256: Final = Look(
    table="#121212", felt="#1c1c1c", raised="#262626",
    text="#ebebeb", dim="#adadad", faint="#585858",
    accent="#ffaf00", good="#5fd787", bad="#ff8787", warn="#d7af5f",
    back="#00005f", weave="#5f5f87", edge="#8787af", ramp=RAMP_256, glow=0,
)  # fmt: skip
PAPER_256: Final = Look(
    table="#ebebeb", felt="#ffffff", raised="#e0e0e0",
    text="#1c1c1c", dim="#4e4e4e", faint="#a3a3a3",
    accent="#870087", good="#005f00", bad="#af0000", warn="#5f5f00",
    back="#afd7ff", weave="#87afd7", edge="#5f5faf", ramp=RAMP_256, glow=0,
)  # fmt: skip
CONTRAST_256: Final = replace(CONTRAST, dim="#d6d6d6", edge="#d6d6d6", ramp=RAMP_256, glow=0)

NIGHT_16: Final = Look(
    table="#000000", felt="#000000", raised="#000000",
    text="#ffffff", dim="#aaaaaa", faint="#555555",
    accent="#ffff55", good="#55ff55", bad="#ff5555", warn="#ff55ff",
    back="#000000", weave="#0000aa", edge="#00aaaa",
    ramp=RAMP_16, glow=0, sunk=("#555555", "#555555"),
)  # fmt: skip
PAPER_16: Final = Look(
    table="#ffffff", felt="#ffffff", raised="#ffffff",
    text="#000000", dim="#555555", faint="#aaaaaa",
    accent="#aa00aa", good="#0000aa", bad="#aa0000", warn="#aa0000",
    back="#ffffff", weave="#aaaaaa", edge="#0000aa",
    ramp=RAMP_16, glow=0, sunk=("#aaaaaa", "#aaaaaa"),
)  # fmt: skip
CONTRAST_16: Final = replace(
    NIGHT_16, dim="#ffffff", faint="#aaaaaa", weave="#555555", edge="#ffffff"
)

# Open cards and all that calls are reversed, backs dim; edges and signs tell the rest.
NO_COLOURS: Final = Look(
    table=PLAIN, felt=PLAIN, raised=PLAIN, text=PLAIN, dim=PLAIN, faint=DIM,
    accent=PLAIN, good=PLAIN, bad=PLAIN, warn=PLAIN, back=PLAIN, weave=DIM, edge=PLAIN,
    ramp=(PLAIN,) * 12, inks=(REVERSED, REVERSED), glow=0, sunk=(DIM, DIM),
)  # fmt: skip

LOOKS: Final = {"night": NIGHT, "paper": PAPER, "contrast": CONTRAST}
LESSER: Final = {
    "256": {"night": NIGHT_256, "paper": PAPER_256, "contrast": CONTRAST_256},
    "standard": {"night": NIGHT_16, "paper": PAPER_16, "contrast": CONTRAST_16},
}
DEFAULT: Final = "night"


def is_dark(look: Look) -> bool:
    return contrast("#ffffff", look.table) > contrast("#000000", look.table)


def for_colours(name: str, look: Look, system: str | None) -> Look:
    """Return a look as a terminal of that colour system can show it (rich's names).

    A look of somebody's own keeps its colours where there are 256, rounded; of sixteen it
    gets the table that is as dark as it is.
    """
    if system in {"truecolor", None}:
        return look
    lesser = LESSER["256" if system == "256" else "standard"]
    if name in lesser:
        return lesser[name]
    if system == "256":
        return replace(look, ramp=RAMP_256 if look.ramp == RAMP else look.ramp)
    return lesser["night" if is_dark(look) else "paper"]
