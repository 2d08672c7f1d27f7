"""A part that somebody made by hand, with digests that are right: an error of the input, never of the program."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from roce_audit.cli.main import main
from roce_audit.readings import store
from roce_audit.readings.checking import Checker
from roce_audit.readings.portable import Damaged
from roce_audit.readings.portablereader import Reader

FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric"
ODD: tuple[Any, ...] = (None, True, -1, 10**30, 0.5, "", "no such word", "x" * 5_000)


@pytest.fixture
def part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(FABRIC)
    file = tmp_path / "part"
    assert main(["check", ".", "--shard", f"1/1={file}"]) == 0
    return file


def forged(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """The file with another table in it, and digests that fit."""
    content = store.read(file.read_bytes())
    tables = []
    for table in content.tables:
        data = json.loads(table.data)
        change(data)
        tables.append(store.Table(table.names, json.dumps(data).encode()))
    file.write_bytes(store.written(store.Content({}, tuple(tables), content.about)))


def test_a_part_as_it_was_written(part: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forged(part, lambda data: None)
    assert main(["merge", str(part)]) == 0
    assert "read here" not in capsys.readouterr().err


@pytest.mark.parametrize("seed", range(40))
def test_a_value_of_another_kind(part: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(seed)

    def change(data: dict[str, Any]) -> None:
        if seed % 2:
            values = data[chance.choice(["strings", "values"])]
            values[chance.randrange(len(values))] = chance.choice(ODD)
            return
        column = chance.choice([one for group in data["groups"] for one in group[2:] if type(one) is list and one])
        column[chance.randrange(len(column))] = chance.randrange(max(column) + 1)

    forged(part, change)
    code = main(["merge", str(part)])
    out, err = capsys.readouterr()
    assert code in (0, 1, 2, 3, 4), err
    assert "internal error" not in out + err
    if code == 2:
        assert "a part holds what `check --shard` does not write" in err


def parcels(part: Path) -> list[store.Parcel]:
    return [
        one for table in store.read(part.read_bytes()).tables for one in Reader(store.Parcel).read(table.data).values()
    ]


@pytest.mark.parametrize("change", [{"paths": ()}, {"firsts": ()}, {"shapes": ()}, {"paths": ("a",) * 99}])
def test_parts_that_lack_something(part: Path, change: dict[str, Any]) -> None:
    whole = next(one for one in parcels(part) if one.alone and one.alone[0].reading is not None)
    reading = whole.alone[0].reading
    assert reading is not None
    port = next(port for port in reading.ports if len(port.parts) > 1)
    object.__setattr__(port, "parts", replace(port.parts, **change))  # type: ignore[type-var]
    with pytest.raises(Damaged):
        Checker().checked(whole)


def test_a_place_behind_the_statements(part: Path) -> None:
    for one in parcels(part):
        assert Checker().checked(one) is one
    (port, *_) = next(r.reading for one in parcels(part) for r in one.alone if r.reading is not None).ports
    object.__setattr__(port, "parts", ())
    whole = next(one for one in parcels(part) if one.alone and one.alone[0].reading is not None)
    reading = whole.alone[0].reading
    assert reading is not None
    object.__setattr__(reading, "ports", (port,))
    with pytest.raises(Damaged, match="places of values that are in no statement"):
        Checker().checked(whole)
