"""A job whose code point nobody singles out, and that all maps lead to the priority of the class by their defaults."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, NicText, cables, host, switch, written

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

MAP = "qos map dscp 26 to traffic-class 3\nqos map dscp 48 to traffic-class 6\n"


@pytest.mark.parametrize(
    ("byte", "top", "severity"),
    [
        (96, MAP, "warning"),
        (104, MAP, ""),
        (64, MAP, "error"),
        (96, f"{MAP}qos map dscp 24 to traffic-class 1\n", "error"),
    ],
)
def test_it_is_protected(tmp_path: Path, byte: int, top: str, severity: str) -> None:
    ports = [f"Ethernet{n}/1" for n in range(1, 5)]
    written(tmp_path, switch("leaf1", {port: [ROCE] for port in ports}, top))
    factory = {dscp: dscp // 8 for dscp in range(64)}
    for number in range(1, 5):
        nic = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp", dscp_to=factory)
        written(tmp_path, host(f"gpu{number}", nic))
    written(tmp_path, cables(*(f"leaf1:{port} gpu{n}:ens1f0np0" for n, port in enumerate(ports, 1))))
    (tmp_path / "train.sbatch").write_text(f"#!/bin/bash\n#SBATCH -N 4\nexport NCCL_IB_TC={byte}\nsrun ./train\n")
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = [f.severity for f in found if f.rule == "app/job-outside-class" and f.verdict == "fails"]
    assert told == ([severity] if severity else [])
