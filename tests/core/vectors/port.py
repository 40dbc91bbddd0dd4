"""The rules a second time, from vectors/README.md and protocol.md alone, as a port would have them.

It imports nothing of nana: what it gets right, the public vectors and their text are enough for.
Positions are dictionaries; there is no hidden state.
"""

from typing import Any

LETTERS = "ABCDE"
Position = dict[str, Any]


def read(text: str) -> Position:
    hands, center, sets, attempt, turn = [field.strip() for field in text.split("|")]
    seat, *words = attempt.split()
    outcome = {"!": "set", "?": "miss"}.get(words[-1]) if words else None
    shown = [word.split("=") for word in words if "=" in word]
    return {
        "hands": [numbers(hand) for hand in hands.split("/")],
        "center": [None if slot == "x" else int(slot) for slot in center.split(".")],
        "sets": [numbers(each) for each in sets.split(",")],
        "seat": LETTERS.index(seat),
        "cards": [(source, int(number)) for source, number in shown],
        "outcome": outcome,
        "acts": LETTERS.index(turn[0]),
        "turn": int(turn[1:]),
    }


def write(at: Position) -> str:
    cards = "".join(f" {source}={number}" for source, number in at["cards"])
    mark = {"set": " !", "miss": " ?", None: ""}[at["outcome"]]
    return " | ".join([
        "/".join(map(joined, at["hands"])),
        ".".join("x" if slot is None else str(slot) for slot in at["center"]),
        ",".join(map(joined, at["sets"])),
        LETTERS[at["seat"]] + cards + mark,
        f"{LETTERS[at['acts']]} {at['turn']}",
    ])  # fmt: skip


def numbers(text: str) -> list[int]:
    return [] if text == "-" else [int(number) for number in text.split(".")]


def joined(cards: list[int]) -> str:
    return ".".join(map(str, cards)) or "-"


def why_not(at: Position, action: str) -> str | None:
    if action == ".":
        return None if at["outcome"] else "nothing_to_continue"
    if at["outcome"]:
        return "continue_first"
    if action[1:].isdigit():
        slot = int(action[1:])
        if slot > len(at["center"]):
            return "no_such_slot"
        if at["center"][slot - 1] is None:
            return "slot_gone"
        return "slot_open" if action in [source for source, _ in at["cards"]] else None
    owner = LETTERS.index(action[0].upper())
    if owner >= len(at["hands"]):
        return "no_such_seat"
    return None if at["hands"][owner] else "empty_hand"


def act(at: Position, action: str) -> tuple[Position, Any]:
    """Return the position after a legal action, and the result if the game is over."""
    at = {**at, "hands": [[*hand] for hand in at["hands"]], "center": [*at["center"]]}
    return (go_on(at), None) if action == "." else turn_over(at, action)


def go_on(at: Position) -> Position:
    for source, number in at["cards"]:
        if source[1:].isdigit():
            if at["outcome"] == "set":
                at["center"][int(source[1:]) - 1] = None
        elif at["outcome"] == "miss":
            owner = LETTERS.index(source[0].upper())
            at["hands"][owner] = sorted([*at["hands"][owner], number])
    return {**at, "seat": at["acts"], "cards": [], "outcome": None, "turn": at["turn"] + 1}


def turn_over(at: Position, action: str) -> tuple[Position, Any]:
    if action[1:].isdigit():
        number = at["center"][int(action[1:]) - 1]
    else:
        hand = at["hands"][LETTERS.index(action[0].upper())]
        number = hand.pop(0 if action[1] == "<" else -1)
    at["cards"] = [*at["cards"], (action, number)]
    alike = number == at["cards"][0][1]
    if alike and len(at["cards"]) < 3:
        return at, None
    at["outcome"] = "set" if alike else "miss"
    at["acts"] = (at["seat"] + 1) % len(at["hands"])
    if alike:
        at["sets"] = [[*each] for each in at["sets"]]
        at["sets"][at["seat"]].append(number)
        if won := wins(at["sets"][at["seat"]]):
            return at, {"kind": "won", "seat": LETTERS[at["seat"]], "wins": won, "why": None}
    if at["turn"] >= 2000:
        return at, {"kind": "ended", "seat": None, "wins": [], "why": "cap"}
    return at, None


def wins(sets: list[int]) -> list[dict[str, Any]]:
    won = [{"reason": "three_sets", "sets": sets}] if len(sets) >= 3 else []
    won += [{"reason": "sevens", "sets": [7]}] if 7 in sets else []
    for at, one in enumerate(sets):
        for other in sets[at + 1 :]:
            pair = sorted([one, other])
            won += [{"reason": "sum", "sets": pair}] if one + other == 7 else []
            won += [{"reason": "difference", "sets": pair}] if abs(one - other) == 7 else []
    return won


def seen(at: Position, result: Any, viewer: int | None) -> dict[str, Any]:
    """Return what a viewer sees, with a snapshot's fields."""
    opened = (
        {f"c{slot}" for slot in range(1, 11)} if result else {source for source, _ in at["cards"]}
    )
    every = [f"c{slot}" for slot in range(1, 11)] + [f"{c}{e}" for c in "abcde" for e in "<>"]
    legal = ["continue"] if at["outcome"] else [s for s in every if why_not(at, s) is None]
    center = []
    for slot, number in enumerate(at["center"], 1):
        lies = number if f"c{slot}" in opened else "down"
        center.append("gone" if number is None else lies)
    return {
        "turn": at["turn"],
        "on_turn": None if result else LETTERS[at["acts"]],
        "legal": [] if result else legal,
        "center": center,
        "attempt": {
            "turn": at["turn"], "seat": LETTERS[at["seat"]], "outcome": at["outcome"],
            "cards": [{"source": source, "number": number} for source, number in at["cards"]],
        },
        "seats": [
            {"seat": LETTERS[seat], "cards": len(hand), "sets": at["sets"][seat]}
            for seat, hand in enumerate(at["hands"])
        ],
        "result": result,
        "hands": at["hands"] if result else None,
        "you": {
            "seat": None if viewer is None else LETTERS[viewer],
            "hand": [] if viewer is None else at["hands"][viewer],
        },
    }  # fmt: skip
