"""Under which name a person plays when none was given: the remembered one, else the login's."""

import os
from collections.abc import Mapping

from nana_core.text import NAME_CELLS, cleaned, clipped, flaw_in

NOBODY = "Player"


def name_for(given: str | None, remembered: str, environ: Mapping[str, str] = os.environ) -> str:
    """Choose a name that a server will take; a name that was given is checked by `flaw`."""
    login = environ.get("USER") or environ.get("USERNAME") or ""
    for name in (given, remembered, login[:1].upper() + login[1:]):
        clean = cleaned(name or "")
        if clean:
            return clipped(clean, NAME_CELLS)
    return NOBODY


def flaw(name: str) -> str | None:
    """Say what is wrong with a name, in a sentence; None when a server will take it."""
    why = flaw_in(name, NAME_CELLS)
    return None if why is None else f"That name will not do: {why}."
