"""Parts of a configuration without ports: RoCE is led into one class, and another one is paused."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

EOS_PROFILE = "qos profile ROCE\n   qos trust dscp\n   priority-flow-control on\n   priority-flow-control priority {paused} no-drop\n"
EOS_MAP = "qos map dscp {mark} to traffic-class {led}\n!\n"
EOS_POLICY = """class-map type qos match-any R
   match dscp {mark}
!
policy-map type quality-of-service IN
   class R
      set traffic-class {led}
!
"""
XR = """class-map match-any R
 match dscp {mark}
 end-class-map
!
policy-map IN
 class R
  set traffic-class {led}
 !
 end-policy-map
!
hw-module profile priority-flow-control location 0/0/CPU0
 buffer-internal traffic-class {paused} pause-threshold 403200 bytes headroom 441600 bytes ecn 224640 bytes
!
"""
NXOS = """class-map type qos match-any R
  match dscp {mark}
policy-map type qos IN
  class R
    set qos-group {led}
policy-map type network-qos NQ
  class type network-qos c-8q-nq{paused}
    pause pfc-cos {paused}
    mtu 9216
"""
PARTS = {"eos map": EOS_MAP + EOS_PROFILE, "eos policy": EOS_POLICY + EOS_PROFILE, "iosxr": XR, "nxos": NXOS}


def told(tmp_path: Path, name: str, text: str) -> list[tuple[int | None, str]]:
    (tmp_path / name).write_text(text)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    return [(one.locations[0].line, one.severity) for one in found if one.verdict == "fails" and one.severity != "info"]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    ("mark", "led", "paused", "is_told"), [(26, 3, 4, True), (26, 4, 3, True), (26, 3, 3, False), (46, 3, 4, False)]
)
def test_where_roce_is_led_and_what_is_paused(
    tmp_path: Path, part: str, mark: int, led: int, paused: int, is_told: bool
) -> None:
    text = PARTS[part].format(mark=mark, led=led, paused=paused)
    pausing = [
        i for i, line in enumerate(text.split("\n"), 1) if "no-drop" in line or "pause-t" in line or "pfc-" in line
    ]
    assert told(tmp_path, "part.cfg", text) == ([(pausing[-1], "warning")] if is_told else [])


def test_a_map_that_leads_others_to_what_is_paused_is_quiet(tmp_path: Path) -> None:
    text = EOS_MAP.format(mark=26, led=3) + EOS_MAP.format(mark=34, led=4) + EOS_PROFILE.format(paused=4)
    assert told(tmp_path, "part.cfg", text) == []


JUNOS = """set class-of-service forwarding-classes class NL queue-num 3 no-loss pfc-priority 3
set class-of-service classifiers dscp C forwarding-class NL loss-priority low code-points 011010
set class-of-service congestion-notification-profile P input dscp code-point {point} pfc
"""
ANOTHER = "set class-of-service congestion-notification-profile Q input dscp code-point 011010 pfc\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (JUNOS.format(point="100010"), [(3, "warning")]),
        (JUNOS.format(point="011010"), []),
        (JUNOS.format(point="100010") + ANOTHER, []),
    ],
    ids=["another", "same", "two profiles"],
)
def test_the_one_profile_and_the_one_classifier_of_a_part(tmp_path: Path, text: str, lines: list[object]) -> None:
    assert told(tmp_path, "part.set", text) == lines
