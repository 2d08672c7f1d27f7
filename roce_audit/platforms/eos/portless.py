"""Profiles and maps without ports, as configlets hold them: where RoCE is led, beside what a profile pauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.platforms.base import DeviceReading, Seen
from roce_audit.platforms.eos import statements as st
from roce_audit.platforms.eos.classify import POLICY_SYNTAX
from roce_audit.platforms.eos.table import TABLE
from roce_audit.platforms.shared.cli.namedblocks import NamedBlocks
from roce_audit.platforms.shared.policy.portless import USUAL, apart, defined, led_by_policies
from roce_audit.text.block import Part
from roce_audit.values import Place

_PROFILE, _POLICY, _CLASS = "profile", "policy", "classmap"


def unled_pause(reading: DeviceReading, named: NamedBlocks, device_wide: Sequence[Part]) -> Iterator[Seen]:
    """Profiles that pause none of the classes to which maps and policies lead the usual marks of RoCE."""
    paused = _paused(named) if not reading.ports else {}
    if not paused:
        return
    maps = [
        (text, said)
        for part in device_wide
        for text in part.block.texts.statements
        if isinstance(said := TABLE.parse(part.kind, text).value, st.DscpMap)
    ]
    if any(said.traffic_class in paused for _, said in maps):
        return
    by_map = {text: {said.traffic_class} for text, said in maps if USUAL["dscp"] & set(said.code_points)}
    yield from apart(by_map | led_by_policies(named, _POLICY, _CLASS, POLICY_SYNTAX), paused)


def _paused(named: NamedBlocks) -> dict[int, tuple[Place, str]]:
    """The priorities that profiles pause, with the lines that say so."""
    return {
        said.priority: (part.block.place(index), text)
        for part in defined(named, (_PROFILE,))
        for index, text in enumerate(part.block.texts.statements)
        if isinstance(said := TABLE.parse(_PROFILE, text).value, st.PfcPriority) and said.no_drop
    }
