"""When a device was read: the best of what says so."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from roce_audit.sources import manifest as manifests
from roce_audit.sources.capturetime import Source, capture_time
from roce_audit.text.document import DeviceInput, Document


def device(*documents: Document) -> DeviceInput:
    return DeviceInput("leaf1", "sonic", documents)


def told(*documents: Document) -> tuple[str, Source] | None:
    found = capture_time(device(*documents))
    return None if found is None else (f"{found.moment:%Y-%m-%d %H:%M:%S}", found.source)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Sat Nov 21 16:40:32 UTC 2026\n", "2026-11-21 16:40:32"),
        ("Sun Nov  1 06:40:32 UTC 2026\n", "2026-11-01 06:40:32"),
        ("2026-11-01T08:00:00Z\n", "2026-11-01 08:00:00"),
        ("Sat Nov 21 17:40:32 CET 2026\n", None),  # no zone that we could count with
        ("2026-13-41T08:00:00Z\n", None),
        ("Time source is NTP\n10:20:41.123 UTC Mon Mar 03 2025\n", "2025-03-03 10:20:41"),
        ("Mon Mar  3 10:20:41 2025\nTimezone: UTC\nClock source: NTP server\n", "2025-03-03 10:20:41"),
        ("Mon Mar  3 10:20:41 2025\nTimezone: Europe/Berlin\n", None),
        ("10:20:41.123 CET Mon Mar 03 2025\n", None),
    ],
)
def test_an_answer_of_date(text: str, moment: str | None) -> None:
    assert told(Document("gone.txt", text, "date")) == (None if moment is None else (moment, "date"))


def test_the_head_of_a_bundle(tmp_path: Path) -> None:
    path = tmp_path / "gpu1.txt"
    path.write_text("@@ ROCE-AUDIT-BUNDLE 2\n@@ M uid=0 date=2026-11-01T08:00:00Z budget=60 timeout=10\n")
    assert told(Document(str(path), "x", "ethtool -S eth0", first_line=4)) == ("2026-11-01 08:00:00", "bundle")


def snapshot(folder: Path, **device: str) -> Document:
    row = {"platform": "sonic", "address": "leaf1", "outcome": "collected", "reason": "", "attempts": 1, "seconds": 1.0}
    devices = {"leaf1": {**row, "files": {}, **device}}
    head = {"schema": manifests.SCHEMA, "tool": {"version": "1"}, "redacted": True, "devices": devices}
    times = {"started": "2026-11-01T09:00:00Z", "finished": "2026-11-03T09:00:00Z"}
    (folder / "snapshot.json").write_text(json.dumps(head | times))
    (folder / "leaf1").mkdir()
    (folder / "leaf1" / "show_version.txt").write_text("")
    return Document(str(folder / "leaf1" / "show_version.txt"), "")


def test_the_manifest_of_a_snapshot(tmp_path: Path) -> None:
    assert told(snapshot(tmp_path)) == ("2026-11-01 09:00:00", "manifest")


def test_a_device_that_a_resumed_run_read_later(tmp_path: Path) -> None:
    assert told(snapshot(tmp_path, read_at="2026-11-02T10:00:00Z")) == ("2026-11-02 10:00:00", "manifest")


@pytest.mark.parametrize(
    "manifest", ["[", '["x"]', '{"started": 7}', '{"started": "2026-11-01T09:00:00Z"}', "[" * 100_000]
)
def test_a_manifest_that_is_none_leaves_the_times_of_the_files(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "leaf1").mkdir()
    (tmp_path / "snapshot.json").write_text(manifest)
    path = tmp_path / "leaf1" / "show_version.txt"
    path.write_text("")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert told(Document(str(path), "")) == ("2023-11-14 22:13:20", "file times")


def test_nothing_says_when(tmp_path: Path) -> None:
    assert told(Document(str(tmp_path / "stdin"), "")) is None
