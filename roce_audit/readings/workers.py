"""Batches loaded and read by several processes. Texts never cross a border between them: a worker opens the files itself.

Whatever kills a worker takes down one batch alone: the batches that it held are halved and tried again until the one is found.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Protocol

from roce_audit.readings.parcel import Parcel, lost, parcel
from roce_audit.readings.portablewriter import Writer
from roce_audit.records import dataclass
from roce_audit.sources.batches import Batch, Plan
from roce_audit.text import memo

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

_CHUNKS_A_WORKER = 6
_MOST_BYTES = 48 * 2**20
"""Of the texts of one chunk. What its files have in common is written once; what is read of them is held until it is written."""
_REMEMBERED = 2_000_000
"""Characters of texts about which a process that reads remembers what it found out, a tenth of what others remember."""
_SMALL_BYTES = 3 * 2**20
"""Texts below this are read sooner than a process is started."""
_SMALL_BATCHES = 8

Step = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Chunk:
    """What became of some batches; in the tables a parcel is named by the number of its batch."""

    numbers: tuple[int, ...]
    public: bytes = b""
    """A table that may be kept."""
    private: bytes = b""
    """A table of what holds strings that may not."""
    lost: Mapping[int, Parcel] = field(default_factory=dict)
    """What is left of batches that a worker died of."""


def usable_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def fitting_jobs(wanted: int, sizes: Sequence[int]) -> int:
    """How many processes batches of these bytes are worth; `wanted` 0 asks for all cores."""
    if wanted:
        return min(wanted, max(1, len(sizes)))
    if len(sizes) < _SMALL_BATCHES or sum(sizes) < _SMALL_BYTES:
        return 1
    return min(usable_cores(), len(sizes))


def size_of(batch: Batch) -> int:
    """Bytes of its files; 0 for what is not there any more."""
    found = 0
    for file in batch.files:
        try:
            found += os.stat(file.real).st_size
        except OSError:
            continue
    return found


def tables(batches: Mapping[int, Batch], plan: Plan, keeps: Callable[[str], bool]) -> tuple[bytes, bytes]:
    """The parcels of batches, by their numbers, as a public and a private table; `keeps` says of a string that it may be kept."""
    public, private = Writer(Parcel), Writer(Parcel)
    for number, batch in batches.items():
        one = parcel(batch, plan)
        if not public.add(str(number), one, keeps):
            private.add(str(number), one)
    return public.data() if len(public) else b"", private.data() if len(private) else b""


def chunks(numbers: Sequence[int], plan: Plan, jobs: int, most_bytes: int = _MOST_BYTES) -> list[list[int]]:
    """The batches in pieces of about the same size, a few for each worker."""
    sizes = [size_of(plan.batches[n]) + 1 for n in numbers]
    limit = min(most_bytes, sum(sizes) // (jobs * _CHUNKS_A_WORKER) + 1)
    found: list[list[int]] = []
    room = 0
    for number, size in zip(numbers, sizes, strict=True):
        if not found or size > room:
            found.append([])
            room = limit
        found[-1].append(number)
        room -= size
    return found


def read_by(numbers: Sequence[int], plan: Plan, jobs: int, keeps: Callable[[str], bool], step: Step) -> Iterator[Chunk]:
    """The batches of these numbers, read by so many processes; chunks come as they are done."""
    if jobs <= 1:
        for piece in chunks(numbers, plan, 1):
            yield Chunk(tuple(piece), *tables(_these(piece, plan), plan, keeps))
        return
    yield from through(_Pool(plan, keeps, jobs), numbers, plan, step)


def _these(numbers: Sequence[int], plan: Plan) -> dict[int, Batch]:
    return {number: plan.batches[number] for number in numbers}


def how_ended(code: int, said: str = "") -> str:
    """How a process ended, by its exit code (negative: by a signal), with the last that it said."""
    if code < 0:
        return f"was ended by signal {-code}"
    return f"ended with exit code {code}" + (f": {said}" if said else "")


class PoolLost(Exception):
    """There are no workers any more, and none will come. The words say why, and what to do."""


class Pool(Protocol):
    """Workers that read batches, wherever they are."""

    most_bytes: int
    """Of the texts of one piece."""

    @property
    def room(self) -> int:
        """How many pieces are worth being with them at once."""

    @property
    def busy(self) -> Collection[object]:
        """The pieces that are with them."""

    def give(self, piece: list[int]) -> None:
        """Have a worker read these batches. Raises PoolLost."""

    def finished(self) -> Iterator[tuple[list[int], tuple[bytes, bytes] | None, str]]:
        """(batches, tables or None, how the worker ended) of those that are done, at least one. Raises PoolLost."""

    def close(self) -> None:
        """End all work: what is busy now is not wanted any more."""


def through(pool: Pool, numbers: Sequence[int], plan: Plan, step: Step) -> Iterator[Chunk]:
    """The batches of these numbers, read by a pool; what a worker dies of is halved until one batch is left of it."""
    waiting = deque(chunks(numbers, plan, pool.room, pool.most_bytes))
    missing = set(numbers)
    try:
        while waiting or pool.busy:
            while waiting and len(pool.busy) < pool.room:
                pool.give(waiting.popleft())
            for piece, found, why in pool.finished():
                if found is None and len(piece) > 1:
                    half = len(piece) // 2
                    waiting.extendleft([piece[half:], piece[:half]])
                    continue
                missing.difference_update(piece)
                step("reading file", len(numbers) - len(missing), len(numbers))
                if found is not None:
                    yield Chunk(tuple(piece), *found)
                else:
                    words = f"the process that read it {why}"
                    yield Chunk(tuple(piece), lost={piece[0]: lost(plan.batches[piece[0]], words)})
    except PoolLost as error:
        left = tuple(sorted(missing))
        said = f"{len(left):,} of {len(numbers):,} batches of files were not read: {error}"
        yield Chunk(left, lost={n: replace(lost(plan.batches[n], str(error)), crash=said) for n in left})
    finally:
        pool.close()


class _Pool:
    """Processes that live as long as there is work for them; one that died is replaced when it is needed."""

    most_bytes = _MOST_BYTES

    def __init__(self, plan: Plan, keeps: Callable[[str], bool], room: int) -> None:
        import multiprocessing  # most runs are too small for it

        # a copy of this process has imported everything already; elsewhere threads and libraries forbid it
        self._context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self._plan = plan
        self._keeps = keeps
        self.room = room
        self._idle: list[tuple[Connection, BaseProcess]] = []
        self.busy: dict[Connection, tuple[BaseProcess, list[int]]] = {}

    def give(self, piece: list[int]) -> None:
        """Have a worker read these batches."""
        connection, process = self._idle.pop() if self._idle else self._start()
        self.busy[connection] = process, piece
        with suppress(OSError):  # it died: `finished` says so
            connection.send_bytes(json.dumps(piece).encode())

    def finished(self) -> Iterator[tuple[list[int], tuple[bytes, bytes] | None, str]]:
        """(batches, tables or None, how the worker ended) of those that are done, at least one."""
        from multiprocessing.connection import wait

        ready: Any = wait(list(self.busy))
        for connection in ready:
            process, piece = self.busy.pop(connection)
            try:
                found = connection.recv_bytes(), connection.recv_bytes()
            except (EOFError, OSError):
                connection.close()
                process.join()
                yield piece, None, how_ended(process.exitcode or 0)
                continue
            self._idle.append((connection, process))
            yield piece, found, ""

    def close(self) -> None:
        """End all workers: what is busy now is not wanted any more."""
        workers = [*self._idle, *((connection, process) for connection, (process, _) in self.busy.items())]
        for connection, process in workers:
            process.terminate()
            process.join()
            connection.close()

    def _start(self) -> tuple[Connection, BaseProcess]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs, ours, self._plan, self._keeps), daemon=True)
        process.start()
        theirs.close()
        return ours, process


def _work(connection: Connection, others_end: Connection, plan: Plan, keeps: Callable[[str], bool]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    others_end.close()  # or the end of the parent would never be seen here
    memo.IN_ALL = _REMEMBERED  # a text is asked about in one piece of work alone
    gc.disable()
    gc.freeze()  # what was there before is the parent's: not to be looked at behind each piece
    while True:
        try:
            piece = json.loads(connection.recv_bytes())
        except (EOFError, OSError):
            return
        for table in tables(_these(piece, plan), plan, keeps):
            connection.send_bytes(table)
        gc.collect(1)  # of what this piece left, which the next one would be added to; older objects are not looked at
