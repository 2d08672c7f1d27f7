"""User data of cloud-init: what the first boot alone sets up, and files that nothing runs."""

from __future__ import annotations

import pytest

from roce_audit.platforms.linux.boot.cloudinit import FIRST_BOOT, NOT_ENABLED, NOT_EXECUTABLE, slips

SCRIPT = """#cloud-config
write_files:
  - path: {path}
    permissions: '{mode}'
    content: |
      #!/bin/sh
      mlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0,0
"""
PER_BOOT = "/var/lib/cloud/scripts/per-boot/roce.sh"
UNIT = """  - path: /etc/systemd/system/roce.service
    content: |
      [Service]
      ExecStart=/usr/local/sbin/roce.sh
      [Install]
      WantedBy=multi-user.target
"""


def told(text: str) -> list[tuple[int, str]]:
    return list(slips(text, 1))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SCRIPT.format(path=PER_BOOT, mode="0755"), []),
        (SCRIPT.format(path=PER_BOOT, mode="0644"), [(4, NOT_EXECUTABLE)]),
        (SCRIPT.format(path=PER_BOOT, mode="0644") + "runcmd:\n  - chmod +x /var/lib/cloud/scripts/per-boot/*\n", []),
        (SCRIPT.format(path="/opt/roce.sh", mode="0755") + "runcmd:\n  - [/opt/roce.sh]\n", [(9, FIRST_BOOT)]),
        (SCRIPT.format(path="/opt/roce.sh", mode="0755") + "bootcmd:\n  - [/opt/roce.sh]\n", []),
        (SCRIPT.format(path=PER_BOOT, mode="0755") + "runcmd:\n  - mlnx_qos -i ens1 --trust dscp\n", []),
        ("#cloud-config\nruncmd:\n  - [mlnx_qos, -i, ens1, --trust, dscp]\n", [(3, FIRST_BOOT)]),
        ("#cloud-config\nruncmd:\n  - mlxconfig -y -d mlx5_0 set CNP_DSCP_P1=48\n", []),
        ("#cloud-config\nruncmd:\n  - lldptool -T -i ens1 -V PFC enabled=3\n", []),
        (
            SCRIPT.format(path="/usr/local/sbin/roce.sh", mode="0755") + UNIT + "runcmd:\n  - systemctl start roce\n",
            [(8, NOT_ENABLED)],
        ),
        (
            SCRIPT.format(path="/usr/local/sbin/roce.sh", mode="0755") + UNIT + "runcmd:\n  - systemctl enable roce\n",
            [],
        ),
        (  # the file of the driver is no command that enables
            SCRIPT.format(path="/usr/local/sbin/roce.sh", mode="0755")
            + "      echo 1 > /sys/class/net/ens1/ecn/roce_np/enable/3\n"
            + UNIT,
            [(9, NOT_ENABLED)],
        ),
        (  # a unit that runs another file than the one that is written
            SCRIPT.format(path="/usr/local/sbin/rooce.sh", mode="0755") + UNIT + "runcmd:\n  - systemctl enable roce\n",
            [(11, "it runs /usr/local/sbin/roce.sh, which is not written here; /usr/local/sbin/rooce.sh is")],
        ),
        (
            SCRIPT.format(path="/usr/local/sbin/rooce.sh", mode="0755")
            + UNIT
            + "runcmd:\n  - systemctl enable roce\n  - ln -s /usr/local/sbin/rooce.sh /usr/local/sbin/roce.sh\n",
            [],
        ),
        ("#cloud-config\n- [1, 2]\n", []),
        ("#cloud-config\nwrite_files: {a: 1}\nruncmd: 3\n", []),
        ("#cloud-config\nwrite_files: [1, {path: [1], content: 2}]\nruncmd: [null, {1: 2}]\n", []),
    ],
)
def test_what_no_later_boot_makes(text: str, expected: list[tuple[int, str]]) -> None:
    assert told(text) == expected
