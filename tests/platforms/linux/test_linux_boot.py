"""What boot files set: for which NIC, in which mechanism, and what nobody was seen to set."""

from __future__ import annotations

from typing import Any

import pytest
from host_answers import answer, host

from roce_audit.text.document import Document
from roce_audit.values import Cell, Why

UNIT = "/etc/systemd/system/"
RAIL1, RAIL2 = "ens1f0np0", "ens2f0np0"
PFC = "--pfc 0,0,0,1,0,0,0,0"
NOBODY = "absent"
SERVICES = answer(
    "services",
    "".join(f"{s} inactive disabled\n" for s in ("lldpad", "kubelet", "puppet", "chef-client", "salt-minion")),
)
PLACES = answer("boot-places", "/etc/netplan read\n/etc/rc.local none\n")


def lines(path: str, text: str) -> str:
    return "".join(f"{path}:{line}\n" for line in text.strip("\n").split("\n"))


def persisted(text: str, *more: Document) -> dict[str, tuple[Any, Any, Any] | Why | None]:
    """NIC -> (PFC, trust, MTU) as the boot files set them, or why none of it is visible."""
    nics = "".join(f"/sys/class/net/{name}/mtu:9000\n" for name in (RAIL1, RAIL2))
    found: dict[str, tuple[Any, Any, Any] | Why | None] = {}
    for port in host(answer("sysfs", nics + text), *more).ports:
        cell = port.facts.nic.get().persisted if port.facts.nic.is_known else port.facts.nic
        if cell.why is not None:
            found[port.name] = cell.why
            continue
        there = cell.get()
        pfc = there.pfc.get().priorities if there.pfc.is_known else there.pfc
        found[port.name] = (_plain(pfc), _plain(there.trust), _plain(there.ip_mtu_bytes))
    return found


def _plain(cell: Cell[Any]) -> Any:
    return cell.value if cell.is_known else str(cell.why)


NETPLAN = lines(
    "/etc/netplan/60.yaml",
    "network:\n  ethernets:\n    rails:\n      mtu: 9000  # jumbo\n      match:\n        name: ens*",
)
SET_NAME = lines(
    "/etc/netplan/60.yaml",
    "network:\n  ethernets:\n    x:\n      match:\n        macaddress: 02:00:00:00:00:01\n      mtu: 9000\n      set-name: ens1f0np0",
)
KEYFILE = lines(
    "/etc/NetworkManager/system-connections/r.nmconnection",
    "[connection]\ninterface-name=ens1f0np0\n[ethernet]\nmtu=9000\n[dcb]\npriority-flow-control=0,0,0,1,0,0,0,0",
)
FLOW = lines("/etc/netplan/60.yaml", "network:\n  ethernets: {a: {match: {name: ens*}, mtu: 9000}}")
SECRET = lines(
    "/etc/netplan/60.yaml",
    "network:\n  wifis:\n    w:\n      auth:\n        password:<redacted>\n<redacted>\n  ethernets: {ens1f0np0: {mtu: 9000}}",
)
BY_MAC = lines(
    "/etc/netplan/60.yaml",
    "network:\n  ethernets:\n    a:\n      mtu: 9000\n      match:\n        macaddress: 02:00:00:00:00:01",
)
BY_DRIVER = lines("/etc/netplan/60.yaml", "network:\n  ethernets: {a: {match: {driver: mlx5_core}, mtu: 9000}}")
NETWORKD = lines("/etc/systemd/network/10.network", "[Match]\nName=ens1* ens2*\n[Link]\nMTUBytes=4200")
TEMPLATE = lines(
    f"{UNIT}qos@.service", f"ExecStart=/usr/bin/mlnx_qos -i %i --trust dscp\nExecStart=/usr/bin/mlnx_qos -i %i {PFC}"
)
STARTS = lines(
    "/etc/udev/rules.d/9.rules", 'ENV{ID_NET_NAME}=="ens1*", RUN+="/usr/bin/systemctl start --no-block qos@%k.service"'
)
RULE = lines("/etc/udev/rules.d/9.rules", f'SUBSYSTEM=="net", KERNEL=="ens2*", RUN+="/usr/bin/mlnx_qos -i %k {PFC}"')
RULE_MTU = lines("/etc/udev/rules.d/9.rules", 'SUBSYSTEM=="net", KERNEL=="ens2*", ATTR{mtu}="4200"')
LOOP = lines(
    "/etc/rc.local", f"for i in ens1f0np0 ens2f0np0; do\n  mlnx_qos -i $i {PFC}\n  ip link set dev $i mtu 9000\ndone"
)
IFUPDOWN = lines(
    "/etc/network/interfaces", f"iface ens1f0np0 inet static\n    mtu 4200\n    post-up mlnx_qos -i $IFACE {PFC}"
)
IFCFG = lines("/etc/sysconfig/network-scripts/ifcfg-ens1f0np0", "DEVICE=ens1f0np0\nMTU=9000")
CLOUD = lines(
    "/etc/cloud/cloud.cfg.d/9.cfg",
    'runcmd:\n  - [mlnx_qos, -i, ens1f0np0, --trust, dscp]\nbootcmd:\n  - [mlnx_qos, -i, ens2f0np0, --pfc, "0,0,0,1,0,0,0,0"]',
)
CRON = lines("/etc/cron.d/roce", "@reboot root mlnx_qos -i ens1f0np0 --trust dscp")
OWN = lines(f"{UNIT}r.service", f"ExecStart=/usr/bin/mlnx_qos -i ens1f0np0 {PFC}\nWantedBy=multi-user.target")
WANTED = lines(f"{UNIT}multi-user.target.wants/r.service", "WantedBy=multi-user.target")
HIDDEN = Why.NOT_VISIBLE


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        pytest.param(NETPLAN, (NOBODY, NOBODY, 9000), (NOBODY, NOBODY, 9000), id="netplan by pattern"),
        pytest.param(FLOW, (NOBODY, NOBODY, 9000), (NOBODY, NOBODY, 9000), id="netplan in flow style"),
        pytest.param(SECRET, (NOBODY, NOBODY, 9000), HIDDEN, id="netplan with a secret"),
        pytest.param(BY_MAC, HIDDEN, HIDDEN, id="netplan by address"),
        pytest.param(BY_DRIVER, HIDDEN, HIDDEN, id="netplan by driver"),
        pytest.param(SET_NAME, (NOBODY, NOBODY, 9000), HIDDEN, id="netplan that names the device late"),
        pytest.param(KEYFILE, ({3}, NOBODY, 9000), HIDDEN, id="NetworkManager"),
        pytest.param(NETWORKD, (NOBODY, NOBODY, 4200), (NOBODY, NOBODY, 4200), id="networkd by patterns"),
        pytest.param(TEMPLATE + STARTS, ({3}, "dscp", NOBODY), HIDDEN, id="a unit that udev starts"),
        pytest.param(TEMPLATE, HIDDEN, HIDDEN, id="a template that nobody starts"),
        pytest.param(RULE, HIDDEN, ({3}, NOBODY, NOBODY), id="udev"),
        pytest.param(RULE_MTU, HIDDEN, (NOBODY, NOBODY, 4200), id="udev sets an attribute"),
        pytest.param(LOOP, ({3}, NOBODY, 9000), ({3}, NOBODY, 9000), id="a loop"),
        pytest.param(IFUPDOWN, ({3}, NOBODY, 4200), HIDDEN, id="ifupdown"),
        pytest.param(IFCFG, (NOBODY, NOBODY, 9000), HIDDEN, id="ifcfg"),
        pytest.param(CLOUD, HIDDEN, ({3}, NOBODY, NOBODY), id="cloud-init: bootcmd at every boot, runcmd once"),
        pytest.param(CRON, (NOBODY, "dscp", NOBODY), HIDDEN, id="cron"),
    ],
)
def test_mechanisms(text: str, first: object, second: object) -> None:
    assert persisted(text) == {RAIL1: first, RAIL2: second}


