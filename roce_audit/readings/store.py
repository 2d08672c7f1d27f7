"""The store: parcels of earlier runs in the user's cache folder, so that only what changed is loaded and read.

One file holds the parcels of what is audited together (a folder, and what lies below it). It is plain text, a line each: `form` and
the program that wrote it; `stamps`, the digests of the files by size and times; and tables of parcels. Every line begins with its own
digest, so damage costs one line, and what stood in it is read anew. A file is written beside the old one and put in its place: of
two processes that write at once the later one wins, and nobody sees half a file. Only its owner can read it; what looks like a
secret is not in it, its parcel is read every time.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from itertools import accumulate
from pathlib import Path

from roce_audit.readings.checking import Checker
from roce_audit.readings.keys import key_of, program
from roce_audit.readings.parcel import Parcel, is_open, opened
from roce_audit.readings.portable import Damaged
from roce_audit.readings.portablereader import Reader
from roce_audit.readings.portablewriter import Writer
from roce_audit.readings.stamps import Stamp, Stamps
from roce_audit.readings.workers import Chunk, Pool, fitting_jobs, read_by, size_of, through
from roce_audit.records import dataclass
from roce_audit.sources.batches import Batch, Plan
from roce_audit.sources.files import STDIN, lies_in
from roce_audit.text.cachefiles import MOST_BYTES, cache_file, make_room, read_own, write_whole
from roce_audit.text.secrets.redact import may_hold_secret, names_secret, redact

FORM = "roce-audit/readings/1"
_WORTH_BYTES = 1 << 20
"""Texts below this are read sooner than a store is opened."""
_MOST_DEAD = 0.5
"""Share of parcels that nobody asked for any more, above which a file is written anew."""
_LITTLE = 0.02
"""Share of files that may be read again and again before a new table is worth writing."""
_SUFFIX = ".readings"

Step = Callable[[str, int, int], None]


def _warn(text: str, *values: object) -> None:
    import logging  # a fiftieth of a check of one file, and hardly ever needed

    logging.getLogger("roce_audit").warning(text, *values)


def may_be_kept(text: str) -> bool:
    """Whether a string holds nothing that looks like a secret."""
    return not may_hold_secret(text) or (redact(text) == text and not names_secret(text))


class ForeignProgram(ValueError):
    """Another version wrote it: its readings may be other ones."""


class ForeignParts(ValueError):
    """What was read in parts are other files than those that are here."""


@dataclass(frozen=True, slots=True)
class Table:
    """Parcels as they were written."""

    names: Mapping[str, str]
    """Parcel in the table -> the name by which it is asked for; what has none is not to be believed."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Content:
    """What a file of the store holds."""

    stamps: Mapping[str, tuple[Stamp, str]] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()
    about: object = None
    """What it is a part of, in the words of who wrote it; None for a store."""


Hire = Callable[[Plan, Mapping[int, str]], Pool]
"""Makes the workers for a plan; the names of its parcels by the numbers of their batches."""


def readers(jobs: int, use_store: bool, hire: Hire | None = None) -> Callable[[Plan, Step], list[Parcel]]:
    """Who loads and reads for an audit: so many processes (0: as many as are worth it), or workers that are hired; and the store."""
    return lambda plan, step: parcels(plan, jobs, file_of(plan) if use_store else None, step, hire=hire)


def file_of(plan: Plan) -> Path | None:
    """The file of the store for what lies in these paths; a path in another of them makes no difference."""
    real = sorted({os.path.realpath(path) for path in plan.paths if path != STDIN})
    roots = [path for path in real if not any(path != other and lies_in(path, other) for other in real)]
    return cache_file(f"{_digest(repr((os.getcwd(), roots)).encode())[:32]}{_SUFFIX}")


def is_worth_it(batches: Iterable[Batch]) -> bool:
    """Whether something is gained by looking for what an earlier run found."""
    return any(found >= _WORTH_BYTES for found in accumulate(map(size_of, batches)))


