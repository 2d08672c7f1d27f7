"""Secrets never leave in a quoted line: what follows a word for a secret is replaced, in linear time.

A quoted value behind `:`, `=` or a blank is cut out alone; otherwise the rest of the line goes but for the signs that close
or open blocks, for vendors differ in the order of type, secret and options, and nothing behind a secret is evidence for
flow control.
"""

from __future__ import annotations

import re
from collections.abc import Callable

REDACTED = "<redacted>"
Mask = Callable[[str], str]
"""What is written in place of a secret; it begins with `<redacted` and ends with `>`, without blanks."""

_WORD = re.compile(
    r"""
    # words that name a secret wherever they stand, also as a part of a longer name (`ldap_bind_password`)
    (?:passwor[dt]|passwd|pass-?(?:phrase|key|code)|secret
      |key-?string|(?:authentication|auth|pre-?shared|message-digest|private|api|access|encryption|priv|master)[-_ ]?key
      |(?:auth|access|bearer|api|session)[-_ ]?token|_token|_psk|credential
    )[\w-]*
    # words that do so only as words of their own, before something that looks like a value
    |\bpsk\b|\bpass(?=\s*[=:])
    |\bkey(?=\s+(?:[0-9]\s+\S|["']|ascii-text|hexadecimal|encrypted|hex\s))
    |\b(?:irreversible-)?cipher\b|\bplain-?text\b|\bpre-shared\b
    |\b(?:md5|sha|sha-?[0-9]{1,3}|hmac-[a-z0-9-]{1,30})(?=\s+(?:[0-9]\s+)?\S)
    |\bauthentication\s+(?:text|mode)\b|\bauthorization:|\bbearer\b|^\s*community\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CONTEXTS = tuple(
    (re.compile(opening, re.IGNORECASE), re.compile(word, re.IGNORECASE))
    for opening, word in (
        (r"snmp", r"(?:community|\buser|usm|\bhost|trap-group|target)[\w-]*"),
        (
            r"\b(?:tacacs|radius|ldap|ntp|nts|aaa|bgp|ospf|isis|vrrp|hsrp|ike|ipsec|isakmp|crypto|macsec|mka)",
            r"\bkey\b",
        ),
    )
)
"""Words that name a secret only behind another word."""
_CRYPT = re.compile(r"\$(?:[0-9]|2[abxy]|y|sha[0-9]{1,3}|14|15|16)\$[^\s\"';,]+", re.IGNORECASE)
_IN_URL = re.compile(r"://[^\s/@\"']{1,200}@")
_MASKED = re.compile(r"<redacted[^\s<>]{0,40}>")
_PIECE = re.compile(r"""[^\s"';,{}\[\]\\]+""")
_QUOTED = re.compile(r"""["']?\s*+[:=]?\s*+(?:"((?:[^"\\]|\\.)*)"|'([^']*)')""")
_BETWEEN = re.compile(r"""["']?\s*+[:=]?\s*+""")
_STRUCTURE = " \t;,{}[]()"


def redact(line: str, mask: Mask | None = None) -> str:
    """The line without passwords, keys, communities and hashes.

    Each is shown as `<redacted>`. With a `mask` the words of a secret are masked one by one and punctuation stays, so that
    the file keeps its structure and equal secrets stay equal whatever stands around them.
    """

    def masked(secret: str) -> str:
        return REDACTED if mask is None else secret if _MASKED.fullmatch(secret) else mask(secret)

    line = _IN_URL.sub(lambda m: f"://{masked(m.group()[3:-1])}@", line)
    line = _CRYPT.sub(lambda m: masked(m.group()), line)
    done: list[str] = []
    at = 0
    for end in _ends(line):
        if end < at:
            continue
        quoted = _QUOTED.match(line, end)
        if quoted is not None:
            group = 1 if quoted[1] is not None else 2
            done += [line[at : quoted.start(group)], masked(quoted[group]) if quoted[group] else ""]
            at = quoted.end(group)
            continue
        between = _BETWEEN.match(line, end)
        start = end if between is None else between.end()
        if line[start:].strip():
            rest = line[start:].rstrip(_STRUCTURE)
            hidden = REDACTED if mask is None else _PIECE.sub(lambda m: masked(m.group()), rest)
            return "".join([*done, line[at:start], hidden if rest else "", line[start + len(rest) :]])
    return "".join([*done, line[at:]])


def names_secret(key: str) -> bool:
    """Whether a key of a JSON object says that its value is a secret."""
    return _WORD.search(key) is not None


def _ends(line: str) -> list[int]:
    """Where the words that announce a secret end, from left to right."""
    ends = [found.end() for found in _WORD.finditer(line)]
    for opening, word in _CONTEXTS:
        before = opening.search(line)
        found = None if before is None else word.search(line, before.end())
        if found is not None:
            ends.append(found.end())
    return sorted(ends)
