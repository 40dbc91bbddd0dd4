"""The file of settings: what was written comes back, and what is wrong in it is told."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nana_client.settings import Settings, read_settings, write_settings
from nana_client.store import Store, folders

PRINTABLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)


@given(name=PRINTABLE, server=PRINTABLE, bots=st.integers(1, 4), on=st.booleans())
def test_what_is_written_comes_back(name: str, server: str, bots: int, *, on: bool) -> None:
    """Any text survives the file: quotes, backslashes, line breaks, control characters."""
    settings = Settings(name=name, server=server, bots=bots, motion=on, at_once=on, mouse=on)
    assert read_settings(write_settings(settings)) == (settings, ())


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        pytest.param("bots = 9", "bots cannot be 9", id="out of bounds"),
        pytest.param('bell = "loud"', "bell cannot be 'loud'", id="another kind"),
        pytest.param("bots = true", "bots cannot be True", id="true is no number"),
        pytest.param("colour = 1", "there is no setting 'colour'", id="unknown"),
        pytest.param("theme = [1, 2]", "theme cannot be [1, 2]", id="a list"),
        pytest.param(f'name = "{"a" * 301}"', "name cannot be", id="too long"),
        pytest.param("[bell]\non = 1", "bell cannot be", id="a table"),
    ],
)
def test_what_is_wrong_is_told_and_the_rest_holds(text: str, flaw: str) -> None:
    """One wrong line costs that line: its default stands, everything else is as written."""
    settings, (told,) = read_settings(f'level = "memory"\n{text}\n'.encode())
    assert settings == Settings(level="memory")
    assert flaw in told


@pytest.mark.parametrize("data", [b"\xff{", b"bots = ", b"= 3", b"[" * 5000])
def test_no_toml_is_told(data: bytes) -> None:
    """A file that is none leaves the defaults, and says that it is none."""
    settings, (told,) = read_settings(data)
    assert settings == Settings()
    assert told.startswith("it is no TOML")


def test_a_wrong_line_is_kept_for_who_wrote_it(tmp_path: Path) -> None:
    """The file as it was written by hand is set aside before a good one takes its place."""
    store = Store(folders({"NANA_HOME": str(tmp_path)}))
    store.remember(Settings(name="Ann"))
    file = tmp_path / "config" / "settings.toml"
    file.write_text('name = "Bo"\nbots = 12\n')
    assert store.settings() == Settings(name="Bo")
    assert file.with_suffix(".broken").read_text() == 'name = "Bo"\nbots = 12\n'
    assert store.troubles == ["In settings.toml bots cannot be 12. It is kept as settings.broken."]
    assert store.settings() == Settings(name="Bo")
    assert len(store.troubles) == 1
