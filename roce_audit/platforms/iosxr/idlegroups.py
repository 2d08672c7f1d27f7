"""Groups that would turn PFC on and take no effect: nothing applies them, or their patterns fit no interface."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.iosxr import statements as st
from roce_audit.platforms.iosxr.groups import Groups, Inherited, matches
from roce_audit.platforms.iosxr.table import TABLE
from roce_audit.text.block import HEADER


def idle_groups(groups: Groups, applied: Collection[str], ports: Collection[str]) -> Iterator[Seen]:
    """What is told of each such group of a whole configuration with these ports."""
    for name, place, said in groups.defined():
        pausing = [one for one in said if _turns_pfc_on(one)]
        if not pausing or any(matches(one.pattern, port) is None for one in pausing for port in ports):
            continue
        fitting = [port for port in ports if any(matches(one.pattern, port) for one in pausing)]
        if name not in applied:
            text = f"group {name} is defined and never applied (`apply-group`), so the PFC in it is on for no port"
            told = seen("unapplied", name, text, place, f"group {name}", tuple(fitting or ports))
        elif not fitting:
            one = pausing[0]
            text = f"group {name} is applied, and its pattern '{one.pattern}' fits no interface, so the PFC in it is on for no port"
            told = seen("unapplied", name, text, one.said.place(HEADER), f"interface '{one.pattern}'", tuple(ports))
        else:
            continue
        yield replace(told, makes=("pause",))


def _turns_pfc_on(one: Inherited) -> bool:
    values = (TABLE.parse("port", statement).value for statement in one.said.texts.statements)
    return any(isinstance(value, st.PfcMode) and value.mode == "on" for value in values)
