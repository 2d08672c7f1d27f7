"""The path file in a fabric: the ways of a trace, of path rules and of pause circles; and entries that are of no use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabric_samples import ROCE, NicText, cables, host, switch

from roce_audit.audit import Checked, Request, check
from roce_audit.cli.main import main
from roce_audit.engine import assembling
from roce_audit.policy import load

GPU = NicText("eth1", "mlx5_0", pfc=(3,), trust="dscp")
CLOS = tuple(f"leaf{i}:Ethernet{j}/1 spine{j}:Ethernet{i}/1" for i in (1, 2, 3) for j in (1, 2, 3))
POLICY = "roce: {dscp: 26, priority: 3}\npath_file: ways.yaml\n"


def write(folder: Path, *entries: str, links: tuple[str, ...] = CLOS, bare: tuple[str, ...] = ()) -> Path:
    """Three leaves with a host each below three spines; `bare` are ports without a setting for RoCE."""
    ends = {end for link in links for end in link.split()}
    ports = {
        name: [f"Ethernet{i}/1" for i in range(1, 7) if f"{name}:Ethernet{i}/1" in ends]
        for name in ("leaf1", "leaf2", "leaf3", "spine1", "spine2", "spine3")
    }
    files = cables(*links, *(f"leaf{i}:Ethernet9/1 gpu{i}:eth1" for i in (1, 2, 3)))
    for name, own in ports.items():
        stanzas = {port: [] if f"{name}:{port}" in bare else [ROCE] for port in own}
        files |= switch(name, stanzas | ({"Ethernet9/1": [ROCE]} if name.startswith("leaf") else {}))
    for i in (1, 2, 3):
        files |= host(f"gpu{i}", GPU)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "roce-audit.yaml").write_text(POLICY)
    (folder / "ways.yaml").write_text("paths:\n" + "".join(f"  - {{{entry}}}\n" for entry in entries))
    return folder


def judged(folder: Path, *rules: str) -> Checked:
    return check(Request((str(folder),), load(folder / "roce-audit.yaml"), select=rules))


def told(folder: Path, rule: str) -> list[str]:
    found = judged(folder, rule).report.findings
    return [finding.message for finding in found if finding.rule == rule and finding.verdict == "fails"]


def spines(folder: Path, capsys: pytest.CaptureFixture[str], source: str, target: str) -> tuple[str, set[str]]:
    """What is said of the ways, and the spines that the packets pass."""
    main(["trace", source, target, str(folder), "--policy", str(folder / "roce-audit.yaml"), "-q"])
    lines = capsys.readouterr().out.splitlines()
    (said,) = (line for line in lines if line.startswith(("assumed", "given")))
    return said, {f"spine{i}" for i in (1, 2, 3) for line in lines if f"spine{i}:" in line}


def test_trace_takes_the_given_way_and_its_reverse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path, "from: leaf1, to: leaf2, via: [[spine1, spine3]]", "from: leaf3, to: '*', via: [spine2]")
    said, passed = spines(folder, capsys, "gpu1", "gpu2")
    assert said.startswith("given     by the path file")
    assert said.endswith("ways.yaml:2")
    assert passed == {"spine1", "spine3"}
    assert spines(folder, capsys, "gpu2", "gpu1")[1] == {"spine1", "spine3"}
    said, passed = spines(folder, capsys, "gpu2", "gpu3")
    assert said.endswith("ways.yaml:3")
    assert passed == {"spine2"}


def test_the_first_entry_that_speaks_of_both_ends_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path, "from: gpu1, to: gpu2, via: [spine3]", "from: 'leaf*', to: 'leaf*', via: [spine1]")
    assert spines(folder, capsys, "gpu1", "gpu2")[1] == {"spine3"}
    assert spines(folder, capsys, "gpu1", "gpu3")[1] == {"spine1"}


def test_traffic_back_may_take_another_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there, back = "from: leaf2, to: leaf1, via: [spine1]", "from: leaf1, to: leaf2, via: [spine2]"
    ends = ("leaf1:Ethernet9/1", "leaf2:Ethernet9/1")
    assert spines(write(tmp_path, there, back), capsys, *ends)[0].endswith("ways.yaml:2")
    said, passed = spines(write(tmp_path, f"{there}, one_way: true", back), capsys, *ends)
    assert said.endswith("ways.yaml:3")
    assert "spine2" in passed


def test_without_an_entry_all_shortest_ways_are_assumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path, "from: leaf1, to: leaf3, via: [spine1]")
    said, passed = spines(folder, capsys, "gpu1", "gpu2")
    assert said.startswith("assumed   traffic goes up and then down")
    assert passed == {"spine1", "spine2", "spine3"}


def test_a_spine_without_a_cable_onwards_carries_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    links = tuple(link for link in CLOS if link != "leaf2:Ethernet3/1 spine3:Ethernet2/1")
    folder = write(tmp_path, "from: leaf1, to: leaf2, via: ['spine*']", links=links)
    assert spines(folder, capsys, "gpu1", "gpu2")[1] == {"spine1", "spine2"}


def test_a_way_without_cables_is_told_and_not_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    links = tuple(link for link in CLOS if link != "leaf2:Ethernet3/1 spine3:Ethernet2/1")
    folder = write(tmp_path, "from: leaf1, to: leaf2, via: [spine3]", links=links)
    options = ["--policy", str(folder / "roce-audit.yaml")]
    main(["trace", "gpu1", "gpu2", str(folder), *options, "-f", "json"])
    way = json.loads(capsys.readouterr().out)["traces"][0]["way"]
    assert way["assumed"].startswith("traffic goes up")
    assert [line["line"] for line in way["not_cabled"]] == [2]
    assert way["given"] == []
    main(["trace", "gpu1", "gpu2", str(folder), *options, "-q"])
    assert "skipped   the way of the path file, which no cables lead" in capsys.readouterr().out
    (message,) = told(folder, "input/policy-entry-unused")
    assert message == "no cables lead from leaf1 to leaf2 as this path says"
    (folder / "ways.yaml").write_text("paths:\n  - {from: leaf1, to: leaf2, via: [spine2]}\n")
    assert told(folder, "input/policy-entry-unused") == []


def test_names_of_nobody_are_told_at_their_line(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        "from: leaf1, to: leaf2, via: [spine1]",
        "from: laef1, to: leaf2, via: [[spine1, spine9], spin2]",
        "from: gpu1, to: leaf3, via: [spine2]",
    )
    found = [f for f in judged(folder, "input/policy-entry-unused").report.findings if f.verdict == "fails"]
    (one,) = found
    assert one.message == "this path names laef1 and spin2, and no switch or host here is called so"
    assert (Path(one.locations[0].path).name, one.locations[0].line) == ("ways.yaml", 3)


def test_the_file_itself_is_no_input_that_nobody_knows(tmp_path: Path) -> None:
    coverage = judged(write(tmp_path, "from: leaf1, to: leaf2, via: [spine1]"), "input/unreadable").report.coverage
    assert coverage.unrecognised == ()


RING = (
    "leaf1:Ethernet1/1 leaf2:Ethernet2/1",
    "leaf2:Ethernet1/1 leaf3:Ethernet2/1",
    "leaf3:Ethernet1/1 leaf1:Ethernet2/1",
)


def test_ways_round_a_ring_make_the_circle_sure(tmp_path: Path) -> None:
    """Each to the next but one over the next one: the three buffers wait for each other."""
    around = tuple(f"from: leaf{a}, to: leaf{c}, via: [leaf{b}]" for a, b, c in ((1, 2, 3), (2, 3, 1), (3, 1, 2)))
    (message,) = told(write(tmp_path, *around, links=RING), "fabric/pause-cycle")
    assert "by routing tables or the path file" in message


def test_ways_over_the_own_cable_alone_make_none(tmp_path: Path) -> None:
    direct = ("from: leaf1, to: leaf2, via: []", "from: leaf2, to: leaf3, via: []", "from: leaf3, to: leaf1, via: []")
    assert told(write(tmp_path, *direct, links=RING), "fabric/pause-cycle") == []


def test_a_given_way_over_ports_without_pfc_is_the_only_one(tmp_path: Path) -> None:
    """Two other spines carry the class; the path file leads the two leaves over the third one all the same."""
    bare = ("spine3:Ethernet1/1", "spine3:Ethernet2/1", "spine3:Ethernet3/1")
    free = judged(write(tmp_path, "from: leaf1, to: leaf2, via: [spine1]", bare=bare))
    assert not any(way.given and not way.known_to_carry for way in free.site.transit.values())
    (tmp_path / "ways.yaml").write_text("paths:\n  - {from: leaf1, to: leaf2, via: [spine3]}\n")
    led = judged(tmp_path).site.transit
    assert {port for port, way in led.items() if way.given} == {
        "leaf1:Ethernet3/1", "spine3:Ethernet1/1", "spine3:Ethernet2/1", "leaf2:Ethernet3/1"
    }  # fmt: skip


@pytest.mark.parametrize(("most", "is_told"), [(3, False), (2, True)])
def test_a_fabric_too_large_to_ask_of_each_pair_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, is_told: bool
) -> None:
    monkeypatch.setattr(assembling, "MOST_ROUTED", most)
    notes = judged(write(tmp_path, "from: '*', to: '*', via: [spine1]"), "fabric/pause-cycle").report.coverage.notes
    assert any(note.endswith("of 2 switches with hosts at most, and there are 3") for note in notes) is is_told