def test_what_no_file_sets_is_off_where_every_place_was_read() -> None:
    assert persisted("", SERVICES, PLACES)[RAIL1] == (set(), NOBODY, NOBODY)


@pytest.mark.parametrize(
    "more",
    [
        pytest.param((PLACES,), id="services not seen"),
        pytest.param(
            (SERVICES, answer("boot-places", "/etc/netplan read\n/var/spool/cron hidden\n")), id="a hidden place"
        ),
        pytest.param(
            (answer("services", SERVICES.text.replace("kubelet inactive", "kubelet active")), PLACES), id="kubelet"
        ),
        pytest.param((SERVICES, answer("boot-places", "/etc/netplan read\n", 124)), id="out of time"),
    ],
)
def test_nobody_is_sure_of_pfc_at_boot(more: tuple[Document, ...]) -> None:
    found = persisted(KEYFILE.replace("priority-flow", "x"), *more)[RAIL1]
    assert found == (NOBODY, NOBODY, 9000)


def test_a_unit_counts_where_it_is_enabled() -> None:
    assert persisted(OWN, SERVICES, PLACES)[RAIL1] == (set(), NOBODY, NOBODY)
    assert persisted(OWN + WANTED, SERVICES, PLACES)[RAIL1] == ({3}, NOBODY, NOBODY)
    assert persisted(OWN)[RAIL1] == ({3}, NOBODY, NOBODY)


