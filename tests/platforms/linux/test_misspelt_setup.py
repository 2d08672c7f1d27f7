"""Slips of the pen in what people write to set NICs up: told, and what was meant is unknown, whatever else sets it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from host_answers import answer, host

from roce_audit.model import Host
from roce_audit.platforms.base import DeviceReading
from roce_audit.values import Cell, Why

RAIL = "ens1f0np0"
NICS = (
    f"/sys/class/net/{RAIL}/device/uevent:DRIVER=%s\n/sys/class/net/{RAIL}/device/uevent:PCI_SLOT_NAME=0000:3b:00.1\n"
    f"/sys/class/net/{RAIL}/device/device:0x1021\n/sys/class/net/{RAIL}/mtu:9000\n"
    f"/sys/class/net/{RAIL}/device/infiniband/mlx5_0/node_type:1: CA\n/sys/class/infiniband/mlx5_0/fw_ver:28.1.2\n"
)
RIGHT = f"mlnx_qos -i {RAIL} --trust dscp --pfc 0,0,0,1,0,0,0,0; ip link set dev {RAIL} mtu 9000"


def read(path: str, text: str, driver: str = "mlx5_core") -> DeviceReading:
    """A host with this file beside one that sets all up."""
    lines = "".join(f"{path}:{line}\n" for line in text.strip("\n").split("\n"))
    return host(answer("sysfs", f"{NICS % driver}/etc/rc.local:{RIGHT}\n{lines}"))


def at_boot(reading: DeviceReading) -> dict[str, Cell[Any]]:
    """What boot files set of the NIC."""
    (port,) = reading.ports
    there = port.facts.nic.get().persisted.get()
    pfc = there.pfc.get().priorities if there.pfc.is_known else there.pfc
    nic = there.nic.get() if there.nic.is_known else None
    return {
        "pfc": pfc,
        "trust": there.trust,
        "mtu": there.ip_mtu_bytes,
        "tc": nic.forced_traffic_class if nic is not None else there.nic,
        "tos": nic.cma_tos if nic is not None else there.nic,
    }


def told(reading: DeviceReading) -> list[str]:
    return [seen.quote for seen in reading.seen if seen.observation.kind == "unread-line"]


ROOT = "/etc/rc.d/rc.local"
RULES = "/etc/udev/rules.d/9.rules"
SLIPS = [
    ("pfc", ROOT, f"[mlnx_qos|mlnx_qoss] -i {RAIL} --pfc 0,0,0,0,1,0,0,0"),
    ("pfc", ROOT, f"mlnx_qos -i {RAIL} --[pfc|pcf] 0,0,0,0,1,0,0,0"),
    ("trust", ROOT, f"mlnx_qos -i {RAIL} --[trust|trsut]=pcp"),
    ("pfc", ROOT, f"if test -e /etc/x; then [mlnx_qos|mlnx_qoss] -i {RAIL} --pfc 0,0,0,0,1,0,0,0; fi"),
    ("pfc", RULES, f'NAME=="{RAIL}", RUN+="/usr/bin/[mlnx_qos|mlnx_qoss] -i %k --pfc 0,0,0,0,1,0,0,0"'),
    ("pfc", ROOT, f"dcb pfc set dev {RAIL} [prio-pfc|prio-pcf] 4:on"),
    ("pfc", ROOT, f"dcb pfc [set|ste] dev {RAIL} prio-pfc 4:on"),
    ("pfc", ROOT, f"lldptool -T -i {RAIL} -V PFC [enabled|enabeld]=4"),
    ("pfc", ROOT, f"[lldptool|lldptol] -T -i {RAIL} -V PFC enabled=4"),
    ("tos", ROOT, "[cma_roce_tos|cma_roce_toss] -d mlx5_0 -t 106"),
    ("tc", ROOT, "echo 106 > /sys/class/infiniband/mlx5_0/tc/1/[traffic_class|trafic_class]"),
    ("mtu", ROOT, f"ip link set dev {RAIL} [mtu|mut] 4200"),
    ("mtu", "/etc/netplan/9.yaml", f"network:\n  ethernets:\n    {RAIL}:\n      [mtu|mut]: 4200"),
    ("mtu", f"/etc/sysconfig/network-scripts/ifcfg-{RAIL}", "[MTU|MUT]=4200"),
    ("mtu", "/etc/systemd/network/9.link", f"(Match)\nOriginalName={RAIL}\n(Link)\n[MTUBytes|MTUByte]=4200"),
    ("mtu", "/etc/network/interfaces", f"iface {RAIL} inet static\n  [mtu|mttu] 4200"),
    ("mtu", ROOT, f"ip link [set|ste] dev {RAIL} mtu 4200"),
    ("mtu", ROOT, f"ip link set [dev|dve] {RAIL} mtu 4200"),
    ("pfc", ROOT, f"/[usr|urs]/bin/mlnx_qos -i {RAIL} --pfc 0,0,0,0,1,0,0,0"),
    ("pfc", "/etc/systemd/system/q.service", f"[ExecStart|ExecStrat]=mlnx_qos -i {RAIL} --pfc 0,0,0,0,1,0,0,0"),
    ("pfc", RULES, f'[KERNEL|KENREL]=="{RAIL}", RUN+="/usr/bin/mlnx_qos -i {RAIL} --pfc 0,0,0,0,1,0,0,0"'),
    ("pfc", RULES, f'NAME=="{RAIL}", [RUN|RNU]+="/usr/bin/mlnx_qos -i %k --pfc 0,0,0,0,1,0,0,0"'),
]
"""What is set, the file, and its lines with `[right|wrong]`; `(Link)` is a section."""


def written(text: str, which: int) -> str:
    """The lines with the right words (1) or the wrong ones (2)."""
    chosen = re.sub(r"\[([^]|]*)\|([^]|]*)\]", rf"\{which}", text)
    return re.sub(r"^\((\w+)\)$", r"[\1]", chosen, flags=re.M)


@pytest.mark.parametrize(("what", "path", "text"), SLIPS)
def test_a_slip_is_told_and_what_was_meant_is_unknown(what: str, path: str, text: str) -> None:
    reading = read(path, written(text, 2))
    (quote,) = told(reading)
    slips = re.findall(r"\|([^]|]*)\]", text)
    assert any(slip.split()[0] in quote for slip in slips)
    found = at_boot(reading)
    assert found.pop(what).why is Why.NOT_PARSED
    assert not [name for name, cell in found.items() if cell.why is Why.NOT_PARSED]


@pytest.mark.parametrize(("what", "path", "text"), SLIPS)
def test_the_same_written_right_is_taken_in(what: str, path: str, text: str) -> None:
    reading = read(path, written(text, 1))
    assert told(reading) == []
    assert at_boot(reading)[what].at
    assert not [cell for cell in at_boot(reading).values() if cell.why is Why.NOT_PARSED]


NOBODY = [
    ("/etc/netplan/9.yaml", f"[network|newtork]:\n  ethernets:\n    {RAIL}:\n      mtu: 4200"),
    ("/etc/netplan/9.yaml", f"network:\n  [ethernets|ethrenets]:\n    {RAIL}:\n      mtu: 4200"),
    ("/etc/systemd/network/9.link", f"[[Match]|[Mtach]]\nOriginalName={RAIL}\n[Link]\nMTUBytes=4200"),
    ("/etc/systemd/network/9.link", f"[Match]\n[OriginalName|OrigianlName]={RAIL}\n[Link]\nMTUBytes=4200"),
    ("/etc/network/interfaces", f"[iface|iafce] {RAIL} inet static\n  mtu 4200"),
    (ROOT, f"NICS={RAIL}\nfor nic in $NICS; do\n mlnx_qos -i $[nic|nci] --pfc 0,0,0,0,1,0,0,0\ndone"),
    (ROOT, f"for port in {RAIL}; do\n mlnx_qos -i $[port|ports] --pfc 0,0,0,0,1,0,0,0\ndone"),
    (ROOT, f"[RAILS|RIALS]={RAIL}\nfor nic in $RAILS; do\n mlnx_qos -i $nic --pfc 0,0,0,0,1,0,0,0\ndone"),
    (ROOT, f"[for|fro] nic in {RAIL}; do\n mlnx_qos -i {RAIL} --pfc 0,0,0,0,1,0,0,0\ndone"),
    (ROOT, f"for nic in {RAIL}; do\n mlnx_qos -i $nic --pfc 0,0,0,0,1,0,0,0\n[done|dnoe]"),
]
"""What says for whom a setting is, or whether it holds, as `[right|wrong]`."""


@pytest.mark.parametrize(("path", "text"), NOBODY)
def test_a_slip_in_what_says_for_whom_is_told(path: str, text: str) -> None:
    right, wrong = (re.sub(r"\[(\[?\w+\]?)\|(\[?\w+\]?)\]", rf"\{which}", text) for which in (1, 2))
    assert told(read(path, right)) == []
    assert len(told(read(path, wrong))) == 1


def test_all_below_a_misspelt_section_of_a_unit_is_told() -> None:
    unit = f"[%s]\nExecStart=mlnx_qos -i {RAIL} --pfc 0,0,0,0,1,0,0,0"
    assert told(read("/etc/systemd/system/q.service", unit % "Service")) == []
    assert len(told(read("/etc/systemd/system/q.service", unit % "Sevrice"))) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"for PORT in $PORTS; do mlnx_qos -i {RAIL} --pfc 0,0,0,1,0,0,0,0; done",
        f"for port in $ports; do mlnx_qos -i {RAIL} --pfc 0,0,0,1,0,0,0,0; done; ip link show $ports",
        f"PORT={RAIL}\nmlnx_qos -i $PORT --pfc 0,0,0,1,0,0,0,0\nibv_devinfo -d $PORTS",
        f". /etc/nics\nnic={RAIL}\nmlnx_qos -i $nci --pfc 0,0,0,1,0,0,0,0",
        f"read nic rest\nmlnx_qos -i {RAIL} --pfc 0,0,0,1,0,0,0,0; echo $nic",
        f"if true\nthen\n mlnx_qos -i {RAIL} --pfc 0,0,0,1,0,0,0,0\nfi\ndate",
        f"while read -r line; do\n mlnx_qos -i {RAIL} --pfc 0,0,0,1,0,0,0,0\ndone < <(dcb app show dev {RAIL})",
        f"if true; then\n mlnx_qos -i {RAIL} --pfc 0,0,0,1,0,0,0,0\nelse    prio_tc+=' 0:0'\nfi",
        f"read -r name values\nvalue=1\nmlnx_qos -i {RAIL} --pfc 0,0,0,1,0,0,0,0; echo $value $values",
        f"local entry entrys\nmlnx_qos -i {RAIL} --pfc 0,0,0,1,0,0,0,0; echo $entrys $entry",
    ],
)
def test_a_variable_or_word_of_its_own_is_no_slip(text: str) -> None:
    assert told(read(ROOT, text)) == []


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("mlnx_qos -i $nic # --trust dscp", 1),
        ("/usr/bin/mlnx_qos -i $nic  #--pfc 0,0,0,1,0,0,0,0", 1),
        ("mlnx_qos -i $nic --trust dscp", 0),
        ("# mlnx_qos -i $nic --trust dscp", 0),
        ("mlnx_qos -i $nic # shows what is set", 0),
        ("mlnx_qos -i $nic # --trust dscp must be shown here", 0),
        ("mlnx_qos -i $nic --trust dscp # --pfc 0,0,0,1,0,0,0,0", 0),
    ],
)
def test_settings_behind_a_comment_sign_are_told_where_the_call_sets_nothing_else(line: str, lines: int) -> None:
    text = f"for nic in {RAIL}; do\n {line}\n mlnx_qos -i $nic --pfc 0,0,0,1,0,0,0,0\ndone"
    assert len(told(read(ROOT, text))) == lines


@pytest.mark.parametrize(
    ("trusting", "pausing", "is_told"),
    [
        (["ens1f0np0"], ["ens1f1np0"], True),
        (["ens1f0np0"], ["ens1f0np0"], False),
        (["ens1f0np0", "ens1f1np0"], ["ens1f1np0"], False),
        (["ens1f0np0"], ["enp65s0"], False),
        (["ens1f0np0"], ["$1"], False),
    ],
)
def test_trust_on_one_nic_and_pfc_on_the_next_is_told(trusting: list[str], pausing: list[str], is_told: bool) -> None:
    text = "\n".join(
        ["[Unit]", "Description=q", "[Service]", "Type=oneshot"]
        + [f"ExecStart=/usr/bin/mlnx_qos -i {name} --trust dscp" for name in trusting]
        + [f"ExecStart=/usr/bin/mlnx_qos -i {name} --pfc 0,0,0,1,0,0,0,0" for name in pausing]
    )
    seen = [one for one in read("/etc/systemd/system/q.service", text).seen if one.observation.kind == "conflict"]
    assert bool(seen) == is_told


JOB = "#!/bin/bash\n#SBATCH -N 2\n%s NCCL_IB_GID_INDEX=3\n%s %s=106\nsrun python train.py\n"


@pytest.mark.parametrize(
    ("word", "name", "lines"),
    [
        ("export", "NCCL_IB_TC", 0),
        ("exoprt", "NCCL_IB_TC", 1),
        ("export", "NCCLI_B_TC", 1),
        ("export", "NCCL_IB_TCC", 1),
        ("export", "MY_OWN_TC", 0),
    ],
)
def test_a_slip_in_a_job(word: str, name: str, lines: int) -> None:
    reading = host(answer(None, JOB % ("export", word, name)))
    assert len(told(reading)) == lines
    assert isinstance(reading.host, Host)
    assert (reading.host.nccl_traffic_class.why is Why.NOT_PARSED) is (lines == 1)


@pytest.mark.parametrize(
    "text",
    [
        f"mlnx_qos -i {RAIL} --pfc 0,0,0,1,0,0,0,0 --prio_tc=0,1,2,3,4,5,6,7",
        f"mlnx_qos.sh -i {RAIL} --pfc 0,0,0,0,1,0,0,0",
        f"mlnx_qos2 -i {RAIL} --pfc 0,0,0,0,1,0,0,0",
        f"echo 'mlnx_qoss -i {RAIL} --pfc 0,0,0,0,1,0,0,0'",
        f"lldptool -T -i {RAIL} -V PFC enabled=3 willing=no enableTx=yes",
        f"ip link set dev {RAIL} mtu 9000 txqueuelen 1000",
        f"dcb ets set dev {RAIL} willing off",
        f"ethtool -A {RAIL} autoneg off",
    ],
)
def test_what_is_meant_as_it_stands_is_not_told(text: str) -> None:
    reading = read(ROOT, text)
    assert told(reading) == []
    assert at_boot(reading)["pfc"].get() == {3}


def test_a_module_option_is_told() -> None:
    path = "/etc/modprobe.d/irdma.conf"
    assert told(read(path, "options irdma roce_ena=1", "ice")) == []
    assert len(told(read(path, "options irdma roce_enaa=1", "ice"))) == 1
    assert len(told(read(path, "opitons irdma roce_ena=1", "ice"))) == 1


TEMPLATE = """apiVersion: configuration.net.nvidia.com/v1alpha1
kind: NicConfigurationTemplate
metadata: {name: rails}
spec:
  nicSelector: {nicType: "1021"}
  template:
    numVfs: 0
    %s: {enabled: true, qos: {trust: dscp, pfc: "0,0,0,1,0,0,0,0"}}
