"""What jobs are told to use: names of devices that nothing bears, and transports without RDMA."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from host_answers import answer, host

from roce_audit.audit import Request, check
from roce_audit.policy import load
from roce_audit.policy.values import Policy
from roce_audit.values import Why

LISTED = answer("ibdev2netdev", "mlx5_0 port 1 ==> ens1f0np0 (Up)\nmlx5_10 port 1 ==> ens2f0np0 (Up)\n")
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("listed", "strange"),
    [
        ("mlx5", []),
        ("mlx5_1", []),  # the beginning of mlx5_10
        ("=mlx5_1", ["mlx5_1"]),
        ("=mlx5_0:1,mlx5_10", []),
        ("=mlx5_0,mlx5_8", ["mlx5_8"]),
        ("mlx5_0:2", ["mlx5_0:2"]),
        ("=mlx5_7,mlx5_8:1", ["mlx5_7", "mlx5_8"]),
        ("^mlx5_7", []),
        ("^=mlx5_7", []),
    ],
)
def test_names_that_no_device_bears(listed: str, strange: list[str]) -> None:
    found = host(LISTED, answer("env", f"NCCL_IB_HCA={listed}\n"))
    told = [seen.observation.text for seen in found.seen if seen.observation.kind == "undefined"]
    assert [text.partition(":")[0] if ":2" not in text else text[:8] for text in told] == (
        [", ".join(strange)] if strange else []
    )


@pytest.mark.parametrize(
    ("listed", "strange"), [("mlx5_0:1,ens1f0np0,mlx5_10", ""), ("mlx5_0:x,all", "mlx5_0:x: no RDMA")]
)
def test_names_that_nothing_bears_for_ucx(listed: str, strange: str) -> None:
    nics = answer("sysfs", "/sys/class/net/ens1f0np0/mtu:9000\n")
    found = host(LISTED, nics, answer("env", f"UCX_NET_DEVICES={listed}\n"))
    told = [seen.observation.text for seen in found.seen if seen.observation.kind == "undefined"]
    assert [text[: len(strange)] for text in told] == ([strange] if strange else [])


def test_what_follows_where_no_name_is_left() -> None:
    for listed, clause in (("=mlx5_0,mlx5_8", "leaves out what was meant"), ("=mlx5_7,mlx5_8", "takes TCP sockets")):
        (told,) = [seen.observation.text for seen in host(LISTED, answer("env", f"NCCL_IB_HCA={listed}\n")).seen]
        assert clause in told


@pytest.mark.parametrize(
    ("said", "may"),
    [
        ("UCX_TLS=tcp", False),
        ("UCX_TLS=tcp,cuda_copy,sm,self", False),
        ("UCX_TLS=rc,cuda", True),
        ("UCX_TLS=dc_x,sm", True),
        ("UCX_TLS=ud_verbs", True),
        ("UCX_TLS=all", True),
        ("UCX_TLS=^tcp", True),
        ("UCX_TLS=^rc", True),
        ("UCX_TLS=^ib", False),
        ("UCX_TLS=^rc,ud,dc", False),
        ("UCX_TLS=tcp\nNCCL_IB_TC=106", None),  # UCX starts the processes
        ("UCX_TLS=tcp\nNCCL_IB_TC=106\nUCX_NET_DEVICES=eth0", None),
        ("UCX_TLS=tcp\nNCCL_IB_TC=106\nUCX_NET_DEVICES=mlx5_0:1", False),
        ("UCX_TLS=tcp\nNCCL_IB_TC=106\nUCX_IB_TRAFFIC_CLASS=106", False),
        ("UCX_TLS=", None),
        ("HOME=/root", None),
    ],
)
def test_transports_of_ucx(said: str, may: bool | None) -> None:
    found = host(answer("env", said + "\n")).host
    assert found is not None
    assert found.ucx_rdma.value is may
    assert not found.ucx_rdma.is_unknown


def test_a_transport_that_nobody_knows_is_an_unread_line() -> None:
    found = host(answer("env", "UCX_TLS=tpc\n"))
    assert found.host is not None
    assert found.host.ucx_rdma.why is Why.NOT_PARSED
    assert [seen.observation.text for seen in found.seen if seen.observation.kind == "unread-line"]


@pytest.mark.parametrize(
    ("said", "net"),
    [("Socket", "socket"), ("IB", "ib"), ("ib", "ib"), ("AWS Libfabric", "plugin"), ("ofi", "plugin"), ("$NET", None)],
)
def test_network_of_nccl(said: str, net: str | None) -> None:
    found = host(answer("env", f"NCCL_NET={said}\n")).host
    assert found is not None
    assert found.nccl_net.value == net


def test_a_job_is_held_against_the_hosts_of_its_fabric(tmp_path: Path) -> None:
    """Its list is asked for names that none of them bears; the names that one host lacks are that host's business."""
    site = tmp_path / "fabric"
    shutil.copytree(ROOT / "fixtures" / "fabric", site)
    job = site / "backend" / "job.sbatch"
    told = {}
    for listed in ("=mlx5_0,mlx5_8", "mlx5"):
        job.write_text(f"#!/bin/bash\n#SBATCH -N 4\nexport NCCL_IB_TC=106 NCCL_IB_HCA={listed}\nsrun ./train\n")
        report = check(Request((str(site),), load(site / "roce-audit.yaml"))).report
        told[listed] = [
            (one.severity, one.members[0].line) for one in report.findings if one.rule == "app/job-names-no-device"
        ]
    assert told == {"=mlx5_0,mlx5_8": [("warning", 3)], "mlx5": []}


