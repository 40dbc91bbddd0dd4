"""What the codes of refusals mean, in sentences: what is said, and what is to be done then.

The second is protocol.md § "Errors", whose table a test holds this one against.
"""

from typing import Final, NamedTuple


class Meaning(NamedTuple):
    says: str  # to who was refused
    do: str  # as protocol.md has it


MEANINGS: Final = {
    "malformed": Meaning(
        "That is no message of the protocol.", "mend the client; the text names the field"
    ),
    "room_full": Meaning(
        "All seats of this room are taken.", "`watch` instead of `join`, or come later"
    ),
    "not_host": Meaning("Only the host of the room can do that.", "nothing"),
    "not_seated": Meaning("You have no seat in this game.", "`sit` between games"),
    "wrong_phase": Meaning(
        "That cannot be done in this phase.", "wait for a snapshot with the right phase"
    ),
    "paused": Meaning("The game is paused.", "wait for a snapshot without `paused`"),
    "stale": Meaning(
        "The table has moved on; here it is as it stands now.",
        "decide again on the snapshot that follows",
    ),
    "too_early": Meaning(
        "The last attempt is still being shown; continue in a moment.",
        "send it again, under its id, when it has",
    ),
    "not_your_turn": Meaning("It is not your turn.", "wait for `on_turn`"),
    "continue_first": Meaning("The last attempt is still on the table.", "`continue`, then reveal"),
    "nothing_to_continue": Meaning("There is nothing to continue from.", "reveal"),
    "no_such_seat": Meaning("There is no such seat at this table.", "choose from `seats`"),
    "no_such_slot": Meaning("The center has no such slot.", "choose from `legal`"),
    "slot_gone": Meaning("That card has been collected.", "choose from `legal`"),
    "slot_open": Meaning("That card is face up already.", "choose from `legal`"),
    "empty_hand": Meaning("That hand has no cards left.", "choose from `legal`"),
}
_WHEN: Final = {"too_early": "when `not_before` has come"}  # where a table needs its row's head


def explained(code: str) -> str:
    """Say a code with its sentence and what is to be done, to be read in a report."""
    says, do = MEANINGS[code]
    if code in _WHEN:
        do = do.replace("when it has", _WHEN[code])
    return f"{code} (“{says}”); then: {do}"
