"""One wrong line is one finding, as loud as what follows from it on any of its ports."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import roce_audit
from roce_audit.audit import Request, check
from roce_audit.fixing.planning import plan
from roce_audit.policy import load_text

BASE = Path(roce_audit.__file__).parent / "platforms" / "vrp" / "examples" / "base"


@pytest.mark.parametrize(("cabled", "severity"), [(True, "warning"), (False, "info")])
def test_a_line_of_which_more_follows_on_some_ports_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cabled: bool, severity: str
) -> None:
    shutil.copytree(BASE, tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    if not cabled:
        Path("topology.yaml").unlink()
    leaf = Path("leaf1.cfg")
    text = leaf.read_text()
    assert text.count("dcb pfc\n priority 3\n") == 1
    leaf.write_text(text.replace("dcb pfc\n priority 3\n", "dcb pfc\n priority 4\n"))
    found = check(Request((".",), load_text(Path("roce-audit.yaml").read_text(), "roce-audit.yaml"))).report.findings
    (finding,) = [one for one in found if one.rule == "pfc/extra-priority"]
    assert (finding.severity, len(finding.members)) == (severity, 6)
    assert finding.locations[0].text.strip() == "priority 4"
    following = [one for one in found if one.rule == "pfc/extra-at-one-end" and one.verdict == "fails"]
    assert [one.because_of for one in following] == [finding.fingerprint] * cabled


def test_a_priority_that_nothing_uses_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(Path(__file__).parents[2] / "fixtures" / "mixed", tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    leaf = Path("leaf4/config_db.json")
    text = leaf.read_text()
    assert '"pfc_enable": "3"' in text
    for enabled, wanted in (("3,4", "warning"), ("4", "error")):
        leaf.write_text(text.replace('"pfc_enable": "3"', f'"pfc_enable": "{enabled}"'))
        found = check(Request((".",), load_text(Path("roce-audit.yaml").read_text(), "roce-audit.yaml"))).report
        assert {one.severity for one in found.counted() if one.verdict == "fails"} == {wanted}
        entering = [one for one in found.findings if one.rule == "marking/nothing-enters-lossless"]
        assert {one.because_of is not None for one in entering if one.verdict == "fails"} == {True}


SONIC = Path(roce_audit.__file__).parent / "platforms" / "sonic" / "examples" / "base"
SHORT, LONG = "pg_lossless_400000_5m_profile", "pg_lossless_400000_40m_profile"
TOPOLOGY = """links:
  - {a: leaf1:Ethernet0, b: host1:nic1, length_m: 3}
  - {a: leaf1:Ethernet32, b: host2:nic1, length_m: 30}
"""


@pytest.fixture
def one_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One switch whose ports have cables of 3 and 30 m, and one buffer profile with 12,000 B of headroom for both."""
    (tmp_path / "leaf1").mkdir()
    text = (SONIC / "leaf1" / "config_db.json").read_text().replace('"40m"', '"5m"')
    bound, profile = f'"profile": "{LONG}"', f'"{LONG}": {{'
    assert text.count('"xoff": "169984"') == 1
    assert bound in text
    assert profile in text
    text = text.replace(bound, f'"profile": "{SHORT}"').replace('"xoff": "169984"', '"xoff": "12000"')
    at = text.index(profile)
    text = text[:at].rstrip().rstrip(",") + text[text.index("}", at) + 1 :]
    (tmp_path / "leaf1" / "config_db.json").write_text(text)
    (tmp_path / "topology.yaml").write_text(TOPOLOGY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_headroom_of_several_lengths_is_told_once_with_the_longest(one_profile: Path) -> None:
    policy = load_text("roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n", "roce-audit.yaml")
    report = check(Request((".",), policy)).report
    (found,) = [one for one in report.findings if one.rule == "buffer/headroom-below-floor" and one.verdict == "fails"]
    assert {"leaf1:Ethernet0", "leaf1:Ethernet32"} <= {member.id for member in found.members}
    assert "the cable of 30 m adds 15,000 B" in found.message
    assert found.message.endswith("; these are the numbers of leaf1:Ethernet32, where it is worst")
    assert found.fix is not None
    assert "271,360 B" in found.fix.note


def test_headroom_of_several_lengths_is_fixed_for_the_longest(one_profile: Path) -> None:
    policy = load_text("roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n", "roce-audit.yaml")
    (one,) = plan(Request((".",), policy, select=("buffer/headroom-below-floor",))).fixed
    (xoff,) = [edit.new for edit in one.proposal.edits if edit.new is not None and "xoff" in edit.new]
    assert xoff is not None
    assert '"271360"' in xoff
