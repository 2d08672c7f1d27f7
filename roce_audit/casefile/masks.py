"""Masks: every secret gets a name of its own, the same one wherever it stands; no line is lost or moved."""

from __future__ import annotations

import re

from roce_audit.text.redact import redact

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{1,60}-----")
_END = re.compile(r"-----END [A-Z0-9 ]{1,60}-----")
_WORD = re.compile(r"[^\s;,{}\[\]()\"']+")
_MASK = re.compile(r"<secret-[0-9]+>")
_KIND = re.compile(r"[0-9]\Z")
"""The type of a password hash (`password 7 ...`): it says nothing of the secret."""


class Masks:
    """The masks of one case file."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._names)

    def text(self, text: str) -> str:
        """The text with every secret masked, line by line."""
        done: list[str] = []
        inside = False
        for line in text.split("\n"):
            if inside and not _END.search(line):
                done.append(self.secret(line))
                continue
            inside = bool(_BEGIN.search(line)) and not _END.search(line)
            done.append(redact(line, self.secret))
        return "\n".join(done)

    def secret(self, secret: str) -> str:
        """The mask of a secret, word by word: the same word is the same mask in every line and file."""
        return _WORD.sub(lambda found: self._word(found[0]), secret)

    def _word(self, word: str) -> str:
        if _MASK.fullmatch(word) or _KIND.match(word):
            return word
        return self._names.setdefault(word, f"<secret-{len(self._names) + 1}>")
