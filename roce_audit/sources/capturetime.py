"""When a device was read, and who says so: an answer of `date`, the head of its bundle, the snapshot's manifest, file times."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.sources import manifest as manifests
from roce_audit.text.document import DeviceInput, Document

Source = Literal["date", "bundle", "manifest", "file times"]
_WORDS: dict[Source, str] = {
    "date": "answer of date",
    "bundle": "head of the bundle",
    "manifest": "manifest of the snapshot",
    "file times": "times of the files, which copying changes",
}
_DATE_COMMANDS = lazy(r"date(?: -u)?(?: \+\S{1,40})?|show (?:clock|system uptime)(?: ?\| ?no-more)?")
_ISO = lazy(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.[0-9]{1,9})?(?:Z| ?UTC|\+00:?00)")
_DAY = r"[A-Z][a-z]{2} +(?P<month>[A-Z][a-z]{2}) +(?P<day>[0-9]{1,2})"
_TIME = r"(?P<clock>[0-9]{2}:[0-9]{2}:[0-9]{2})"
_YEAR = r"(?P<year>[0-9]{4})"
_WORDY = lazy(rf"{_DAY} +{_TIME} +(?:UTC|GMT) +{_YEAR}")
_CLOCK = lazy(rf"{_TIME}(?:\.[0-9]{{1,3}})? (?:UTC|GMT) {_DAY} +{_YEAR}")
"""As Cisco's `show clock` writes it."""
_LOCAL_CLOCK = lazy(rf"{_DAY} +{_TIME} +{_YEAR}\s+Timezone: (?:UTC|GMT)\b")
"""As Arista's writes it."""
_BUNDLE_DATE = lazy(r"^@@ M [^\n]{0,200}\bdate=([0-9T:Z-]{20})", re.M)
_HEAD = 65_536


@dataclass(frozen=True, slots=True)
class CaptureTime:
    """A moment (UTC) and where it was read."""

    moment: datetime
    source: Source

    @property
    def words(self) -> str:
        """`2026-11-01 08:00:00 UTC (answer of date)`."""
        return f"{self.moment:%Y-%m-%d %H:%M:%S} UTC ({_WORDS[self.source]})"


def capture_time(device: DeviceInput) -> CaptureTime | None:
    """The best time there is; None where nothing says any. A time in a zone whose name is not UTC is no time."""
    for document in device.documents:
        if document.command is not None and _DATE_COMMANDS.fullmatch(document.command):
            moment = parse(document.text[:400])
            if moment is not None:
                return CaptureTime(moment, "date")
    paths = list(dict.fromkeys(document.path for document in device.documents))
    for path in paths:
        head = _head(path) if _is_part(path, device.documents) else ""
        found = _BUNDLE_DATE.search(head)
        moment = parse(found.group(1)) if found is not None else None
        if moment is not None:
            return CaptureTime(moment, "bundle")
    for folder in dict.fromkeys(map(os.path.dirname, paths)):
        moment = _manifest(folder)
        if moment is not None:
            return CaptureTime(moment, "manifest")
    times = [time for path in paths if (time := _changed(path)) is not None]
    return CaptureTime(datetime.fromtimestamp(max(times), UTC), "file times") if times else None


def parse(text: str) -> datetime | None:
    """A time as `date`, `show clock` and ISO 8601 write it, if it is in UTC."""
    found = _ISO.search(text)
    wordy = next((said for form in (_WORDY, _CLOCK, _LOCAL_CLOCK) if (said := form.search(text)) is not None), None)
    try:
        if found is not None:
            return datetime.fromisoformat(f"{found.group(1)}T{found.group(2)}+00:00")
        if wordy is not None:
            written = "{year} {month} {day} {clock}".format_map(wordy.groupdict())
            return datetime.strptime(written, "%Y %b %d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return None
    return None


def _is_part(path: str, documents: tuple[Document, ...]) -> bool:
    """Whether the documents are sections of the file: only a bundle has a head of its own."""
    return any(document.path == path and document.first_line > 1 for document in documents)


def _head(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return ""


def _manifest(folder: str) -> datetime | None:
    """When the device of this folder was read, as the manifest beside it says; a run that was resumed took days."""
    above, name = os.path.split(os.path.abspath(folder))
    try:
        found = os.stat(os.path.join(above, manifests.NAME))
    except OSError:
        return None
    manifest = _loaded(above, found.st_mtime_ns, found.st_size)
    device = manifest.devices.get(name) if manifest is not None else None
    return None if manifest is None or device is None else parse(device.read_at or manifest.started)


@lru_cache(maxsize=4)
def _loaded(folder: str, changed_ns: int, size: int) -> manifests.Manifest | None:
    """The manifest of a folder, read once for all of its devices; None for one that cannot be read."""
    with suppress(manifests.Damaged):
        return manifests.load(folder)
    return None


def _changed(path: str) -> float | None:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return None
