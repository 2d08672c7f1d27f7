"""A host marks its traffic for another class: how loud that is depends on what the switch does with the mark."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, NicText, cables, host, switch

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy.values import Policy

ELSEWHERE = "qos map dscp 24 to traffic-class 1\n"
"""The map of the factory leads DSCP 24 where it leads 26."""


def told(
    folder: Path, top: str, tos: int = 96, rule: str = "app/traffic-outside-class", behind: str | None = None
) -> list[Finding]:
    """What a rule says of four hosts, the last of which sends with this ToS."""
    names = [f"gpu{number}" for number in range(1, 5)]
    stanzas = {f"Ethernet{number}/1": [f"description {name}", ROCE] for number, name in enumerate(names, 1)}
    if behind is not None:
        stanzas["Ethernet49/1"] = ["description spine1", ROCE]
    parts = [switch("leaf1", stanzas, top)]
    if behind is not None:
        parts += [switch("spine1", {"Ethernet1/1": ["description leaf1", ROCE]}, behind)]
    for name in names:
        env = f"NCCL_IB_HCA=mlx5_0\nNCCL_IB_TC={tos if name == 'gpu4' else 104}\n"
        parts.append(host(name, NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp"), env=env))
    up = [] if behind is None else ["leaf1:Ethernet49/1 spine1:Ethernet1/1"]
    parts.append(cables(*up, *(f"leaf1:Ethernet{number}/1 {name}:ens1f0np0" for number, name in enumerate(names, 1))))
    for part in parts:
        for name, text in part.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
    found = check(Request((str(folder),), Policy.empty())).report.findings
    return [one for one in found if one.rule == rule and one.verdict == "fails"]


@pytest.mark.parametrize(("top", "severity"), [(ELSEWHERE, "error"), ("", "warning")], ids=["lossy", "lossless"])
def test_a_mark_that_the_switch_keeps_in_no_lossless_buffer_is_an_error(
    tmp_path: Path, top: str, severity: str
) -> None:
    (found,) = told(tmp_path, top)
    assert (found.severity, found.device) == (severity, "gpu4")
    assert not any(at.path.endswith("leaf1.cfg") and "disagreed" in at.note for at in found.locations)
    assert ("the switch at the far end has no lossless buffer for it" in found.message) is (severity == "error")


def test_a_code_point_that_nobody_sends_may_be_led_elsewhere(tmp_path: Path) -> None:
    """The hosts say which code point the class has; what a switch does with others of the block is its own affair."""
    assert told(tmp_path, ELSEWHERE, 104, "fleet/two-roce-marks") == []
    assert told(tmp_path, ELSEWHERE, 104) == []


@pytest.mark.parametrize(("behind", "severity"), [(ELSEWHERE, "error"), ("", "warning")], ids=["lossy", "lossless"])
def test_a_mark_that_the_next_switch_keeps_in_no_lossless_buffer_is_an_error(
    tmp_path: Path, behind: str, severity: str
) -> None:
    (found,) = told(tmp_path, "", behind=behind)
    assert (found.severity, found.device) == (severity, "gpu4")
    assert ("behind the one at the far end" in found.message) is (severity == "error")
