"""The `expert` level: guesses hands from what their owners did, and looks through its turn.

`minds` weighs worlds by how well they explain what the others chose, `columns` lays the
worlds that are kept side by side, `lookahead` looks to the end of the turn over them, and
`shares` says what the position is worth that it leaves.
"""

from nana_bots.expert.bot import Expert

__all__ = ["Expert"]
