"""Which of several path MTUs of a fabric's NICs is named first."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load_text

ANSWER = "hca_id:\tmlx5_0\n\t\tport:\t1\n\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n\t\t\tactive_mtu:\t\t{}\n\t\t\tlink_layer:\t\tEthernet\n"


@pytest.mark.parametrize("small", ["a", "b"])
def test_of_as_many_the_smaller_one_is_the_odd_one(tmp_path: Path, small: str) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        mtu = "1024 (3)" if name == small else "4096 (5)"
        (tmp_path / name / "ibv_devinfo_-d_mlx5_0.txt").write_text(ANSWER.format(mtu))
        (tmp_path / name / "ibdev2netdev.txt").write_text("mlx5_0 port 1 ==> ens1 (Up)\n")
    policy = load_text("ports: [{match: '*:ens1', roce: true}]\n", "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy)).report
    (found,) = [one for one in report.findings if one.rule == "mtu/uneven-rdma-mtu"]
    assert f"/{small}/" in found.locations[0].path
