"""When something is wrong, a person at a screen reads a sentence and has a way on."""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from e2e.drawn import prompt
from e2e.person import Person, person
from e2e.programs import a_room, free_port, nana, serving
from nana_client.address import Target, target_of
from nana_client.start import JoinRoom, OpenScreen, PlayBots, WatchRoom


async def is_back(someone: Person, *words: str) -> None:
    """Wait for the opening screen, on which these words stand: the lines break where they must."""
    text = await someone.until(lambda text: "play against" in text and words[0] in text)
    told = " ".join(text.split())
    assert all(word in told for word in words), text


async def is_asked_again(someone: Person, target: Target, *words: str) -> None:
    """Wait for the link's field, with the link in it and these words below."""
    text = await someone.until(lambda text: "The link" in text and words[0] in text)
    told = " ".join(text.split())
    assert all(word in told for word in (*words, target.url)), text


async def test_a_room_that_is_not_there(tmp_path: Path) -> None:
    """A wrong code is there to be put right, with the reason below it."""
    async with serving(tmp_path) as (_, server):
        wrong = server.at("ZZZZZ")
        for start in (JoinRoom(wrong, "Bo"), WatchRoom(wrong, "Bo")):
            async with person(start, tmp_path / "bo") as bo:
                await is_asked_again(bo, wrong, "There is no", "room")


async def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    """So does a server that does not answer."""
    target = target_of("127.0.0.1", free_port(), "KQ7MX")
    async with person(JoinRoom(target, "Bo"), tmp_path / "bo") as bo:
        await is_asked_again(bo, target, "Nothing answers", "is the server running?")


async def test_a_full_room(tmp_path: Path) -> None:
    """So does a room without a free seat, which may be watched; its players notice nothing."""
    async with AsyncExitStack() as stack:
        _, server = await stack.enter_async_context(serving(tmp_path))
        friend = await stack.enter_async_context(a_room(server, seats=3, games=0))
        for _ in range(2):
            friend.session.add_bot("random")
        full = await friend.until(lambda shot: all(view.kind != "free" for view in shot.seats))
        start = JoinRoom(friend.session.target, "Bo")
        async with person(start, tmp_path / "bo") as bo:
            await is_asked_again(bo, start.target, "Every seat", "You can watch instead.")
            assert friend.session.model.snapshot == full
            await bo.press("enter")  # which does so
            await bo.sees("WATCHING")


@pytest.mark.parametrize("link", ["nonsense", "ws://", "ws://host:99999/r/KQ7MX", "host/r/!!"])
async def test_a_link_that_is_none(link: str, tmp_path: Path) -> None:
    """A bad link is told in place, before anything is tried, and can be mended there."""
    async with person(OpenScreen("Bo"), tmp_path / "bo") as bo:
        await bo.sees("play against")
        await bo.press("j")
        await bo.sees("The link")
        await bo.write(link)
        before = await bo.sees(link)
        await bo.press("enter")
        after = await bo.until(lambda text: text != before)
        assert "The link" in after
        assert link in after
        assert bo.model.hello is None


async def test_a_server_that_is_lost_in_a_game(tmp_path: Path) -> None:
    """The table stays with what happened and what to press; one may try again, and go."""
    async with AsyncExitStack() as stack:
        server, target = await stack.enter_async_context(serving(tmp_path))
        friend = await stack.enter_async_context(a_room(target, seats=2))
        start = JoinRoom(friend.session.target, "Bo")
        bo = await stack.enter_async_context(person(start, tmp_path / "bo"))
        await bo.sees("· turn ")
        server.process.kill()
        text = await bo.until(lambda text: "OFFLINE" in prompt(text))
        assert "now" in prompt(text)
        assert "Bo (you)" in text
        await bo.press("r")
        await bo.press("escape")
        await bo.sees("Leave?")
        await bo.press("k")
        await is_back(bo, "go back to your seat", friend.session.target.room or "")


async def test_bad_guests_go_unnoticed(tmp_path: Path) -> None:
    """Programs that fail at the same door change nothing on the screen of who sits there."""
    async with AsyncExitStack() as stack:
        _, server = await stack.enter_async_context(serving(tmp_path))
        friend = await stack.enter_async_context(a_room(server, seats=3, games=0))
        target = friend.session.target
        bo = await stack.enter_async_context(person(JoinRoom(target, "Bo"), tmp_path / "bo"))
        await bo.sees("Bo you")
        before = bo.model.snapshot
        for args in (("join", server.at("ZZZZZ").url), ("join", target.url, "--name=\x1b[2J")):
            async with nana(tmp_path / "cy", *args) as rude:
                assert await rude.ends() in {1, 2}
        assert bo.model.snapshot is before


async def test_a_server_of_ones_own_that_dies(tmp_path: Path) -> None:
    """A game against bots whose server is killed says so, and begins anew with one key."""
    async with person(PlayBots(1, "memory", "Ann"), tmp_path / "ann") as ann:
        await ann.sees("· turn ")
        room = ann.session.target.room or ""
        assert ann.hosted is not None
        assert ann.hosted._process is not None
        ann.hosted._process.kill()
        text = await ann.until(lambda text: "CLOSED" in prompt(text))
        assert "The server stopped by itself" in text
        await ann.press("r")
        await ann.until(lambda text: "· turn " in text and room not in text)
