"""What no document says may be told, but never as an error."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms import __file__ as platforms_file
from roce_audit.policy import find, load

PLATFORMS = Path(platforms_file).parent


@pytest.mark.parametrize(
    ("platform", "edits", "severity"),
    [
        # what AMD's NIC does with untagged packets is documented nowhere
        ("ionic", [("gpu1/nicctl_show_qos.txt", "type         : DSCP", "type         : PCP")], "warning"),
        (
            "linux",
            [
                ("gpu1/mlnx_qos_-i_ens1f0np0_-a.txt", "trust state: dscp", "trust state: pcp"),
                ("gpu1/sysfs.txt", "ens1f0np0/qos/trust:dscp", "ens1f0np0/qos/trust:pcp"),
            ],
            "error",
        ),
    ],
)
def test_a_verdict_on_an_unverified_default(
    tmp_path: Path, platform: str, edits: list[tuple[str, str, str]], severity: str
) -> None:
    site = tmp_path / "site"
    shutil.copytree(PLATFORMS / platform / "examples" / "base", site)
    for file, old, new in edits:
        text = (site / file).read_text()
        assert old in text
        (site / file).write_text(text.replace(old, new))
    found = find(site)
    assert found is not None
    rule = "marking/class-broken-in-box"
    report = check(Request((str(site),), load(found), select=(rule,))).report
    assert {f.severity for f in report.findings if f.verdict == "fails"} == {severity}
