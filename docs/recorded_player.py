"""The app as it is, and somebody behind the player who says what to press.

    python docs/recorded_player.py HOME DESCRIPTOR

Runs in the terminal that is recorded. What to press goes to the file descriptor, a line
each; whoever records presses it, as on any keyboard.
"""

import os
import sys
from collections.abc import Callable
from random import Random

from nana_bots.mind import LEVELS, Player
from nana_client.app import NanaApp, Visiting
from nana_client.model import Model
from nana_client.session import Ending, OnChange
from nana_client.settings import Settings
from nana_client.start import OpenScreen
from nana_client.store import Store, folders
from nana_client.visit import Goal, OnEnter, Passport, visit
from nana_core.protocol.inbound import Continue, Reveal
from nana_core.protocol.outbound import Outbound, Snapshot


class Prompter:
    """Looks over the player's shoulder: sees what the seat sees, and what the screen shows."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._mind = Player(LEVELS["memory"](Random(1)))
        self._said: object = None

    def hear(self, shot: Snapshot) -> None:
        answer = self._mind.receive(shot)
        asked = (shot.game, shot.step, shot.phase)
        if asked == self._said:
            return
        if shot.phase == "over" and shot.result is not None:
            self._say("won" if shot.result.seat == shot.you.seat else "lost")
        elif isinstance(answer, Continue):
            self._say("continue")
        elif isinstance(answer, Reveal):
            self._say(f"reveal {answer.source}")
        else:
            return
        self._said = asked


def overheard(prompter: Prompter) -> Visiting:
    """Visit tables, and let the prompter hear what the player hears."""

    async def visiting(
        goal: Goal, passport: Passport, on_enter: OnEnter, on_change: OnChange
    ) -> Ending:
        def heard(model: Model, message: Outbound | None) -> None:
            on_change(model, message)
            if isinstance(message, Snapshot):
                prompter.hear(message)

        return await visit(goal, passport, on_enter, heard)

    return visiting


def main(home: str, descriptor: str) -> None:
    wishes = int(descriptor)
    prompter = Prompter(lambda word: os.write(wishes, f"{word}\n".encode()))
    store = Store(folders({"NANA_HOME": home}))
    store.remember(Settings(name="Ann", bots=2, coached=True, bell=False, notify=False))
    NanaApp(OpenScreen("Ann"), store, overheard(prompter)).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
