"""Reading in parts, on any machines that see the same files: a part is a file in the form of the store, and joining takes all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from roce_audit.readings.keys import key_of
from roce_audit.readings.parcel import Parcel, is_open
from roce_audit.readings.portable import Damaged
from roce_audit.readings.portablereader import Reader
from roce_audit.readings.stamps import Stamps
from roce_audit.readings.store import (
    Content,
    ForeignProgram,
    Step,
    Table,
    believed,
    may_be_kept,
    numbered,
    pieces,
    read,
)
from roce_audit.readings.workers import fitting_jobs, read_by, size_of
from roce_audit.records import dataclass
from roce_audit.sources.batches import Plan
from roce_audit.text.cachefiles import MOST_BYTES
from roce_audit.text.sentences import listed
from roce_audit.text.wholefile import read_plain, replace_file

_MOST_PARTS = 100_000


class ShardError(ValueError):
    """Shards that do not make a whole, or are none. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of how many; counted from 1."""

    number: int
    of: int


def part(text: str) -> Part:
    """`2/8`. Raises ValueError."""
    number, _, of = text.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of) <= _MOST_PARTS):
        raise ValueError(f"{text!r} is no part such as 2/8")
    return Part(int(number), int(of))


def write(plan: Plan, paths: Sequence[str], mine: Part, file: Path, jobs: int, step: Step) -> int:
    """Read every so-many-th batch and write its parcels, for the owner of the file alone; `paths` is what the whole is asked of.

    Returns how many parcels were written. Raises OSError.
    """
    numbers = [n for n, b in enumerate(plan.batches) if n % mine.of == mine.number - 1 and not is_open(b, plan)]
    stamps = Stamps({})
    names = {n: name for n in numbers if (name := key_of(plan.batches[n], plan, stamps))}
    reader = Reader(Parcel)
    tables: list[Table] = []
    for chunk in read_by(
        numbers, plan, fitting_jobs(jobs, [size_of(plan.batches[n]) for n in numbers]), may_be_kept, step
    ):
        tables.append(Table(believed(numbered(chunk.public, reader), names, plan, stamps), chunk.public))
    about = {"part": mine.number, "of": mine.of, "paths": list(paths)}
    whole = Content({}, tuple(table for table in tables if table.data), about)
    replace_file(file, pieces(whole), private=True)
    return sum(len(table.names) for table in tables)


def joined(files: Sequence[Path]) -> tuple[Content, tuple[str, ...]]:
    """What all parts hold together, and the paths that they were read from. Raises ShardError."""
    found: dict[int, Content] = {}
    wholes: set[tuple[int, tuple[str, ...]]] = set()
    for file in files:
        try:
            content = read(read_plain(file, MOST_BYTES))
        except (ForeignProgram, Damaged) as error:
            raise ShardError(f"{file}: {error}") from None
        except OSError as error:
            raise ShardError(f"{file}: {(error.strerror or str(error)).lower()}") from None
        match content.about:
            case {"part": int(number), "of": int(of), "paths": [*paths]} if 1 <= number <= of <= _MOST_PARTS:
                if number in found:
                    raise ShardError(f"{file}: part {number} was given before")
                found[number] = content
                wholes.add((of, tuple(map(str, paths))))
            case _:
                raise ShardError(f"{file}: no part that `check --shard` wrote")
    if len(wholes) != 1:
        raise ShardError("these parts are not of one whole: their number or their paths differ")
    of, asked = wholes.pop()
    missing = [str(number) for number in range(1, of + 1) if number not in found]
    if missing:
        raise ShardError(f"missing of {of} parts: {listed(missing, 10, spare_one=False)}")
    return Content({}, tuple(table for one in found.values() for table in one.tables)), asked
