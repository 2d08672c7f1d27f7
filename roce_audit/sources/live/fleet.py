"""Reads a fleet: sessions in a bounded pool, further rounds for what failed, and a snapshot that is valid at any moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace

from roce_audit.records import dataclass
from roce_audit.sources.live import remote, terminal
from roce_audit.sources.live.snapshot import Snapshot
from roce_audit.sources.live.ssh import Connector
from roce_audit.sources.live.targets import Target
from roce_audit.sources.manifest import DeviceRecord, Manifest
from roce_audit.sources.reading import AGAIN, Ended, Reading

Progress = Callable[[Target, DeviceRecord, bool], None]
"""Is called for each device that was tried, with whether it will be tried again."""
_POLL = 0.5


@dataclass(frozen=True, slots=True)
class Pace:
    """How many sessions at once, how often again what failed, and how long to rest before (seconds, doubled each time)."""

    sessions: int = 32
    retries: int = 2
    rest: float = 2.0


def collect(
    targets: Sequence[Target],
    snapshot: Snapshot,
    connector: Connector,
    pace: Pace,
    progress: Progress,
    stop: threading.Event | None = None,
) -> Manifest:
    """Read all targets that the snapshot wants. An interrupt leaves a valid snapshot and is raised again."""
    stop = stop or threading.Event()
    waiting = snapshot.wanting(targets)
    whole = False
    try:
        for attempt in range(1, pace.retries + 2):
            last = attempt == pace.retries + 1
            waiting = _round(waiting, snapshot, connector, pace.sessions, attempt, last, progress, stop)
            if not waiting:
                break
            stop.wait(pace.rest * 2 ** (attempt - 1))
        whole = True
    except KeyboardInterrupt:
        stop.set()
        connector.close()
        raise
    finally:
        manifest = snapshot.finish(whole=whole)
    return manifest


def _round(
    targets: Sequence[Target],
    snapshot: Snapshot,
    connector: Connector,
    sessions: int,
    attempt: int,
    last: bool,
    progress: Progress,
    stop: threading.Event,
) -> list[Target]:
    """One try for each; gives those worth another."""

    def one(target: Target) -> DeviceRecord:
        started = time.monotonic()
        reading = _read(target, connector, stop)
        return snapshot.keep(target, reading, attempt, time.monotonic() - started)

    again: list[Target] = []
    pool = ThreadPoolExecutor(max_workers=max(1, min(sessions, len(targets) or 1)), thread_name_prefix="collect")
    try:
        running: dict[Future[DeviceRecord], Target] = {pool.submit(one, target): target for target in targets}
        while running:
            done, _ = wait(running, timeout=_POLL, return_when=FIRST_COMPLETED)
            for future in done:
                target = running.pop(future)
                record = future.result()
                more = not last and record.outcome in AGAIN
                progress(target, record, more)
                if more:
                    again.append(target)
    except BaseException:
        stop.set()
        connector.close()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return again


def _read(target: Target, connector: Connector, stop: threading.Event) -> Reading:
    if stop.is_set():
        return Reading("interrupted", "the run was broken off")
    try:
        with connector.client(target) as client:
            if target.access == "cli":
                reading = terminal.read(client, target, connector.secrets.of(target.enable_password), connector.limits)
            else:
                reading = remote.read(client, target, connector.limits)
        if (drops := connector.drops(target.name)) and not reading.reason:
            reading = replace(reading, reason=f"connections that were dropped before the login: {drops}")
    except Ended as error:
        reading = Reading(error.outcome, error.reason)
    except Exception as error:  # one device's surprise is not the fleet's end
        reading = Reading("refused", f"{type(error).__name__}: {error}"[:200])
    if stop.is_set() and reading.outcome not in ("collected", "changed"):
        return Reading("interrupted", "the run was broken off", reading.answers)
    return reading
