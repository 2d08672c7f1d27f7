"""How NX-OS names its own classes, and what a class-map that says nothing means."""

from __future__ import annotations

from roce_audit.patterns import lazy
from roce_audit.platforms.nxos.defaults import BUILTIN
from roce_audit.platforms.nxos.table import TABLE
from roce_audit.platforms.shared.policy.policies import PolicySyntax

_NUMBERED = lazy(r"^c-(?:(?:8q-)?nq|(?:out|in)-(?:8q-)?q)(-default|[1-7])$")


def _numbered(name: str) -> int | None:
    """The qos-group (= queue) that a class of NX-OS itself stands for."""
    found = _NUMBERED.match(name)
    if found is None:
        return 0 if name == "class-default" else None
    return 0 if found.group(1) == "-default" else int(found.group(1))


# NX-API reference, Configuring QoS Class Maps: a class-map that does not say it is match-all
POLICY_SYNTAX = PolicySyntax(TABLE, BUILTIN, _numbered, unset_group=0, needs_all=True)
