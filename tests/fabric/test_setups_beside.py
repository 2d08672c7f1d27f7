"""Files without a host that set up the NICs of one host together."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.fabric.hosts.setupsbeside import trees
from roce_audit.policy import Policy

NAMES = [f"ens{number}f0np0" for number in range(1, 9)]
PORTS = ["ens1f0np0", "ens1f1np1"]
SCRIPT = "#!/bin/bash\nfor n in {}; do\n  mlnx_qos -i $n --trust dscp\n  mlnx_qos -i $n --pfc {}\n{}done\n"
PLAN = "network:\n  version: 2\n  ethernets:\n"
SETS = "usr/local/sbin/roce-qos"
NET = "etc/netplan/60-rails.yaml"
LINK = "[Match]\nName={0}\n\n[Link]\nName={0}\nMTUBytes=9000\nRxFlowControl={1}\n"
TEMPLATE = "[Service]\nType=oneshot\nExecStart=/usr/bin/mlnx_qos -i %i --pfc 0,0,0,1,0,0,0,0\n"


def script(names: list[str], pfc: str = "0,0,0,1,0,0,0,0", more: str = "") -> str:
    return SCRIPT.format(" ".join(names), pfc, more)


def plan(mtus: dict[str, int]) -> str:
    return PLAN + "".join(f"    {name}:\n      mtu: {mtu}\n" for name, mtu in mtus.items())


DISPATCHED = """#!/bin/sh
IFACE=$1
case $IFACE in
ens1f0np0) RD=mlx5_0 ;;
ens1f1np1) RD=mlx5_1; RAIL=1 ;;
*) exit 0 ;; esac
mlnx_qos -i $IFACE --trust dscp --pfc 0,0,0,1,0,0,0,0
cma_roce_tos -d $RD -t 106
"""
NETDEV = "[NetDev]\nName={}\nKind=vlan\nMTUBytes={}\n\n[VLAN]\nId=300\nEgressQOSMaps=0-4\n"
SPLIT = "#!/bin/sh\nmlnx_qos -i ens1f0np0 --trust pcp\nmlnx_qos -i ens2f0np0 --pfc 0,0,0,0,1,0,0,0\n"
FOUR = "for d in mlx5_0 mlx5_1 mlx5_2 mlx5_3; do\n  cma_roce_tos -d $d -t 106\ndone\n"
BOND = (
    plan({})
    + """    ens1f0np0: {}
    ens1f1np1: {}
  bonds:
    san:
      interfaces: [ens1f0np0, ens1f1np1]
      mtu: 9000
"""
)
NMSTATE = """interfaces:
  - name: ens2f0np0
    type: ethernet
    state: up
    mtu: {}
    ethtool:
      pause: {{autoneg: false, rx: {}, tx: false}}
