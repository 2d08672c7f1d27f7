"""Whether a document is whole, so that what it does not say is absent: by proof, by word of the policy, or by its looks.

A capture header with its end mark, or the answer of the right command, proves it. A file that somebody keeps or renders
has neither. Where it names its host, nothing speaks against it, and it holds several front-panel ports, or fewer beside
settings of other kinds, the more the fewer ports, it is *taken* as whole. That is an assumption; reports say so, and
`complete: false` in the policy's `paths:` refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.text.leftout import left_out_at

FEWEST_PORTS = 4
"""A document that names its host and this many front-panel ports looks whole; a paste of some stanzas holds fewer."""
BY_POLICY = "the policy says so"
_KINDS_FOR_A_PORT = 2
"""A small device's document, as in a lab, has so many kinds of other settings for each port that it has less than a large one."""
BY_LOOKS = "it names its host and holds several front-panel ports, or settings of many kinds"
_PLACEHOLDER = lazy(r"\{\{|\{%|\$\{[A-Za-z_]|%\([A-Za-z_]\w{0,40}\)s")
_FAREWELL = lazy(
    r"(?:[ \t]*(?:logout|exit|quit|`{3,20}|~{3,20})|(?:Shared )?[Cc]onnection (?:to [^\s]{1,255} )?closed[^\n]{0,80}"
    r"|[ \t]{0,3}(?:[AB]:)?(?:[\w.-]{1,63}@)?[A-Za-z0-9][\w.-]{0,62}(?::[^\s#$>]{0,80})?(?: ?\[[^\]\n]{1,60}\])?"
    r"(?: ?\([^)\n]{1,60}\))? ?[#>$%][ \t]*+(?:exit|quit|logout|end)?"
    r"|[A-Za-z][a-z',-]{0,20}(?: [\w.'\",:()?!/-]{1,40}){1,40}(?<=[?!.]))[ \t]*"
)
"""What a terminal still shows behind the answer: the next prompt, a logout, the end of the connection. And what ends a quotation, and
what people write below one (`Any ideas?`).
"""
_LONGEST_FAREWELL = 8
"""Lines."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of its device a document shows that names its host."""

    ports: int
    """Front-panel ports; counting may end at `enough_ports`."""
    kinds: Callable[[], Set[object]]
    """The kinds of other settings; asked where the ports are few."""
    enough_ports: int = FEWEST_PORTS

    @property
    def is_whole(self) -> bool:
        """Whether these are several ports, or some beside settings of other kinds: the fewer ports, the more kinds."""
        missing = FEWEST_PORTS - self.ports
        return self.ports >= self.enough_ports or (self.ports > 0 and len(self.kinds()) >= _KINDS_FOR_A_PORT * missing)


def why_whole(document: Document, proof: str, extent: Callable[[], Extent | None]) -> str:
    """Why absence may be judged in a document: `proof`, or another of the reasons; "" for a fragment.

    `extent` is None of a document that does not name its host, or that changes what stands elsewhere. The answer of a command
    that proves nothing is part of a configuration, whatever it looks like.
    """
    if document.truncated or document.declared_complete is False:
        return ""
    if document.declared_complete:
        return BY_POLICY
    if left_out_at(document.text) >= 0:
        return ""
    if proof:
        return proof
    if document.command is not None or _PLACEHOLDER.search(document.text) is not None:
        return ""
    shown = extent()
    return BY_LOOKS if shown is not None and shown.is_whole else ""


def kinds_at_margin(text: str) -> Set[str]:
    """The kinds of settings, such as users, logs, clocks and routing, that lines at the margin of a text begin."""
    return {found.group(1) for found in _KINDS.finditer(text)}


def kinds_of_paths(paths: Iterable[Sequence[str]]) -> Set[tuple[str, ...]]:
    """The same of statements that are paths of words: their first word, behind `system` and the like the second one as well."""
    kinds = {tuple(words[: 2 if words[0] in _OF_MANY_KINDS else 1]) for words in paths if words}
    return kinds - _IN_ANY_PASTE


_IN_ANY_PASTE: Set[tuple[str, ...]] = {
    *((word,) for word in ("apply-groups", "class-of-service", "groups", "interface", "interfaces", "qos", "version")),
    *(("system", word) for word in ("host-name", "hostname", "name")),
}
"""Ports, their classes, the name of the host, and what holds statements of any kind."""
_OF_MANY_KINDS = frozenset({"protocols", "service", "system"})
_KINDS = lazy(
    r"^(?:no |undo )?(aaa|agent|banner|bfd|bgp|boot|clock|copp|dns|domain|errdisable|feature|hardware|ip|ipv6|line|lldp|local-user|logging"
    r"|mac|management|ntp|ospf|radius|radius-server|role|route-map|route-policy|router|service|snmp-agent|snmp-server|spanning-tree|ssh"
    r"|stp|tacacs|telemetry|telnet|transceiver|user-interface|username|vlan|vrf|end(?=\s*\Z))\b",
    re.M,
)


def without_farewell(text: str) -> str:
    """The text without the prompt, logout and similar lines that stand behind the answer in a log."""
    end = len(text)
    for _ in range(_LONGEST_FAREWELL):
        trimmed = len(text[max(0, end - 4000) : end].rstrip()) + max(0, end - 4000)
        start = text.rfind("\n", 0, trimmed) + 1
        if start == 0 or _FAREWELL.fullmatch(text, start, trimmed) is None:
            break
        end = start
    return text[:end]
