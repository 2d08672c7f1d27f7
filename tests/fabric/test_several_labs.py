"""A repository with a folder for each lab: the plan of a lab is about the devices that lie beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.cli.main import main

LAB = """name: {lab}
topology:
  nodes:
    leaf1: {{kind: arista_ceos}}
    spine1: {{kind: arista_ceos}}
  links:
    - endpoints: ["leaf1:eth{port}", "spine1:eth1"]
"""
PORT = "interface Ethernet{}\n   mtu {}\n!\n"


def _report(capsys: pytest.CaptureFixture[str], *paths: str) -> dict[str, list[str]]:
    main(["check", "-f", "json", *paths])
    report = json.loads(capsys.readouterr().out)
    return {
        "conflicts": [f["message"] for f in report["findings"] if f["rule"] == "input/conflict"],
        "links": [str(report["coverage"]["links"])],
    }


def test_the_plan_of_a_lab_means_the_devices_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for lab, port in (("one", 1), ("two", 2)):
        folder = Path(lab)
        (folder / "configs").mkdir(parents=True)
        (folder / f"{lab}.clab.yml").write_text(LAB.format(lab=lab, port=port))
        for name in ("leaf1", "spine1"):
            (folder / "configs" / f"{name}.cfg").write_text(
                f"hostname {name}\n!\n" + "".join(PORT.format(n, 9000 + port) for n in (1, 2, 3))
            )
    assert _report(capsys, ".") == {"conflicts": [], "links": ["2"]}
    (Path("one") / "again.clab.yml").write_text(LAB.format(lab="again", port=3))
    assert any("spine1:Ethernet1 is on two cables" in message for message in _report(capsys, ".")["conflicts"])


def test_two_versions_of_a_plan_contradict_each_other_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("leaf1", "spine1"):
        Path(f"{name}.cfg").write_text(f"hostname {name}\n!\n" + "".join(PORT.format(n, 9214) for n in (1, 2, 3, 4)))
    nodes = LAB.partition("  links:")[0].format(lab="x")
    for version, shift in (("v1", 0), ("v2", 1)):
        cables = [f'    - endpoints: ["leaf1:eth{n}", "spine1:eth{n + shift}"]\n' for n in (1, 2, 3)]
        Path(f"{version}.clab.yml").write_text(f"{nodes}  links:\n{''.join(cables)}")
    (said,) = _report(capsys, ".")["conflicts"]
    assert said.startswith("3 ports, such as leaf1:Ethernet1, are on two cables; the one of v1.clab.yml counts")
    Path("v2.clab.yml").unlink()
    Path("v1.clab.yml").write_text(Path("v1.clab.yml").read_text() + '    - endpoints: ["leaf1:eth1", "spine1:eth4"]\n')
    assert _report(capsys, ".")["conflicts"] == ["leaf1:Ethernet1 is on two cables; the first one counts"]


def test_a_plan_of_another_lab_is_no_second_cable_of_the_same_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first laboratory has no file of its leaf1, the second one has."""
    monkeypatch.chdir(tmp_path)
    for lab, port, names in (("one", 1, ("spine1",)), ("two", 2, ("leaf1", "spine1"))):
        folder = Path(lab)
        (folder / "configs").mkdir(parents=True)
        (folder / f"{lab}.clab.yml").write_text(LAB.format(lab=lab, port=port))
        for name in names:
            (folder / "configs" / f"{name}.cfg").write_text(
                f"hostname {name}\n!\n" + "".join(PORT.format(n, 9000 + port) for n in (1, 2, 3))
            )
    Path("three").mkdir()
    (Path("three") / "three.clab.yml").write_text(LAB.format(lab="three", port=3))
    assert _report(capsys, ".")["conflicts"] == []
