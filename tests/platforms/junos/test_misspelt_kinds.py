"""A kind of object whose name is misspelt: one finding, and none for the objects in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

TEXT = (Path(__file__).parents[3] / "fixtures" / "mixed-vendors" / "leaf1.conf").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("congestion-notification-profile", "congestion-notification-profil"),
        ("scheduler-maps", "scheduler-map"),
        ("drop-profiles", "drop-profile"),
    ],
)
def test_a_misspelt_kind_is_told_once(kind: str, written: str) -> None:
    text = TEXT.replace(f"    {kind} {{", f"    {written} {{", 1)
    line = text[: text.index(f"    {written} {{")].count("\n") + 1
    reading = platform("junos").read(DeviceInput("leaf1", "junos", (Document("leaf1.conf", text),)))
    assert [(seen.observation.kind, seen.place.line) for seen in reading.seen] == [("unread-line", line)]
