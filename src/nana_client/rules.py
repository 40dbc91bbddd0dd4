"""The rules and the keys, told to somebody who has never played. Text, and nothing else."""

from typing import Final

from nana_client.deeds import DEEDS
from nana_client.keyboard import Keyboard

_CARDS: Final = (
    ("1 … 9, 0", "a slot of the center; 0 is slot 10"),
    ("a … e", "the lowest card of that seat's hand"),
    ("A … E", "the highest card of that seat's hand (Shift)"),
)
_CARDS_OWN: Final = (("on the card", "the key that reveals it stands in its edge"),)
_AIMED: Final = "A first press aims, the same key again reveals, another one re-aims."
_AT_ONCE: Final = "One press reveals: aiming is turned off in the settings."
_KEYS: Final = (
    ("reveal", "reveals what is aimed at"),
    ("left|right|up|down", "move the aim; a click aims, a second click reveals"),
    ("continue", "goes on: the shown attempt is cleared and your turn begins"),
    ("talk", "talk; 1 … 9 first says a quick phrase"),
    ("menu", "the menu: settings, mute; the host pauses, ends …"),
    ("again", "after a game: play again"),
    ("left", "after a game: step through it again, all hands open"),
    ("record", "after a game: save its record"),
    ("sit", "beside the table: sit down, between games"),
    ("retry", "without a connection: try now"),
    ("help", "this page"),
    ("palette", "everything by its name: themes, settings …"),
    ("back", "clears the aim, goes back, leaves the table"),
    ("quit", "leaves nana; Ctrl+C twice does too"),
    ("Ctrl+Z", "back to the shell; fg comes back, and your seat is kept"),
    ("", "Everything on the screen that names a key can be clicked, too."),
    ("", "Other keys: nana keys --write makes a file to choose them in."),
)


def keys_told(keyboard: Keyboard, *, at_once: bool = False) -> tuple[tuple[str, str], ...]:
    """Say every key, as it is now, and what it does; a line without a key is a sentence."""
    cards = _CARDS if keyboard.usual_cards else _CARDS_OWN
    how = ("", _AT_ONCE if at_once else _AIMED)
    return (*cards, how, *((_said(name, keyboard), what) for name, what in _KEYS))


def _said(name: str, keyboard: Keyboard) -> str:
    if "|" in name:
        arrows = name.split("|")
        usual = all(deed not in keyboard.own for deed in arrows)
        return "arrows" if usual else " ".join(map(keyboard.label, arrows))
    return keyboard.labels(name) if name in DEEDS else name


RULES: Final = (
    (
        "What it is about",
        (
            "Every number is there three times. Find three alike, one card at a time, and "
            "collect them as a set. It takes memory, and thinking about what others do."
        ),
    ),
    (
        "The table",
        (
            "Everybody holds a hand, sorted from low to high, that nobody else sees. The cards "
            "that are left lie face down in the center, in numbered slots that never move. "
            "Two players use the numbers 1-10, hold 10 cards each and have 10 in the center; "
            "three: 1-11, 8 and 9; four: 1-12, 7 and 8; five: 1-12, 6 and 6."
        ),
    ),
    (
        "Your turn",
        (
            "Reveal one card: any slot of the center, or the lowest or the highest card of any "
            "hand, your own too. Does it match what you have turned so far? Then reveal another "
            "one. You may ask the same hand again: a card that was turned lies outside its hand, "
            "so the next one is its end now. You cannot pass, and you cannot stop early."
        ),
    ),
    (
        "Set or miss",
        (
            "Three of the same number: they are yours, as a set, and leave the game. The first "
            "card that differs ends the attempt: all its cards go back to where they came from. "
            "Everybody may look until the next player goes on. Either way the turn passes to the "
            "left; a set gives no extra turn."
        ),
    ),
    (
        "Winning",
        (
            "You win at once with three sets; or with the set of 7s alone; or with two sets whose "
            "numbers add up to 7 or differ by 7, like 2 and 5, or 3 and 10. All three hold in "
            "every game."
        ),
    ),
    (
        "Small print",
        (
            "An empty hand cannot be asked, but its player still has turns. A player who is "
            "away too long is played for until back; a bot replaces who leaves. The seat that "
            "begins is drawn, and moves on by one for each new game."
        ),
    ),
    (
        "A fair deal",
        (
            "Before the cards are dealt the server commits to a secret, and so does everybody's "
            "client. The deal follows from all of them together: nobody can choose it. After the "
            "game your client checks that by itself and says so."
        ),
    ),
)
SOURCE: Final = "Nana is by Kaya Miyano, illustrated by Sai Beppu, published by Mob+."