@pytest.mark.parametrize(("folder", "told"), [("hosts", True), ("tests", False)])
def test_answers_in_tests_of_a_program_are_of_no_host(tmp_path: Path, folder: str, told: bool) -> None:
    shutil.copytree(ROOT / "roce_audit/platforms/linux/examples/base", tmp_path / folder)
    job = tmp_path / "jobs" / "train.sbatch"
    job.parent.mkdir()
    job.write_text("#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_HCA=ionic_0\nsrun ./train\n")
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert ("app/job-names-no-device" in {one.rule for one in found if one.verdict == "fails"}) is told


@pytest.mark.parametrize(("index", "loud"), [(3, None), (1, "error"), (2, "error"), (9, "error"), (0, "error")])
def test_the_gid_index_of_a_job_is_held_against_the_tables_of_the_hosts(
    tmp_path: Path, index: int, loud: str | None
) -> None:
    """Their NICs lead to routed ports, so a link-local address (1) reaches nobody."""
    shutil.copytree(ROOT / "roce_audit/platforms/linux/examples/base", tmp_path / "x")
    (tmp_path / "x" / "train.sbatch").write_text(
        f"#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_GID_INDEX={index}\nsrun ./train\n"
    )
    policy = load(tmp_path / "x" / "roce-audit.yaml")
    found = check(Request((str(tmp_path / "x"),), policy)).report.findings
    told = [finding.severity for finding in found if finding.rule == "app/job-takes-default-gid"]
    assert told == ([loud] if loud else [])


LEAF = (
    "! Command: show running-config\nhostname {name}\n!\n{maps}!\nqos profile R\n   qos trust dscp\n   priority-flow-control on\n"
    "   priority-flow-control priority 3 no-drop\n   priority-flow-control pause watchdog\n!\n"
    "interface Ethernet1/1\n   no switchport\n   mtu 9214\n   service-profile R\n!\nend\n"
)


