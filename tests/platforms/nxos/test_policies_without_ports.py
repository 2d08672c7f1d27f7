"""Policies of a part without ports: the qos-groups that packets are led into, beside those that are paused."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load_text

PART = """!Command: show running-config ipqos
class-map type qos match-all ROCE
  match dscp {mark}
policy-map type qos IN
  class ROCE
    set qos-group {led}
  class class-default
    set qos-group 0
policy-map type network-qos NQ
  class type network-qos c-8q-nq{paused}
    {pause}
    mtu 9216
  class type network-qos c-8q-nq-default
    mtu 9216
system qos
  service-policy type network-qos NQ
"""
APPLIED = PART + "  service-policy type qos input IN no-stats\n"
TEXT = "policy-map IN leads packets into qos-group 3, and NQ pauses qos-group 4: no packet is led where PFC protects it"


def told(folder: Path, text: str, **said: object) -> dict[str, tuple[str, int | None]]:
    given = {"mark": 26, "led": 3, "paused": 4, "pause": "pause pfc-cos 3"} | said
    (folder / "ipqos.cfg").write_text(text.format(**given))
    found = check(Request((str(folder),), load_text("", "roce-audit.yaml"))).report.findings
    return {
        one.message: (str(one.severity), one.locations[0].line)
        for one in found
        if one.rule == "input/conflict" and one.verdict == "fails"
    }


def test_policies_of_the_switch_that_miss_each_other(tmp_path: Path) -> None:
    assert told(tmp_path, APPLIED) == {TEXT: ("error", 11)}


def test_a_policy_that_ports_elsewhere_may_apply(tmp_path: Path) -> None:
    assert told(tmp_path, PART) == {TEXT: ("warning", 11)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (APPLIED, {"led": 4}),
        (APPLIED, {"pause": "set cos 3"}),
        (APPLIED, {"pause": "pause pfc-coz 3"}),
        (PART, {"mark": 46}),
        (APPLIED + "interface Ethernet1/1\n  no shutdown\n", {}),
        (APPLIED + "policy-map type qos IN2\n  class ROCE\n    set qos-group 4\n", {}),
    ],
    ids=["same", "none-paused", "not-understood", "another-mark", "with-ports", "which-one"],
)
def test_what_fits_or_is_not_known_is_quiet(tmp_path: Path, text: str, said: dict[str, object]) -> None:
    assert TEXT not in told(tmp_path, text, **said)
