"""Under which name a person plays: as typed, but tidy; else the remembered one, or the login's."""

import os
from collections.abc import Mapping

from nana_core.text import NAME_CELLS, cleaned, clipped, flaw_in, plain_emoji

NOBODY = "Player"


def name_for(given: str | None, remembered: str, environ: Mapping[str, str] = os.environ) -> str:
    """Choose a name that a server will take; a name that was given is checked by `flaw`."""
    login = environ.get("USER") or environ.get("USERNAME") or ""
    for name in (given, remembered, login[:1].upper() + login[1:]):
        clean = cleaned(name or "")
        if clean:
            return clipped(clean, NAME_CELLS)
    return NOBODY


def tidied(name: str) -> str:
    """Leave out of one's own words what a keyboard put there unseen; `flaw` judges the rest."""
    return " ".join(plain_emoji(name).split())


def flaw(name: str) -> str | None:
    """Say what is wrong with a name, in a sentence; None when a server will take it."""
    why = flaw_in(name, NAME_CELLS)
    return None if why is None else f"That name will not do: {why}."
