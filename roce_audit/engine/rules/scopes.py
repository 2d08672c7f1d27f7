"""Scopes: what a rule judges, and which names its expressions may use for it.

A name maps to the keys under which the judge hands over the subject's objects, searched in order: `port.carries_roce` is
read from the joined facts, under `joined`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from roce_audit.engine.conditions.expressions import Compiler, Roots
from roce_audit.formulas import FUNCTIONS
from roce_audit.model import (
    Application,
    Class,
    ClassCounters,
    ClassPath,
    Counters,
    Device,
    Fabric,
    FabricCounters,
    Hop,
    Host,
    Joined,
    Link,
    Nic,
    Observation,
    Port,
    Position,
)

Scope = Literal["port", "hop", "link", "path", "nic", "host", "device", "fabric", "input"]
ASKING: frozenset[str] = frozenset({"port", "hop", "nic", "link"})
"""Scopes whose rules must say what kind of question they ask (`asks`)."""
CLASS_KEYS = frozenset({"roce", "cnp", "hop", "cnp_hop", "a_hop", "b_hop", "hop_counters"})
"""Objects that depend on the class a subject is judged for."""

_CLASS: Roots = {
    "roce": (("roce", Class),),
    "cnp": (("cnp", Class),),
    "fabric": (("fabric", Fabric), ("fabric_counters", FabricCounters)),
}
_PORT: Roots = {
    "port": (("port", Port), ("joined", Joined)),
    **_CLASS,
    "device": (("device", Device),),
    "counters": (("counters", Counters),),
}

ROOTS: Mapping[Scope, Roots] = {
    "port": _PORT,
    "hop": {
        **_PORT,
        "hop": (("hop", Hop),),
        "cnp_hop": (("cnp_hop", Hop),),
        "counters": (("hop_counters", ClassCounters), ("counters", Counters)),
    },
    "link": {
        "a": (("a", Port), ("a_joined", Joined)),
        "b": (("b", Port), ("b_joined", Joined)),
        "a_hop": (("a_hop", Hop),),
        "b_hop": (("b_hop", Hop),),
        "link": (("link", Link),),
        **_CLASS,
    },
    "path": {**_PORT, "hop": (("hop", Hop),), "path": (("path", ClassPath),)},
    "nic": {**_PORT, "nic": (("nic", Nic),), "host": (("host", Host),), "app": (("app", Application),)},
    "host": {"host": (("host", Host),), **_CLASS},
    "device": {"device": (("device", Device), ("position", Position)), **_CLASS},
    "fabric": _CLASS,
    "input": {"input": (("input", Observation),)},
}


@cache
def compiler_for(scope: Scope) -> Compiler:
    """The compiler of a scope's expressions."""
    return Compiler(ROOTS[scope], FUNCTIONS)