@pytest.mark.parametrize(("tos", "loud"), [(106, []), (104, []), (98, []), (160, ["error"])])
def test_a_job_is_no_slip_where_the_switches_are_divided_about_its_code_point(
    tmp_path: Path, tos: int, loud: list[str]
) -> None:
    block = "".join(f"qos map dscp {n} to traffic-class 3\n" for n in range(24, 32))
    holed = block.replace("dscp 26 to traffic-class 3", "dscp 26 to traffic-class 0")
    for name, maps in (("leaf1", block), ("leaf2", holed)):
        (tmp_path / f"{name}.cfg").write_text(LEAF.format(name=name, maps=maps))
    (tmp_path / "train.sbatch").write_text(f"#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_TC={tos}\nsrun ./train\n")
    (tmp_path / "topology.yaml").write_text("links: [[leaf1:Ethernet1/1, leaf2:Ethernet1/1]]\n")
    (tmp_path / "roce-audit.yaml").write_text("profile: base\n")
    found = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"))).report.findings
    assert [f.severity for f in found if f.rule == "app/job-outside-class"] == loud


def test_what_a_later_export_replaces_is_not_what_a_job_sends_with(tmp_path: Path) -> None:
    (tmp_path / "train.sbatch").write_text(
        "#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_TC=104\nexport NCCL_IB_TC=136\nsrun ./train\n"
    )
    (tmp_path / "roce-audit.yaml").write_text("roce: {dscp: [26], priority: [3]}\n")
    request = Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), select=("app/job-outside-class",))
    (told,) = (one for one in check(request).report.findings if one.verdict == "fails")
    assert (told.severity, told.locations[0].line) == ("error", 4)


SETUP = """#!/bin/bash
for dev in ens1f0np0 ens2f0np0; do
  mlnx_qos -i $dev --trust dscp --pfc 0,0,0,1,0,0,0,0
done
for rdma in {devices}; do
  cma_roce_tos -d $rdma -t 106
done
"""


@pytest.mark.parametrize(
    ("setups", "listed", "strange"),
    [
        (("mlx5_0 mlx5_1", "mlx5_0 mlx5_1"), "mlx5_0,mlx5_4", {"mlx5_4"}),
        (("mlx5_0 mlx5_1", "mlx5_0 mlx5_1"), "=mlx5_0,mlx5_1", set()),
        (("mlx5_0 mlx5_1", "mlx5_0 mlx5_1"), "mlx5_6,mlx5_7", set()),
        (("mlx5_0 mlx5_1", "mlx5_0 mlx5_2"), "mlx5_0,mlx5_4", set()),
        (("mlx5_0",), "mlx5_0,mlx5_1", set()),
        (("$@",), "mlx5_0,mlx5_4", set()),
    ],
    ids=["one of two", "both", "of other hosts", "setups differ", "one device of several", "named by arguments"],
)
def test_setups_say_which_devices_there_are(
    tmp_path: Path, setups: tuple[str, ...], listed: str, strange: set[str]
) -> None:
    for number, devices in enumerate(setups):
        (tmp_path / f"gpu{number}").mkdir()
        (tmp_path / f"gpu{number}" / "roce.sh").write_text(SETUP.format(devices=devices))
    (tmp_path / "train.sbatch").write_text(
        f"#!/bin/bash\n#SBATCH --nodes=2\nexport NCCL_IB_HCA={listed}\nsrun ./train\n"
    )
    (tmp_path / "roce-audit.yaml").write_text("roce: {dscp: [26], priority: [3]}\n")
    request = Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), select=("app/job-names-no-device",))
    told = [finding for finding in check(request).report.findings if finding.verdict == "fails"]
    assert len(told) == bool(strange)
    assert all(name in finding.message for finding in told for name in strange)


