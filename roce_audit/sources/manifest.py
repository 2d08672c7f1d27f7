"""`snapshot.json`: what became of each device of a snapshot. Written by `collect`, read with every snapshot that is judged."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from roce_audit.records import dataclass
from roce_audit.sources.reading import OUTCOMES, READ, Outcome
from roce_audit.text.decode import printable

SCHEMA = "roce-audit/snapshot/1"
NAME = "snapshot.json"
JOURNAL = ".journal.jsonl"
"""Devices that are done while a run goes on; a run that was killed leaves it behind."""
MAX_BYTES = 256 * 2**20


_OURS = (SCHEMA.rpartition("/")[0], '"roce-audit"')
"""Words at the beginning of a manifest: by them a damaged one is told from files of other programs."""
_BEGINS = f'{{"schema":"{SCHEMA}"'
"""How a manifest begins, without its blanks: a shorter text that begins like it was cut."""
_HEAD = 4_096


class Damaged(Exception):
    """The manifest cannot be read: nobody can say which devices are missing. The words say what is wrong with it."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One file of a device: the command, its size as written, and whether its end is missing."""

    command: str
    bytes: int
    truncated: bool = False
    exit_status: int | None = None
    refused: str = ""
    """The device's words where it refused the command."""


@dataclass(frozen=True, slots=True)
class DeviceRecord:
    """What became of one device."""

    platform: str
    address: str
    outcome: Outcome = "pending"
    reason: str = ""
    attempts: int = 0
    seconds: float = 0.0
    files: Mapping[str, FileRecord] = field(default_factory=dict)
    """By file name in the device's folder."""
    read_at: str = ""
    """When its last answer came (UTC); empty in snapshots that do not say it."""

    @property
    def reached(self) -> bool:
        """Whether it was read to the end."""
        return self.outcome in READ


@dataclass(frozen=True, slots=True)
class Manifest:
    """A whole snapshot. `finished` is empty while a run goes on, and after one that was broken off."""

    version: str
    started: str
    finished: str = ""
    redacted: bool = True
    devices: Mapping[str, DeviceRecord] = field(default_factory=dict)

    def unreached(self) -> dict[str, str]:
        """Devices that were not read to the end -> why."""
        found = {}
        for name, device in sorted(self.devices.items()):
            if not device.reached:
                broken = "the collection was broken off before its turn" if device.outcome == "pending" else ""
                found[name] = ": ".join(filter(None, (device.outcome if not broken else "", device.reason or broken)))
        return found


def load(folder: str) -> Manifest | None:
    """The manifest of a folder, with what the journal of a killed run adds; None where there is none. Raises Damaged."""
    path = os.path.join(folder, NAME)
    if not os.path.lexists(path):
        return None
    try:
        with open(path, "rb", opener=_no_waiting) as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Damaged((error.strerror or str(error)).lower()) from None
    if len(raw) > MAX_BYTES:
        raise Damaged(f"more than {MAX_BYTES:,} bytes")
    manifest = of_text(raw.decode("utf-8", "replace"))
    if manifest is None or manifest.finished:
        return manifest
    return Manifest(manifest.version, manifest.started, "", manifest.redacted, {**manifest.devices, **journal(folder)})


def of_text(text: str) -> Manifest | None:
    """The manifest in a text; None for a file of another program. Raises Damaged for one of ours that is not whole."""
    head = text[:_HEAD]
    ours = not text.strip() or "\0" in head or any(word in head for word in _OURS)
    ours = ours or _BEGINS.startswith("".join(head.split()))
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        if ours:
            raise Damaged("it is empty or cut off, and no JSON") from None
        return None
    schema = value.get("schema") if isinstance(value, dict) else None
    if schema == SCHEMA:
        return of_json(value)
    if isinstance(schema, str) and schema.startswith(_OURS[0]):
        raise Damaged(f"its form is {printable(schema[:60])}, and this version reads {SCHEMA}")
    if ours:
        raise Damaged("it does not say what form it has")
    return None


def _no_waiting(path: str, flags: int) -> int:
    """Open without waiting for somebody at the other end of a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def journal(folder: str) -> dict[str, DeviceRecord]:
    """The devices that a run has done so far. A last line that was cut off counts for nothing."""
    found: dict[str, DeviceRecord] = {}
    try:
        with open(os.path.join(folder, JOURNAL), encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    row = json.loads(line)
                    found[str(row["name"])] = _device(row["device"])
                except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                    continue
    except OSError:
        return {}
    return found


def of_json(value: Mapping[str, Any]) -> Manifest:
    """The manifest in a parsed file. A device whose record cannot be read was not read. Raises Damaged."""
    try:
        devices = {_text(name): _device_or_unknown(row) for name, row in value["devices"].items()}
        return Manifest(
            _text(value["tool"]["version"]),
            _text(value["started"]),
            _text(value["finished"] or ""),
            value["redacted"] is True,
            devices,
        )
    except (KeyError, TypeError, AttributeError, ValueError):
        raise Damaged("a part of it is missing or of another kind") from None


def _device_or_unknown(row: Any) -> DeviceRecord:
    try:
        return _device(row)
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError):
        return DeviceRecord("", "", "pending", f"its record in {NAME} cannot be read")


def to_json(manifest: Manifest) -> dict[str, Any]:
    """The manifest as it is written."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "roce-audit", "version": manifest.version},
        "started": manifest.started,
        "finished": manifest.finished or None,
        "redacted": manifest.redacted,
        "devices": {name: device_json(device) for name, device in sorted(manifest.devices.items())},
    }


def device_json(device: DeviceRecord) -> dict[str, Any]:
    """One device as it is written."""
    return {
        "platform": device.platform,
        "address": device.address,
        "outcome": device.outcome,
        "reason": device.reason,
        "attempts": device.attempts,
        "seconds": round(device.seconds, 3),
        "read_at": device.read_at,
        "files": {
            name: {
                "command": file.command,
                "bytes": file.bytes,
                "truncated": file.truncated,
                "exit_status": file.exit_status,
                "refused": file.refused,
            }
            for name, file in device.files.items()
        },
    }


def _device(row: Any) -> DeviceRecord:
    outcome = next((known for known in OUTCOMES if known == row["outcome"]), None)
    if outcome is None:
        raise ValueError("an outcome that is none")
    return DeviceRecord(
        _text(row["platform"]),
        _text(row["address"]),
        outcome,
        _text(row["reason"]),
        int(row["attempts"]),
        float(row["seconds"]),
        {_text(name): _file(file) for name, file in row["files"].items()},
        _text(row.get("read_at", "")),
    )


def _file(row: Any) -> FileRecord:
    status = row["exit_status"]
    return FileRecord(
        _text(row["command"]),
        int(row["bytes"]),
        row["truncated"] is True,
        None if status is None else int(status),
        _text(row["refused"]),
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("text is wanted")
    return printable(value[:2_000])
