"""The sentence for each refusal that always reads the same."""

from typing import Final

from nana_core.protocol.outbound import ErrorCode

REFUSALS: Final = {
    ErrorCode.NOT_HOST: "Only the host of the room can do that.",
    ErrorCode.NOT_SEATED: "You have no seat in this game; take a free one when it is over.",
    ErrorCode.STALE: "The table has moved on; here it is as it stands now.",
    ErrorCode.NO_RECORD: "The record of that game is not kept here any more.",
    ErrorCode.PAUSED: "The game is paused; the host can let it go on.",
    ErrorCode.TOO_EARLY: "The last attempt is still being shown; continue in a moment.",
    ErrorCode.TOO_FEW_PLAYERS: "Two players at least are needed; add a bot or wait for a friend.",
    ErrorCode.BAD_NONCE: "That is not the nonce that your seat still has to open.",
    ErrorCode.NOT_YOUR_TURN: "It is not your turn.",
    ErrorCode.CONTINUE_FIRST: "Continue first: the last attempt is still on the table.",
    ErrorCode.NOTHING_TO_CONTINUE: "There is nothing to continue from; reveal a card.",
    ErrorCode.NO_SUCH_SLOT: "The center has no such slot; choose a card that lies face down.",
    ErrorCode.SLOT_GONE: "That card of the center has been collected; choose another.",
    ErrorCode.SLOT_OPEN: "That card of the center is already face up; choose another.",
    ErrorCode.NO_SUCH_SEAT: "There is no such seat at this table.",
    ErrorCode.EMPTY_HAND: "That hand has no cards left; choose another source.",
    ErrorCode.GAME_OVER: "The game is over.",
    ErrorCode.NO_SUCH_ROOM: "There is no such room, or it does not know you.",
    ErrorCode.NOT_JOINED: "Join, watch or resume first.",
    ErrorCode.ALREADY_JOINED: "This connection is in a room already.",
    ErrorCode.ID_REUSED: "That id was used for another message; nothing was done.",
    ErrorCode.UNAVAILABLE: "The server cannot save at the moment, so nothing was done. Try again.",
    ErrorCode.RATE_LIMITED: "Too many messages; please slow down.",
    ErrorCode.WRONG_PASSWORD: "This server asks for a password, and that was not it.",
    ErrorCode.SERVER_FULL: "This server has as many rooms as it can hold; try again later.",
    ErrorCode.UNSUPPORTED_PROTOCOL: "This server speaks protocol 1; please update what is older.",
}