@pytest.mark.parametrize(
    ("listed", "words"),
    [
        ("=mlx5_0,mlx5_1,mlx5_2,mlx5_3", ""),
        ("=mlx5_0,mlx5_1,mlx5_2", "all RDMA devices with RoCE but mlx5_3"),
        ("=mlx5_0,mlx5_1", ""),  # half of them, for a job with half of the GPUs
        ("^mlx5_3", "told to use mlx5_8"),
        ("^mlx5_3,mlx5_8", ""),  # left out on purpose
        ("mlx5", "told to use mlx5_8"),
    ],
)
def test_the_list_of_a_job_is_held_against_what_carries_roce(tmp_path: Path, listed: str, words: str) -> None:
    (tmp_path / "gpu1").mkdir()
    names = {f"mlx5_{n}": f"ens{n + 1}np0" for n in range(4)} | {"mlx5_8": "eno1"}
    links = "".join(f"{device} port 1 ==> {nic} (Up)\n" for device, nic in names.items())
    (tmp_path / "gpu1" / "ibdev2netdev.txt").write_text(links)
    (tmp_path / "gpu1" / "hostname.txt").write_text("gpu1\n")
    (tmp_path / "train.sbatch").write_text(f"#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_HCA={listed}\nsrun ./train\n")
    (tmp_path / "roce-audit.yaml").write_text(
        "roce: {dscp: [26], priority: [3]}\nports:\n  - {match: 'gpu1:ens*', roce: true}\n  - {match: 'gpu1:eno1', roce: false}\n"
    )
    request = Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), select=("app/job-takes-other-nics",))
    told = [finding.message for finding in check(request).report.findings if finding.verdict == "fails"]
    assert len(told) == bool(words)
    assert all(words in message for message in told), told


@pytest.mark.parametrize("forced", [True, False])
def test_a_service_level_is_no_matter_where_the_class_is_forced(tmp_path: Path, forced: bool) -> None:
    (tmp_path / "train.sh").write_text(
        "#!/bin/bash\nexport NCCL_IB_SL=3\nexport NCCL_IB_HCA=mlx5_0\ntorchrun train.py\n"
    )
    byte = "echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class\n" if forced else ""
    (tmp_path / "tos.sh").write_text(f"#!/bin/bash\nmlnx_qos -i ens1f0np0 --trust dscp\n{byte}")
    (tmp_path / "roce-audit.yaml").write_text("roce: {dscp: [26], priority: [3]}\n")
    request = Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), select=("app/job-level-without-class",))
    told = [finding for finding in check(request).report.findings if finding.verdict == "fails"]
    assert bool(told) != forced


def nic(device: str, netdev: str, paused: int) -> str:
    """What mlnx_qos prints of a NIC: one that pauses nothing is as it comes from the factory."""
    enabled = "   ".join("1" if priority == paused else "0" for priority in range(8))
    maps = "".join(
        f"        prio:{p} dscp:{','.join(f'{d:02}' for d in range(p * 8 + 7, p * 8 - 1, -1))},\n" for p in range(8)
    )
    return (
        f"root@n1:~# mlnx_qos -i {netdev}\nDCBX mode: OS controlled\nPriority trust state: "
        f"{'dscp' if paused < 8 else 'pcp'}\n{'dscp2prio mapping:' if paused < 8 else 'default priority:'}\n{maps if paused < 8 else ''}"
        f"PFC configuration:\n        priority    0   1   2   3   4   5   6   7\n        enabled     {enabled}\n"
        + "".join(f"tc: {n} ratelimit: unlimited, tsa: vendor\n         priority:  {n}\n" for n in range(8))
        + f"root@n1:~# ibdev2netdev\n{device} port 1 ==> {netdev} (Up)\n"
    )


