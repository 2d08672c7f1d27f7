"""What is no fault: PFC left to negotiation where nothing is lossless, and ports of management controllers of hosts with GPUs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.cli.main import main

_LEAF = """\
!Command: show running-config
version 10.4(3)
hostname leaf1
class-map type qos match-all ROCE
  match dscp 26
policy-map type qos MARKS
  class ROCE
    set qos-group 3
policy-map type queuing OUT
  class type queuing c-out-8q-q3
    bandwidth remaining percent 60
    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 40
system qos
  service-policy type queuing output OUT
interface Ethernet1/1
  description gpu host1 rail1
  no switchport
  mtu 9216
  service-policy type qos input MARKS
"""
_OOB = """\
! Command: show running-config
hostname oob1
!
interface Ethernet1
   description gpu host1 {}
!
interface Ethernet2
   description gpu host2 {}
!
end
"""


def _rules(capsys: pytest.CaptureFixture[str]) -> set[str]:
    main(["check", "-f", "json", "."])
    return {
        str(found["rule"]) for found in json.loads(capsys.readouterr().out)["findings"] if found["severity"] != "none"
    }


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("lossless", [True, False])
def test_nothing_is_left_to_negotiation_where_nothing_is_meant_to_be_lossless(
    capsys: pytest.CaptureFixture[str], lossless: bool
) -> None:
    Path("leaf1.cfg").write_text(_LEAF)
    Path("roce-audit.yaml").write_text(
        f"roce: {{dscp: [26], priority: [3]}}\nlossless: {str(lossless).lower()}\nports: [{{match: '*:*', roce: true}}]\n"
    )
    assert ("dcbx/pfc-negotiated" in _rules(capsys)) == lossless


@pytest.mark.parametrize(("words", "is_told"), [("ipmi", False), ("bmc", False), ("nic1", True)])
def test_a_management_controller_of_a_gpu_host_needs_no_lossless_class(
    capsys: pytest.CaptureFixture[str], words: str, is_told: bool
) -> None:
    Path("oob1.cfg").write_text(_OOB.format(words, words))
    assert ("pfc/no-lossless-class-anywhere" in _rules(capsys)) == is_told