def parcels(
    plan: Plan, jobs: int, file: Path | None, step: Step, given: Content | None = None, hire: Hire | None = None
) -> list[Parcel]:
    """The parcels of all batches, in their order: those that `file` holds or that are `given`, the others read now.

    `jobs` is the number of processes, 0: as many as are worth it; `hire` gives workers elsewhere in their place.
    """
    found = {n: opened(batch, plan) for n, batch in enumerate(plan.batches) if is_open(batch, plan)}
    closed = [n for n in range(len(plan.batches)) if n not in found]
    sizes = {n: size_of(plan.batches[n]) for n in closed}
    if sum(sizes.values()) < _WORTH_BYTES:
        file = None
    by_name = file is not None or given is not None or hire is not None
    if not by_name and fitting_jobs(jobs, list(sizes.values())) == 1:
        return [found[n] if n in found else opened(batch, plan) for n, batch in enumerate(plan.batches)]
    content = given or (Content() if file is None else load(file))
    stamps = Stamps(content.stamps)
    names = {n: name for n in (closed if by_name else []) if (name := key_of(plan.batches[n], plan, stamps))}
    reader = Reader(Parcel)
    kept = _unpacked(content, frozenset(names.values()), reader, None if given is None else Checker())
    found |= {n: kept[name] for n, name in names.items() if name in kept}
    missing = [n for n in closed if n not in found]
    if given is not None and missing:
        _tell_of_missing(given, kept, len(missing))
    fresh: list[Table] = []
    for chunk in _read(missing, plan, fitting_jobs(jobs, [sizes[n] for n in missing]), step, names, hire):
        public, private = (numbered(table, reader) for table in (chunk.public, chunk.private))
        found |= {**chunk.lost, **public, **private}
        if public and names:
            fresh.append(Table(believed(public, names, plan, stamps), chunk.public))
    if file is not None:
        _keep(file, content, fresh, stamps, {name: found[n] for n, name in names.items()})
    return [found[n] for n in range(len(plan.batches))]


def _tell_of_missing(given: Content, kept: Mapping[str, Parcel], batches: int) -> None:
    """Warn of batches that no part holds; raises ForeignParts where the parts hold none of what is here."""
    if not kept and any(table.names for table in given.tables):
        raise ForeignParts("none of the files that the parts hold is here as they hold it")
    _warn("roce-audit: read here, for no part holds them as they are now: %d batches of files", batches)


def _read(
    numbers: Sequence[int], plan: Plan, jobs: int, step: Step, names: Mapping[int, str], hire: Hire | None
) -> Iterator[Chunk]:
    """The batches of these numbers, read by workers that are hired for it, or by so many processes here."""
    if hire is None or not numbers:
        yield from read_by(numbers, plan, jobs, may_be_kept, step)
        return
    there = [n for n in numbers if n in names]
    if there:
        yield from through(hire(plan, names), there, plan, step)
    yield from read_by([n for n in numbers if n not in names], plan, 1, may_be_kept, step)


def numbered(table: bytes, reader: Reader) -> dict[int, Parcel]:
    """The parcels of a table of a chunk, by the numbers of their batches; none of an empty one."""
    return {int(n): one for n, one in reader.read(table).items()} if table else {}


def believed(inside: Mapping[int, Parcel], names: Mapping[int, str], plan: Plan, stamps: Stamps) -> dict[str, str]:
    """Parcel of those inside a table -> its name, of those that another run may take: whole, and of files as they still are."""
    return {
        str(n): names[n]
        for n, one in inside.items()
        if n in names and not one.has_crashed and all(map(stamps.is_still, plan.batches[n].files))
    }


def _unpacked(content: Content, wanted: frozenset[str], reader: Reader, checker: Checker | None) -> dict[str, Parcel]:
    """Name -> parcel, of the tables that hold any that is wanted.

    Of our own store what is damaged is dropped. What others wrote is looked at by `checker`, and raises Damaged.
    """
    found: dict[str, Parcel] = {}
    for table in content.tables:
        if wanted.isdisjoint(table.names.values()):
            continue
        try:
            inside = reader.read(table.data)
            named = {name: inside[number] for number, name in table.names.items()}
            found |= named if checker is None else {name: checker.checked(one) for name, one in named.items()}
        except (Damaged, KeyError) as error:
            if checker is not None:
                raise Damaged(f"a part holds what `check --shard` does not write ({error}): read it again") from None
            _warn("roce-audit: a damaged entry of the store was dropped")
    return found


