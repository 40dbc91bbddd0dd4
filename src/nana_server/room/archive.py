"""The records of a room's finished games: kept when a game ends, handed to its players."""

from collections.abc import Callable

import msgspec

from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import ErrorCode, Recorded
from nana_server.records import Records
from nana_server.room.decide import No, last_over
from nana_server.room.recorded import Chronicle, Finished
from nana_server.room.refusals import REFUSALS
from nana_server.room.state import RoomState
from nana_server.room.viewer import say
from nana_server.room.work import Request


class Archive:
    """Between a room's chronicle and the place where records are kept."""

    def __init__(self, records: Records, refuse: Callable[[Request, No], None]) -> None:
        self.chronicle = Chronicle()
        self._records = records
        self._refuse = refuse

    def keep(self, state: RoomState, *, anew: bool) -> None:
        """Keep the record of the last game that is over, if there is one."""
        if self.chronicle.last is not None:
            self._records.keep(state.code, last_over(state), self.chronicle.last, anew=anew)

    def export(self, request: Request, message: i.Export, state: RoomState) -> None:
        """Hand the record of a game that is over to one of its players."""
        last = last_over(state)
        game = last if message.game is None else message.game
        finished = self.chronicle.find(game, request.key)
        if isinstance(finished, No):
            self._refuse(request, finished)
        elif game == last and self.chronicle.last is not None:
            self._hand_over(request, finished, self.chronicle.last)
        else:
            self._records.find(
                state.code, game, lambda record: self._hand_over(request, finished, record)
            )

    def _hand_over(self, request: Request, finished: Finished, record: bytes | None) -> None:
        if record is None or not finished.is_of(record):
            self._refuse(request, No(ErrorCode.NO_RECORD, REFUSALS[ErrorCode.NO_RECORD]))
        elif request.peer.blocked:  # a record on top of what waits could have it cut
            text = "Your connection is too busy for a whole record; try again in a moment."
            self._refuse(request, No(ErrorCode.RATE_LIMITED, text))
        else:
            game, raw = finished.game, msgspec.Raw(record)
            say(request.peer, Recorded(id=request.message.id, game=game, record=raw))