@pytest.mark.parametrize(
    ("listed", "paused", "loud"),
    [
        ("mlx5_0,mlx5_2", 9, ["error"]),
        ("mlx5_0,mlx5_2", 3, []),
        ("mlx5", 9, ["error"]),
        ("mlx5_0", 9, []),
        ("mlx5_2", 9, []),  # a job of other hosts, perhaps
        ("^mlx5_1", 9, []),
    ],
)
def test_a_job_is_told_to_use_a_nic_that_pauses_nothing(
    tmp_path: Path, listed: str, paused: int, loud: list[str]
) -> None:
    """Nothing but the job says of it that it carries RoCE; the job's others pause."""
    (tmp_path / "n1.txt").write_text(nic("mlx5_0", "ens1f0np0", 3) + nic("mlx5_2", "ens3f0np0", paused))
    (tmp_path / "job.sh").write_text(f"#!/bin/bash\nexport NCCL_IB_HCA={listed}\nexport NCCL_IB_TC=106\nsrun ./train\n")
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = [one for one in found if one.rule == "app/job-takes-other-nics"]
    assert [one.severity for one in told] == loud
    assert all("mlx5_2" in one.message and one.members[0].line == 2 for one in told)


@pytest.mark.parametrize(
    ("listed", "policy", "loud"),
    [
        ("=mlx5_0,mlx5_2", "roce: {dscp: [26], priority: [3]}\n", ["error"]),
        (
            "mlx5",
            "roce: {dscp: [26], priority: [3]}\n",
            [],
        ),  # a beginning of names is one of those of other hosts as well
        ("=mlx5_0,mlx5_2", "", []),
        ("=mlx5_7", "roce: {dscp: [26], priority: [3]}\n", []),
    ],
)
def test_no_nic_that_a_job_names_pauses_anything(tmp_path: Path, listed: str, policy: str, loud: list[str]) -> None:
    (tmp_path / "n1.txt").write_text(nic("mlx5_0", "ens1f0np0", 9) + nic("mlx5_2", "ens3f0np0", 9))
    (tmp_path / "job.sh").write_text(f"#!/bin/bash\nexport NCCL_IB_TC=106\nexport NCCL_IB_HCA={listed}\nsrun ./train\n")
    (tmp_path / "roce-audit.yaml").write_text(policy)
    found = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"))).report.findings
    told = [one for one in found if one.rule == "app/job-takes-other-nics" and one.verdict == "fails"]
    assert [one.severity for one in told] == loud
    assert all(one.members[0].line == 3 for one in told)


SLOW = "root@n1:~# ethtool {}\nSettings for {}:\n        Speed: {}Mb/s\n        Link detected: yes\n"


@pytest.mark.parametrize(
    ("said", "loud"),
    [
        ("export NCCL_IB_HCA=mlx5_0,mlx5_2", ["error"]),
        ("export NCCL_IB_HCA=mlx5_2:1", ["error"]),
        ("export NCCL_IB_HCA=mlx5", ["warning"]),  # what carries no RoCE by its speed is named by its beginning alone
        ("export UCX_NET_DEVICES=mlx5_2:1", ["error"]),
        ("export UCX_TLS=tcp UCX_NET_DEVICES=mlx5_2:1", []),
        ("export NVSHMEM_HCA_LIST=mlx5_2:1", ["error"]),
        ("export MOONCAKE_DEVICE=mlx5_2", ["error"]),
        ("export MOONCAKE_DEVICE=auto", []),
        ("MOONCAKE_DEVICE=mlx5_0 python3 -m sglang.launch_server --disaggregation-ib-device mlx5_2", ["error"]),
        ("MOONCAKE_DEVICE=mlx5_2 python3 -m sglang.launch_server --disaggregation-ib-device mlx5_0", ["error"]),
        ("python3 -m sglang.launch_server --disaggregation-ib-device mlx5_0,mlx5_2", ["error"]),
        ("export NVSHMEM_HCA_LIST=mlx5_0:1", []),
    ],
)
def test_by_its_policy_a_job_is_one_of_these_hosts(tmp_path: Path, said: str, loud: list[str]) -> None:
    """The other NIC is slow, which alone would say that it carries no RoCE."""
    speeds = SLOW.format("ens1f0np0", "ens1f0np0", 400_000) + SLOW.format("ens3f0np0", "ens3f0np0", 25_000)
    (tmp_path / "n1.txt").write_text(nic("mlx5_0", "ens1f0np0", 3) + nic("mlx5_2", "ens3f0np0", 9) + speeds)
    (tmp_path / "job.sh").write_text(f"#!/bin/bash\nexport NCCL_IB_TC=106\n{said}\nsrun ./train\n")
    (tmp_path / "roce-audit.yaml").write_text("roce: {dscp: [26], priority: [3]}\n")
    found = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"))).report.findings
    told = [one for one in found if one.rule == "app/job-takes-other-nics" and one.verdict == "fails"]
    assert [one.severity for one in told] == loud
    assert all("mlx5_2" in one.message and one.members[0].line == 3 for one in told)


