"""Units and files that Butane writes at the first boot of a node."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

BUTANE = """variant: fcos
version: 1.5.0
storage:
  files:
    - path: /etc/NetworkManager/system-connections/rail0.nmconnection
      mode: 0600
      contents:
        inline: |
          [connection]
          interface-name=ens1f0np0
          [ethernet]
          mtu=9000
    - path: /usr/local/bin/rail-setup
      mode: 0755
      contents:
        inline: |
          #!/bin/bash
          mlnx_qos -i ens1f0np0 --trust dscp --pfc 0,0,0,1,0,0,0,0
systemd:
  units:
    - name: rail-setup.service
      enabled: true
      contents: |
        [Service]
        Type=oneshot
        ExecStart=/usr/local/bin/rail-setup
        [Install]
        WantedBy=multi-user.target
"""


def read(text: str) -> DeviceReading:
    return platform("linux").read(DeviceInput("node", "linux", (Document("node.bu", text),)))


@pytest.mark.parametrize(
    ("sound", "slip", "lines"),
    [
        ("", "", []),
        ("enabled: true", "enabled: false", [22]),
        ("mode: 0755", "mode: 0644", [14]),
        ("mode: 0600", "mode: 0400", []),
        ("ExecStart=/usr/local/bin", "ExecStart=/usr/local/sbin", [26]),
        ("ExecStart=/usr/local/bin/rail-setup", "ExecStart=/usr/bin/true", []),
    ],
)
def test_units_that_set_nothing_up(sound: str, slip: str, lines: list[int]) -> None:
    found = read(BUTANE.replace(sound, slip) if sound else BUTANE).seen
    assert [(one.observation.kind, one.place.line) for one in found] == [("conflict", line) for line in lines]


def test_a_keyfile_that_is_written_sets_the_mtu() -> None:
    host = read(BUTANE).host
    assert host is not None
    mtus = [one.ip_mtu_bytes for one in host.nic_setups.get() if one.ip_mtu_bytes.is_known]
    assert [(mtu.get(), [at.line for at in mtu.at]) for mtu in mtus] == [(9000, [12])]


@pytest.mark.parametrize(
    "text", ["variant: fcos\nstorage: {files: [1, {path: 2}]}\nsystemd: {units: {}}\n# mlnx_qos -i a\n"]
)
def test_no_text_raises(text: str) -> None:
    read(text)
