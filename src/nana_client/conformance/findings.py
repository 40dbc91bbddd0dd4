"""What was found so far, by the name of the check.

A check that fails is noted, and the scene goes on where that makes sense.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from nana_client.conformance.verdict import Broken


class SceneOver(Exception):  # noqa: N818 - what it says
    """A check failed without which the scene makes no sense."""


class Findings:
    def __init__(self) -> None:
        self.found: dict[str, list[str]] = {}
        self.reached: set[str] = set()
        self._instead: str | None = None
        self._always: frozenset[str] = frozenset()

    def broken(self, check: str, text: str) -> None:
        """Note that a check does not hold."""
        name = check if self._instead is None or check in self._always else self._instead
        self.found.setdefault(name, []).append(text)

    @contextmanager
    def check(self, name: str, *, vital: bool = False) -> Iterator[None]:
        """Try one thing; what is `vital` ends the scene when it fails."""
        self.reached.add(name)
        try:
            yield
        except Broken as error:
            self.broken(name, str(error))
            if vital:
                raise SceneOver from None

    @contextmanager
    def all_for(self, name: str, always: frozenset[str] = frozenset()) -> Iterator[None]:
        """Note whatever fails meanwhile under this name, except what has `always` its own."""
        self.reached.add(name)
        self._instead, self._always = name, always
        try:
            yield
        finally:
            self._instead = None
