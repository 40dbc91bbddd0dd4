"""Fixtures for who tests a bot with pytest; installed with nana, they are there by themselves.

`nana_table` plays whole games in the test's own process, at once and always the same.
`nana_server` is a real server with rooms in memory, one for all tests of a run.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # pytest starts in any project: nothing of nana is loaded until it is used
    from nana_client.robot.testing import Server, Table


@pytest.fixture
def nana_table() -> "Table":
    """Games without a server: `nana_table.play(MyBot(), "memory", games=20)`."""
    from nana_client.robot.testing import Table  # noqa: PLC0415

    return Table()


@pytest.fixture(scope="session")
def _nana_url() -> Iterator[str]:
    from nana_client.robot.testing import server  # noqa: PLC0415

    with server() as started:
        yield started.url


@pytest.fixture
def nana_server(_nana_url: str) -> "Server":
    """A real server: `nana_server.run(MyBot(), games=2)`, or `nana_server.url` for a program."""
    from nana_client.robot.testing import Server  # noqa: PLC0415

    return Server(_nana_url)
