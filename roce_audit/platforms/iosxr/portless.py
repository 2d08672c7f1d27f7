"""Policies and PFC profiles without ports: where RoCE is led, beside the traffic classes that a profile pauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.platforms.base import Seen
from roce_audit.platforms.iosxr import statements as st
from roce_audit.platforms.iosxr.facts import POLICY_SYNTAX
from roce_audit.platforms.iosxr.table import TABLE
from roce_audit.platforms.shared.cli.namedblocks import NamedBlocks
from roce_audit.platforms.shared.policy.portless import apart, led_by_policies
from roce_audit.text.block import Part

_POLICY, _CLASS = "qospolicy", "qosmap"


def unled_pause(named: NamedBlocks, device_wide: Sequence[Part]) -> Iterator[Seen]:
    """Profiles that pause none of the classes to which policies lead the usual marks of RoCE; ask where there is no port."""
    paused = {
        said.number: (part.block.place(index), text)
        for part in device_wide
        if part.kind == "pfcprofile"
        for index, text in enumerate(part.block.texts.statements)
        if isinstance(said := TABLE.parse(part.kind, text).value, st.LosslessClass)
    }
    if paused:
        yield from apart(led_by_policies(named, _POLICY, _CLASS, POLICY_SYNTAX), paused)
