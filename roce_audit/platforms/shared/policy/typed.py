"""Policies and class-maps of the types qos, network-qos and queuing, as NX-OS and OS10 write them: names, rows, bindings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from roce_audit.platforms.shared.leaves import numbers, word
from roce_audit.platforms.shared.numbers import DSCP_NAMES
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.references import Name
from roce_audit.text.statements.rows import Row, row

POLICY = {"qos": "qospolicy", "network-qos": "nqpolicy", "queuing": "qupolicy"}
"""Type of a policy -> the mode of its block."""

MAP = {"qospolicy": "qosmap", "nqpolicy": "nqmap", "qupolicy": "qumap"}
"""Mode of a policy -> that of the class-maps its classes name."""

OPENS = {
    "class-map": "qosmap",
    "class-map type": "other",
    "class-map type qos": "qosmap",
    "class-map type network-qos": "nqmap",
    "class-map type queuing": "qumap",
    "policy-map": "qospolicy",
    "policy-map type": "other",
    "policy-map type qos": "qospolicy",
    "policy-map type network-qos": "nqpolicy",
    "policy-map type queuing": "qupolicy",
    "ip access-list": "acl",
    "ipv6 access-list": "acl",
    "mac access-list": "acl",
}
WORDS = {mode: words for words, mode in OPENS.items() if words.count(" ") == 2} | {"acl": "access-list"}
"""Modes of blocks that define a name -> what the vendor calls such a thing."""

CLASSIFYING = "dscp pcp trust policed rewrites_dscp"
"""Model paths that a policy of type qos sets at the input of a port."""
LOSSLESS = "pfc groups priorities classes"
"""Model paths that a policy of type network-qos sets."""

TYPES: dict[str, Callable[[str], object]] = {
    "codepoint": word({str(value): value for value in range(64)} | dict(DSCP_NAMES)),
    "dscp": numbers(63, DSCP_NAMES),
    "logic": word({"match-all": True, "match-any": False, "unsaid": None}),
    "precedence": numbers(7, ps.PRECEDENCE_NAMES),
    "priorities": numbers(7),
}
"""Types of captures in the rows of policies and class-maps."""

LOGIC = row("class-map <all:logic>", ps.Logic, no=None)


def binding(words: str, kind: ps.PolicyType, way: ps.Way, paths: str, end: str = "") -> Row:
    """The row of `service-policy WORDS NAME`, which applies a policy of this type; `end` may follow."""
    return row(
        f"service-policy {words} <name> {end}".strip(),
        partial(ps.Binding, kind, way),
        paths,
        no=ps.Binding(kind, way),
        no_form=f"service-policy {words} [<>] {end}",
    )


def header_statement(mode: str, header: str) -> str:
    """What the header of a class-map says besides its name: whether all of its criteria must hold, or any."""
    if mode not in MAP.values():
        return ""
    logic = next((word for word in header.split()[1:-1] if word in ("match-any", "match-all")), "unsaid")
    return f"class-map {logic}"


def named_by(value: object, mode: str) -> Sequence[Name]:
    """The policy, class-map or access list that a statement names."""
    match value:
        case ps.Binding(kind=kind, name=str(name)):
            return [(POLICY[kind], name)]
        case ps.ClassHeader(name=name):
            return [(MAP[mode], name)]
        case ps.Match(kind="acl", name=name):
            return [("acl", name)]
    return ()
