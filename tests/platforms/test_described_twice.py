"""A port that two stanzas describe: a description that says more is the same one, another one is a contradiction."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy


def found(tmp_path: Path, first: str, second: str) -> list[str]:
    (tmp_path / "leaf1.cfg").write_text(
        f"!Command: show running-config\nhostname leaf1\ninterface Ethernet1/1\n  description {first}\n  mtu 9216\n"
        f"interface Ethernet1/1\n  description {second}\n  no shutdown\n"
    )
    report = check(Request((str(tmp_path),), Policy.empty(), select=("input/conflict",))).report
    return [finding.message for finding in report.findings]


@pytest.mark.parametrize("second", ["gpu1 rail1 (rack 7)", "gpu1", "gpu1 rail1"])
def test_a_description_that_says_more_or_less_is_the_same(tmp_path: Path, second: str) -> None:
    assert found(tmp_path, "gpu1 rail1", second) == []


def test_another_description_is_told(tmp_path: Path) -> None:
    (message,) = found(tmp_path, "gpu1 rail1", "border firewall")
    assert "configured before as 'gpu1 rail1'" in message


@pytest.mark.parametrize(
    ("ports", "description", "told"),
    [
        ("ethernet1/1/30-1/1/31", "uplink", True),
        ("ethernet1/1/30-1/1/31", "peer link of the pair", False),
        ("ethernet1/1/1-1/1/40", "unused", False),
    ],
)
def test_a_range_that_is_given_to_two_things_is_told(tmp_path: Path, ports: str, description: str, told: bool) -> None:
    text = (
        "hostname tor1\ninterface range ethernet1/1/30-1/1/31\n description peer link\n priority-flow-control mode on\n!\n"
        f"interface range {ports}\n description {description}\n flowcontrol receive on\n!\n"
        "system qos\n trust-map dot1p T\n!\n"
    )
    (tmp_path / "tor1.cfg").write_text(text)
    report = check(Request((str(tmp_path),), Policy.empty(), select=("input/conflict",))).report
    assert [finding.locations[0].line for finding in report.findings] == [6] * told
