"""As much of the shell as set-up scripts need: simple variables, lists, loops over names, and where a program's options end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

_ASSIGNED = re.compile(
    r"\s*(?:export\s+|local\s+|readonly\s+|declare\s+(?:-\w+\s+)*)?([A-Za-z_]\w{0,40})="
    r"(?:\"([^\"$`]{0,300})\"|'([^']{0,300})'|\(([^()$`]{0,300})\)|([^\s\"'();&|$`]{0,100}))\s*(?:;|#.*)?$"
)
_SET = re.compile(r"\s*(?:export\s+|local\s+|readonly\s+|declare\s+(?:-\w+\s+)*)?([A-Za-z_]\w{0,40})=")
_LOOP = re.compile(r"\bfor\s+([A-Za-z_]\w{0,30})\s+in\s+([^;]{1,500}?)\s*(?:;|$)")
_WORDS = re.compile(r"[A-Za-z0-9_.*{}: -]{1,500}")
_RANGE = re.compile(r"\{([0-9]{1,3})\.\.([0-9]{1,3})\}")
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w{0,40})(?:\[[@*]\])?\}|([A-Za-z_]\w{0,40}))")
_BRANCHES = re.compile(r"\s*(?:else|elif\b|case\b|esac\b|\S{1,60}\)\s*$)|.*;;\s*$")
_END = re.compile(r"[;&|`]|(?:(?<=\s)\d)?>|\s#|[\"']\s*,\s*(?=[A-Z_]+\+?=)|\)\s*$")
_SPOKEN = re.compile(r"(?:^|[;&|{])\s*(?:echo|printf|logger|log\w*)\s[^;&|]*$")
"""Words that are only printed."""
_MOST = 16
"""Values of a loop that a line is repeated for."""


@dataclass
class Shell:
    """One script, read line by line."""

    values: dict[str, str | None] = field(default_factory=dict)
    """Variable -> its value; None where it was given several, or one that the script computes."""
    loops: dict[str, str] = field(default_factory=dict)
    branch: int = 0
    """Counts the places where a script may go one way or another."""
    begun: str = ""

    def lines(self, value: str) -> Iterator[str]:
        """The line with the values of variables in it, once for each value that a loop gives a variable of its options.

        A line that goes on below is told with the last one.
        """
        text = self.begun + value
        self.begun = f"{text[:-1]} " if value.endswith("\\") and len(text) < 4_000 else ""
        if self.begun:
            return
        if _BRANCHES.match(text):
            self.branch += 1
        self._learn(text)
        plain = _argv(self.expanded(text))
        used = dict.fromkeys(name for name in _names(plain) if name in self.loops)
        lists = [self._listed(name) for name in used]
        several = [(name, words) for name, words in zip(used, lists, strict=True) if words and _counts(words)]
        for chosen in product(*(words for _, words in several)):
            line = plain
            for (name, _), word in zip(several, chosen, strict=True):
                line = re.sub(rf"\$(?:{name}\b|\{{{name}\}})", word, line)
            yield line

    def devices(self, text: str) -> str:
        """The names that a loop gives to a variable; any other text as it is."""
        found = _VARIABLE.fullmatch(text.strip("\"'"))
        name = (found.group(1) or found.group(2)) if found is not None else ""
        listed = " ".join(self._listed(name))
        return listed or text

    def expanded(self, text: str) -> str:
        """The text with the values of all variables that have one."""
        return _VARIABLE.sub(lambda found: self.values.get(found.group(1) or found.group(2)) or found.group(), text)

    def _learn(self, text: str) -> None:
        for variable, listed in _LOOP.findall(text):
            self.loops[variable] = self.expanded(listed.replace('"', "").replace("'", ""))
        found = _ASSIGNED.match(text)
        named = _SET.match(text)
        if found is not None:
            value = next((v for v in found.groups()[1:] if v is not None), "")
            have = self.values.get(found.group(1), value)
            self.values[found.group(1)] = value.replace('"', "") if have == value else None
        elif named is not None:
            self.values[named.group(1)] = None

    def _listed(self, name: str) -> list[str]:
        """The words that a loop goes through; none where they are not written down."""
        text = self.expanded(self.loops.get(name, ""))
        if not _WORDS.fullmatch(text):
            return []
        words = []
        for word in text.split():
            span = _RANGE.search(word)
            if span is None:
                words.append(word)
            else:
                low, high = int(span.group(1)), int(span.group(2))
                words += [word.replace(span.group(), str(n)) for n in range(low, min(high, low + 256) + 1)]
        return words if not any("{" in word for word in words) else []


def _names(text: str) -> Iterator[str]:
    for found in _VARIABLE.finditer(text):
        yield found.group(1) or found.group(2)


def _counts(words: list[str]) -> bool:
    """Numbers are values of options; names of devices stay together."""
    return len(words) <= _MOST and all(re.fullmatch(r"[0-9]{1,3}", word) for word in words)


def _argv(value: str) -> str:
    """`- [mlnx_qos, -i, ens1]` of cloud-init as one line of words."""
    return re.sub(r"[\[\],]\s+|^\s*-\s+\[|\]\s*$", " ", value) if value.lstrip().startswith("- [") else value


def calls_of(program: str, line: str) -> Iterator[str]:
    """The options of each call of a program (a pattern of its name) in a line."""
    for found in re.finditer(rf"(?:^|[\s/=;&|'\"(]){program}\s", line):
        if _SPOKEN.search(line[: found.start() + 1]):
            continue
        rest = line[found.end() :]
        end = _END.search(rest)
        yield (rest[: end.start()] if end is not None else rest).strip().rstrip("'\";")
