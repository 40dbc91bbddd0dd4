"""The app in a terminal, from its first frame to the shell's prompt, and what is said there."""

import sys
from collections.abc import Iterator

from nana_client.app import Beginning, NanaApp
from nana_client.shell import mouse_mode
from nana_client.store import Store


def run_app(start: Beginning, *, mouse: bool = True, motion: bool = True) -> int:
    """Play in the terminal until it is over; return the exit code."""
    store = Store()
    app = NanaApp(start, store)
    if not motion:
        app.animation_level = "none"
    code = app.run(mouse=mouse and app.tuner.settings.mouse)
    if sys.__stderr__ is not None:
        last = mouse_mode(on=False) + app.attention.done()
        print(last, end="", file=sys.__stderr__, flush=True)
    for line in last_words(app, store):
        print(line, file=sys.stderr)
    return app.return_code or 0 if code is None else code


def last_words(app: NanaApp, store: Store) -> Iterator[str]:
    """Say how one comes back to the table, and what was wrong with files of one's own."""
    if app.last_link is not None and not app.stay.alone:
        yield f"Your table: {app.last_link}"
    yield from (f"nana: {trouble}" for trouble in store.troubles)
