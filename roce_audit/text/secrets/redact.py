"""Secrets never leave in a quoted line: what follows a word for a secret is replaced, in linear time.

A quoted value behind `:`, `=` or a blank is cut out alone; otherwise the rest of the line goes but for the signs that close
or open blocks, for vendors differ in the order of type, secret and options, and nothing behind a secret is evidence for
flow control.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from roce_audit.patterns import lazy

REDACTED = "<redacted>"
Mask = Callable[[str], str]
"""What is written in place of a secret: `<redacted...>` or `<secret-...>`, without blanks."""

_HINTS = (
    *(
        "pass",
        "pwd",
        "secret",
        "key",
        "token",
        "psk",
        "credential",
        "cipher",
        "plain",
        "shared",
        "md5",
        "sha",
        "hmac",
        "auth",
    ),
    *(
        "encrypt",
        "bearer",
        "community",
        "snmp",
        "webhook",
        "private",
        "$",
        "://",
        "eyj",
        "hf_",
        "ghp_",
        "gho_",
        "ghu_",
        "ghs_",
    ),
    *("ghr_", "github_pat_", "glpat-", "xox", "akia", "nvapi-", "sk-", "aiza", "npm_", "pypi-", "dhhc-1:"),
    *("curl", "wget", "sudo", "gnmic", "ipmitool", " login", "pw", "assword", "cookie"),
    *("mysql", "mariadb", "redis-cli", "ldap", "openssl", "etcdctl", "vault", "net use"),
)
"""A line without any of these in lower case holds no secret that this module knows: most lines need no more than that."""
_HINT = lazy("|".join(map(re.escape, _HINTS)))
_WORD = lazy(
    r"""
    # words that name a secret wherever they stand, also as a part of a longer name (`ldap_bind_password`)
    (?:passwor[dt]|passwd|pass-?(?:phrase|key|code)|secret|(?:auth|priv)-pass
      |key-?(?:octet-?)?string|(?:authentication|auth|(?:pre-?)?shared|message-digest|private|api|access|encryption|priv|master)[-_ ]?key
      |(?:auth|access|bearer|api|session)[-_ ]?token|_token(?![_-]?bucket)|_psk|credential|auth-(?:md5|sha)|encrypt-(?:aes|des)
      |(?-i:[A-Z0-9](?<!\bNTP)_KEY)(?=["']?\s{0,9}[=:]|\Z)|\btoken(?=["']?\s{0,9}[=:]|\Z)
      |(?-i:snmp[-_]?(?:r[ow][-_]?)?[cC]ommunit(?:y|ies))|\bsnmp_r[ow](?=["']?\s{0,9}[=:]|\Z)|(?-i:[A-Z]_AUTH)(?=["']?\s{0,9}[=:])
      |(?:tacacs|tacplus|radius|bgp|ospf|isis|md5|ssh|client)[-_]?key(?:-data)?(?=["']?\s{0,9}[=:]|\Z)
      |(?-i:\bpwd?)(?=["']?\s{0,9}[=:]|\Z)|(?-i:[A-Z](?<!BY)PASS)(?=["']?\s{0,9}[=:])|convertto-securestring|\bbindpw\b|\bcookie:
      |webhook(?=[\w-]{0,60}\s{0,9}[=:])
    )[\w-]*
    |_p(?:ass|wd?)(?=\s*[=:])|(?:cv|ingest)auth=(?:token-secure|token|key),
    # words that do so only as words of their own, before something that looks like a value
    |\bpsk\b|\bpass(?=\s*[=:])
    |\bkey(?=\s+(?:[0-9]\s+\S|["']|ascii-text|hexadecimal|encrypted|hex\s))
    |\bkey\s+[0-9a-f]{2,64}(?=\s+[0-9]\s+\S)|\bkey\s+(?:authentication|accounting|authorization)\b
    |\b(?:irreversible-)?cipher\b|\bplain-?text\b|\bpre-shared\b
    |\b(?:md5|sha|sha-?[0-9]{1,3}|hmac-[a-z0-9-]{1,30})(?=\s+(?:[0-9]\s+)?\S)
    |\bauthentication\s+(?:text|mode)\b|\bauthentication-mode\b(?=\s+(?:simple|md5|hmac|sha))|\bauthorization:|\bauthorization(?=["']\s{0,9}:\s{0,9}["'](?:basic|bearer|token)\b)|\bbearer\b
    # a community of BGP is a list of numbers: `community NAME members ...`, `community add NAME;`, `community-list:`
    |\bcommunity-entry\b|^\s*community(?![\w-]|\s+(?:add|delete|set)\s+\w|\s+[\w.-]{1,200}\s+members\b)
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
_CRYPT = lazy(
    r"\$(?:[0-9]{1,2}|2[abxy]|[chy]|gy|sha[0-9]{1,3}|aes[0-9]*|nvsec|argon2id?|pbkdf2[\w-]{0,20})\$[^\s\"';,]+",
    re.IGNORECASE,
)
_TOKEN = lazy(
    r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)?"
    r"|\bAQ[A-Za-z0-9+/]{34,38}={1,2}(?![A-Za-z0-9+/=])"
    r"|\bDHHC-1:[0-9]{2}:[A-Za-z0-9+/=]{8,}"
    r"|\b(?:hf_|gh[pousr]_|github_pat_|glpat-|nvapi-|xox[abeoprs]-|AKIA)[\w-]{12,}"
    r"|\b(?:sk-(?:proj-|ant-)?|AIza|npm_|pypi-)[A-Za-z0-9_-]{20,}"
)
_WEBHOOK = lazy(
    r"(?:(?<=hooks\.slack\.com/services/)|(?<=hooks\.slack\.com/workflows/)|(?<=discord\.com/api/webhooks/)"
    r"|(?<=discordapp\.com/api/webhooks/)|(?<=\.office\.com/webhook/)|(?<=\.office\.com/webhookb2/)"
    r"|(?<=chat\.googleapis\.com/v1/spaces/))[^\s\"'<>]{4,}"
)
"""The part of the address that lets everybody who knows it write there."""
_KNOWN_BY_LOOKS = (_CRYPT, _TOKEN, _WEBHOOK)
_LOGIN = lazy(
    r"(\s(?:-u\s{0,9}|(?:-u|--user|--proxy-user)(?:\s{1,9}|=))[\"']?[^\s:\"']{1,100}:"
    r"|\bsshpass\s{1,9}-p\s{0,9}[\"']?|\b(?:gnmic|login)(?=\s)[^|;&]{0,200}?\s-p\s{1,9}[\"']?|\bipmitool(?=\s)[^|;&]{0,200}?\s-P\s{1,9}[\"']?"
    r"|\b(?:mysql|mariadb)[a-z-]{0,9}(?=\s)[^|;&]{0,200}?\s-p(?=[^\s\"'])|\bredis-cli(?=\s)[^|;&]{0,200}?\s-a\s{1,9}[\"']?"
    r"|\bldap[a-z]{3,9}(?=\s)[^|;&]{0,200}?\s-w\s{1,9}[\"']?|\bopenssl(?=\s)[^|;&]{0,200}?\s-k\s{1,9}[\"']?|\bnet\s{1,9}use\s[^|;&]{0,200}?\s(?=[^\s/]{1,100}\s{1,9}/user\b)"
    r"|\bvault\s{1,9}login\s{1,9}(?!-)[\"']?|\s--(?!(?:max|min|num|n)[-_])(?:[a-z]{1,20}[-_])?token\s{1,9}[\"']?(?!-)"
    r"|\bauth\s?=\s?\(\s?[\"'][^\"']{0,80}[\"'],\s?[\"']"
    r"|assword[^\n]{0,80}?\bsend(?:line)?\s?[({]?\s?(?:--\s)?[{\"'])([^\s\"']{1,300})"
)
"""Passwords among the arguments of programs: of `curl -u name:password`, `sshpass -p password`, `ldapsearch -w password`."""
_OF_SNMP = lazy(r"(\s-[cAX]\s{1,9}[\"']?)([^\s\"']{1,300})")
_SNMP = lazy(r"\bsnmp(?:walk|get|getnext|bulkwalk|bulkget|set|table|trap|inform|status|df|netstat)\b")
"""Its arguments are a community and up to two passwords."""
_PIPED = lazy(
    r"(\b(?:echo|printf)\s{1,9}(?:-[neE]{1,3}\s{1,9})?(?:[\"']?%s(?:\\n)?[\"']?\s{1,9})?|<<<\s{0,9})(\"[^\"|]{1,200}\"|'[^'|]{1,200}'|[^\s|\"']{1,200})"
    r"(?=\s{0,9}(?:\||$))"
)
"""What a program is given on its standard input: `echo password | sudo -S ...`."""
_ASKS = lazy(r"\bsudo\s[^|;&]{0,60}?-\w{0,9}S\b|\bpasswd\s{1,9}--stdin|\bchpasswd\b")
"""A program that takes a password from there."""
_PROGRAMS = (
    *("curl", "wget", "sshpass", "gnmic", "login", "ipmitool", "mysql", "mariadb", "redis-cli", "ldap", "openssl"),
    *("net use", "etcdctl", "token", "auth", "assword"),
)
"""A line without any of these has no such argument."""
_PEM = lazy(r"(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----)(.*?)(?=-----END |\Z)", re.S)
_IN_URL = lazy(r"://[^\s/@\"']{1,200}@")
_MASKED = lazy(r"<(?:redacted|secret)[^\s<>]{0,40}>")
_PIECE = lazy(r"""[^\s"';,{}\[\]\\]+""")
_KEYED_PIECE = lazy(r"""(?:[^\s"';,{}\[\]\\:]|:(?=[^\s"'{\[]))+""")
"""A word without the colon that ends a key."""
_LETTER = lazy(r"\w")
_QUOTED = lazy(r"""["']?+\s*+[:=]?\s*+(?:"((?:[^"\\]|\\.)*)"|'([^']*)')""")
_BETWEEN = lazy(r"""["']?\s*+[:=]?\s*+""")
_STRUCTURE = " \t;,{}[]()"
_TYPE = lazy(r"[0-9]|[|>][-+]?|md5|sha-?[0-9]{0,3}|(?:irreversible-)?cipher|ciphertext|plain|simple|encrypted", re.I)
"""The type of a password hash (`password 7 ...`), or the sign for a block of YAML: it says nothing of the secret."""
_ASSIGNED = lazy(r"=([^\s\"'=][^\s\"']*)")
"""`NAME=value` as shells have it: the value ends with the word, and what stands behind it is evidence."""
_NEXT_ASSIGNED = lazy(r",(?=[A-Z][A-Z0-9_]{2,40}=)")


def redact(line: str, mask: Mask | None = None) -> str:
    """The line without passwords, keys, communities and hashes.

    Each is shown as `<redacted>`. With a `mask` the words of a secret are masked one by one and punctuation stays, so that
    the file keeps its structure and equal secrets stay equal whatever stands around them.
    """

    if not may_hold_secret(line):
        return line

    def masked(secret: str) -> str:
        return REDACTED if mask is None else secret if is_mask(secret) else mask(secret)

    line = _PEM.sub(lambda m: m[1] + (masked(m[2]) if m[2].strip() else m[2]), line)
    line = _IN_URL.sub(lambda m: f"://{':'.join(map(masked, m.group()[3:-1].split(':', 1)))}@", line)
    if any(program in line for program in _PROGRAMS):
        line = _LOGIN.sub(lambda m: m[1] + masked(m[2]), line)
    program = _SNMP.search(line) if "snmp" in line else None
    if program is not None:
        line = line[: program.end()] + _OF_SNMP.sub(lambda m: m[1] + masked(m[2]), line[program.end() :])
    if _ASKS.search(line) is not None:
        line = _PIPED.sub(lambda m: m[1] + masked(m[2]), line)
    line = _named(line, mask, masked)
    for looks in _KNOWN_BY_LOOKS:
        line = looks.sub(lambda m: masked(m.group()), line)
    return line


def _named(line: str, mask: Mask | None, masked: Mask) -> str:
    """The line without what a word announces as a secret: whole, also where a part of it has the looks of one."""
    done: list[str] = []
    at = 0
    for end in _ends(line):
        if end < at:
            continue
        assigned = _ASSIGNED.match(line, end)
        if assigned is not None:
            first = _NEXT_ASSIGNED.split(assigned[1], maxsplit=1)[0]
            done += [line[at : end + 1], REDACTED if mask is None else _pieces(first, masked)]
            at = end + 1 + len(first)
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
            hidden = REDACTED if mask is None else _pieces(rest, masked)
            return "".join([*done, line[at:start], hidden if rest else "", line[start + len(rest) :]])
    return "".join([*done, line[at:]])


def is_mask(text: str) -> bool:
    """Whether this stands in place of a secret already."""
    return _MASKED.fullmatch(text) is not None


def may_hold_secret(line: str) -> bool:
    """Whether a line needs a closer look. Quick: most lines do not."""
    return _HINT.search(line.lower()) is not None


def lines_in_question(text: str) -> Iterable[str]:
    """The lines of a long text of which `may_hold_secret` holds, each once. It takes a third of the time of asking line by line."""
    lines, lowered = text.split("\n"), text.lower()
    found: dict[str, None] = {}
    number = before = 0
    for at in sorted(at for hint in _HINTS for at in _places(lowered, hint)):
        number += lowered.count("\n", before, at)
        before = at
        found[lines[number]] = None
    return found


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def redact_whole(line: str, mask: Mask) -> str:
    """The line with every word masked, and its blanks, quotes and brackets kept: what stands below a word for a secret."""

    def masked(found: re.Match[str]) -> str:
        word = found.group()
        return word if is_mask(word) or not _LETTER.search(word) else mask(word)

    return _KEYED_PIECE.sub(masked, line)


def _pieces(text: str, mask: Mask) -> str:
    return _PIECE.sub(lambda m: m.group() if _TYPE.fullmatch(m.group()) else mask(m.group()), text)


def names_secret(key: str) -> bool:
    """Whether a key of a JSON object says that its value is a secret."""
    return _WORD.search(key) is not None


def _ends(line: str) -> list[int]:
    """Where the words that announce a secret end, from left to right."""
    for secret in (_MASKED, *_KNOWN_BY_LOOKS):
        line = secret.sub(lambda found: " " * len(found.group()), line)
    ends = [found.end() for found in _WORD.finditer(line)]
    for opening, word in _CONTEXTS:
        before = opening.search(line)
        if before is not None:
            ends += [found.end() for found in word.finditer(line, before.end())]
    return sorted(ends)
