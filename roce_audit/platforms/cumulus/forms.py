"""Which of the forms of Cumulus Linux a text has, and the names that it gives."""

from __future__ import annotations

import re
from enum import Enum, auto

from roce_audit.platforms.cumulus.state import is_answer
from roce_audit.text.document import Document


class Form(Enum):
    """A form of configuration, or an answer that shows state."""

    TREE = auto()
    """NVUE's tree as YAML or JSON."""
    COMMANDS = auto()
    """`nv set` commands."""
    SETTINGS = auto()
    """traffic.conf, qos_features.conf, qos_infra.conf, switchd.conf."""
    INTERFACES = auto()
    """/etc/network/interfaces."""
    NET = auto()
    """`net add` commands."""
    ANSWER = auto()
    """nv show."""
    OTHER = auto()


_TREE = re.compile(r"""^[-\s{\["']{0,8}(?:header|set|unset)["']?[ \t]*:""", re.M)
_TREE_SURE = re.compile(r"nvue-api-version[\"']?[ \t]*:")
_BRANCH = re.compile(r"""^[ \t]+["']?(?:interface|qos|system|router|bridge|evpn|vrf|nve|platform)["']?[ \t]*:""", re.M)
_NV = re.compile(
    r"^[ \t]*(?:[\w.-]{1,64}@[^\s#$]{1,100}[#$] ?|\$ )?(?:sudo )?nv (?:set|unset)"
    r" (?:interface|qos|system|bridge|router|vrf|evpn|nve|mlag|service|acl)\b",
    re.M,
)
_NET = re.compile(
    r"^[ \t]*(?:sudo )?net (?:add|del) (?:interface|bond|bridge|hostname|bgp|loopback"
    r"|vlan|vxlan|roce|vrf|ospf|clag|time|dns|snmp-server|routing)\b",
    re.M,
)
_SETTING = re.compile(
    r"^[ \t]*(?:traffic\.(?:packet_priority_\w+|port_default_priority|priority_group_list|cos_\d\.priority_\w+\.\w+)"
    r"|(?:pfc|ecn_red|link_pause|egress_sched|shaping|source|remark|pfc_watchdog)\.(?:port_group_list|[\w-]+\.\w[\w.]*)"
    r"|default_(?:ecn_red_conf|egress_sched)\.[\w.]+|cos_egr_queue\.cos_\d\.\w+|pfc_wd\.\w+"
    r"|priority_group\.\w+\.(?:cos_list|weight|id|service_pool|ingress_buffer)[\w.]*|flow_control\.\w[\w.]*"
    r"|(?:in|e)gress_service_pool\.\d\.\w+)[ \t]*=",
    re.M,
)
_STANZA = re.compile(r"^[ \t]*(?:auto|iface) (?:swp\d|bond\d|peerlink\b)", re.M)
_HEAD = 4_000_000
_FEW = 2
_HOSTNAMES = (
    re.compile(r"^[ \t]*(?:\S{1,200}[#$] ?)?nv set system hostname (\S{1,253})", re.M),
    re.compile(r"^[ \t]*net add hostname (\S{1,253})", re.M),
    re.compile(r'"system"\s{0,9}:\s{0,9}\{[^{}]{0,2000}?"hostname"\s{0,9}:\s{0,9}"([A-Za-z0-9][\w.-]{0,252})"'),
)
_HOSTNAME = re.compile(r"""^[ \t]+["']?hostname["']?[ \t]*:[ \t]*["']?([A-Za-z0-9][\w.-]{0,252})["']?,?[ \t]*$""", re.M)
_SYSTEM = re.compile(r"""^([ \t]+)["']?system["']?[ \t]*:""", re.M)


_WORDS: dict[re.Pattern[str], tuple[str, ...]] = {
    _NV: ("nv set ", "nv unset "),
    _NET: ("net add ", "net del "),
    _SETTING: ("=",),
    _STANZA: ("auto ", "iface "),
}
"""What a text must hold for a pattern to match anywhere: most texts are of other platforms, and a search for words is cheap."""


def _count(pattern: re.Pattern[str], text: str, most: int = _FEW) -> int:
    if not any(word in text for word in _WORDS[pattern]):
        return 0
    found = 0
    for _ in pattern.finditer(text):
        found += 1
        if found == most:
            break
    return found


def score(document: Document) -> int:
    """How surely the text is Cumulus Linux's: 0 no, 100 certain."""
    text = document.text[:_HEAD]
    command = document.command or ""
    if command.startswith("nv "):
        return 92
    if command.startswith(("net add ", "net del ")):
        return 80
    if command and not command.startswith(("cat ", "net show")):
        return 0
    if "nvue-api-version" in text and _TREE_SURE.search(text) and _TREE.search(text):
        return 96
    if _count(_NV, text) >= _FEW or _count(_SETTING, text) >= _FEW:
        return 90
    if _TREE.match(text.lstrip()) and _BRANCH.search(text):
        return 70
    if _count(_STANZA, text, 1) or _count(_NET, text) >= _FEW:
        return 85
    if is_answer(text):
        return 90
    return 45 if any(_count(pattern, text, 1) for pattern in (_NV, _SETTING, _NET)) else 0


def form_of(document: Document) -> Form:
    """The form of a document that is Cumulus Linux's."""
    text = document.text[:_HEAD]
    command = document.command or ""
    if command.startswith("nv show") or (not command and is_answer(text)):
        return Form.ANSWER
    if command.startswith(("nv set", "nv unset")) or (command and "-o commands" in command):
        return Form.COMMANDS
    if command.startswith(("net add ", "net del ")):
        return Form.NET
    if (
        _TREE.search(text) is not None
        and _NV.search(text) is None
        and (_BRANCH.search(text) or _TREE_SURE.search(text))
    ):
        return Form.TREE
    if command.startswith("nv "):
        return Form.TREE if command.startswith("nv config show") else Form.OTHER
    for pattern, form in (
        (_NV, Form.COMMANDS),
        (_SETTING, Form.SETTINGS),
        (_STANZA, Form.INTERFACES),
        (_NET, Form.NET),
    ):
        if pattern.search(text) is not None:
            return form
    return Form.TREE if text.lstrip()[:1] in ("{", "-", "[") else Form.OTHER


def hostname(document: Document) -> str | None:
    """The name that the text gives its device."""
    for pattern in _HOSTNAMES:
        found = pattern.search(document.text)
        if found is not None:
            return found.group(1).strip("\"'")
    system = _SYSTEM.search(document.text)
    if system is None:
        return None
    below = document.text[system.end() : system.end() + 20_000]
    found = _HOSTNAME.search(below)
    return found.group(1) if found is not None else None
