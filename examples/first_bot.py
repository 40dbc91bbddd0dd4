"""A bot with this house's SDK: `python first_bot.py [LINK]` plays; without a link, one of ours."""

import random
import sys

from nana_client.robot import Bot, History, View, run, wanted


class Parrot(Bot):
    """Turns over again what it saw of the number it needs, and what it never saw."""

    def choose(self, view: View, history: History) -> str:
        seen = {card.source: card.number for ended in history.attempts for card in ended.cards}
        good = [source for source in view.legal if seen.get(source) == wanted(view)]
        return random.choice(good or view.legal)


if __name__ == "__main__":
    run(Parrot(), *sys.argv[1:2])
