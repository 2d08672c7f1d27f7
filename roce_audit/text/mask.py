"""Whole texts without secrets: no line moves, a JSON text stays one, and the same secret always gets the same mask.

What stands in place of a secret is the caller's choice: a keyed digest, which is the same in all runs of one user and by
which nobody without the key can try out passwords; or a number, which says nothing but "the same one as there".
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from hashlib import sha256

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.redact import is_mask, may_hold_secret, names_secret, redact, redact_whole

_PRIVATE = lazy(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----")
_PRIVATE_END = lazy(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----")
_JSON_BEGINS = lazy(r"(?:\A\s*|^)(?:\{(?=\s*[\"}])|\[(?=\s*[\[{\"\]]))", re.M)
"""A document of JSON, also behind the lines that a device prints before it; a prompt `[leaf1]` is none."""
_JSON_TOKEN = lazy(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}\[\],:]|[^\s{}\[\],:"]+')
_NAMED_BY_KEY = lazy(r"(?:SNMP_COMMUNITY|SNMP_USER|(?:readonly|readwrite)-community(?:-v6)?)\Z", re.I)
"""Tables whose keys are the secrets."""
_SECRET_TABLE = lazy(r"NTP_KEY\Z|MACSEC_PROFILE\Z", re.I)
_SECRET_FIELD = lazy(r"value\Z|cak", re.I)
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
_JSON_SECRET = lazy(r'\\?"kind\\?"\s{0,9}:\s{0,9}\\?"Secret\\?"')
_SECRET_DATA = lazy(r"""([ \t]*(?:-[ ])?["']?(?:data|stringData|binaryData)["']?[ \t]*:)(.*)""")
_OF_SECRET = frozenset({"data", "stringData", "binaryData"})
"""What a Secret of Kubernetes keeps: every value in it, whatever it is called."""
_LONG = 16
"""Tokens that are known by their looks are at least so long."""
_SHORTEST = 8
"""Secrets of the run itself that are shorter than this are words of many configurations (`admin`), and stay."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """Masks by a keyed digest: equal in every text and run that have the key."""

    key: bytes = field(repr=False)

    def __call__(self, secret: str) -> str:
        digest = hmac.new(self.key, secret.encode("utf-8", "surrogateescape"), sha256).hexdigest()
        return f"<redacted-{digest[:8]}>"


class Numbered:
    """Masks by number, in the order in which the secrets are met."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._names)

    def __call__(self, secret: str) -> str:
        return self._names.setdefault(secret, f"<secret-{len(self._names) + 1}>")


@dataclass
class Masker:
    """Masks the secrets in texts; `known` are the run's own, masked wherever they stand."""

    mask: Callable[[str], str]
    """Secret -> what is written in its place."""
    known: Iterable[str] = field(default=(), repr=False)
    _known: tuple[str, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._known = tuple(sorted({s for s in self.known if len(s) >= _SHORTEST}, key=len, reverse=True))

    def words(self, text: str) -> str:
        """A sentence of the program, without the run's own secrets."""
        for secret in self._known:
            text = text.replace(secret, self.mask(secret))
        return text

    def text(self, text: str) -> str:
        """The text of a file without secrets; it has as many lines as before."""
        text = self.words(text)
        done: list[str] = []
        at = 0
        while at < len(text):
            begins = _JSON_BEGINS.search(text, at)
            start = begins.start() if begins is not None else len(text)
            done.append("\n".join(self._lines(text[at:start].split("\n"))))
            masked, at = self._json(text, start)
            done.append(masked)
        return "".join(done)

    def _lines(self, lines: Iterable[str]) -> Iterator[str]:
        in_key = in_pair = is_asked = in_community = False
        below: _Below | None = None
        lines = list(lines)
        of_secret = _lines_of_secrets(lines)
        ntp: int | None = None
        for number, line in enumerate(lines):
            pair = _PAIR.fullmatch(line) if in_pair else None
            in_pair = False
            if pair is not None and pair[1] == "value" and pair[2]:
                yield line[: pair.start(2)] + self._masked(pair[2]) + line[pair.end(2) :]
                continue
            name = _XML_NAME.fullmatch(line) if in_community else None
            sends = _SENDS.match(line) if is_asked else None
            in_community = name is None and (
                in_community or ("<community>" in line and _XML_COMMUNITY.fullmatch(line) is not None)
            )
            is_asked = "assword" in line and _ASKED.search(line) is not None
            if name is not None:
                yield name[1] + self._masked(name[2]) + name[3]
                continue
            if sends is not None:
                yield line[: sends.end()] + redact_whole(line[sends.end() :], self._masked)
                continue
            if below is not None and below.holds(line):
                start = below.secret_from(line)
                kept, rest = (line, "") if start is None else (line[:start], line[start:])
                yield redact(kept, self._masked) + redact_whole(rest, self._masked)
                continue
            below = None
            opens = _OPENS.fullmatch(line)
            if ntp is not None and line.strip() and _depth(line) <= ntp:
                ntp = None
            if opens is not None and opens[2] == "ntp":
                ntp = len(opens[1])
            elif opens is not None and opens[2] == "key" and ntp is not None:
                below = _Below(len(opens[1]), named="value")
            if number in of_secret and not in_key:
                data = _SECRET_DATA.fullmatch(line)
                if data is not None:
                    below = _Below(_depth(line))
                    yield data[1] + redact_whole(data[2], self._masked)
                    continue
                if _JSON_SECRET.search(line):
                    yield redact_whole(line, self._masked)
                    continue
            if not in_key and not may_hold_secret(line):
                yield line
                continue
            begins = _PRIVATE.search(line)
            if in_key or begins is not None:
                ends = _PRIVATE_END.search(line)
                yield self._of_key(line, begins if not in_key else None, ends)
                in_key = ends is None
                continue
            pair = _PAIR.fullmatch(line)
            in_pair = pair is not None and pair[1] == "name" and names_secret(pair[2])
            if opens is not None and (names_secret(opens[2]) or _NAMED_BY_KEY.match(opens[2])):
                below = _Below(len(opens[1]), by_key=_NAMED_BY_KEY.match(opens[2]) is not None)
            yield redact(line, self._masked)

    def _masked(self, secret: str) -> str:
        """The mask of a secret; one that goes over several lines keeps them."""
        return "\n".join(self.mask(part) if part.strip() and not is_mask(part) else part for part in secret.split("\n"))

    def _of_key(self, line: str, begins: re.Match[str] | None, ends: re.Match[str] | None) -> str:
        """A line of a private key: the marks stay, so that others can see what stood there."""
        start = begins.end() if begins is not None else 0
        stop = ends.start() if ends is not None and ends.start() >= start else len(line)
        secret = line[start:stop].strip()
        return line[:start] + (self._masked(secret) if secret else "") + line[stop:]

    def _json(self, text: str, start: int) -> tuple[str, int]:
        """(the masked document, where it ends). Token by token, so that one which is cut off loses its secrets as well."""
        walk = _Walk(of_secret=_JSON_SECRET.search(text, start) is not None)
        done: list[str] = []
        at = start
        for token in _JSON_TOKEN.finditer(text, start):
            done += [text[at : token.start()], self._token(token.group(), walk)]
            at = token.end()
            if not walk.path:
                return "".join(done), at
        return "".join([*done, text[at:]]), len(text)

    def _token(self, token: str, walk: _Walk) -> str:
        if token in ("{", "[", "}", "]", ",", ":"):
            walk.punctuation(token)
            return token
        quoted = token.startswith('"')
        closed = quoted and len(token) > 1 and token.endswith('"')
        content = token[1 : len(token) - closed] if quoted else token
        end = '"' if closed or not quoted else ""
        if walk.at_key:
            walk.key = content
            hidden = walk.keys_are_secret
        else:
            hidden = walk.value_is_secret and token not in ("true", "false", "null")
            walk.named = content if walk.key == "name" else walk.named if walk.key == "value" else ""
        if hidden and content:
            return f'"{self._masked(content)}{end}'
        if quoted and (len(content) >= _LONG or any(sign in content for sign in " $=")):
            return f'"{redact(content, self._masked)}{end}'
        return token


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
            secret = _IS_SECRET.match(line) is not None or _JSON_SECRET.search(line) is not None
    return found


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


@dataclass
class _Walk:
    """Where in a JSON text one is: the keys on the way, and whether a key comes next."""

    path: list[str] = field(default_factory=list)
    is_object: list[bool] = field(default_factory=list)
    key: str = ""
    at_key: bool = False
    named: str = ""
    """What the last `name` of a pair of `name` and `value` was."""
    of_secret: bool = False
    """Whether the text holds a Secret of Kubernetes."""

    def punctuation(self, token: str) -> None:
        if token in "{[":
            self.path.append(self.key)
            self.is_object.append(token == "{")
            self.key = ""
        elif token in "}]":
            self.key = self.path.pop() if self.path else ""
            if self.is_object:
                self.is_object.pop()
        inside = bool(self.is_object) and self.is_object[-1]
        self.at_key = inside and token in "{,"

    @property
    def keys_are_secret(self) -> bool:
        return bool(self.path) and _NAMED_BY_KEY.search(self.path[-1]) is not None

    @property
    def value_is_secret(self) -> bool:
        if names_secret(self.key) or any(map(names_secret, self.path)):
            return True
        if self.key == "value" and self.named and names_secret(self.named):
            return True
        if self.key == "value" and "ntp" in self.path and "key" in self.path:
            return True
        if self.of_secret and not _OF_SECRET.isdisjoint(self.path):
            return True
        in_table = any(_SECRET_TABLE.search(step) for step in self.path)
        return in_table and _SECRET_FIELD.search(self.key) is not None
