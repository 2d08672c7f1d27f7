"""Secrets never leave in a quoted line: what follows a word for a secret is replaced, in linear time.

A quoted value behind `:`, `=` or a blank is cut out alone; otherwise the rest of the line goes, for vendors differ in
the order of type, secret and options, and nothing behind a secret is evidence for flow control.
"""

from __future__ import annotations

import re

REDACTED = "<redacted>"

_WORD = re.compile(
    r"""
    # words that name a secret wherever they stand, also as a part of a longer name (`ldap_bind_password`)
    (?:passwor[dt]|passwd|passphrase|secret
      |key-?string|(?:authentication|auth|pre-?shared|message-digest|private|api|access|encryption|priv|master)[-_ ]?key
      |(?:auth|access|bearer|api|session)[-_ ]?token|_token|_psk|credential
    )[\w-]*
    # words that do so only as words of their own, before something that looks like a value
    |\bpsk\b|\bpass(?=\s*[=:])
    |\bkey(?=\s+(?:[0-9]\s+\S|["']|ascii-text|hexadecimal|encrypted|hex\s))
    |\b(?:irreversible-)?cipher\b|\bplain-?text\b|\bpre-shared\b
    |\b(?:md5|sha|sha-?[0-9]{1,3}|hmac-[a-z0-9-]{1,30})(?=\s+(?:[0-9]\s+)?\S)
    |\bauthentication\s+(?:text|mode)\b|\bauthorization:|\bbearer\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CONTEXT = re.compile(
    r"\bsnmp\b.*?\b(?:community|user|usm|host|trap-group)\b|\bsnmp[\w-]{0,40}_community\b"
    r"|\b(?:tacacs|radius|ldap|ntp|nts|aaa|bgp|ospf|isis|vrrp|hsrp|ike|ipsec|macsec|mka)\b.*?\bkey\b",
    re.IGNORECASE,
)
_CRYPT = re.compile(r"\$(?:[0-9]|2[abxy]|y|sha[0-9]{1,3}|14|15|16)\$[^\s\"';,]+", re.IGNORECASE)
_IN_URL = re.compile(r"://[^\s/@\"']{1,200}@")
_QUOTED = re.compile(r"""["']?\s*[:=]?\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')""")
_BETWEEN = re.compile(r"""["']?\s*[:=]?\s*""")


def redact(line: str) -> str:
    """The line without passwords, keys, communities and hashes; each is shown as `<redacted>`."""
    line = _CRYPT.sub(REDACTED, _IN_URL.sub(f"://{REDACTED}@", line))
    context = _CONTEXT.search(line)
    done: list[str] = []
    at = 0
    while (found := _WORD.search(line, at)) is not None or context is not None:
        if context is not None and (found is None or context.end() <= found.end()):
            found, context = context, None
        if found is None:
            break
        end = max(found.end(), at)
        quoted = _QUOTED.match(line, end)
        if quoted is None:
            between = _BETWEEN.match(line, end)
            start = end if between is None else between.end()
            rest = line[start:].rstrip()
            if rest:
                return "".join([*done, line[at:start], REDACTED])
            break
        group = 1 if quoted[1] is not None else 2
        done += [line[at : quoted.start(group)], REDACTED if quoted[group] else ""]
        at = quoted.end(group)
    return "".join([*done, line[at:]])
