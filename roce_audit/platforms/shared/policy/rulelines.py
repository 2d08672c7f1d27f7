"""Lines of access lists that are written `rule 5 deny udp destination-port eq N`, for the common reader of access lists."""

from __future__ import annotations

from roce_audit.patterns import lazy

_RULE = lazy(
    r"rule (?:\d{1,9} |name \S{1,64} )*(?P<action>permit|deny) (?P<protocol>udp|ip|ipv6)"
    r"(?: (?:source|destination) any)*(?: destination-port (?P<relation>eq|range) (?P<ports>\d{1,5}(?: \d{1,5})?))?\Z"
)


def neutral(line: str) -> str:
    """Such a line as `deny udp any any eq N`; one that says more stays as it is, but for its first word and number."""
    found = _RULE.match(line)
    if found is None:
        return line.removeprefix("rule ")
    ports = f" {found['relation']} {found['ports']}" if found["relation"] else ""
    return f"{found['action']} {found['protocol']} any any{ports}"
