"""Scripts that units hand the names of NICs, in what writes both: the NICs are known by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load

BUTANE = """variant: openshift
version: 4.17.0
storage:
  files:
    - path: /usr/local/bin/roce-qos.sh
      mode: 0755
      contents:
        inline: |
          #!/bin/bash
          nic=$1
          mlnx_qos -i "$nic" --trust dscp
          mlnx_qos -i "$nic" --pfc 0,0,0,1,0,0,0,0
systemd:
  units:
    - name: roce-qos.service
      enabled: true
      contents: |
        [Service]
        Type=oneshot
        ExecStart=/usr/local/bin/roce-qos.sh ens3f0np0
        ExecStart=/usr/local/bin/roce-qos.sh ens3f1np1
        [Install]
        WantedBy=multi-user.target
"""
STATE = """apiVersion: nmstate.io/v1
kind: NodeNetworkConfigurationPolicy
metadata: {name: rails}
spec:
  desiredState:
    interfaces:
      - name: %s
        type: ethernet
        mtu: %d
        ethtool:
          pause: {rx: %s}
"""
USER_DATA = """#cloud-config
write_files:
  - path: /usr/local/sbin/qos.sh
    permissions: '0755'
    content: |
      #!/bin/bash
      for nic in %s; do
        mlnx_qos -i $nic --trust dscp
        mlnx_qos -i $nic --pfc 0,0,0,1,0,0,0,0
      done
  - path: /etc/systemd/system/qos@.service
    content: |
      [Service]
      Type=oneshot
      ExecStart=/usr/local/sbin/qos.sh %%i
      [Install]
      WantedBy=multi-user.target
runcmd:
  - systemctl enable --now qos@ens1f0np0.service qos@ens2f0np0.service
  - ethtool -A %s rx on tx on
"""


def failing(folder: Path, files: dict[str, str]) -> set[tuple[str, str, int]]:
    (folder / "roce-audit.yaml").write_text("roce: {dscp: [26], priority: [3]}\n")
    for name, text in files.items():
        (folder / name).write_text(text)
    found = check(Request((str(folder),), load(folder / "roce-audit.yaml"))).report.findings
    return {
        (one.rule, Path(one.locations[0].path).name, one.locations[0].line) for one in found if one.verdict == "fails"
    }


@pytest.mark.parametrize(
    ("nic", "mtu", "rx", "expected"),
    [
        ("ens3f1np1", 9000, "false", set()),
        ("ens3f1np1", 9000, "true", {("input/conflict", "state.yaml", 11)}),
        ("ens3f0np0", 1500, "false", {("input/conflict", "state.yaml", 9)}),
        ("ens9", 9000, "true", set()),
    ],
)
def test_a_unit_hands_a_script_its_nics(
    tmp_path: Path, nic: str, mtu: int, rx: str, expected: set[tuple[str, str, int]]
) -> None:
    assert failing(tmp_path, {"roce.bu": BUTANE, "state.yaml": STATE % (nic, mtu, rx)}) == expected


@pytest.mark.parametrize("listed", ["$1", "ens2f0np0 ens1f0np0"])
@pytest.mark.parametrize(("paused", "found"), [("ens2f0np0", True), ("eno1", False)])
def test_instances_of_a_unit_that_user_data_enables(tmp_path: Path, listed: str, paused: str, found: bool) -> None:
    told = failing(tmp_path, {"user-data": USER_DATA % (listed, paused)})
    assert told == ({("pfc/setup-link-pause", "user-data", 20)} if found else set())