"""
OFF = "#!/bin/sh\nfor n in ens1f0np0 ens2f0np0; do\n  lldptool -T -i $n -V PFC -c enabled=none\ndone\n"
ARRAY = (
    "#!/bin/bash\nRAILS=("
    + " ".join(NAMES)
    + ")\nfor {}; do\n  mlnx_qos -i {} --trust dscp --pfc 0,0,0,1,0,0,0,0\ndone\n"
)


TAGGING = "#!/bin/sh\nmlnx_qos -i ens1f0np0 --trust pcp --pfc 0,0,0,0,1,0,0,0\n"
VLAN = "[connection]\nid=san\ntype=vlan\ninterface-name=san.310\n\n[vlan]\n{}id=310\nparent={}\n\n[ipv4]\nmethod=auto\n"
FORCED = "#!/bin/sh\nmlnx_qos -i ens1f0np0 --pfc 0,0,0,1,0,0,0,0\necho 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class\n"
IFCFG = "etc/sysconfig/network-scripts/ifcfg-san"
TAGGED = "DEVICE=san.310\nVLAN=yes\nPHYSDEV=ens1f0np0\nONBOOT=yes\n{}\n"
SAN = "etc/NetworkManager/system-connections/san.nmconnection"


LARGE = plan(dict.fromkeys(NAMES, 9000))


def told(files: dict[str, str], folder: Path) -> list[str]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    report = check(Request((str(folder),), policy=Policy.empty())).report
    conflicts = [f for f in report.findings if f.rule == "input/conflict" and f.verdict == "fails"]
    return [f"{f.locations[0].path.rpartition('/')[2]}:{f.locations[0].line} {f.message}" for f in conflicts]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({SETS: script(NAMES[:7]), NET: LARGE}, ["roce-qos:4 PFC is turned on", "ens8f0np0", "60-rails.yaml:19"]),
        ({SETS: script(PORTS[:1]), NET: BOND}, ["roce-qos:4", PORTS[1], "60-rails.yaml:9"]),
        ({"scripts/qos.sh": script(NAMES[:3]), "netplan/a.yaml": plan(dict.fromkeys(NAMES[:4], 9000))}, ["qos.sh:4"]),
        ({SETS: script(NAMES), NET: plan(dict.fromkeys(NAMES, 9000) | {"ens5f0np0": 1500})}, ["ens5f0np0 gets an MTU of 1,500 B"]),
        ({SETS: script(NAMES), "etc/systemd/network/1.link": LINK.format("ens2f0np0", "yes")}, ["1.link:7", "roce-qos:4"]),
        (
            {SETS: script(NAMES, more="  ethtool -A $n rx off tx off\n"), "etc/systemd/network/1.link": LINK.format("ens2f0np0", "yes")},
            ["which comes last"],
        ),
        (
            {"etc/systemd/system/qos@.service": TEMPLATE, "etc/systemd/network/1.link": LINK.format("rail2", "yes")},
            ["turned on for rail2", "qos@.service:3"],
        ),
        ({SETS: script(NAMES), "state/a.yml": NMSTATE.format(9000, "false"), "etc/b.yml": NMSTATE.format(9000, "true")}, ["b.yml:7"]),
        ({"scripts/qos.sh": script(NAMES), "nmstate/a.yml": NMSTATE.format(1500, "false")}, ["a.yml:5 ens2f0np0 gets an MTU"]),
        ({SETS: ARRAY.format("i in $(seq 0 6)", "${RAILS[$i]}"), NET: LARGE}, ["roce-qos:4", "ens8f0np0"]),
        ({SETS: ARRAY.format('n in "${RAILS[@]:0:7}"', "$n"), NET: LARGE}, ["roce-qos:4", "ens8f0np0"]),
        ({SETS: TAGGING, SAN: VLAN.format("", "ens1f0np0")}, ["san.nmconnection:8 it gives", "have 0", "roce-qos:2 pauses"]),
        (
            {SETS: TAGGING, SAN: VLAN.format("egress-priority-map=0:3,1:3\n", "ens1f0np0")},
            ["san.nmconnection:7 it tags what leaves by ens1f0np0 with priority 3"],
        ),
        ({SETS: TAGGING, IFCFG: TAGGED.format("VLAN_EGRESS_PRIORITY_MAP=0:3,1:3")}, ["ifcfg-san:5 it tags", "with priority 3"]),
        ({SETS: TAGGING, IFCFG: TAGGED.format("MTU=9000")}, ["ifcfg-san:2 it gives", "have 0", "roce-qos:2 pauses"]),
        (
            {"etc/NetworkManager/dispatcher.d/30-roce": DISPATCHED, NET: plan({PORTS[0]: 9000, PORTS[1]: 1500})},
            ["60-rails.yaml:7", "ens1f1np1 gets an MTU of 1,500 B", "30-roce:7"],
        ),
        ({SETS: script(NAMES[:3]) + FOUR}, ["roce-qos:4", "PFC on for 3 NICs", "gives rdma_cm a ToS byte on 4 RDMA devices"]),
        (
            {SETS: TAGGING, "etc/systemd/network/30.netdev": NETDEV.format("ens1f0np0.300", 1500)},
            ["30.netdev:4", "ens1f0np0.300 gets an MTU of 1,500 B", "roce-qos:2 pauses on ens1f0np0 by the tag"],
        ),
        ({SETS: SPLIT}, ["roce-qos:3", "set on ens2f0np0 alone", "ens1f0np0 alone trust the tag"]),
        ({SETS: FORCED}, ["roce-qos:2 it turns PFC on for priority 3", "DSCP 26", "has the NIC trust DSCPs"]),
        ({SETS: script(NAMES), "etc/agent.sh": OFF}, ["agent.sh:3", "turns PFC off", "priority 3"]),
        ({SETS: script(NAMES), "opt/other": script(NAMES[:1], "0,0,0,0,1,0,0,0")}, ["priority 3 of ens1f0np0", "priority 4"]),
    ],
)  # fmt: skip
def test_files_of_one_host_that_contradict_each_other(files: dict[str, str], words: list[str], tmp_path: Path) -> None:
    found = told(files, tmp_path)
    assert len(found) == 1
    assert all(word in found[0] for word in words), found


def test_trees_of_hosts() -> None:
    paths = [
        "gpu/etc/nccl.conf",
        "gpu/opt/qos.sh",
        "etc/nccl.conf",
        "root/x.sh",
        "opt/a/y.sh",
        "/home/me/repo/x.sh",
        "/usr/src/app/y.sh",
    ]
    expected = {
        "gpu/etc/nccl.conf": "gpu",
        "gpu/opt/qos.sh": "gpu",
        "etc/nccl.conf": "",
        "root/x.sh": "",
        "opt/a/y.sh": "",
    }
    assert trees(paths) == expected
    assert trees(["/home/me/repo/etc/a", "/home/me/repo/b/c.sh"]) == {"/home/me/repo/etc/a": "//home/me/repo"}
    assert trees(["opt/a.sh", "srv/b.sh"]) == {}


@pytest.mark.parametrize(
    "files",
    [
        {SETS: script(NAMES), NET: LARGE},
        {SETS: script(PORTS), NET: BOND},
        {SETS: TAGGING, "etc/systemd/network/30.netdev": NETDEV.format("ens1f0np0.300", 9000)},
        {SETS: script(PORTS[:1]), "etc/systemd/network/30.netdev": NETDEV.format("ens1f0np0.300", 1500)},
        {SETS: ARRAY.format("i in {0..7}", "${RAILS[$i]}"), NET: LARGE},
        {"scripts/qos.sh": script(NAMES), "nmstate/a.yml": NMSTATE.format(9000, "false")},
        {SETS: script(NAMES), "usr/local/sbin/roce-reset": OFF},
        {SETS: FORCED + "mlnx_qos -i ens1f0np0 --trust dscp\n"},
        {SETS: FORCED, "etc/rc.local": "#!/bin/sh\nmlnx_qos -i ens1f0np0 --trust dscp\n"},
        {SETS: FORCED, "etc/firmware.sh": "#!/bin/sh\nmlxconfig -y -d mlx5_0 set QOS_TRUST_STATE_P1=2\n"},
        {SETS: FORCED, "etc/firmware.sh": "#!/bin/sh\nmlxconfig -y -d mlx5_0 set QOS_TRUST_STATE_P1=3\n"},
        {SETS: TAGGING, SAN: VLAN.format("egress-priority-map=0:4,1:4\n", "ens1f0np0")},
        {SETS: TAGGING, IFCFG: TAGGED.format("VLAN_EGRESS_PRIORITY_MAP=0:4,1:4")},
        {SETS: TAGGING, SAN: VLAN.format("", "ens2f0np0")},
        {SETS: TAGGING, SAN: VLAN.format("", "0c0ffee0-1d5e-4f7a-9d0a-2b1c3d4e5f60")},
        {SETS: TAGGING + "ip link set san.310 type vlan egress-qos-map 0:4 1:4\n", SAN: VLAN.format("", "ens1f0np0")},
        {SETS: script(NAMES), SAN: VLAN.format("", "ens1f0np0")},
        {"a/roce.sh": script(NAMES), "a/lossless/agent.sh": OFF},
        # nine of one kind, or half of them: some are for something else
        {SETS: script(NAMES), NET: plan(dict.fromkeys([*NAMES, "ens9f0np0"], 9000))},
        {SETS: script(NAMES[:4]), NET: LARGE},
        {SETS: script(["ens1f0np0"]), NET: plan({"ens1f0np0": 9000, "ens1f1np1": 9000})},
        # the one that is left out carries small packets: it may be for something else
        {SETS: script(NAMES[:7]), NET: plan(dict.fromkeys(NAMES[:7], 9000) | {"ens8f0np0": 1500})},
        # whoever calls the second script decides which NICs it is for
        {SETS: script(NAMES[:7]), "opt/one": '#!/bin/sh\nmlnx_qos -i "$1" --pfc 0,0,0,1,0,0,0,0\n', NET: LARGE},
        # hosts of two clusters
        {"a/etc/netplan/1.yaml": plan(dict.fromkeys(NAMES, 1500)), f"b/{SETS}": script(NAMES)},
        {"a/netplan.yaml": plan(dict.fromkeys(NAMES, 1500)), "b/qos.sh": script(NAMES)},
        # another file gives the NIC what it needs
        {SETS: script(NAMES, more="  ip link set $n mtu 9000\n"), NET: plan(dict.fromkeys(NAMES, 1500))},
        # other NICs
        {SETS: script(NAMES), "etc/systemd/network/1.link": LINK.format("eno1", "yes")},
    ],
)
def test_files_that_fit_together(files: dict[str, str], tmp_path: Path) -> None:
    assert told(files, tmp_path) == []


@pytest.mark.parametrize(
    ("files", "severity"),
    [
        ({SETS: script(NAMES), "etc/systemd/network/1.link": LINK.format("ens2f0np0", "yes")}, "error"),
        (
            {SETS: script(NAMES, more="  ethtool -A $n rx off tx off\n"), "etc/systemd/network/1.link": LINK.format("ens2f0np0", "yes")},
            "warning",
        ),
        ({SETS: TAGGING, SAN: VLAN.format("", "ens1f0np0")}, "error"),
        ({SETS: script(NAMES), NET: plan(dict.fromkeys(NAMES, 9000) | {"ens5f0np0": 1500})}, "warning"),
    ],
)  # fmt: skip
def test_a_class_that_is_left_unprotected_is_an_error(files: dict[str, str], severity: str, tmp_path: Path) -> None:
    told(files, tmp_path)
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert [f.severity for f in report.findings if f.rule == "input/conflict" and f.verdict == "fails"] == [severity]


def test_a_byte_for_rdma_cm_that_another_file_of_the_host_does_not_pause(tmp_path: Path) -> None:
    def told(byte: int, force: str = "", sets: str = script(PORTS)) -> set[tuple[str, str]]:
        for name, text in {
            SETS: sets + force,
            "usr/local/sbin/mount-scratch": f"#!/bin/sh\necho {byte} > /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos\n",
        }.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        found = check(Request((str(tmp_path),), Policy.empty())).report.findings
        return {(one.severity, one.locations[0].path.rpartition("/")[2]) for one in found if one.verdict == "fails"}

    assert told(136) == {("warning", "mount-scratch")}
    assert not told(104)
    assert not told(136, "echo 104 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class\n")
    assert not told(136, sets=script(PORTS, "$MASK"))


def test_a_byte_that_is_forced_by_another_file_of_the_host_than_the_one_that_pauses(tmp_path: Path) -> None:
    def told(byte: int) -> set[tuple[str, str]]:
        rule = f'SUBSYSTEM=="infiniband", RUN+="/bin/sh -c \'echo {byte} > /sys/class/infiniband/%k/tc/1/traffic_class\'"\n'
        for name, text in {SETS: script(PORTS), "etc/udev/rules.d/82-roce.rules": rule}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        found = check(Request((str(tmp_path),), Policy.empty())).report.findings
        return {(one.severity, one.locations[0].path.rpartition("/")[2]) for one in found if one.verdict == "fails"}

    assert told(160) == {("error", "82-roce.rules")}
    assert not told(106)


FUNCTIONS = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {{name: rail0-net}}
spec:
  resourceName: rail0
  vlan: 210
{}"""
BY_TAG = "#!/bin/bash\nmlnx_qos -i ens12f1np1 --trust {}\nmlnx_qos -i ens12f1np1 --pfc {}\n"


