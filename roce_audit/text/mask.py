"""Whole texts without secrets: no line moves, a JSON text stays one, and the same secret always gets the same mask.

The mask is a keyed digest: without the key nobody can try out passwords against it.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from roce_audit.text.redact import names_secret, redact

_PRIVATE = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----")
_PRIVATE_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----")
_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]+')
_NAMED_BY_KEY = re.compile(r"SNMP_COMMUNITY\Z|SNMP_USER\Z", re.I)
"""Tables whose keys are the secrets."""
_SECRET_TABLE = re.compile(r"NTP_KEY\Z|MACSEC_PROFILE\Z", re.I)
_SECRET_FIELD = re.compile(r"(?:value|\w*cak\w*)\Z", re.I)
_SHORTEST = 8
"""Secrets of the run itself that are shorter than this are words of many configurations (`admin`), and stay."""


@dataclass
class Masker:
    """Masks the secrets in the texts of one run; `known` are the run's own, masked wherever they stand."""

    key: bytes
    known: Iterable[str] = ()
    _known: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._known = tuple(sorted({s for s in self.known if len(s) >= _SHORTEST}, key=len, reverse=True))

    def mask(self, secret: str) -> str:
        """What is written in place of this secret."""
        digest = hmac.new(self.key, secret.encode("utf-8", "surrogateescape"), sha256).hexdigest()
        return f"<redacted-{digest[:8]}>"

    def words(self, text: str) -> str:
        """A sentence of the program, without the run's own secrets."""
        for secret in self._known:
            text = text.replace(secret, self.mask(secret))
        return text

    def text(self, text: str) -> str:
        """The text of a file without secrets; it has as many lines as before."""
        text = self.words(text)
        if text.lstrip()[:1] in ("{", "["):
            return self._json(text)
        return "\n".join(self._lines(text.split("\n")))

    def _lines(self, lines: Iterable[str]) -> Iterable[str]:
        in_key = False
        for line in lines:
            begins = _PRIVATE.search(line)
            if in_key or begins is not None:
                ends = _PRIVATE_END.search(line)
                yield (line[: begins.end()] + " " if begins and not in_key else "") + self.mask(line.strip())
                in_key = ends is None
            else:
                yield redact(line, self.mask)

    def _json(self, text: str) -> str:
        """Token by token, so that a text which is cut off loses its secrets as well."""
        walk = _Walk()
        done: list[str] = []
        at = 0
        for token in _JSON_TOKEN.finditer(text):
            done += [text[at : token.start()], self._token(token.group(), walk)]
            at = token.end()
        return "".join([*done, text[at:]])

    def _token(self, token: str, walk: _Walk) -> str:
        if token in ("{", "[", "}", "]", ",", ":"):
            walk.punctuation(token)
            return token
        quoted = token.startswith('"')
        content = token[1:-1] if quoted else token
        if walk.at_key:
            walk.key = content
            hidden = walk.keys_are_secret
        else:
            hidden = walk.value_is_secret and token not in ("true", "false", "null")
        if hidden and content:
            return f'"{self.mask(content)}"'
        if quoted and (" " in content or "$" in content or "://" in content):
            return f'"{redact(content, self.mask)}"'
        return token


@dataclass
class _Walk:
    """Where in a JSON text one is: the keys on the way, and whether a key comes next."""

    path: list[str] = field(default_factory=list)
    is_object: list[bool] = field(default_factory=list)
    key: str = ""
    at_key: bool = False

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
        in_table = any(_SECRET_TABLE.search(step) for step in self.path)
        return in_table and _SECRET_FIELD.search(self.key) is not None
