"""Playing again: what the deeds `again` and `deal` do after a game, wherever they are done."""

from nana_client.play import Play
from nana_client.sight import Sight
from nana_core.protocol.outbound import Snapshot


def play_again(play: Play, snapshot: Snapshot, what: str) -> bool:
    """Be ready, or by `again` no longer; tell whether the deed meant that.

    Who has only bots to play with waits for nobody: `deal` deals at once.
    """
    sight = Sight(snapshot)
    if sight.me is None or what not in {"again", "deal"} or (what == "deal" and sight.me.ready):
        return False
    play.rematch(ready=not sight.me.ready)
    if what == "deal" and sight.alone:
        play.start()
    return True
