"""Readings as plain data: what comes back is what was written, for every fixture; damage is told, and makes nothing else."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
import synthetic

from roce_audit.platforms.portreading import PortReading
from roce_audit.readings.parcel import Parcel, parcel
from roce_audit.readings.portable import Damaged, classes
from roce_audit.readings.portablereader import Reader, referred
from roce_audit.readings.portablewriter import Writer, packed
from roce_audit.sources.planning import planned
from roce_audit.text.block import files_of, key_of, resolve
from roce_audit.values import At, Cell

FIXTURES = Path(__file__).parents[2] / "fixtures"
ONE = FIXTURES / "fabric"


@cache
def table(folder: Path) -> bytes:
    plan = planned([str(folder)])
    writer = Writer(Parcel)
    for number, batch in enumerate(plan.batches):
        writer.add(str(number), parcel(batch, plan))
    return writer.data()


@pytest.mark.parametrize("folder", sorted(p for p in FIXTURES.iterdir() if p.is_dir()), ids=lambda p: p.name)
def test_what_comes_back_is_what_was_written(folder: Path) -> None:
    data = table(folder)
    again = Writer(Parcel)
    for name, one in Reader(Parcel).read(data).items():
        again.add(name, one)
    assert again.data() == data


def fresh_and_back(folder: Path) -> tuple[list[PortReading], list[PortReading]]:
    """The ports of a folder as they are read, and as they come back from a table."""
    plan = planned([str(folder)])
    fresh = [parcel(batch, plan) for batch in plan.batches]
    writer = Writer(Parcel)
    for number, one in enumerate(fresh):
        writer.add(str(number), one)
    back = Reader(Parcel).read(writer.data()).values()
    before, after = (
        [port for one in parcels for o in one.alone if o.reading is not None for port in o.reading.ports]
        for parcels in (fresh, back)
    )
    return before, after


def test_ports_share_their_facts_as_after_reading() -> None:
    fresh, back = fresh_and_back(ONE)

    def sharing(ports: list[PortReading]) -> list[int]:
        first: dict[int, int] = {}
        return [first.setdefault(id(port.facts), n) for n, port in enumerate(ports)]

    assert sharing(back) == sharing(fresh)
    assert len(set(sharing(back))) < len(sharing(back))


@pytest.mark.parametrize("folder", sorted(p for p in FIXTURES.iterdir() if p.is_dir()), ids=lambda p: p.name)
def test_parts_are_what_they_were_though_only_their_places_are_kept_port_by_port(folder: Path) -> None:
    before, after = fresh_and_back(folder)
    assert len(before) == len(after)
    for was, now in zip(before, after, strict=True):
        assert list(now.parts) == list(was.parts)
        assert now.parts[:2] == was.parts[:2]
        assert key_of(now.parts) == key_of(was.parts)
        spots = [At(n, index) for n, part in enumerate(was.parts) for index in range(-1, len(part.block.offsets))]
        assert [resolve(at, now.parts) for at in spots] == [resolve(at, was.parts) for at in spots]
        assert files_of(now.parts) == files_of(was.parts)


def test_what_may_not_be_kept_leaves_no_trace() -> None:
    plan = planned([str(ONE)])
    parcels = [parcel(batch, plan) for batch in plan.batches]
    names = [one.gathered.units[0].path for one in parcels if one.gathered.units]
    writer, without = Writer(Parcel), Writer(Parcel)
    for number, one in enumerate(parcels):
        if not writer.add(str(number), one, lambda text: names[0] not in text):
            continue
        without.add(str(number), one)
    assert 0 < len(writer) < len(parcels)
    assert writer.data() == without.data()
    assert names[0].encode() not in writer.data()


@given(st.data())
def test_a_table_that_was_meddled_with_is_damaged_or_a_table(data: st.DataObject) -> None:
    content = json.loads(table(ONE))
    group = data.draw(st.sampled_from(content["groups"]))
    number = data.draw(st.integers(0, len(group) - 1))
    wild = st.one_of(st.integers(-5, 10**6), st.none(), st.text(max_size=3), st.lists(st.integers(), max_size=2))
    column = group[number]
    if type(column) is list and column and data.draw(st.booleans()):
        column[data.draw(st.integers(0, len(column) - 1))] = data.draw(wild)
    else:
        group[number] = data.draw(st.one_of(st.lists(wild, max_size=6), wild))
    try:
        found = Reader(Parcel).read(json.dumps(content).encode())
    except Damaged:
        return
    assert all(type(one) is Parcel for one in found.values())


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff",
        b"[" * 100_000,
        b'{"strings":[],"values":[{}],"groups":[],"roots":[]}',
        b'{"strings":[1],"values":[],"groups":[],"roots":[]}',
    ],
)
def test_what_is_no_table_is_damaged(text: bytes) -> None:
    with pytest.raises(Damaged):
        Reader(Parcel).read(text)


def test_a_table_that_was_cut_is_damaged() -> None:
    with pytest.raises(Damaged):
        Reader(Parcel).read(table(ONE)[:-1])


def test_a_root_of_another_class_is_damaged() -> None:
    with pytest.raises(Damaged):
        Reader(Parcel).read(b'{"strings":["x"],"values":[],"groups":[],"roots":[["0",0]]}')


def test_what_names_a_file_is_not_remembered_for_other_tables(tmp_path: Path) -> None:
    """Two switches of 64 like ports: the facts of the second are those of the first, its lines are its own and nobody's else."""
    reader, sizes = Reader(Parcel), []
    facts = set()
    for n in (1, 2):
        file = tmp_path / f"leaf{n}.cfg"
        file.write_text(synthetic.leaf(f"leaf{n}", 64, filler=0))
        plan = planned([str(file)])
        writer = Writer(Parcel)
        writer.add("0", parcel(plan.batches[0], plan))
        (outcome,) = reader.read(writer.data())["0"].alone
        facts |= {id(port.facts) for port in outcome.reading.ports if port.name.startswith("Ethernet")}
        sizes.append(len(reader._made))
    assert len(facts) == 1
    assert sizes[1] - sizes[0] < 64 + 30  # labels, which differ, and what is said of the device


@given(st.lists(st.integers(0, 6), max_size=60))
def test_a_column_is_what_its_runs_say(column: list[int]) -> None:
    assert referred(packed(column), list("abcdefg")) == ["abcdefg"[number] for number in column]


def test_runs_are_said_as_such() -> None:
    assert packed([3] * 10 + [5, 6, 7, 8, 1]) == {"runs": [[3, 10, 0], [5, 4, 1], [1, 1, 0]]}
    assert packed([3, 1, 2]) == [3, 1, 2]


def test_a_few_bytes_do_not_ask_for_millions_of_objects() -> None:
    cell = next(number for number, cls in enumerate(classes(Parcel)) if cls is Cell)
    many = {"runs": [[0, 1 << 25, 0]]}
    for groups in ([[cell, False, many, many, many]], [[cell, False, *[{"runs": [[0, 1 << 16, 0]]}] * 3]] * 3):
        forged = {"strings": ["a"], "values": [None], "groups": groups, "roots": []}
        with pytest.raises(Damaged, match="more rows than there are"):
            Reader(Parcel).read(json.dumps(forged).encode())