def _keep(file: Path, content: Content, fresh: list[Table], stamps: Stamps, used: Mapping[str, Parcel]) -> None:
    """Write what a later run may ask for, where it is worth it."""
    there = {name for table in content.tables for name in table.names.values()}
    new = {name for table in fresh for name in table.names.values()}
    known = stamps.kept()
    changed = len(known.items() - content.stamps.items())
    little = _LITTLE * len(used)
    if len(new) <= little and changed <= little and there:
        with suppress(OSError):
            os.utime(file)
        return
    tables = [*content.tables, *fresh]
    if len((there | new) - used.keys()) > _MOST_DEAD * len(there | new):
        tables = _anew({name: one for name, one in used.items() if name in there | new})
    data = pieces(Content(known, tuple(tables)))
    if sum(map(len, data)) <= MOST_BYTES:
        write_whole(file, *data)
        make_room(f"*{_SUFFIX}", MOST_BYTES)


def written(content: Content) -> bytes:
    """What `load` reads."""
    return b"".join(pieces(content))


def pieces(content: Content) -> list[bytes]:
    """The same in pieces: of tables, which are most of it, no copy is made."""
    found = _line(b"form ", json.dumps([FORM, program()]).encode())
    found += _line(b"stamps ", json.dumps(content.stamps).encode())
    if content.about is not None:
        found += _line(b"about ", json.dumps(content.about).encode())
    for table in content.tables:
        found += _line(b"table ", json.dumps(table.names, separators=(",", ":")).encode(), b" ", table.data)
    return found


def _anew(used: Mapping[str, Parcel]) -> list[Table]:
    """One table of these parcels and nothing else."""
    writer = Writer(Parcel)
    for name, one in used.items():
        writer.add(name, one)
    return [Table({name: name for name in used}, writer.data())]


def load(file: Path) -> Content:
    """What a file of the store holds; nothing of one that is damaged at its head, or was written by another program."""
    try:
        return read(read_own(file))
    except FileNotFoundError:
        return Content()
    except ForeignProgram:
        return Content()
    except Damaged:
        _warn("roce-audit: a damaged file of the store was dropped")
    except OSError as error:
        _warn("roce-audit: the store is not used: %s", error)
    return Content()


def read(data: bytes) -> Content:
    """What `written` gave; damaged lines are dropped. Raises Damaged for what is something else, and ForeignProgram."""
    first, *lines = data.split(b"\n")
    head = _opened(first)
    if head is None or head[0] != b"form":
        raise Damaged("no readings")
    if head[1] != json.dumps([FORM, program()]).encode():
        raise ForeignProgram("written by another version of roce-audit")
    stamps: dict[str, tuple[Stamp, str]] = {}
    tables: list[Table] = []
    about: object = None
    for line in lines[:-1] if lines and not lines[-1] else lines:
        found = _opened(line)
        try:
            if found is None:
                raise ValueError
            kind, payload = found
            if kind == b"stamps":
                stamps = {path: (_stamp(row[0]), str(row[1])) for path, row in json.loads(payload).items()}
            elif kind == b"about":
                about = json.loads(payload)
            else:
                names, _, table = payload.partition(b" ")
                tables.append(Table({str(n): str(name) for n, name in json.loads(names).items()}, table))
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
            _warn("roce-audit: a damaged entry of the store was dropped")
    return Content(stamps, tuple(tables), about)


def _stamp(row: Sequence[int]) -> Stamp:
    size, written, changed, number, device = row
    return size, written, changed, number, device


def _line(*content: bytes) -> list[bytes]:
    digest = hashlib.sha256()
    for piece in content:
        digest.update(piece)
    return [digest.hexdigest().encode(), b" ", *content, b"\n"]


def _opened(line: bytes) -> tuple[bytes, bytes] | None:
    """(kind, payload) of a line; None for one that is damaged."""
    digest, _, content = line.partition(b" ")
    if digest != _digest(content).encode():
        return None
    kind, _, payload = content.partition(b" ")
    return kind, payload


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
