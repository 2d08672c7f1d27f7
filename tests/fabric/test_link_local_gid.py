"""A link-local GID ends at the first router: whether the far end routes decides how sure the loss is."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import Network, NicText, cables, host, switch

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

GIDS = (
    "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n"
    "mlx5_0\t1\t1\tfe80:0000:0000:0000:966d:aeff:fe65:0000\t\t\tv2\tens1f0np0\n"
    "mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:0a01:0001\t10.1.0.1\tv2\tens1f0np0\nn_gids_found=2\n"
)
NIC = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp")
ROUTED = switch("leaf1", {"Ethernet1/1": ["ip address 10.1.0.0/31", "service-profile ROCE"]})
SWITCHED = {
    "leaf1.cfg": ROUTED["leaf1.cfg"]
    .replace("   no switchport\n", "")
    .replace("ip address 10.1.0.0/31", "switchport access vlan 10")
}
CABLE = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0")


@pytest.mark.parametrize(
    ("index", "far", "severities"),
    [(1, ROUTED | CABLE, ["error"]), (1, SWITCHED | CABLE, ["warning"]), (1, {}, ["warning"]), (3, ROUTED | CABLE, [])],
)
def test_a_link_local_address_does_not_pass_a_router(
    tmp_path: Path, index: int, far: dict[str, str], severities: list[str]
) -> None:
    Network(tmp_path, host("gpu1", NIC, env=f"NCCL_IB_GID_INDEX={index}\n"), {"gpu1/show_gids.txt": GIDS}, far)
    findings = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = [f.severity for f in findings if f.rule == "app/gid-not-roce-v2" and f.verdict == "fails"]
    assert told == severities


JOB = {
    "train.sbatch": "#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_HCA=mlx5_0\nexport NCCL_IB_GID_INDEX=1\nsrun ./train\n"
}


@pytest.mark.parametrize(
    ("far", "severity"), [(ROUTED | CABLE, "error"), (SWITCHED | CABLE, "warning"), ({}, "warning")]
)
def test_a_job_that_takes_link_local_addresses(tmp_path: Path, far: dict[str, str], severity: str) -> None:
    """Where every NIC leads to a routed port they end there, else it depends on what is not seen."""
    Network(tmp_path, host("gpu1", NIC), {"gpu1/show_gids.txt": GIDS}, far, JOB)
    findings = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = [f.severity for f in findings if f.rule == "app/job-takes-default-gid" and f.verdict == "fails"]
    assert told == [severity]
