"""Parts of a datastore that hold buffers only: what a profile, or its name, says there of a group."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

LOSSLESS, LOSSY = "pg_lossless_100000_5m_profile", "ingress_lossy_profile"
POOL = {"ingress_lossless_pool": {"mode": "dynamic", "size": "33554432", "type": "ingress", "xoff": "7000000"}}
PROFILES = {
    LOSSLESS: {"pool": "ingress_lossless_pool", "size": "1248", "dynamic_th": "0", "xon": "2288", "xoff": "66560"},
    LOSSY: {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"},
}
DEFINED = {"BUFFER_POOL": POOL, "BUFFER_PROFILE": PROFILES}


@pytest.mark.parametrize("around", [DEFINED, {}], ids=["profiles defined", "profiles named alone"])
@pytest.mark.parametrize("lossy", [[80], []], ids=["one port forgotten", "all alike"])
def test_a_group_with_the_lossy_profile_among_lossless_ones(
    tmp_path: Path, around: dict[str, object], lossy: list[int]
) -> None:
    rows = {f"Ethernet{n}|3-4": {"profile": LOSSY if n in lossy else LOSSLESS} for n in range(0, 512, 8)}
    rows |= {f"Ethernet{n}|0": {"profile": LOSSY} for n in range(0, 512, 8)}
    (tmp_path / "buffers.json").write_text(json.dumps({**around, "BUFFER_PG": rows}, indent=1), encoding="utf-8")
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = [one for one in found if one.verdict == "fails" and one.severity in ("error", "warning")]
    assert [(one.rule, one.subject) for one in told] == [("fleet/odd-port-out", f"Ethernet{n}") for n in lossy]
    assert all("lossless (no-drop) setting" in one.message and LOSSY in one.locations[0].text for one in told)
