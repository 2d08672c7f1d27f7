"""The lines of command-line switches that lead code points to traffic classes, and how another class is written in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from roce_audit.patterns import lazy
from roce_audit.records import dataclass

CODE = lazy(r"port\.dscp\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A statement that leads code points to a class: `template` has {value}, and {codes} where the line names them itself.

    `adds`: a line about one of its code points may stand behind it and wins.
    """

    template: str
    write: Callable[[object], str] = str
    adds: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """The statement, whatever it says."""
        return _pattern(self.template)

    def with_value(self, found: re.Match[str], value: object, codes: str | None) -> str:
        """The statement with another class."""
        return self.template.format(value=self.write(value), codes=codes) + found["rest"]

    def with_code(self, found: re.Match[str], code: str) -> str:
        """The statement for one of its code points."""
        return self.template.format(value=found["value"], codes=code) + found["rest"]


@cache
def _pattern(template: str) -> re.Pattern[str]:
    text = (
        re.escape(template)
        .replace(r"\{value\}", r"(?P<value>\S{1,40})")
        .replace(r"\{codes\}", r"(?P<codes>\d[\d ,-]{0,400}?)")
    )
    return re.compile(rf"{text}(?P<rest>(?: .*)?)")