def test_a_call_for_a_variable_leaves_doubt_on_every_nic() -> None:
    text = lines("/usr/local/sbin/qos.sh", f"mlnx_qos -i ${{IF}} {PFC}")
    assert persisted(text, SERVICES, PLACES) == dict.fromkeys((RAIL1, RAIL2), ("not visible", NOBODY, NOBODY))


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        pytest.param(
            lines(f"{UNIT}multi-user.target.wants/roce@ens1f0np0.service", "ExecStart=/opt/roce.sh %i 0,0,0,1,0,0,0,0")
            + lines("/opt/roce.sh", "DEV=$1\nmlnx_qos -i $DEV --pfc $2"),
            ({3}, NOBODY, NOBODY),
            HIDDEN,
            id="a script that gets its instance from a unit",
        ),
        pytest.param(
            lines(
                f"{UNIT}roce.service", "EnvironmentFile=-/etc/default/roce\nExecStart=/opt/roce.sh ens1f0np0 ens2f0np0"
            )
            + lines("/etc/default/roce", 'PFC="0,0,0,1,0,0,0,0"')
            + lines("/opt/roce.sh", '. /etc/default/roce\nfor d in "$@"; do\n  mlnx_qos -i $d --pfc $PFC\ndone'),
            ({3}, NOBODY, NOBODY),
            ({3}, NOBODY, NOBODY),
            id="variables of another file",
        ),
        pytest.param(
            lines(f"{UNIT}roce.service", "ExecStart=/opt/roce.sh start")
            + lines(
                "/opt/roce.sh",
                f'[ -n "$2" ] && exit 0\ncase $1 in\n start) mlnx_qos -i ${{2:-ens1f0np0}} {PFC};;\n'
                " stop) mlnx_qos -i ens1f0np0 --trust pcp;;\nesac",
            ),
            ({3}, NOBODY, NOBODY),
            HIDDEN,
            id="words of a unit, and those that it does not give",
        ),
        pytest.param(
            lines("/etc/udev/rules.d/9.rules", 'KERNEL=="ens2*", RUN+="/opt/roce.sh %k"')
            + lines("/opt/roce.sh", f"mlnx_qos -i $1 {PFC}"),
            HIDDEN,
            ({3}, NOBODY, NOBODY),
            id="a script that a rule calls",
        ),
        pytest.param(
            lines(
                "/etc/NetworkManager/dispatcher.d/50-roce",
                f'[ "$1" = ens2f0np0 ] || exit 0\ncase "$2" in\n  up)\n    mlnx_qos -i "$1" {PFC}\n    ;;\n  down)\n'
                '    mlnx_qos -i "$1" --pfc 0,0,0,0,0,0,0,0\n    ;;\nesac',
            ),
            HIDDEN,
            ({3}, NOBODY, NOBODY),
            id="a hook",
        ),
        pytest.param(
            lines("/etc/rc.local", f"if grep -q gpu /etc/hostname; then\n  mlnx_qos -i ens1f0np0 {PFC}\nfi"),
            ("not visible", NOBODY, NOBODY),
            HIDDEN,
            id="one that may be made",
        ),
        pytest.param(
            lines("/etc/rc.local", f"mlnx_qos -i ens1f0np0 {PFC}") + "!/etc/rc.local:the rest is left out\n",
            ("not visible", NOBODY, NOBODY),
            HIDDEN,
            id="a file without its end",
        ),
        pytest.param(
            lines(
                f"{UNIT}r.service",
                f"ExecStart=/usr/bin/mlnx_qos -i ens1f0np0 {PFC}\nExecStop=mlnx_qos -i ens1f0np0 --trust pcp",
            ),
            ({3}, NOBODY, NOBODY),
            HIDDEN,
            id="what a unit does when it is stopped",
        ),
    ],
)
def test_scripts_are_followed(text: str, first: object, second: object) -> None:
    assert persisted(text) == {RAIL1: first, RAIL2: second}


def test_a_later_netplan_file_overrides_an_earlier_one() -> None:
    later = NETPLAN.replace("60.yaml", "70.yaml").replace("9000", "1500")
    assert persisted(later + NETPLAN)[RAIL1] == (NOBODY, NOBODY, 1500)
    assert persisted(NETPLAN + later.replace("70.yaml", "50.yaml"))[RAIL1] == (NOBODY, NOBODY, 9000)


def test_the_first_file_of_networkd_that_fits_a_nic_is_its_own() -> None:
    rest = NETWORKD.replace("10.network", "20.network").replace("ens1* ens2*", "*").replace("4200", "1500")
    assert persisted(rest + NETWORKD)[RAIL1] == (NOBODY, NOBODY, 4200)
    other = rest.replace("20.network", "20.link").replace("[Match]\nName", "[Match]\nOriginalName")
    assert persisted(other + NETWORKD)[RAIL1][2] == str(Why.CONFLICT)  # type: ignore[index]


@pytest.mark.parametrize(
    ("given", "expected"), [("-A ${DEVICE} rx on tx on", True), ("-A ens1f0np0 rx off tx off", False)]
)
def test_options_of_ethtool_in_ifcfg(given: str, expected: bool) -> None:
    file = lines("/etc/sysconfig/network-scripts/ifcfg-ens1f0np0", f'DEVICE=ens1f0np0\nETHTOOL_OPTS="{given}"')
    nics = f"/sys/class/net/{RAIL1}/mtu:9000\n"
    (port,) = host(answer("sysfs", nics + file)).ports
    assert port.facts.nic.get().persisted.get().link_pause_rx.value is expected
