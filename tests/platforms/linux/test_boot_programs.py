"""What the programs of each NIC family set at boot, as scripts call them."""

from __future__ import annotations

from typing import Any

import pytest
from host_answers import answer, host

from roce_audit.platforms.irdma.boot import FILES
from roce_audit.values import Why

SCRIPT = "/usr/local/sbin/roce.sh"
RAIL1, RAIL2 = "ens1f0np0", "ens2f0np0"
UNSAID = "absent"
RDMA = "".join(
    f"/sys/class/infiniband/rdma{n}/ports/1/gid_attrs/ndevs/0:{name}\n" for n, name in enumerate((RAIL1, RAIL2))
)


def booted(driver: str, script: str, *, drivers: tuple[str, str] | None = None) -> dict[str, Any]:
    """NIC -> what its boot files set: PFC, trust, DSCP map, forced and rdma_cm ToS."""
    names = zip((RAIL1, RAIL2), drivers or (driver, driver), strict=True)
    nics = "".join(f"/sys/class/net/{n}/mtu:9000\n/sys/class/net/{n}/device/uevent:DRIVER={d}\n" for n, d in names)
    text = "".join(f"{SCRIPT}:{line}\n" for line in script.strip("\n").split("\n"))
    found = {}
    for port in host(answer("sysfs", nics + RDMA + text)).ports:
        cell = port.facts.nic.get().persisted
        if cell.why is not None:
            found[port.name] = cell.why
            continue
        there = cell.get()
        said: dict[str, Any] = {}
        pfc = there.pfc.get().priorities if there.pfc.is_known else there.pfc
        said["pfc"] = set(pfc.get()) if pfc.is_known else str(pfc.why)
        said["trust"] = there.trust.get() if there.trust.is_known else str(there.trust.why)
        if there.dscp.is_known:
            said["map"] = {n: cell.get() for n, cell in enumerate(there.dscp.get()) if cell.is_known}
        for what in ("forced_traffic_class", "cma_tos"):
            tos = getattr(there.nic.get(), what) if there.nic.is_known else there.nic
            said |= {what: tos.get()} if tos.is_known else {}
        found[port.name] = {key: value for key, value in said.items() if value != UNSAID}
    return found


POLLARA = """
data=24
for p in 0 1 2 3 4 5 6 7; do nicctl update qos pfc --priority "$p" --no-drop disable; done
sudo nicctl update qos --classification-type pcp
sudo nicctl update qos --classification-type dscp
nicctl update qos dscp-to-priority --dscp 0-63 --priority 0
nicctl update qos dscp-to-priority --dscp $data --priority 3
nicctl update qos pfc --priority 3 --no-drop enable
nicctl update qos scheduling --priority 3,0,6 --dwrr 99,1,0 --rate-limit 0,0,10
"""


def test_nicctl_speaks_of_all_cards_and_the_last_word_counts() -> None:
    found = booted("ionic", POLLARA)
    assert found[RAIL1] == found[RAIL2]
    assert found[RAIL1]["pfc"] == {3}
    assert found[RAIL1]["trust"] == "dscp"
    assert found[RAIL1]["map"] == {code: 3 if code == 24 else 0 for code in range(64)}


def test_nicctl_is_nothing_to_another_card() -> None:
    assert booted("", POLLARA, drivers=("mlx5_core", "ionic"))[RAIL1] is Why.NOT_VISIBLE


