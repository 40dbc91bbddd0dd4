"""What is wrong with a command line, in a sentence that says what would be right. Pure.

Owns the words for what argparse finds; `nana` and `nana-server` say them, each in its way.
"""

import re
from argparse import Action, ArgumentParser
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final

_ALIKE: Final = 0.7  # of 1.0: how much must be the same to be meant


def mistake(parser: ArgumentParser, message: str, examples: Mapping[str, str]) -> str:
    """Say in our words what argparse says in its own.

    `examples` has a value for each option that takes one, and what may follow each `prog`.
    """
    if found := re.fullmatch(r"argument ([^:]+): (.*)", message, re.DOTALL):
        return _of_argument(parser, found[1].split("/")[-1], found[2], examples)
    if found := re.fullmatch(r"the following arguments are required: (.+)", message):
        names = found[1].split(", ")
        return f"{parser.prog} needs {_listed(names, 'and')}.{_example(parser, examples)}"
    if found := re.fullmatch(r"one of the arguments (.+) is required", message):
        needs = _listed(found[1].split(), "or")
        return f"{parser.prog} needs {needs}.{_example(parser, examples)}"
    if found := re.fullmatch(r"unrecognized arguments: (.+)", message):
        return unknown(parser, found[1].split()[0])
    if found := re.fullmatch(r"ambiguous option: (\S+) could match (.+)", message):
        return f"{found[1]} may be {_listed(found[2].split(', '), 'or')}"
    return message


def unknown(parser: ArgumentParser, word: str) -> str:
    """Say that a word has no place in a command line."""
    name = word.partition("=")[0]
    if not name.startswith("-"):
        return f"{parser.prog} has no use for {word!r}"
    options = [one for action in _actions(parser) for one in action.option_strings]
    return f"{name} is no option of {parser.prog}{_meant(name, options)}"


def _of_argument(
    parser: ArgumentParser, name: str, message: str, examples: Mapping[str, str]
) -> str:
    if message.startswith(("expected one argument", "expected at least one argument")):
        about = f": {it}" if (it := _about(parser, name)) else ""
        example = f"; as in `{name} {examples[name]}`" if name in examples else ""
        return f"{name} needs a value behind it{about}{example}"
    if found := re.fullmatch(r"ignored explicit argument '(.*)'", message, re.DOTALL):
        return f"{name} takes no value, and was given {found[1]!r}"
    if found := re.fullmatch(r"not allowed with argument (.+)", message):
        return f"{name} and {found[1]} exclude each other: only one of them can be done"
    if found := re.fullmatch(r"invalid choice: '(.*)' \(choose from (.*)\)", message, re.DOTALL):
        choices = re.findall(r"'([^']+)'", found[2])
        if name.startswith("-"):
            return f"{name} is {_listed(choices, 'or')}, not {found[1]!r}"
        what = f"{found[1]!r} is no command of {parser.prog}{_meant(found[1], choices)}"
        return f"{what}{'' if what[-1] == '?' else '.'} There are {_listed(choices, 'and')}"
    return message


def _actions(parser: ArgumentParser) -> Iterable[Action]:
    return parser._actions  # noqa: SLF001 - argparse names them nowhere else


def _about(parser: ArgumentParser, name: str) -> str:
    """Return the help of an option without its default, "" if it has none."""
    for action in _actions(parser):
        if name in action.option_strings and action.help:
            return re.sub(r" \(default: .*\)$", "", action.help.replace("%%", "%"))
    return ""


def _example(parser: ArgumentParser, examples: Mapping[str, str]) -> str:
    return f" For example: `{parser.prog} {it}`." if (it := examples.get(parser.prog)) else ""


def _meant(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, known, 1, _ALIKE)
    return f"; is {near[0]} meant?" if near else ""


def _listed(words: Iterable[str], joined_by: str) -> str:
    *most, last = words
    return f"{', '.join(most)} {joined_by} {last}" if most else last