@pytest.mark.parametrize(
    ("priority", "trust", "pfc", "count"),
    [
        ("", "pcp", "0,0,0,1,0,0,0,0", 1),
        ("  vlanQoS: 0\n", "pcp", "0,0,0,1,0,0,0,0", 1),
        ("  vlanQoS: 4\n", "pcp", "0,0,0,1,0,0,0,0", 1),
        ("  vlanQoS: 3\n", "pcp", "0,0,0,1,0,0,0,0", 0),
        ("", "dscp", "0,0,0,1,0,0,0,0", 0),  # the tag decides nothing
        ("", "pcp", "$PFC", 0),
        ("  vlanQoS: {{ priority }}\n", "pcp", "0,0,0,1,0,0,0,0", 0),
    ],
)
def test_functions_that_tag_otherwise_than_their_nics_pause(
    tmp_path: Path, priority: str, trust: str, pfc: str, count: int
) -> None:
    files = {"networks/rail0.yaml": FUNCTIONS.format(priority), "daemons/qos.sh": BY_TAG.format(trust, pfc)}
    found = [text for text in told(files, tmp_path) if "goes by the tag and pauses priority 3 alone" in text]
    assert len(found) == count


DCB = """#!/bin/bash
lldptool -T -i ens785f0 -V PFC willing=no enabled=3
lldptool -T -i ens785f0 -V APP app=3,5,26
"""


@pytest.mark.parametrize(
    ("switch", "more", "told"),
    [
        ("0", "", True),
        ("1", "", False),
        ("0", "cma_roce_tos -d mlx5_0 -t 104\nmlnx_qos -i ens785f0 -d os\n", False),
    ],
)
def test_a_driver_without_roce(tmp_path: Path, switch: str, more: str, told: bool) -> None:
    (tmp_path / "modprobe.d").mkdir()
    (tmp_path / "modprobe.d" / "irdma.conf").write_text(f"options irdma roce_ena={switch}\n")
    (tmp_path / "dcb.sh").write_text(DCB + more)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    lines = [one.locations[0].path for one in found if one.rule == "input/conflict" and one.verdict == "fails"]
    assert [Path(path).name for path in lines] == (["irdma.conf"] if told else [])
