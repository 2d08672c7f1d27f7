"""One NIC that runs slower than those of its model in the same slot of the other hosts."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import NicText, host, written

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

FAST, SLOW, OTHER = (200_000, "MT4125"), (100_000, "MT4125"), (100_000, "MT4119")


@pytest.mark.parametrize(
    ("nics", "told"),
    [
        ((FAST, FAST, FAST, SLOW), ["gpu3:ens1f0np0"]),
        ((FAST, FAST, FAST, FAST), []),
        ((FAST, FAST, SLOW, SLOW), []),
        ((FAST, FAST, SLOW), []),
        ((SLOW, SLOW, SLOW, FAST), []),
        ((FAST, FAST, FAST, OTHER), []),
    ],
    ids=["one", "none", "two", "too few", "one is faster", "another model"],
)
def test_a_slow_nic(tmp_path: Path, nics: tuple[tuple[int, str], ...], told: list[str]) -> None:
    for number, (speed, model) in enumerate(nics):
        nic = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp", speed_mbps=speed, model=model)
        written(tmp_path, host(f"gpu{number}", nic))
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    odd = [f for f in found if f.rule == "fleet/odd-port-out" and "speed is '100G' here and '200G'" in f.message]
    assert [member.id for f in odd for member in f.members] == told
