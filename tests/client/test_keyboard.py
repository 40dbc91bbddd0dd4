"""Keys: what each means where, on every keyboard, and the file that changes them."""

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nana_client.deeds import DEEDS, SOURCE_OF, Place, source_name
from nana_client.keyboard import USUAL, Keyboard, flaw_in_key, key_label
from nana_client.keyfile import keys_file, keys_listed, read_keys
from nana_client.listing import run_keys
from nana_client.store import Store, folders
from nana_core.notation import SOURCES

SHARED = [
    (one, other)
    for one, other in combinations(DEEDS.values(), 2)
    if set(one.places) & set(other.places) and set(one.keys) & set(other.keys)
]


def test_no_key_means_two_things_in_one_place() -> None:
    """The usual keys of any place are different ones, and all of them can be sent."""
    assert SHARED == []
    assert [flaw_in_key(key, deed) for deed in DEEDS.values() for key in deed.keys] == [None] * sum(
        len(deed.keys) for deed in DEEDS.values()
    )


@pytest.mark.parametrize(
    ("typed", "source"),
    [
        pytest.param("1", "c1", id="a digit is a slot"),
        pytest.param("0", "c10", id="zero is slot ten"),
        pytest.param("b", "b<", id="small is lowest"),
        pytest.param("B", "b>", id="capital is highest"),
        pytest.param("&", "c1", id="AZERTY 1"),
        pytest.param("é", "c2", id="AZERTY 2"),
        pytest.param("è", "c7", id="AZERTY 7"),
        pytest.param("à", "c10", id="AZERTY 0"),
        pytest.param("+", "c1", id="Czech 1"),
        pytest.param("š", "c3", id="Czech 3"),
        pytest.param("ф", "a<", id="Russian a"),
        pytest.param("И", "b>", id="Russian B"),
        pytest.param("ψ", "c<", id="Greek c"),
        pytest.param("נ", "b<", id="Hebrew b"),
        pytest.param("f", None, id="no such seat"),
        pytest.param("ß", None, id="a letter whose capital is two"),
        pytest.param("", None, id="nothing"),
        pytest.param("ab", None, id="two characters"),
    ],
)
def test_what_a_character_means_at_the_table(typed: str, source: str | None) -> None:
    """A character stands for one source or none, also where other alphabets are typed."""
    deed = USUAL.deed("table", typed)
    assert (SOURCE_OF.get(deed) if deed else None) == source


@pytest.mark.parametrize("source", SOURCES)
def test_what_stands_on_a_card_reveals_it(source: str) -> None:
    """What is printed on a card, pressed, is that card; also where it has a key of one's own."""
    for keyboard in (USUAL, Keyboard({source_name(source): ("ctrl+x", "y")})):
        key = keyboard.on_card(source)
        assert keyboard.deed("table", key.replace("^X", "ctrl+x")) == source_name(source)


@pytest.mark.parametrize(
    ("place", "typed", "deed"),
    [
        ("table", "ctrl+j", "reveal"),  # Enter, as some terminals send it
        ("lobby", "b", "add-bot"),
        ("table", "b", "b-low"),
        ("over", "s", "record"),
        ("beside", "s", "sit"),
        ("offline", "r", "retry"),
        ("table", "r", None),
    ],
)
def test_a_key_means_what_its_place_says(place: Place, typed: str, deed: str | None) -> None:
    """The same key may mean one thing in the lobby and another one at the table."""
    assert USUAL.deed(place, typed) == deed


def test_labels_follow_the_keys() -> None:
    """What is said on the screen is the first key that holds."""
    mine = Keyboard({"talk": ("y", "f2"), "center-1": ("f1",), "quit": ("ctrl+x",)})
    assert (mine.label("talk"), mine.labels("talk")) == ("y", "y or F2")
    assert (mine.label("quit"), mine.label("quit", short=False)) == ("^X", "Ctrl+X")
    assert mine.label("again|deal") == "r or Enter"
    assert mine.label("some words") == "some words"
    assert (USUAL.label("@slots"), mine.label("@slots")) == ("digit", "F1 … 0")
    assert (USUAL.usual_cards, mine.usual_cards) == (True, False)
    assert key_label("shift+left") == "Shift+←"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param('tallk = "y"', "nothing called 'tallk'; did you mean talk?", id="unknown"),
        pytest.param('talk = "m"', "talk keeps t: m is the key of menu.", id="taken"),
        pytest.param('talk = "3"', "talk keeps t: 3 is the key of center-3.", id="a card's"),
        pytest.param('talk = "hyper+t"', "'hyper+t' is no key that a terminal sends.", id="unsent"),
        pytest.param('talk = "ctrl+c"', "talk keeps t: ctrl+c is never anything", id="interrupt"),
        pytest.param('talk = "ctrl+i"', "terminals send tab for ctrl+i", id="a twin"),
        pytest.param('quit = "q"', "quit keeps Ctrl+Q: quit counts while one types", id="typed"),
        pytest.param('talk = "好"', "is not as wide as the place", id="wide"),
        pytest.param('talk = "\u0301"', "is not as wide as the place", id="no width"),
        pytest.param('talk = "\u202e"', "is no key that a terminal sends", id="bidi"),
        pytest.param("talk = 3", 'talk needs a key, like talk = "t"', id="a number"),
        pytest.param("talk = []", "talk needs a key", id="none"),
        pytest.param('digit-row = "abc"', "digit-row is ten different", id="a short row"),
        pytest.param("talk = ", "It is no TOML", id="broken"),
    ],
)
def test_a_line_that_cannot_be_is_told(text: str, told: str) -> None:
    """One sentence for each wrong line; the usual key holds."""
    keyboard, (flaw,) = read_keys(text.encode())
    assert told in flaw
    assert flaw.endswith((".", "?"))
    assert keyboard == USUAL


