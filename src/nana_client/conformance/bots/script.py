"""What the script's seat does, which sees all cards: misses, or collects. In notation. Pure."""

from nana_core.actions import CenterSlot
from nana_core.game import Game, advance, sources
from nana_core.notation import CONTINUE as CONTINUES
from nana_core.notation import source_name
from nana_core.protocol.wire import CONTINUE


def miss(game: Game) -> list[str]:
    """Two cards that differ, a center slot first."""
    known = _numbers(game)
    first = next(iter(known))
    other = next(name for name, number in known.items() if number != known[first])
    return [*_cleared(game), first, other]


def collect(game: Game) -> list[str]:
    """The smallest number in play, which lies at a low end wherever it is in a hand."""
    rest = advance(game, CONTINUE) if game.table.shown else game
    table, secrets = rest.table, rest.secrets
    known = _numbers(game)
    wanted = min(known.values())
    words = [name for name, number in known.items() if name[1:].isdigit() and number == wanted]
    for owner, hand in enumerate(secrets.hands[: table.players]):
        words += [f"{'abcde'[owner]}<"] * hand.count(wanted)
    return [*_cleared(game), *words]


def _cleared(game: Game) -> list[str]:
    return [CONTINUES] if game.table.shown else []


def _numbers(game: Game) -> dict[str, int]:
    """Return what each source would show once a shown attempt is cleared."""
    rest = advance(game, CONTINUE) if game.table.shown else game
    numbers = {}
    for source in sources(rest.table):
        if isinstance(source, CenterSlot):
            numbers[source_name(source)] = rest.secrets.center[source.slot - 1]
        else:
            hand = rest.secrets.hands[source.owner]
            numbers[source_name(source)] = hand[0 if source.end == "low" else -1]
    return numbers
