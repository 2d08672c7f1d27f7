"""Ways over switches that were not read: `trace` says that it did not see them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fabric_samples import ROCE, NicText, cables, host, switch, written

from roce_audit.cli.main import main

GPU = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp")
TO_HOSTS = [f"leaf{number}:Ethernet3/1 gpu{number}:ens1f0np0" for number in (1, 2)]
UP = [f"leaf{leaf}:Ethernet{spine}/1 spine{spine}:Ethernet{leaf}/1" for leaf in (1, 2) for spine in (1, 2)]


def traced(
    capsys: pytest.CaptureFixture[str], folder: Path, *links: str, spines: tuple[int, ...] = (1,)
) -> dict[str, Any]:
    ports = {f"Ethernet{number}/1": [ROCE] for number in (1, 2, 3, 4)}
    names = ["leaf1", "leaf2", *(f"spine{number}" for number in spines)]
    written(
        folder,
        *(switch(name, ports) for name in names),
        host("gpu1", GPU),
        host("gpu2", GPU),
        cables(*TO_HOSTS, *links),
    )
    main(["trace", "gpu1:ens1f0np0", "gpu2:ens1f0np0", str(folder), "-f", "json"])
    (found,) = json.loads(capsys.readouterr().out)["traces"]
    return dict(found)


def unseen(found: dict[str, Any], way: dict[str, Any]) -> list[str]:
    return [one["text"] for hop in way["hops"] for one in hop["unseen"]]


def test_all_spines_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = traced(capsys, tmp_path, *UP, spines=(1, 2))
    assert not any("no file" in text for text in unseen(found, found["way"]))


def test_a_spine_that_was_not_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = traced(capsys, tmp_path, *UP)
    assert found["holds"] is None
    assert "packets go over spine2 as well, where leaf1:Ethernet2/1 leads, and no file of it was read" in unseen(
        found, found["way"]
    )
    assert any("where leaf2:Ethernet2/1 leads" in text for text in unseen(found, found["cnps"]["way"]))


@pytest.mark.parametrize(
    "more",
    [
        [f"leaf{leaf}:Ethernet4/1 gpu9:ens1f{leaf}np0" for leaf in (1, 2)],
        [f"leaf{leaf}:Ethernet4/1 store:ens1f{leaf}np0" for leaf in (1, 2)],
        ["leaf1:Ethernet4/1 other:Ethernet1/1"],
    ],
    ids=["one more host", "a host of another name", "leads nowhere else"],
)
def test_what_no_packet_of_this_path_passes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, more: list[str]
) -> None:
    found = traced(capsys, tmp_path, *UP, *more, spines=(1, 2))
    assert not any("no file" in text for text in unseen(found, found["way"]))
