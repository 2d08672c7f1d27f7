"""The parser's manners: a mistyped word gets a suggestion, help shows examples, and usage is not printed at every slip."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that says what was probably meant."""

    _typed: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse does it, but a word that this verb does not know is refused here, where its options are known."""
        self._typed = list(args or ())
        found, extra = super().parse_known_args(self._words_last(self._typed), namespace)
        if extra:
            self.error(self._unknown(extra[0]))
        return found, extra

    def _words_last(self, typed: Sequence[str]) -> list[str]:
        """Options with their values, then `--` and the words: argparse takes words together alone, and not `RULE -o FILE PATH`."""
        if self._subparsers is not None:
            return list(typed)
        options: list[str] = []
        words: list[str] = []
        ahead = iter(typed)
        for word in ahead:
            if word == "--":
                words += ahead
            elif word == "-" or not word.startswith("-"):
                words.append(word)
            else:
                options += [word, *islice(ahead, self._wants_a_value(word))]
        return [*options, "--", *words] if words else options

    def _wants_a_value(self, word: str) -> bool:
        """Whether the next word is the value of this option, or of the last of these letters."""
        if word.startswith("--"):
            named = [action for name, action in self._option_string_actions.items() if name.startswith(word)]
            exact = self._option_string_actions.get(word)
            return any(action.nargs is None for action in ([exact] if exact is not None else named[:1]))
        for at, letter in enumerate(word[1:], 2):
            action = self._option_string_actions.get(f"-{letter}")
            if action is None or action.nargs is None:
                return action is not None and at == len(word)
        return False

    def _is_option(self, name: str) -> bool:
        return any(option.startswith(name) for option in self._option_string_actions)

    def _unknown(self, word: str) -> str:
        name = word.partition("=")[0]
        if name.startswith("-"):
            return f"there is no option '{name}'{_did_you_mean(name, self._option_string_actions)}"
        return f"nothing is expected at '{word}'"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = [str(choice) for choice in action.choices]
            said = _did_you_mean(str(value), choices) or f"; it is one of {', '.join(choices)}"
            what = action.metavar if isinstance(action.metavar, str) else "/".join(action.option_strings) or action.dest
            raise argparse.ArgumentError(None, f"{what}: there is no '{value}'{said}")

    def error(self, message: str) -> NoReturn:
        """One line, and where to read on. Exit code 2. What is missing may have been mistyped."""
        slips = [word for word in self._typed if word.startswith("--") and not self._is_option(word.partition("=")[0])]
        if slips and "required" in message:
            message = self._unknown(slips[0])
        self.exit(2, f"roce-audit: {message}\n{self.prog} --help shows what can be said, with examples\n")


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    from roce_audit.engine.suggestions import did_you_mean

    return did_you_mean(word, known)


def quantity(read: Callable[[str], T]) -> Callable[[str], T]:
    """A reader of quantities as argparse's `type`: its sentence becomes the error."""

    def checked(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return checked


def listed(text: str) -> list[str]:
    """The words between commas, as argparse's `type` beside `action="extend"`."""
    return [word.strip() for word in text.split(",")]


def above_zero(text: str) -> float:
    """A number above 0, as argparse's `type`."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return number


def positive(text: str) -> int:
    """A whole number above 0, as argparse's `type`."""
    if not text.isdecimal() or not text.isascii() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)
