"""Policies without ports (`show running-config ipqos`): the qos-groups that packets are led into, beside those that are paused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.model.device import ObservationKind
from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.nxos import statements as st
from roce_audit.platforms.nxos.policies import POLICY_SYNTAX
from roce_audit.platforms.shared.cli.namedblocks import NamedBlocks
from roce_audit.platforms.shared.policy.policies import Policies, PolicyClass
from roce_audit.platforms.shared.policy.portless import Groups, defined, led, names_usual_mark
from roce_audit.text.block import Part, resolve
from roce_audit.values import At, Place, Why

_BINDS = ("service-policy type qos input ", "service-policy type network-qos ")
_KINDS = ("qospolicy", "nqpolicy", "qosmap", "nqmap")


def unled_pause(reading: DeviceReading, named: NamedBlocks, device_wide: Sequence[Part]) -> Iterator[Seen]:
    """Where one policy leads packets into groups and another pauses groups, and they have none in common; of ports rules tell it.

    A policy that the whole switch applies is meant; of another one it is told where it names a mark that RoCE mostly has.
    """
    if reading.ports:
        return
    parts = defined(named, _KINDS)
    policies = Policies(parts, POLICY_SYNTAX)
    all_led = {name: led(policies, kind, name) for kind, name in named.names() if kind == "qospolicy"}
    paused = {name: _paused(policies, name) for kind, name in named.names() if kind == "nqpolicy"}
    leading = [(name, groups) for name, groups in all_led.items() if groups is None or any(groups)]
    pausing = [(name, groups) for name, groups in paused.items() if groups is None or groups]
    if len(leading) != 1 or len(pausing) != 1:  # which of them go together is not known
        return
    (policy, into), (network, among) = leading[0], pausing[0]
    if into is None or among is None or set(into) & set(among):
        return
    text = (
        f"policy-map {policy} leads packets into qos-group {_listed(into)}, and {network} pauses qos-group {_listed(among)}: no packet"
        " is led where PFC protects it"
    )
    said = {text for part in device_wide for text in part.block.texts.statements}
    is_applied = all(
        any(line.removesuffix(" no-stats") == f"{binds}{name}" for line in said)
        for binds, name in zip(_BINDS, (policy, network), strict=True)
    )
    place = resolve(next(iter(among.values())), parts)
    if isinstance(place, Place) and (is_applied or names_usual_mark(policies, "qospolicy", "qosmap", policy)):
        kind: ObservationKind = "unprotected" if is_applied else "conflict"
        yield seen(kind, network, text, place, f"policy-map type network-qos {network}", ())


def _listed(groups: Groups) -> str:
    return ", ".join(str(group) for group in sorted(groups) if group or len(groups) == 1)


def _paused(policies: Policies, name: str) -> Groups | None:
    """The groups that a network-qos policy pauses; None where that cannot be told of one of its classes."""
    found: Groups = {}
    for one in policies.policy("nqpolicy", name) or ():
        numbers = policies.numbers_of("nqmap", one, Why.UNDEFINED)
        if isinstance(numbers, Why) or any(parsed.value is None for parsed, _ in one.lines):
            return None
        at = _pausing_line(one)
        found |= dict.fromkeys(numbers, at) if at is not None else {}
    return found


def _pausing_line(one: PolicyClass) -> At | None:
    said = [(parsed.value, at) for parsed, at in one.lines]
    pausing = [at for value, at in said if isinstance(value, st.Pause | st.PauseUnnamed)]
    return pausing[-1] if pausing and not any(isinstance(value, st.NoPause) for value, _ in said) else None
