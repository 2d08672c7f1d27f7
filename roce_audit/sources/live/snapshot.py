"""Writes a snapshot so that it is valid whenever the program dies: a device's folder is there whole or not at all."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import threading
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from roce_audit import __version__
from roce_audit.patterns import lazy
from roce_audit.sources import manifest as manifests
from roce_audit.sources.commands import file_name
from roce_audit.sources.live.remote import PROBE
from roce_audit.sources.live.targets import Target
from roce_audit.sources.manifest import JOURNAL, NAME, DeviceRecord, FileRecord, Manifest
from roce_audit.sources.reading import READ, Answer, Reading, refusal
from roce_audit.text.secrets.mask import Masker

_WORK = ".incoming"
_LOCK = ".lock"
_DATED = lazy(r"\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z(?:-\d+)?")


class SnapshotError(Exception):
    """The folder cannot be written as a snapshot."""


class Snapshot:
    """A snapshot that is being written. Safe to use from several threads."""

    def __init__(self, folder: str, targets: Iterable[Target], masker: Masker | None, *, resume: bool = False) -> None:
        """`masker` None keeps secrets in the files. Raises SnapshotError for a folder that is in use or not ours."""
        self.folder = Path(folder)
        self._masker = masker
        self._guard = threading.Lock()
        before = _before(self.folder, resume)
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = _locked(self.folder / _LOCK)
        shutil.rmtree(self.folder / _WORK, ignore_errors=True)
        (self.folder / _WORK).mkdir(mode=0o700)
        known = dict(before.devices) if before is not None else {}
        # a device whose folder is gone was not read, whatever the manifest says
        kept = {n: d for n, d in known.items() if not d.files or (self.folder / n).is_dir()}
        wanted = {t.name: DeviceRecord(t.platform, t.address or t.name) for t in targets}
        self._devices = {**wanted, **kept}
        self._head = Manifest(
            __version__,
            before.started if before is not None else _now(),
            redacted=masker is not None and (before is None or before.redacted),
        )
        self._write_manifest()
        self._journal = open(self.folder / JOURNAL, "w", encoding="utf-8", opener=_private)  # noqa: SIM115

    @property
    def manifest(self) -> Manifest:
        """What became of each device so far."""
        return replace(self._head, devices=self._devices)

    def wanting(self, targets: Iterable[Target]) -> list[Target]:
        """The targets that were not read yet."""
        return [t for t in targets if not self._devices[t.name].reached]

    def keep(self, target: Target, reading: Reading, attempts: int, seconds: float) -> DeviceRecord:
        """Write what a device gave. An earlier try that gave more is kept, with the word for how the last one ended."""
        before = self._devices[target.name]
        files = dict(before.files)
        if reading.outcome in READ or len(reading.answers) >= len(files):
            files = self._files(target.name, reading.answers)
        reason = reading.reason if self._masker is None else self._masker.words(reading.reason)
        record = DeviceRecord(
            target.platform, target.address or target.name, reading.outcome, reason, attempts, seconds, files, _now()
        )
        row = json.dumps({"name": target.name, "device": manifests.device_json(record)}, ensure_ascii=False)
        with self._guard:
            self._devices[target.name] = record
            self._journal.write(row + "\n")
            self._journal.flush()
        return record

    def finish(self, *, whole: bool) -> Manifest:
        """Write the manifest; `whole` says that every device had its turn."""
        with self._guard:
            self._head = replace(self._head, finished=_now() if whole else "")
            self._write_manifest()
            self._journal.close()
            (self.folder / JOURNAL).unlink(missing_ok=True)
            shutil.rmtree(self.folder / _WORK, ignore_errors=True)
            os.close(self._lock)
            (self.folder / _LOCK).unlink(missing_ok=True)
        return self.manifest

    def _files(self, name: str, answers: Iterable[Answer]) -> dict[str, FileRecord]:
        work = self.folder / _WORK / name
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(mode=0o700)
        files: dict[str, FileRecord] = {}
        for answer in answers:
            data = self._masked(answer)
            file = file_name(answer.command)
            with open(work / file, "wb", opener=_private) as stream:
                stream.write(data)
            words = refusal(answer) if answer.command != PROBE else ""
            words = words if self._masker is None else self._masker.words(words)
            files[file] = FileRecord(answer.command, len(data), answer.truncated, answer.exit_status, words)
        target = self.folder / name
        if target.exists():
            old = self.folder / _WORK / f"{name}.old"
            target.rename(old)
            work.rename(target)
            shutil.rmtree(old, ignore_errors=True)
        else:
            work.rename(target)
        return files

    def _masked(self, answer: Answer) -> bytes:
        """A bundle is kept as it came, for it counts its own bytes: the script leaves secrets out where it runs."""
        if self._masker is None or answer.command == PROBE:
            return answer.data
        try:
            return self._masker.text(answer.data.decode("utf-8")).encode("utf-8")
        except UnicodeDecodeError:
            return self._masker.text(answer.data.decode("latin-1")).encode("latin-1")

    def _write_manifest(self) -> None:
        content = json.dumps(manifests.to_json(self.manifest), ensure_ascii=False, indent=1)
        work = self.folder / f".{NAME}.new"
        with open(work, "w", encoding="utf-8", opener=_private) as stream:
            stream.write(content + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        work.replace(self.folder / NAME)


def mask_key() -> bytes:
    """The key that masks are made with: made once and kept for this user, so that masks of different runs agree."""
    base = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    file = Path(base) / "roce-audit" / "mask.key"
    try:
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            new = file.with_name(f"mask.key.{os.getpid()}")
            with open(new, "w", opener=_private) as stream:
                stream.write(secrets.token_hex(32) + "\n")
            try:
                os.link(new, file)  # whoever was first made the key
            except FileExistsError:
                pass
            finally:
                new.unlink()
        return file.read_bytes().strip() or secrets.token_bytes(32)
    except OSError:
        return secrets.token_bytes(32)


def dated(folder: str) -> str:
    """A folder for a snapshot of now, below this one."""
    name = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%SZ")
    path = os.path.join(folder, name)
    more = 1
    while os.path.lexists(path):
        more += 1
        path = os.path.join(folder, f"{name}-{more}")
    return path


def broken_off(folder: str) -> str | None:
    """The newest of the snapshots that `dated` named, if its collection did not come to its end."""
    newest = max(_ours(folder), default=None)
    found = manifests.load(os.path.join(folder, newest)) if newest is not None else None
    return os.path.join(folder, newest) if newest is not None and found is not None and not found.finished else None


def prune(folder: str, keep: int) -> list[str]:
    """Delete all but the newest snapshots that `dated` named and that hold a manifest; gives what went."""
    ours = _ours(folder)
    gone = ours[:-keep] if keep else []
    for name in gone:
        shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
    return gone


def _ours(folder: str) -> list[str]:
    """Names of dated snapshots below a folder, the oldest first; those with a damaged manifest are left alone."""
    try:
        names = sorted(name for name in os.listdir(folder) if _DATED.fullmatch(name))
    except OSError:
        return []
    return [n for n in names if not os.path.islink(os.path.join(folder, n)) and _is_whole(os.path.join(folder, n))]


def _is_whole(folder: str) -> bool:
    """Whether a folder holds a manifest that can be read."""
    try:
        return manifests.load(folder) is not None
    except manifests.Damaged:
        return False


def _before(folder: Path, resume: bool) -> Manifest | None:
    """The manifest to go on with; None for a folder that is new or empty."""
    if not folder.exists():
        return None
    if not folder.is_dir():
        raise SnapshotError(f"{folder}: is no folder")
    try:
        found = manifests.load(str(folder))
    except manifests.Damaged as damage:
        raise SnapshotError(f"{folder / NAME}: not read: {damage}; collect into another folder") from None
    if found is not None:
        if not resume:
            raise SnapshotError(f"{folder}: holds a snapshot already; --resume goes on with it")
        return found
    if any(name != _LOCK for name in os.listdir(folder)):
        raise SnapshotError(f"{folder}: is not empty and holds no snapshot")
    return None


def _locked(file: Path) -> int:
    handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise SnapshotError(f"{file.parent}: another collection writes into it") from None
    return handle


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
