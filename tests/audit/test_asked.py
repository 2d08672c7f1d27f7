"""What of a run was asked for: a path below the folder of the policy is kept to, however it is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.cli.main import main


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Two folders below one policy; the device in `a` has a fault, the one in `b` has none."""
    for folder, mtu in (("a", 1500), ("b", 9214)):
        (tmp_path / folder).mkdir()
        text = "\n".join(
            (
                f"hostname leaf-{folder}",
                "qos profile ROCE",
                "   qos trust dscp",
                "   priority-flow-control on",
                "   priority-flow-control priority 3 no-drop",
                "interface Ethernet1/1",
                "   description gpu1",
                f"   mtu {mtu}",
                "   no switchport",
                "   service-profile ROCE",
                "",
            )
        )
        (tmp_path / folder / "leaf.cfg").write_text(f"! device: leaf-{folder} (DCS-7060X6-64PE, EOS-4.33.1F)\n{text}")
    (tmp_path / "roce-audit.yaml").write_text(
        "mtu: {roce: 4096}\nroce: {dscp: [26], priority: [3]}\nports:\n  - {description: 'gpu*', roce: true}\n"
    )
    return tmp_path


@pytest.mark.parametrize("path", [".", "./", "leaf.cfg", "../b"])
def test_the_working_directory_below_the_policy(site: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.chdir(site / "b")
    assert main(["check", path, "--select", "mtu/below-roce", "-f", "json=report.json", "-f", "concise"]) == 0
    report = json.loads((site / "b/report.json").read_text())
    assert not report["findings"]
    assert (report["coverage"]["devices"], report["coverage"]["context"]["files"]) == (1, 1)


def test_the_fault_beside_it_is_found_where_it_lies(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site / "a")
    assert main(["check", ".", "--select", "mtu/below-roce", "-f", "concise"]) == 1
