"""A change of what several ports share says so; one of a port alone does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.fixing import rendering
from roce_audit.fixing.planning import plan
from roce_audit.proof.examples import case_tree
from tests.fixing.test_plan import EXAMPLES, lay_out, site


@pytest.mark.parametrize(
    ("platform", "rule", "caution"),
    [
        ("sonic", "marking/class-broken-in-box", "   #   every port that names the map goes by it"),
        (
            "sonic",
            "buffer/headroom-below-floor",
            "   #   every port and group that names the profile gets its buffers anew",
        ),
        ("nxos", "mtu/class-below-roce", "   #   the policy is that of the whole switch: any port may lose packets"),
        ("sonic", "mtu/below-roce", ""),
        ("sonic", "pfc/extra-priority", ""),
        ("nxos", "mtu/below-roce", ""),
    ],
)
def test_who_else_is_concerned_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, rule: str, caution: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (found,) = [s for s in EXAMPLES if (s.rule, s.platform) == (rule, platform)]
    lay_out(tmp_path, dict(case_tree(found, found.bad[0]).tree))
    text = list(rendering.text(plan(site(tmp_path, select=(rule,)))))
    assert any(line.startswith("   #   disruptive") for line in text)
    assert not caution or caution in text
    assert caution or not any("every port" in line or "whole switch" in line for line in text)
