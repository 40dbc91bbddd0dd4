"""Playing again: what `r` and Enter do after a game, at the table and among its options."""

from nana_client.play import Play
from nana_client.sight import Sight
from nana_core.protocol.outbound import Snapshot


def play_again(play: Play, snapshot: Snapshot, what: str) -> bool:
    """Be ready, or with `r` no longer; tell whether the key meant that.

    Who has only bots to play with waits for nobody: Enter deals at once.
    """
    sight = Sight(snapshot)
    if sight.me is None or what not in {"r", "enter"} or (what == "enter" and sight.me.ready):
        return False
    play.rematch(ready=not sight.me.ready)
    if what == "enter" and sight.alone:
        play.start()
    return True
