"""Lines of text without secrets. What a line opens, the lines behind it hold: a private key, a table of secrets, an answer to a prompt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.secrets.redact import may_hold_secret, names_secret, redact, redact_whole

NAMED_BY_KEY = lazy(r"(?:SNMP_COMMUNITY|SNMP_USER|(?:readonly|readwrite)-community(?:-v6)?)\Z", re.I)
"""Tables whose keys are the secrets."""
JSON_SECRET = lazy(r'\\?"kind\\?"\s{0,9}:\s{0,9}\\?"Secret\\?"')
_PRIVATE = lazy(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----")
_PRIVATE_END = lazy(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----")
_OPENS = lazy(r"""([ \t]*)(?:-[ ])?["']?([\w.-]{1,80})["']?[ \t]*:[ \t]*+(?:[|>][-+0-9]{0,2}|[{\[])?[ \t]*""")
"""A line of YAML or JSON with a key alone: what it holds stands below it."""
_PAIR = lazy(r"""\s*(?:-\s+)?(name|value)\s*:\s*["']?([^\s"']*)["']?\s*""")
"""A variable as manifests of Kubernetes have it: `name: HF_TOKEN` on a line, `value: ...` on the next."""
_ASKED = lazy(r"\bassword\b|\bpassword\b|assword[:*]", re.I)
_SENDS = lazy(r"""[ \t]*(?:[\w.]{1,40}\.)?send(?:line)?\b[^"'\n{]{0,20}["'{]""")
"""What a script sends, on the line after the one that waits to be asked for a password."""
_XML_COMMUNITY = lazy(r"[ \t]*<community>[ \t]*")
_XML_NAME = lazy(r"([ \t]*<name>)([^<\n]{1,200})(</name>[ \t]*)")
_IS_SECRET = lazy(r"""^[ \t]*(?:-[ ])?["']?kind["']?[ \t]*:[ \t]*["']?Secret["']?[ \t]*(?:#.*)?$""")
_SECRET_DATA = lazy(r"""([ \t]*(?:-[ ])?["']?(?:data|stringData|binaryData)["']?[ \t]*:)(.*)""")


def masked_lines(lines: Sequence[str], mask: Callable[[str], str]) -> Iterator[str]:
    """The lines of one text without their secrets, as many as before; `mask` gives what is written in place of one."""
    of_secret = _lines_of_secrets(lines)
    after = _Lines(mask)
    for number, line in enumerate(lines):
        yield after.masked(line, in_secret=number in of_secret)


@dataclass(slots=True)
class _Lines:
    """What the lines before one have opened."""

    mask: Callable[[str], str]
    is_in_key: bool = False
    """Inside of a private key."""
    is_named: bool = False
    """The line before was `name:` with the name of a secret."""
    is_asked: bool = False
    """The line before waits to be asked for a password."""
    is_in_community: bool = False
    below: _Below | None = None
    ntp: int | None = None
    """The depth of the key `ntp` that one is in."""

    def masked(self, line: str, *, in_secret: bool) -> str:
        """The next line; `in_secret` says that it stands in a Secret of Kubernetes."""
        done = self._by_the_line_before(line)
        if done is not None:
            return done
        if self.below is not None and self.below.holds(line):
            start = self.below.secret_from(line)
            kept, rest = (line, "") if start is None else (line[:start], line[start:])
            return redact(kept, self.mask) + redact_whole(rest, self.mask)
        self.below = None
        opens = _OPENS.fullmatch(line)
        self._follow_ntp(line, opens)
        if in_secret and not self.is_in_key:
            done = self._of_secret(line)
            if done is not None:
                return done
        if not self.is_in_key and not may_hold_secret(line):
            return line
        begins = _PRIVATE.search(line)
        if self.is_in_key or begins is not None:
            return self._of_key(line, begins)
        pair = _PAIR.fullmatch(line)
        self.is_named = pair is not None and pair[1] == "name" and names_secret(pair[2])
        if opens is not None:
            by_key = NAMED_BY_KEY.match(opens[2]) is not None
            if by_key or names_secret(opens[2]):
                self.below = _Below(len(opens[1]), by_key=by_key)
        return redact(line, self.mask)

    def _by_the_line_before(self, line: str) -> str | None:
        """A line that is a secret because of what the one before it says; None where it is none."""
        pair = _PAIR.fullmatch(line) if self.is_named else None
        self.is_named = False
        if pair is not None and pair[1] == "value" and pair[2]:
            return line[: pair.start(2)] + self.mask(pair[2]) + line[pair.end(2) :]
        name = _XML_NAME.fullmatch(line) if self.is_in_community else None
        sends = _SENDS.match(line) if self.is_asked else None
        self.is_in_community = name is None and (
            self.is_in_community or ("<community>" in line and _XML_COMMUNITY.fullmatch(line) is not None)
        )
        self.is_asked = "assword" in line and _ASKED.search(line) is not None
        if name is not None:
            return name[1] + self.mask(name[2]) + name[3]
        if sends is not None:
            return line[: sends.end()] + redact_whole(line[sends.end() :], self.mask)
        return None

    def _follow_ntp(self, line: str, opens: re.Match[str] | None) -> None:
        """Keys of NTP are tables of which `value` alone is the secret."""
        if self.ntp is not None and line.strip() and _depth(line) <= self.ntp:
            self.ntp = None
        if opens is not None and opens[2] == "ntp":
            self.ntp = len(opens[1])
        elif opens is not None and opens[2] == "key" and self.ntp is not None:
            self.below = _Below(len(opens[1]), named="value")

    def _of_secret(self, line: str) -> str | None:
        """A line of a Secret of Kubernetes; None where it holds nothing that the Secret keeps."""
        data = _SECRET_DATA.fullmatch(line)
        if data is not None:
            self.below = _Below(_depth(line))
            return data[1] + redact_whole(data[2], self.mask)
        return redact_whole(line, self.mask) if JSON_SECRET.search(line) else None

    def _of_key(self, line: str, begins: re.Match[str] | None) -> str:
        """A line of a private key: the marks stay, so that others can see what stood there."""
        start = begins.end() if begins is not None and not self.is_in_key else 0
        ends = _PRIVATE_END.search(line)
        self.is_in_key = ends is None
        stop = ends.start() if ends is not None and ends.start() >= start else len(line)
        secret = line[start:stop].strip()
        return line[:start] + (self.mask(secret) if secret else "") + line[stop:]


@dataclass(slots=True)
class _Below:
    """What stands deeper than a key of its own line: a secret, or (`by_key`) a table whose keys are."""

    indent: int
    by_key: bool = False
    named: str = ""
    """Only what has this key is the secret."""
    level: int | None = None
    """The depth of the table's keys."""

    def holds(self, line: str) -> bool:
        depth = _depth(line)
        return not line.strip() or depth > self.indent or (depth == self.indent and line.lstrip().startswith("- "))

    def secret_from(self, line: str) -> int | None:
        """Where the secret of a line begins; None where it holds none."""
        if self.named:
            found = re.match(rf"[ \t]*{self.named}:", line)
            return None if found is None else found.end()
        self.level = _depth(line) if self.level is None and line.strip() else self.level
        return 0 if not self.by_key or _depth(line) == self.level else None


def _lines_of_secrets(lines: Sequence[str]) -> set[int]:
    """The lines of those documents of YAML that hold a Secret of Kubernetes."""
    found: set[int] = set()
    start, secret = 0, False
    for number, line in enumerate([*lines, "---"]):
        if line.startswith("---"):
            found.update(range(start, number) if secret else ())
            start, secret = number, False
        elif "Secret" in line and not secret:
            secret = _IS_SECRET.match(line) is not None or JSON_SECRET.search(line) is not None
    return found


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
