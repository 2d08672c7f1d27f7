"""A document of JSON without secrets, token by token: it stays one, and a document that is cut off loses its secrets as well."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.secrets.masklines import JSON_SECRET, NAMED_BY_KEY
from roce_audit.text.secrets.redact import names_secret, redact

_TOKEN = lazy(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}\[\],:]|[^\s{}\[\],:"]+')
_SECRET_TABLE = lazy(r"NTP_KEY\Z|MACSEC_PROFILE\Z", re.I)
_SECRET_FIELD = lazy(r"value\Z|cak", re.I)
_OF_SECRET = frozenset({"data", "stringData", "binaryData"})
"""What a Secret of Kubernetes keeps: every value in it, whatever it is called."""
_LONG = 16
"""Tokens that are known by their looks are at least so long."""


def masked_json(text: str, start: int, mask: Callable[[str], str]) -> tuple[str, int]:
    """(the masked document that begins at `start`, where it ends); `mask` gives what is written in place of a secret."""
    walk = _Walk(of_secret=JSON_SECRET.search(text, start) is not None)
    done: list[str] = []
    at = start
    for token in _TOKEN.finditer(text, start):
        done += [text[at : token.start()], _token(token.group(), walk, mask)]
        at = token.end()
        if not walk.path:
            return "".join(done), at
    return "".join([*done, text[at:]]), len(text)


def _token(token: str, walk: _Walk, mask: Callable[[str], str]) -> str:
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
        return f'"{mask(content)}{end}'
    if quoted and (len(content) >= _LONG or any(sign in content for sign in " $=")):
        return f'"{redact(content, mask)}{end}'
    return token


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
        return bool(self.path) and NAMED_BY_KEY.search(self.path[-1]) is not None

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