@pytest.mark.parametrize(
    ("driver", "script", "expected"),
    [
        pytest.param("bnxt_en", "bnxtqos -dev=ens1f0np0 set_pfc enabled=3", {"pfc": {3}}, id="bnxtqos"),
        pytest.param(
            "bnxt_en",
            "niccli --dev ens1f0np0 qos --pfc --enable 3 && niccli --dev ens1f0np0 qos --apptlv --add --app 3,5,26",
            {"pfc": {3}, "trust": "dscp", "map": {26: 3}},
            id="niccli",
        ),
        pytest.param("bnxt_en", "niccli -dev=ens1f0np0 qos --pfc --enable 0xFF", {"pfc": set()}, id="niccli, off"),
        pytest.param(
            "bnxt_en",
            "bnxt_setupcc.sh -d bnxt_re0 -i ens1f0np0 -m 3 -s 26 -p 48 -r 3 -c 7 > /dev/null 2>&1",
            {"pfc": {3}, "trust": "dscp", "map": {26: 3}},
            id="bnxt_setupcc",
        ),
        pytest.param("bnxt_en", "bnxt_setupcc.sh -i ens1f0np0 -m 2 -r 3", {"pfc": set()}, id="control alone"),
        pytest.param("bnxt_en", "bnxt_setupcc.sh -i ens1f0np0 -m 3", {"pfc": "not visible"}, id="the script's default"),
        pytest.param(
            "ice",
            "lldptool -Ti ens1f0np0 -V PFC enabled=3 willing=no\nlldptool -T -i ens1f0np0 -V APP app=3,5,26",
            {"pfc": {3}, "trust": "dscp", "map": {26: 3}},
            id="lldptool",
        ),
        pytest.param("ice", "lldptool -T -i ens1f0np0 -V PFC enabled=0,0,0,1", {"pfc": {0, 1}}, id="bits for a list"),
        pytest.param(
            "ice",
            "dcb pfc set dev ens1f0np0 prio-pfc all:off 3:on\ndcb app add dev ens1f0np0 dscp-prio AF31:3 48:6",
            {"pfc": {3}, "trust": "dscp", "map": {26: 3, 48: 6}},
            id="dcb",
        ),
        pytest.param("ice", "dcb -j pfc show dev ens1f0np0", None, id="dcb only shows"),
        pytest.param("ice", "echo 'run dcb pfc set dev ens1f0np0 prio-pfc 3:on'", None, id="only printed"),
        pytest.param(
            "mlx5_core",
            "for d in rdma0 rdma1; do\n  cma_roce_tos -d $d -t 106\n echo 106 | sudo tee /sys/class/infiniband/$d/tc/1/traffic_class\ndone",
            {"cma_tos": 106, "forced_traffic_class": 106},
            id="RDMA devices",
        ),
        pytest.param(
            "mlx5_core",
            'PFC="0,0,0,1,0,0,0,0"\nRAILS=(ens1f0np0 ens2f0np0)\nfor i in "${RAILS[@]}"; do mlnx_qos -i "$i" \\\n  --pfc $PFC; done',
            {"pfc": {3}},
            id="variables, an array, a line that goes on",
        ),
        pytest.param(
            "mlx5_core",
            "if [ $A ]; then\n mlnx_qos -i ens1f0np0 --trust dscp\nelse\n mlnx_qos -i ens1f0np0 --trust pcp\nfi",
            {"trust": "not visible"},
            id="either way",
        ),
    ],
)
def test_programs(driver: str, script: str, expected: object) -> None:
    assert booted(driver, script)[RAIL1] == (Why.NOT_VISIBLE if expected is None else expected)


def test_a_card_by_its_number_is_the_one_of_the_list() -> None:
    nics = f"/sys/class/net/{RAIL1}/device/uevent:DRIVER=bnxt_en\n/sys/class/net/{RAIL1}/mtu:9000\n"
    listed = f"1) Broadcom BCM57608 400G\n   Device Interface Name : {RAIL1}\n   PCI Address : 0000:06:00.0\n"
    script = f"{SCRIPT}:niccli --dev 1 qos --pfc --enable 3\n"
    (port,) = host(answer("sysfs", nics + script), answer("niccli --list_devices", listed)).ports
    assert port.facts.nic.get().persisted.get().pfc.get().priorities.get() == {3}


