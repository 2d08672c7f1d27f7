"""What one statement says of several ports is changed in it where all of them fail, and beside it where only some do."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.fixing.planning import plan
from tests.fixing.test_plan import site

POLICY = "roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n"
NVUE = """- header:
    model: MSN4700
    nvue-api-version: nvue_v1
    rev-id: 1.0
    version: Cumulus Linux 5.9.1
- set:
    system:
      hostname: leaf14
    qos:
      roce:
        enable: on
        mode: lossless
    interface:
      swp1,swp2,swp31,swp32:
        type: swp
        link:
          mtu: 9000
        qos:
          pfc-watchdog:
            state: enable
"""


def changed(folder: Path, text: str, policy: str = POLICY) -> str:
    (folder / "roce-audit.yaml").write_text(policy)
    (folder / "leaf14.yaml").write_text(text)
    return plan(site(folder)).after.get("leaf14.yaml", text)


@pytest.mark.parametrize(
    ("right", "wrong"), [("mtu: 9000", "mtu: 1500"), ("state: enable", "state: disable"), ("lossless", "lossy")]
)
def test_all_of_them_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str) -> None:
    """Turning a mode on that nobody documents the headroom of is no harm either."""
    monkeypatch.chdir(tmp_path)
    assert changed(tmp_path, NVUE.replace(right, wrong)) == NVUE


def test_the_others_of_the_statement_stay_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    policy = POLICY + 'ports: [{match: "leaf14:swp1", roce: false}, {match: "leaf14:swp2", roce: false}]\n'
    after = changed(tmp_path, NVUE.replace("mtu: 9000", "mtu: 1500"), policy)
    assert "mtu: 1500" in after
    assert after.count("mtu: 9000") == 2
