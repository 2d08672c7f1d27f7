"""A definition that nothing applies is shown with the failure it explains."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import roce_audit
from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy import load_text

BASE = Path(roce_audit.__file__).parent / "platforms" / "nxos" / "examples" / "base"
APPLIED = "  service-policy type network-qos LOSSLESS\n"
DEFINED = "policy-map type network-qos LOSSLESS"


@pytest.mark.parametrize("applied", [True, False])
def test_what_is_applied_nowhere_stands_beside_the_port_that_lacks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, applied: bool
) -> None:
    shutil.copytree(BASE, tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    leaf = Path("leaf1.cfg")
    text = leaf.read_text()
    assert text.count(APPLIED) == 1
    leaf.write_text(text if applied else text.replace(APPLIED, ""))
    policy = load_text(Path("roce-audit.yaml").read_text(), "roce-audit.yaml")
    found = [finding for finding in check(Request((".",), policy)).report.findings if finding.verdict == "fails"]
    off = [finding for finding in found if finding.rule == "pfc/priority-off"]
    assert len(off) == (not applied)
    for finding in off:
        assert _shown(finding) == [(f"{DEFINED}", "policy-map type network-qos LOSSLESS is defined and never applied")]
        assert finding.locations[0].role == "primary"


def _shown(finding: Finding) -> list[tuple[str, str]]:
    return [(at.text, at.note) for at in finding.locations if at.role == "related" and "applied" in at.note]


EOS = BASE.parents[2] / "eos" / "examples" / "base"
QOS = """Ethernet1/1:
   Trust Mode: {}
   3      80 / 80     - / -     ( - )    - / -   ( - )      RR / RR       {}
ECN/WRED: L -> Queue Length ECN Enabled     W -> WRED Enabled     D -> Disabled
"""


@pytest.mark.parametrize(
    ("trust", "marking", "rule", "note"),
    [
        ("DSCP", "D", "ecn/off-on-lossless-queue", "ECN of queue 3: a curve is configured"),
        ("COS", "L", "marking/class-broken-in-box", "trust: dscp is configured"),
    ],
)
def test_what_runs_otherwise_is_told_with_what_comes_of_it(
    tmp_path: Path, trust: str, marking: str, rule: str, note: str
) -> None:
    shutil.copytree(EOS, tmp_path / "site")
    (tmp_path / "site" / "leaf1").mkdir()
    (tmp_path / "site" / "leaf1.cfg").rename(tmp_path / "site" / "leaf1" / "show_running-config.txt")
    (tmp_path / "site" / "leaf1" / "show_qos_interfaces.txt").write_text(QOS.format(trust, marking))
    policy = load_text((tmp_path / "site" / "roce-audit.yaml").read_text(), "roce-audit.yaml")
    findings = [
        one for one in check(Request((str(tmp_path / "site"),), policy)).report.findings if one.verdict == "fails"
    ]
    (cause,) = [one for one in findings if one.rule == rule and one.because_of is None]
    (conflict,) = [one for one in findings if one.rule == "input/conflict"]
    assert conflict.because_of == cause.fingerprint
    assert note in cause.locations[0].note


def test_what_differs_without_a_failure_at_its_line_stands_for_itself(tmp_path: Path) -> None:
    (tmp_path / "show_running-config.txt").write_text(
        "hostname leaf1\ninterface Ethernet1/1\n   error-correction encoding reed-solomon\n   priority-flow-control on\nend\n"
    )
    (tmp_path / "show_interfaces_phy_detail.txt").write_text(
        "Ethernet1/1\n  PHY state                      linkUp      1   1 day, 0:00:00 ago\n"
        "  Forward Error Correction       Disabled\n"
    )
    findings = [
        one
        for one in check(Request((str(tmp_path),), load_text("", "roce-audit.yaml"))).report.findings
        if one.rule == "input/conflict"
    ]
    assert [one.because_of for one in findings] == [None]


def test_a_map_that_runs_otherwise_is_told_with_the_ports_that_suffer_from_it(tmp_path: Path) -> None:
    shutil.copytree(EOS, tmp_path / "site")
    (tmp_path / "site" / "leaf1").mkdir()
    configuration = (tmp_path / "site" / "leaf1.cfg").read_text()
    (tmp_path / "site" / "leaf1.cfg").unlink()
    (tmp_path / "site" / "leaf1" / "show_running-config.txt").write_text(
        configuration.replace("\ninterface ", "\nqos map dscp 26 to traffic-class 3\n!\ninterface ", 1)
    )
    (tmp_path / "site" / "leaf1" / "show_qos_maps.txt").write_text(
        "   Dscp-tc map:\n     d1 :  d2 0  1  2  3  4  5  6  7  8  9\n      2 :     2  2  2  2  3  3  1  3  3  3\n"
    )
    findings = [
        one
        for one in check(Request((str(tmp_path / "site"),), load_text("", "roce-audit.yaml"))).report.findings
        if one.verdict == "fails" and one.locations[0].path.endswith("show_qos_maps.txt")
    ]
    (conflict,) = [one for one in findings if one.rule == "input/conflict"]
    (cause,) = [one for one in findings if one.fingerprint == conflict.because_of]
    assert cause.severity == "error"
