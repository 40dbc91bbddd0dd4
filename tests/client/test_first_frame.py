"""The first screen comes at once: what it does not need is loaded later."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["websockets.asyncio", "http.client", "sqlite3", "nana_bots"])
def test_the_first_screen_does_not_wait_for(module: str) -> None:
    """Connections, servers and bots are for later: the app alone loads none of them."""
    code = f"import sys, nana_client.app; print({module!r} in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "False"
