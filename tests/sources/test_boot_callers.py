"""What calls scripts that set NICs up, in vain: units, udev rules, tables of cron and of interfaces, rc.local."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.sources.devices import load

SCRIPT = "#!/bin/sh\nIF={}\nmlnx_qos -i $IF --trust dscp --pfc 0,0,0,1,0,0,0,0\n"
HERE = {"usr/local/bin/roce.sh": SCRIPT.format("ens1")}
RULE = 'ACTION=="add", SUBSYSTEM=="net", RUN+="{}"\n'
RULES = "etc/udev/rules.d/82-roce.rules"
CRON = "etc/cron.d/roce"
UNIT = "etc/systemd/system/roce-qos.service"
IDLE = "[Unit]\nDescription=QoS\n\n[Service]\nType=oneshot\nExecStart=/usr/local/bin/roce.sh\n"


WANTS = 'ACTION=="add", SUBSYSTEM=="net", TAG+="systemd", ENV{{SYSTEMD_WANTS}}+="{}@%k.service"\n'
TEMPLATE = "etc/systemd/system/roce-qos@.service"
PER_NIC = "[Service]\nType=oneshot\nExecStart=/usr/bin/mlnx_qos -i %i --pfc 0,0,0,1,0,0,0,0\n"
INTERFACES = "etc/network/interfaces"
LOCAL = "etc/rc.local"
NIC = {"usr/local/bin/nic.sh": SCRIPT.format('"$1"')}
TABLE = "iface ens1 inet manual\n    post-up /usr/local/bin/nic.sh ens1\n\niface ens2 inet manual\n    mtu 9000\n    post-up {}\n"
SIZES = "".join(
    f"iface {name} inet static\n    mtu {{}}\n    post-up /usr/local/bin/nic.sh {name}\n\n" for name in ("ens1", "ens2")
)
EARLY = "[Unit]\nDefaultDependencies=no\n{}Before=network-pre.target\n\n[Service]\nExecStart={}\n\n[Install]\nWantedBy=basic.target\n"
MATCHED = 'ACTION=="add", SUBSYSTEM=="net", KERNEL=="{}", TAG+="systemd", ENV{{SYSTEMD_WANTS}}+="roce-qos@%k.service"\n'
RAILS = "etc/netplan/60-rails.yaml"


def plan(*mtus: int | None) -> str:
    """netplan of NICs with these MTUs."""
    stanzas = (
        f"    ens{n}np0:\n      dhcp4: true\n" + (f"      mtu: {mtu}\n" if mtu else "") for n, mtu in enumerate(mtus, 1)
    )
    return "network:\n  version: 2\n  ethernets:\n" + "".join(stanzas)


MODULES = "etc/modprobe.d/local.conf"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({RULES: RULE.format("/usr/local/bin/roce.sh")}, []),
        ({RULES: RULE.format("/usr/local/sbin/roce.sh %k")}, [("82-roce.rules", 1, "/usr/local/sbin/roce.sh")]),
        ({RULES: RULE.format("/usr/local/sbin/roce.sh"), "install.sh": "cp roce.sh /usr/local/sbin/roce.sh\n"}, []),
        ({RULES: RULE.format("/usr/local/bin/nic.sh %k"), "usr/local/bin/nic.sh": SCRIPT.format("$1")}, []),
        (
            {RULES: RULE.format("/usr/local/bin/nic.sh %k"), "usr/local/bin/nic.sh": SCRIPT.format("$2")},
            [("82-roce.rules", 1, "takes one as its 2. word")],
        ),
        ({RULES: RULE.format("/usr/local/bin/nic.sh add %k"), "usr/local/bin/nic.sh": SCRIPT.format("$2")}, []),
        ({CRON: "@reboot root /usr/local/bin/roce.sh\n"}, []),
        ({CRON: "@reboot root sleep 30; /usr/local/bin/roce.sh\n0 4 * * 0 root /usr/local/bin/roce.sh\n"}, []),
        ({CRON: "SHELL=/bin/sh\n0 4 * * 0 root /usr/local/bin/roce.sh\n"}, [("roce", 2, "at times of the clock alone")]),
        ({CRON: "*/5 * * * * root /usr/local/bin/roce.sh\n"}, []),
        ({CRON: "0 4 * * * root /usr/local/bin/roce.sh\n", "etc/rc.local": "#!/bin/sh\n/usr/local/bin/roce.sh\n"}, []),
        ({CRON: "@reboot root /usr/local/bin/rocce.sh\n"}, [("roce", 1, "roce.sh is")]),
        ({CRON: "@daily root /usr/local/bin/backup.sh\n"}, []),
        (
            {UNIT: IDLE, "usr/local/bin/roce.sh": SCRIPT.format("ens1") + "echo roce-qos: done\n"},
            [("roce-qos.service", 6, "nothing in these files starts it")],
        ),
        ({UNIT: IDLE}, [("roce-qos.service", 6, "nothing in these files starts it")]),
        ({RULES: WANTS.format("roce-qos"), TEMPLATE: PER_NIC}, []),
        ({RULES: WANTS.format("roce_qos"), TEMPLATE: PER_NIC}, [("82-roce.rules", 1, "roce-qos@.service is")]),
        ({RULES: WANTS.format("other"), TEMPLATE: PER_NIC}, []),
        ({UNIT: IDLE, "install.sh": 'for one in units/*; do systemctl start "$(basename $one)"; done\n'}, []),
        ({UNIT: IDLE, "README.md": "The operator starts roce-qos.service.\n"}, []),
        ({MODULES: "blacklist nouveau\nblacklist mlx5-ib\n"}, [("local.conf", 2, "mlx5_ib")]),
        ({MODULES: "install mlx5_ib /bin/false\n"}, [("local.conf", 1, "roce.sh")]),
        ({MODULES: "install mlx5_ib /sbin/modprobe --ignore-install mlx5_ib\n"}, []),
        ({MODULES: "# blacklist mlx5_ib\nblacklist mlx4_ib\nblacklist irdma\n"}, []),
        (NIC | {INTERFACES: TABLE.format('/usr/local/bin/nic.sh "$IFACE"')}, []),
        (NIC | {INTERFACES: TABLE.format("/usr/local/bin/nic.sh ens2")}, []),
        (NIC | {INTERFACES: TABLE.format("/usr/local/bin/nic.sh ens1")}, [("interfaces", 6, "for ens1 once more, in the lines of ens2")]),
        (NIC | {CRON: "@reboot root /usr/local/bin/nic ens1\n"}, [("roce", 1, "not among these files; nic.sh is")]),
        (NIC | {INTERFACES: SIZES.format(9000, 1500)}, [("interfaces", 6, "ens2 gets an MTU of 1,500 B")]),
        (NIC | {INTERFACES: SIZES.format(9000, 9000)}, []),
        (NIC | {INTERFACES: SIZES.format(1500, 1500)}, []),
        (NIC | {INTERFACES: TABLE.format("/usr/local/bin/nic.sh")}, [("interfaces", 6, "no name of a NIC")]),
        (NIC | {INTERFACES: TABLE.format("/usr/local/sbin/nic.sh ens2")}, [("interfaces", 6, "have nic.sh for /usr/local/bin")]),
        ({LOCAL: "#!/bin/sh\n/usr/local/bin/roce.sh\nexit 0\n"}, []),
        ({LOCAL: "#!/bin/sh\n/usr/local/sbin/roce.sh\nexit 0\n"}, [("rc.local", 2, "it runs /usr/local/sbin/roce.sh")]),
        ({LOCAL: "#!/bin/sh\n[ -x /opt/roce.sh ] && /opt/roce.sh\n"}, [("rc.local", 2, "it runs /opt/roce.sh")]),
        ({LOCAL: "#!/bin/sh\n# /opt/roce.sh\n"}, []),
        ({UNIT: EARLY.format("", "/usr/local/bin/roce.sh")}, [("roce-qos.service", 3, "before network-pre.target")]),
        ({UNIT: EARLY.format("After=openibd.service\n", "/usr/local/bin/roce.sh")}, []),
        ({UNIT: EARLY.format("", "/bin/true\nExecStartPre=/sbin/modprobe mlx5_core\nExecStart=/usr/local/bin/roce.sh")}, []),
        ({UNIT: EARLY.format("", "/usr/local/bin/backup.sh")}, []),
        ({RULES: MATCHED.format("ens[1-4]np0"), TEMPLATE: PER_NIC, RAILS: plan(9000, 9000, 9000, 9000)}, []),
        (
            {RULES: MATCHED.format("ens[1-3]np0"), TEMPLATE: PER_NIC, RAILS: plan(9000, 9000, 9000, 9000)},
            [("82-roce.rules", 1, "3 NICs such as ens1np0, not for ens4np0, which 60-rails.yaml:15 sets up")],
        ),
        ({RULES: MATCHED.format("ens1np0|ens2np0"), TEMPLATE: PER_NIC, RAILS: plan(9000, 9000, 9000, 9000)}, []),
        ({RULES: MATCHED.format("ens[1-4]np0"), TEMPLATE: PER_NIC, RAILS: plan(9000, 9000, 9000, 9000, 1500)}, []),
        (
            {RULES: MATCHED.format("ens*"), TEMPLATE: PER_NIC, RAILS: plan(9000, 9000, 1500, 9000)},
            [("60-rails.yaml", 12, "ens3np0 gets an MTU of 1,500 B")],
        ),
        (
            {RULES: MATCHED.format("ens*"), TEMPLATE: PER_NIC, RAILS: plan(9000, None, 9000, 9000)},
            [("60-rails.yaml", 7, "ens2np0 gets no MTU")],
        ),
        (
            {
                RULES: MATCHED.format("ens*"),
                TEMPLATE: PER_NIC + "ExecStart=/usr/sbin/ip link set %i mtu 9000\n",
                RAILS: plan(9000, None, 9000, 9000),
            },
            [],
        ),
        ({UNIT: IDLE + "[Install]\nWantedBy=multi-user.target\n"}, []),
        (NIC | {INTERFACES: "    post-up /usr/local/bin/nic.sh ens1\n"}, []),  # torn: no stanza begins
    ],
)  # fmt: skip
def test_calls(tmp_path: Path, files: dict[str, str], expected: list[tuple[str, int, str]]) -> None:
    for path, text in (HERE | files).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    found = [one for one in load([str(tmp_path)]).problems if one.kind == "conflict"]
    assert [(Path(one.path).name, one.line) for one in found] == [row[:2] for row in expected]
    assert all(row[2] in one.text for row, one in zip(expected, found, strict=True))
