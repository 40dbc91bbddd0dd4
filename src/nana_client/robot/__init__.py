"""Write a bot: fill in `Bot.choose`, and `run` it at a table.

    from nana_client.robot import Bot, History, View, run

    class First(Bot):
        def choose(self, view: View, history: History) -> str:
            return view.legal[0]

    run(First())                                  # here, against one of ours
    run(First(), "ws://127.0.0.1:8765/r/KQ7MX")   # at a table with others

`docs/bots.md` tells the rest. `nana_client.robot.testing` plays a bot without a server
and has the fixtures for pytest; `Program` is a bot in any language.
"""

from nana_bots.history import History
from nana_client.address import BadAddress
from nana_client.hosting import CannotHost
from nana_client.robot.bot import BadWish, Bot, IllegalChoice, NoTable, View, wanted
from nana_client.robot.process import NoProgram
from nana_client.robot.program import GivenUp, Program
from nana_client.robot.running import play
from nana_client.robot.script import run
from nana_client.robot.seat import Played, Robot

__all__ = [
    "BadAddress",
    "BadWish",
    "Bot",
    "CannotHost",
    "GivenUp",
    "History",
    "IllegalChoice",
    "NoProgram",
    "NoTable",
    "Played",
    "Program",
    "Robot",
    "View",
    "play",
    "run",
    "wanted",
]