CONF = "/etc/bnxt_re/bnxt_re.conf"
STORE = "/var/lib/lldpad/lldpad.conf"
LLDPAD = """lldp :
{
  ens1f0np0 :
  {
    adminStatus = 3;
    tlvid0080c20b :
    {
      enableTx = true;
      enabled = 8;
      willing = 0;
    };
    tlvid0080c20c : {
      app0 = "3,5,   26";
      app1 = "4,1,35093";
    };
  };
};
"""


def configured(driver: str, path: str, text: str, services: str = "") -> Any:
    """PFC, map and RoCE switch of the first NIC as a file of a driver or service sets them up."""
    nics = f"/sys/class/net/{RAIL1}/mtu:9000\n/sys/class/net/{RAIL1}/device/uevent:DRIVER={driver}\n"
    lines = "".join(f"{path}:{line}\n" for line in text.strip("\n").split("\n"))
    more = (answer("services", services),) if services else ()
    (port,) = host(answer("sysfs", nics + lines), *more).ports
    there = port.facts.nic.get().persisted
    if there.why is not None:
        return there.why
    pfc = there.get().pfc.get().priorities if there.get().pfc.is_known else there.get().pfc
    dscp = there.get().dscp
    codes = {n: cell.get() for n, cell in enumerate(dscp.get()) if cell.is_known} if dscp.is_known else {}
    roce = there.get().nic.get().roce if there.get().nic.is_known else there.get().nic
    return set(pfc.get()) if pfc.is_known else str(pfc.why), codes, roce.get() if roce.is_known else str(roce.why)


@pytest.mark.parametrize(
    ("driver", "path", "text", "expected"),
    [
        (
            "bnxt_en",
            CONF,
            "ENABLE_FC=1\nFC_MODE=3\nROCE_PRI=3\nROCE_DSCP=26\nCNP_PRI=7\nUTILITY=4",
            ({3}, {26: 3}, UNSAID),
        ),
        ("bnxt_en", CONF, "ENABLE_FC=1\nFC_MODE=2\nROCE_PRI=3", (set(), {}, UNSAID)),
        ("bnxt_en", CONF, "ENABLE_FC=0\nFC_MODE=3\nROCE_PRI=3", Why.NOT_VISIBLE),
        ("bnxt_en", CONF, "ENABLE_FC=1\nROCE_PRI=three", Why.NOT_PARSED),
        ("mlx5_core", CONF, "ENABLE_FC=1\nFC_MODE=3\nROCE_PRI=3", Why.NOT_VISIBLE),
        ("ice", "/etc/modprobe.d/irdma.conf", "options irdma roce_ena=1 limits_sel=5", (UNSAID, {}, True)),
        ("ice", "/etc/modprobe.d/x.conf", "options irdma roce_ena=0", (UNSAID, {}, False)),
        ("ice", "/etc/modprobe.d/x.conf", "options irdma roce_ena=0 roce_port_cfg=3", (UNSAID, {}, "not visible")),
        ("ice", "/etc/modprobe.d/x.conf", "options ice x=1", Why.NOT_VISIBLE),
    ],
)
def test_files_of_drivers(driver: str, path: str, text: str, expected: object) -> None:
    assert configured(driver, path, text) == expected


def test_the_store_of_lldpad_counts_where_it_runs() -> None:
    others = "".join(f"{name} inactive disabled\n" for name in ("kubelet", "puppet", "chef-client", "salt-minion"))
    assert configured("ice", STORE, LLDPAD, f"lldpad active enabled\n{others}") == ({3}, {26: 3}, UNSAID)
    assert configured("ice", STORE, LLDPAD, f"lldpad inactive disabled\n{others}") is Why.NOT_VISIBLE
    assert configured("ice", STORE, LLDPAD)[0] == "not visible"


def test_the_last_of_several_options_of_a_module() -> None:
    lines = ["options irdma roce_ena=1", "options irdma roce_ena=0"]
    assert list(FILES[0].settings(lines)) == [(1, "roce off")]
