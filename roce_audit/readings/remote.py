"""Batches read on another machine: plain data there and back.

A task is handed to a process of its own, which opens the files itself, so that neither threads nor the death of a reading touch the
worker that took the task. What the worker sees in place of a file is never read: a batch whose name, made of the digests of its files,
is another one there goes back unread.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from roce_audit import __version__
from roce_audit.readings.keys import key_of, program
from roce_audit.readings.portablereader import Reader
from roce_audit.readings.portablewriter import Writer
from roce_audit.readings.stamps import Stamps
from roce_audit.readings.store import may_be_kept
from roce_audit.readings.workers import how_ended, tables
from roce_audit.records import dataclass
from roce_audit.sources.batches import Batch, Plan
from roce_audit.sources.collected import Collected
from roce_audit.sources.files import Walk
from roce_audit.sources.hints import PathHint
from roce_audit.sources.manifest import FileRecord
from roce_audit.sources.repository.variables import Variables

_WORDS = 300
"""Of what a process said before it ended."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A batch, its number in the plan and the name of its parcel."""

    number: int
    name: str
    batch: Batch


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker is to read, with everything that the reading depends on."""

    folder: str
    """The working directory of who asks."""
    wanted: tuple[Wanted, ...]
    hints: tuple[PathHint, ...]
    base: str
    manifests: frozenset[str]
    records: Mapping[str, tuple[FileRecord, str]]
    variables: Variables


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a task."""

    public: bytes = b""
    private: bytes = b""
    elsewhere: tuple[int, ...] = ()
    """Numbers of batches that this machine does not see, or sees otherwise."""
    where: str = ""
    """The first file of them."""
    ended: str = ""
    """How the process ended that read it, where it did not get to the end."""
    other: tuple[str, str] | None = None
    """The identity of the program there, where it is another one: nothing was read."""


def identity() -> tuple[str, str]:
    """The version of the program here, and the digest of its code."""
    return __version__, program()


def task_of(numbers: Sequence[int], plan: Plan, names: Mapping[int, str]) -> bytes:
    """The task to read these batches, as a table."""
    wanted = tuple(Wanted(n, names[n], _absolute(plan.batches[n])) for n in numbers)
    records, manifests = plan.collected.of_files(file.path for one in wanted for file in one.batch.files)
    writer = Writer(Task)
    writer.add("task", Task(os.getcwd(), wanted, plan.hints, plan.base, manifests, records, plan.variables))
    return json.dumps(identity()).encode() + b"\n" + writer.data()


def _absolute(batch: Batch) -> Batch:
    return replace(batch, files=tuple(replace(file, real=os.path.abspath(file.real)) for file in batch.files))


def run(task: bytes) -> tuple[bytes, bytes, bytes]:
    """Do a task on a worker: the head of the answer and both tables. Only bytes cross the wire."""
    words = [sys.executable, "-P", "-c", f"from {__name__} import main; main()"]
    done = subprocess.run(words, input=task, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()[-_WORDS:]
        return json.dumps({"ended": how_ended(done.returncode, said)}).encode(), b"", b""
    head, _, rest = done.stdout.partition(b"\n")
    size = json.loads(head)["public"]
    return head, rest[:size], rest[size:]


def answer(head: bytes, public: bytes, private: bytes) -> Answer:
    """What came back. Raises ValueError for what is no answer."""
    match json.loads(head):
        case {"ended": str(ended)}:
            return Answer(ended=ended)
        case {"is": [str(version), str(digest)]}:
            return Answer(other=(version, digest))
        case {"elsewhere": [*numbers], "where": str(where)} if all(type(n) is int for n in numbers):
            return Answer(public, private, tuple(numbers), where)
    raise ValueError("no answer")


def done(data: bytes) -> bytes:
    """Read the batches of a task here, as far as they are the same here."""
    asked, _, table = data.partition(b"\n")
    if json.dumps(identity()).encode() != asked:
        return json.dumps({"is": identity(), "public": 0}).encode()
    task = Reader(Task).read(table)["task"]
    with suppress(OSError):  # whatever depends on it has another name then, and goes back unread
        os.chdir(task.folder)
    collected = Collected.said(task.records, task.manifests)
    batches = tuple(one.batch for one in task.wanted)
    plan = Plan((), batches, Walk((), (), (), 0), task.hints, task.base, {}, collected, task.variables)
    stamps = Stamps({})
    same = {one.number: one.batch for one in task.wanted if key_of(one.batch, plan, stamps) == one.name}
    other = [one for one in task.wanted if one.number not in same]
    public, private = tables(same, plan, may_be_kept)
    head = {
        "public": len(public),
        "elsewhere": [one.number for one in other],
        "where": next((_odd(one, stamps) for one in other), ""),
    }
    return json.dumps(head).encode() + b"\n" + public + private


def _odd(one: Wanted, stamps: Stamps) -> str:
    """The file of a batch that cannot be read here, else its first."""
    return next((f.real for f in one.batch.files if stamps.digest(f) is None), one.batch.files[0].real)


def main() -> None:
    """The process that reads: a task on standard input, the answer on standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker decides
    gc.disable()
    sys.stdout.buffer.write(done(sys.stdin.buffer.read()))