@pytest.mark.parametrize(
    ("listed", "kinds", "loud"),
    [
        ("mlx5_0:1", ("v1", "v2"), ["error"]),
        ("mlx5_0", ("v1", "v2", "v1", "v2"), []),
        ("mlx5_7", ("v1", "v2"), []),  # a job of other hosts
        ("mlx5_0", ("IB", "IB"), []),  # InfiniBand has no versions
    ],
)
def test_where_no_nic_is_seen_to_carry_roce_the_tables_of_those_that_a_job_names_count(
    tmp_path: Path, listed: str, kinds: tuple[str, ...], loud: list[str]
) -> None:
    rows = "".join(
        f"mlx5_0\t1\t{n}\tfe80:0000:0000:0000:ba59:9fff:fe3b:5d4{n}\t{'10.0.0.6' if n > 1 else ''}\t{kind}\tens1f0\n"
        for n, kind in enumerate(kinds)
    )
    (tmp_path / "n1.txt").write_text(
        "root@n1:~# show_gids\nDEV\tPORT\tINDEX\tGID\tIPv4\tVER\tDEV\n---\t----\t-----\t---\t----\t---\t---\n"
        + rows
        + f"n_gids_found={len(kinds)}\nroot@n1:~# ibdev2netdev\nmlx5_0 port 1 ==> ens1f0 (Up)\n"
    )
    (tmp_path / "job.sh").write_text(
        f"#!/bin/bash\nexport NCCL_IB_HCA={listed}\nexport NCCL_IB_GID_INDEX=3\nexport NCCL_IB_TC=106\nsrun ./train\n"
    )
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert [one.severity for one in found if one.rule == "app/job-takes-default-gid"] == loud


@pytest.mark.parametrize(
    ("words", "is_told"),
    [
        ("NCCL_IB_HCA=mlx5_1:1 UCX_IB_TRAFFIC_CLASS=106", True),
        ("NCCL_IB_GID_INDEX=3 UCX_IB_TRAFFIC_CLASS=106", True),
        ("NCCL_IB_HCA=mlx5_1:1 NCCL_NET=UCX UCX_IB_TRAFFIC_CLASS=106", False),
        ("NCCL_IB_HCA=mlx5_1:1 UCX_IB_TRAFFIC_CLASS=0", False),
        ("UCX_NET_DEVICES=mlx5_1:1 UCX_IB_TRAFFIC_CLASS=106", False),
        ("NCCL_IB_HCA=mlx5_1:1 NCCL_IB_TC=106 UCX_IB_TRAFFIC_CLASS=106", False),
        ("NCCL_IB_HCA=mlx5_1:1 NCCL_IB_TC=$TC UCX_IB_TRAFFIC_CLASS=106", False),
    ],
)
def test_nccl_without_the_class_that_ucx_has(tmp_path: Path, words: str, is_told: bool) -> None:
    given = " ".join(f"-x {word}" for word in words.split())
    (tmp_path / "run.sh").write_text(f"#!/bin/bash\nmpirun --mca pml ucx {given} -np 2 --host a,b ./all_reduce_perf\n")
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = [f.severity for f in found if f.rule == "app/job-libraries-differ" and f.verdict == "fails"]
    assert told == (["warning"] if is_told else [])