"""


@pytest.mark.parametrize(("key", "why"), [("roceOptimized", None), ("roceOptimised", Why.NOT_PARSED)])
def test_keys_of_a_template(key: str, why: Why | None) -> None:
    alone = host(answer(None, TEMPLATE % key))
    assert len(told(alone)) == (1 if why else 0)
    assert isinstance(alone.host, Host)
    (setup,) = alone.host.nic_setups.get()
    assert setup.pfc_priorities.why is why


@pytest.mark.parametrize(
    ("text", "field", "why"),
    [
        ("NCCL_IB_TCC=106\nNCCL_IB_TC=106", "nccl_traffic_class", Why.NOT_PARSED),
        ("NCLC_IB_TC=106", "nccl_traffic_class", Why.NOT_PARSED),
        ("UCX_IB_TRAFIC_CLASS=106", "ucx_traffic_class", Why.NOT_PARSED),
        ("NCCL_IB_GID_IDEX=3", "nccl_gid_index", Why.NOT_PARSED),
        ("NCCL_IB_TC=106", "nccl_traffic_class", None),
        ("RCCL_IB_TC=106\nNCCL_IB_AR_THRESHOLD=0\nNCCL_IB_FIFO_TC=1", "nccl_traffic_class", Why.ABSENT),
    ],
)
def test_variables(text: str, field: str, why: Why | None) -> None:
    reading = host(answer("env", text))
    assert isinstance(reading.host, Host)
    assert getattr(reading.host, field).why is why
    assert len(told(reading)) == (1 if why is Why.NOT_PARSED else 0)


@pytest.mark.parametrize(("values", "rejected"), [("0,0,0,1,0,0,0", True), ("0,0,0,1,0,0,0,0", False)])
def test_a_call_that_the_tool_refuses_sets_nothing(values: str, rejected: bool) -> None:
    """What was set before stays, and nobody knows what that is."""
    found = read(ROOT, f"mlnx_qos -i {RAIL} --pfc {values}")
    assert [seen.quote for seen in found.seen if seen.observation.kind == "rejected-call"] == [
        f"pfc {values}"
    ] * rejected
    assert at_boot(found)["pfc"].is_unknown is rejected
    assert not told(found)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("-s ets,ets,ets,ets,ets,ets,ets,ets -t 20,0,0,80,0,0,10,0", "110 % together"),
        ("--tsa=ets,ets,ets,ets,ets,ets,strict,ets --tcbw=10,0,0,80,0,0,0,0", "90 % together"),
        ("-t 50,50", "eight values"),
        ("--prio2buffer 0,0,0,1,0,0,0,0,0", "eight values"),
        ("-s ets,ets,ets,ets,ets,ets,strict,ets -t 20,0,0,80,0,0,0,0", ""),
        ("-s strict,strict,strict,strict,strict,strict,strict,strict", ""),
        ("-s $TSA -t $SHARES", ""),
        ("--buffer_size 65472,196544", ""),
    ],
)
def test_lists_that_the_tool_or_the_driver_refuses(options: str, reason: str) -> None:
    found = read(ROOT, f"mlnx_qos -i {RAIL} {options}")
    rejected = [seen.observation.text for seen in found.seen if seen.observation.kind == "rejected-call"]
    assert len(rejected) == bool(reason)
    assert all(reason in text for text in rejected)
    assert not told(found)
