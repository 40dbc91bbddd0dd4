"""Two people on two machines: one table, played to its end, talked over, played again."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from e2e.drawn import FAIR, Choose, is_over, keys, prompt
from e2e.person import Person, person
from e2e.programs import Program, nana
from nana_bots.mind import LEVELS, Player
from nana_client.address import Target
from nana_client.keyboard import USUAL
from nana_client.start import HostRoom, JoinRoom
from nana_core.protocol.inbound import Reveal

ANY = [*(f"#{slot}" for slot in range(1, 11)), "A low", "A high", "B low", "B high"]


def clever(someone: Person, seed: int) -> Choose:
    """Choose as a good player would, among the keys that the screen offers."""
    mind = Player(LEVELS["memory"](Random(seed)))

    def see(model: object) -> None:
        if someone.model.snapshot is not None:
            mind.receive(someone.model.snapshot)

    def choose(offered: list[str]) -> str:
        assert someone.model.snapshot is not None
        action = mind.receive(someone.model.snapshot)
        if not isinstance(action, Reveal):  # it was answered while we looked
            return offered[0]
        key = USUAL.on_card(action.source)
        assert key in offered, someone.text
        return key

    someone.on_change = see
    return choose


async def hosts(stack: AsyncExitStack, home: Path) -> tuple[Person, Target]:
    """Have Ann host a table for two without a pace."""
    ann = await stack.enter_async_context(person(HostRoom(0, "Ann"), home / "ann"))
    await ann.chooses("Seats", "2")
    await ann.chooses("Pace", "0 s")
    return ann, ann.session.target


async def test_two_at_their_screens(tmp_path: Path) -> None:
    """A game to its proven end, words in both directions, a rematch, and a goodbye."""
    async with AsyncExitStack() as stack:
        ann, target = await hosts(stack, tmp_path)
        bo = await stack.enter_async_context(
            person(JoinRoom(target, "Bo"), tmp_path / "bo", newcomer=True)
        )
        await ann.sees("2 sit at the table")
        await talk(ann, bo, "good luck")
        await bo.sees("Ann starts")
        await ann.press("enter")
        choose = [clever(someone, seed) for seed, someone in enumerate((ann, bo))]
        ends = await asyncio.gather(ann.play(choose[0]), bo.play(choose[1]))
        assert all(FAIR in text for text in ends)
        assert ("YOU WIN" in prompt(ends[0])) != ("YOU WIN" in prompt(ends[1]))
        await talk(bo, ann, "well played")
        await bo.press("r")
        await ann.press("r")
        await ann.until(lambda text: "deals next" in prompt(text) and ready(ann))
        await ann.press("enter")
        for someone in (ann, bo):
            await someone.sees("game 2 · turn")
            assert someone.model.snapshot is not None
            assert sum(view.won for view in someone.model.snapshot.seats) == 1
        await bo.press("ctrl+q")
        await bo.sees("Leave?")
        await bo.press("l")
        await ann.until(lambda text: " left " in text.splitlines()[1])


async def talk(one: Person, other: Person, words: str) -> None:
    """Say something that both then read; letters typed there reveal nothing."""
    await one.press("t")
    await one.sees("Enter says it")
    await one.write(words)
    await one.sees(words)
    await one.press("enter", "escape")
    for someone in (one, other):
        await someone.press("t")
        await someone.sees(words)
        await someone.press("escape")


def ready(someone: Person) -> bool:
    shot = someone.model.snapshot
    return shot is not None and all(view.ready for view in shot.seats)


async def test_a_screen_and_a_pipe(tmp_path: Path) -> None:
    """Whoever plays in plain lines is a full player: plays, talks, wins or loses, plays again."""
    async with AsyncExitStack() as stack:
        ann, target = await hosts(stack, tmp_path)
        bo = await stack.enter_async_context(
            nana(tmp_path / "bo", "join", target.url, "--name", "Bo", "--plain")
        )
        await ann.sees("2 sit at the table")
        bo.type("say hello from a pipe")
        await ann.press("t")
        await ann.sees("hello from a pipe")
        await ann.write("hello to it")
        await ann.press("enter", "escape")
        await bo.until("A Ann: hello to it")
        await ann.press("enter")
        choose = clever(ann, 1)
        text, said = await asyncio.gather(ann.play(choose), play_in_lines(bo))
        assert FAIR in text
        assert ("YOU WIN" in prompt(text)) == said.startswith("A Ann wins: ")
        await bo.until("Deal verified: nobody chose it.")
        hands = [line for line in bo.lines if line.startswith(("A Ann (", "B Bo (you"))]
        assert "cards" not in hands[-1]
        bo.type("rematch")
        await ann.press("r")
        await ann.until(lambda text: "deals next" in prompt(text) and ready(ann))
        await ann.press("enter")
        await bo.until("Game 2 begins, 2 players.")
        bo.type("leave")
        await bo.until("Goodbye")
        assert await bo.ends() == 0
        assert "Traceback" not in bo.text
        await ann.until(lambda text: " left " in text.splitlines()[1])


async def play_in_lines(player: Program) -> str:
    """Play by what the lines say and nothing else; return the line that tells the result."""
    memory: dict[str, str] = {}
    chance = Random(7)
    while True:
        line = await player.until(" reveals ", "YOUR TURN", "No: ", " wins: ")
        if " wins: " in line:
            return line
        if " reveals " in line:
            what, _, number = line.partition(" reveals ")[2].partition(": ")
            memory[what] = number
        elif "go continues" in line:
            player.type("go")
        else:
            wanted = line.partition("you need a ")[2].partition(".")[0]
            known = [what for what, number in memory.items() if number == wanted]
            player.type(chance.choice(known or ANY).lower())
            if line.startswith("No: "):
                memory.clear()


def test_the_keys_of_a_screen() -> None:
    """Low and high ends, slots, and the one card that is both ends of its hand."""
    screen = "╰b─╯ ╰──╯ ╰─B╯ ╰a─╰──╰──╯ ╰─4─╯ ╰─10╯ ┗━6━┛ ╰cC╯ ▐d░▌ ·8·▸D░◂"
    assert keys(screen) == ["b", "B", "a", "4", "0", "6", "c", "C", "d", "D"]
    assert not is_over(screen)
