"""Whole texts without secrets: no line moves, a JSON text stays one, and the same secret always gets the same mask.

What stands in place of a secret is the caller's choice: a keyed digest, which is the same in all runs of one user and by
which nobody without the key can try out passwords; or a number, which says nothing but "the same one as there".
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterable
from dataclasses import field
from hashlib import sha256

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.secrets.maskjson import masked_json
from roce_audit.text.secrets.masklines import masked_lines
from roce_audit.text.secrets.redact import is_mask

_JSON_BEGINS = lazy(r"(?:\A\s*|^)(?:\{(?=\s*[\"}])|\[(?=\s*[\[{\"\]]))", re.M)
"""A document of JSON, also behind the lines that a device prints before it; a prompt `[leaf1]` is none."""
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
            done.append("\n".join(masked_lines(text[at:start].split("\n"), self._masked)))
            masked, at = masked_json(text, start, self._masked)
            done.append(masked)
        return "".join(done)

    def _masked(self, secret: str) -> str:
        """The mask of a secret; one that goes over several lines keeps them."""
        return "\n".join(self.mask(part) if part.strip() and not is_mask(part) else part for part in secret.split("\n"))
