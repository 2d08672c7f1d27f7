"""Secrets never leave in a quoted line. Most lines need no more than one look; the words and forms of secrets are in `secrets`."""

from __future__ import annotations

import re
from collections.abc import Callable

REDACTED = "<redacted>"
Mask = Callable[[str], str]
"""What is written in place of a secret: `<redacted...>` or `<secret-...>`, without blanks."""

_HINT = re.compile(
    r"pass|pwd|secret|key|token|psk|credential|cipher|plain|shared|md5|sha|hmac|auth|encrypt|bearer|community|snmp|webhook"
    r"|private|\$|://|eyj|hf_|gh[pousr]_|github_pat_|glpat-|xox|akia|nvapi-|sk-|aiza|npm_|pypi-|curl|wget"
)
"""A line without any of these in lower case holds no secret that is known here: most lines need no more than that."""


def may_hold_secret(line: str) -> bool:
    """Whether a line needs a closer look. Quick: most lines do not."""
    return _HINT.search(line.lower()) is not None


def redact(line: str, mask: Mask | None = None) -> str:
    """The line without passwords, keys, communities and hashes.

    Each is shown as `<redacted>`. With a `mask` the words of a secret are masked one by one and punctuation stays, so that
    the file keeps its structure and equal secrets stay equal whatever stands around them.
    """
    if not may_hold_secret(line):
        return line
    from roce_audit.text.secrets import hidden  # its patterns are many

    return hidden(line, mask)


def names_secret(key: str) -> bool:
    """Whether a key of a JSON object says that its value is a secret."""
    if not may_hold_secret(key):
        return False
    from roce_audit.text.secrets import is_word_for_secret

    return is_word_for_secret(key)
