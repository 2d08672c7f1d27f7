"""The ToS byte of NVMe over RDMA."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.policy import load
from roce_audit.policy.values import Policy

CALL = "nvme connect -t rdma -a 10.0.0.{} -s 4420 -n nqn.2019-08.org.example:one{}\n"
LINE = "--transport=rdma --traddr=10.0.0.{} --trsvcid=4420{}\n"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("connect.sh", "#!/bin/sh\n" + CALL.format(1, " --tos=136") + CALL.format(2, " -T 136"), []),
        ("connect.sh", "#!/bin/sh\n" + CALL.format(1, " --tos=136") + CALL.format(2, " --tos 34"), [3]),
        ("connect.sh", "#!/bin/sh\n" + CALL.format(1, " \\\n  --tos=26"), [2]),
        ("connect.sh", CALL.format(1, " --tos=104") + CALL.format(2, " --tos=106"), []),
        ("connect.sh", CALL.format(1, " --tos=104") + CALL.format(2, " --tos=96"), [2]),
        ("connect.sh", CALL.format(1, " --tos=26").replace("rdma", "tcp"), []),
        ("connect.sh", CALL.format(1, ""), []),
        ("spdk.sh", "scripts/rpc.py bdev_nvme_set_options -t 5 --transport-tos 26\n", [1]),
        ("spdk.sh", "scripts/rpc.py bdev_nvme_set_options -t 5 \\\n  --transport-tos=104\n", []),
        ("gpfs.sh", "#!/bin/sh\nmmchconfig verbsRdma=enable,verbsRdmaRoCEToS=26 -N nsd\n", [2]),
        ("gpfs.sh", "#!/bin/sh\nmmchconfig verbsRdma=enable,verbsRdmaRoCEToS=104 -N nsd\n", []),
        ("discovery.conf", LINE.format(1, " --tos=106") + LINE.format(2, " --tos=26"), [2]),
        ("discovery.conf", "# storage\n" + LINE.format(1, " --tos=106"), []),
        ("discovery.conf", "# storage\n\n" + LINE.format(1, "") + LINE.format(2, " --tos=26"), [4]),
        ("discovery.conf", LINE.format(1, "").replace("rdma", "tcp") + LINE.format(2, " --tos=26"), [2]),
    ],
)
def test_the_byte_of_nvme(tmp_path: Path, name: str, text: str, expected: list[int]) -> None:
    (tmp_path / name).write_text(text)
    found = check(Request((str(tmp_path),), Policy.empty(), rules=tuple(rulepack.load()))).report.findings
    assert [one.locations[0].line for one in found if one.verdict == "fails" and one.severity == "warning"] == expected


def test_the_byte_is_held_against_the_class(tmp_path: Path) -> None:
    (tmp_path / "roce-audit.yaml").write_text("roce: {dscp: [26], priority: [3]}\n")
    (tmp_path / "discovery.conf").write_text(LINE.format(1, " --tos=106") + LINE.format(2, ""))
    request = Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), select=("app/job-outside-class",))
    assert not [one for one in check(request).report.findings if one.verdict == "fails"]
    (tmp_path / "discovery.conf").write_text(LINE.format(1, " --tos=136") + LINE.format(2, ""))
    (told,) = (one for one in check(request).report.findings if one.verdict == "fails")
    assert (told.severity, told.locations[0].line) == ("error", 1)


def test_a_script_that_pauses_says_itself_which_byte_is_wrong(tmp_path: Path) -> None:
    sets = "#!/bin/sh\nmlnx_qos -i ens1 --trust dscp --pfc 0,0,0,1,0,0,0,0\n"
    (tmp_path / "boot.sh").write_text(sets + CALL.format(1, " --tos=104") + CALL.format(2, " --tos=136"))
    found = check(Request((str(tmp_path),), Policy.empty(), rules=tuple(rulepack.load()))).report.findings
    told = {(one.rule, one.severity, one.locations[0].line) for one in found if one.verdict == "fails"}
    assert told == {("app/job-outside-setup", "error", 4)}