def test_two_lines_for_one_key() -> None:
    """Of two lines that ask for the same key the first one gets it."""
    keyboard, (flaw,) = read_keys(b'talk = "y"\nmenu = "y"')
    assert flaw == "menu keeps m: Y is the key of talk.".replace("Y", "y")
    assert keyboard.own == {"talk": ("y",)}


def test_keys_may_change_places() -> None:
    """Two deeds may swap their keys; a name may be written as people write it."""
    keyboard, flaws = read_keys(b'talk = "m"\nmenu = ["t", "F2"]\nback = ["Esc", "Ins"]')
    assert flaws == ()
    assert keyboard.own == {
        "talk": ("m",),
        "menu": ("t", "f2"),
        "back": ("escape", "insert"),
    }


def test_a_row_of_digits_of_ones_own() -> None:
    """Where é is 0, as on Czech keyboards, a line says so."""
    keyboard, flaws = read_keys('digit-row = "+ěščřžýáíé"'.encode())
    assert flaws == ()
    assert (keyboard.deed("table", "é"), keyboard.deed("table", "ž")) == ("center-10", "center-6")


OWN = {"talk": ("y", "f2"), "reveal": ("enter", '"'), "center-3": ("\\",)}


@pytest.mark.parametrize("keyboard", [USUAL, Keyboard(OWN, "+ěščřžýáíé")], ids=["usual", "own"])
def test_the_file_that_is_written_reads_the_same(keyboard: Keyboard) -> None:
    """What `nana keys --write` makes changes nothing until somebody changes it."""
    assert read_keys(keys_file(keyboard).encode()) == (keyboard, ())


def test_every_line_of_the_file_is_good() -> None:
    """Without its comment signs the file that is written says just what holds anyway."""
    lines = [line.removeprefix("# ") for line in keys_file(USUAL).splitlines() if " = " in line]
    bare = "\n".join(line for line in lines if line.split(" ")[0] in DEEDS)
    keyboard, flaws = read_keys(bare.encode())
    assert flaws == ()
    assert keyboard.own == {name: deed.keys for name, deed in DEEDS.items()}


def test_all_keys_are_listed() -> None:
    """`nana keys` tells every deed, and marks those with keys of one's own."""
    lines = list(keys_listed(Keyboard({"talk": ("y",)})))
    assert all(any(name in line for line in lines) for name in DEEDS)
    assert [line for line in lines if line.startswith("*")] == [
        "* talk          y                       talk; a digit first says a quick phrase"
    ]


@given(st.dictionaries(st.sampled_from([*DEEDS]), st.lists(st.text(max_size=8), max_size=3)))
def test_whatever_is_written_each_key_has_one_meaning(said: dict[str, list[str]]) -> None:
    """No file leads to two meanings of one key, or to a deed without a key."""
    text = "".join(f"{name} = {list(keys)!r}\n" for name, keys in said.items())
    keyboard, _ = read_keys(text.encode())
    for one, other in combinations(DEEDS.values(), 2):
        if set(one.places) & set(other.places):
            assert not set(keyboard.keys(one.name)) & set(keyboard.keys(other.name))
    assert all(keyboard.keys(name) for name in DEEDS)


def test_nana_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is written once and never over another one; what is wrong in it is told."""
    store = Store(folders({"NANA_HOME": str(tmp_path)}))
    assert run_keys(store=store) == 0
    assert "nana keys --write" in capsys.readouterr().out
    assert run_keys(write=True, store=store) == 0
    assert run_keys(write=True, store=store) == 1
    assert "stays as it is" in capsys.readouterr().err
    with store.keys_file.open("a") as file:
        file.write('talk = "y"\nmenu = "y"\n')
    assert run_keys(store=store) == 1
    said = capsys.readouterr()
    assert "* talk          y" in said.out
    assert said.err == "nana: keys.toml: menu keeps m: y is the key of talk.\n"


def test_the_store_reads_the_file_and_leaves_it(tmp_path: Path) -> None:
    """What is wrong in the file is a trouble to tell; the file stays as its owner wrote it."""
    store = Store(folders({"NANA_HOME": str(tmp_path)}))
    assert store.keyboard() == USUAL
    file = tmp_path / "config" / "keys.toml"
    file.parent.mkdir()
    file.write_text('talk = "y"\nmenu = "3"\n')
    assert store.keyboard().own == {"talk": ("y",)}
    assert store.troubles == ["keys.toml: menu keeps m: 3 is the key of center-3."]
    assert file.read_text() == 'talk = "y"\nmenu = "3"\n'
