"""A host made of files and of stubs for its tools, for the script of host-probe to run on."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from roce_audit.sources.live.probe import commands, script
from roce_audit.sources.splitting import bundle

SHELLS = {"dash": ("dash",), "busybox": ("busybox", "ash"), "bash": ("bash", "--posix")}
_BASICS = ("awk", "grep", "sort", "date", "id", "env", "head", "cat", "sleep", "uname", "ls", "true")
NET, RDMA = "sys/class/net/ens1f0np0", "sys/class/infiniband/mlx5_0"
_BUS = "sys/devices/pci0000:15/0000:15:01.0/0000:16:00.0"
SECRETS = ("hunter2", "s3cr3t-psk", "MIIEvQIBADAN", "tok-99", "topsecretline")
_FILES = {
    f"{NET}/mtu": "9000\n",
    f"{NET}/flags": "0x1003\n",
    f"{NET}/device/vendor": "0x15b3\n",
    f"{NET}/device/uevent": "DRIVER=mlx5_core\nPCI_SLOT_NAME=0000:18:00.0\n",
    f"{NET}/device/infiniband/mlx5_0/node_type": "1: CA\n",
    f"{NET}/qos/trust": "dscp\n",
    f"{RDMA}/device/vendor": "0x15b3\n",
    f"{RDMA}/device/uevent": "PCI_SLOT_NAME=0000:18:00.0\n",
    f"{RDMA}/ports/1/link_layer": "Ethernet\n",
    f"{RDMA}/tc/1/traffic_class": "",
    "sys/class/net/ens1f0v0/device/vendor": "0x15b3\n",
    "sys/class/net/ens1f0v0/device/physfn/vendor": "0x15b3\n",
    "proc/sys/kernel/hostname": "gpu7\n",
    "etc/nccl.conf": "NCCL_IB_TC=106\n",
    "etc/environment": "PATH=/bin\nNCCL_IB_GID_INDEX=3\nDB_PASSWORD=hunter2\n",
    "etc/netplan/50-rails.yaml": "network:\n  wifis:\n    w0:\n      password: |\n        topsecretline\n  ethernets:\n"
    "    ens1f0np0:\n      mtu: 9000\n",
    "etc/NetworkManager/system-connections/My wifi.nmconnection": "[wifi-security]\npsk=s3cr3t-psk\n",
    "etc/systemd/network/wg.network": "[WireGuard]\nPrivateKey=tok-99\n-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN\n"
    "-----END PRIVATE KEY-----\n[Match]\nName=wg0\n",
    "etc/systemd/system/roce.service": "[Service]\nExecStart=/opt/site/roce.sh\nExecStart=-/usr/libexec/site/trust start\n",
    "usr/libexec/site/trust": "#!/bin/sh\nmlnx_qos -i ens1f0np0 --trust dscp\n",
    "opt/site/roce.sh": "#!/bin/sh\nmlnx_qos -i ens1f0np0 --pfc 0,0,0,1,0,0,0,0\n",
    "usr/local/bin/other": "#!/bin/sh\necho nothing of ours\n",
    "etc/NetworkManager/dispatcher.d/50-roce": '#!/bin/bash\n. /etc/default/roce\nif [ "$2" = up ]; then\n'
    "  curl -u admin:hunter2 http://x/$1\n  mlnx_qos -i $1 --pfc $PFC\nfi\n",
    "etc/default/roce": "PFC=0,0,0,1,0,0,0,0\n",
    "etc/default/other": "A=1\n",
    "etc/rc.local": "#!/bin/sh\n" + "echo a line of many\n" * 10_000 + "mlnx_qos -i ens1f0np0 --trust dscp\n",
    "etc/modprobe.d/site.conf": "# ours\noptions irdma roce_ena=1\noptions snd index=1\n",
    "etc/bnxt_re/bnxt_re.conf": "ENABLE_FC=1\nROCE_PRI=3\n",
}


def build(root: Path) -> Path:
    """The files of the host below `root`."""
    for name, text in _FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    devices = root / "sys/bus/pci/devices"
    devices.mkdir(parents=True)
    for way, kind, vendor in (
        (f"{_BUS}/0000:17:00.0/0000:18:00.0", "0x020000", "0x15b3"),
        (f"{_BUS}/0000:17:01.0/0000:19:00.0", "0x030200", "0x10de"),
    ):
        folder = root / way
        folder.mkdir(parents=True)
        (folder / "class").write_text(f"{kind}\n", encoding="utf-8")
        (folder / "vendor").write_text(f"{vendor}\n", encoding="utf-8")
        (devices / folder.name).symlink_to(f"../../../{way.removeprefix('sys/')}")
    return root


def stubs(folder: Path, *, programs: dict[str, str] | None = None) -> Path:
    """A folder of tools that answer their own name and arguments; `programs` are other answers, as shell code."""
    folder.mkdir()
    names = {command.split(" ")[0] for command in commands()} | {"systemctl"}
    for name in sorted(names - {"cat", "ls"} | set(programs or {})):
        code = (programs or {}).get(name, 'echo "answer of $0 $*"; echo "a warning" >&2')
        (folder / name).write_text(f"#!/bin/sh\n{code}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


def basics(folder: Path, *, of: str = "") -> Path:
    """A folder with nothing but what the script itself needs; `of` one program that is all of them."""
    folder.mkdir()
    for name in _BASICS:
        found = shutil.which(of or name)
        assert found is not None
        (folder / name).symlink_to(found)
    return folder


def run(
    shell: str, root: Path | None, path: str, *, before: tuple[str, ...] = (), **variables: str
) -> tuple[str, bundle.Bundle]:
    """Run the script; gives its output as text and as a bundle."""
    environment = {"PATH": path, "HOME": "/nowhere", "ROCE_ROOT": str(root or ""), **variables}
    interpreter = shutil.which(SHELLS[shell][0])
    assert interpreter is not None
    done = subprocess.run(
        [*before, interpreter, *SHELLS[shell][1:], "-s"],
        input=script().encode(),
        env=environment,
        cwd=os.sep,
        capture_output=True,
        check=True,
    )
    text = done.stdout.decode("ascii")
    (found,) = bundle.split(text, "gpu7.txt")
    return text, found
