"""Live collection as rates: `python bench/collect.py [DEVICES] [SESSIONS]`; nothing is asserted.

DEVICES fake switches (each answers a configuration of 5,000 lines, twice) and as many logins at OpenSSH's own server, all on
127.0.0.1; the fakes run in a process of their own, so that CPU and memory are the collector's. Logins are measured twice: with
the script running DEVICES times on this one machine, which is what takes the time then, and with a bundle that is ready.
Needs openssh-server for the logins.
"""

from __future__ import annotations

import getpass
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))


def serve(count: int, folder: Path) -> None:
    """The fakes' process: writes the inventory and waits until its standard input ends."""
    from tests.live import samples
    from tests.live.fake_switch import FakeDevice

    devices = [samples.device("nxos", lines=5_000) for _ in range(count)]
    first = FakeDevice(devices[0])
    fakes = [first, *(FakeDevice(device, first.key) for device in devices[1:])]
    rows = "".join(f"  leaf{n}: {{address: 127.0.0.1, port: {fake.port}}}\n" for n, fake in enumerate(fakes))
    head = "defaults: {platform: nxos, user: audit, password: 'env:FAKE_PASSWORD'}\ndevices:\n"
    (folder / "known_hosts").write_text("".join(fake.known_hosts() for fake in fakes))
    (folder / "inventory.yaml").write_text(head + rows)
    print("ready", flush=True)
    sys.stdin.read()


def measured(name: str, folder: Path, sessions: int) -> None:
    """Collect what the folder's inventory names, and print how it went."""
    from roce_audit.sources.manifest import load

    out = folder / "snapshot"
    command = [
        sys.executable,
        "-m",
        "roce_audit",
        "collect",
        "-i",
        str(folder / "inventory.yaml"),
        "-o",
        str(out),
        "-q",
    ]
    command += ["--known-hosts", str(folder / "known_hosts"), "--ssh-config", "none", "-j", str(sessions)]
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    found = load(str(out))
    devices = [] if found is None else list(found.devices.values())
    size = sum(file.bytes for device in devices for file in device.files.values())
    cpu = used.ru_utime + used.ru_stime
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in Counter(d.outcome for d in devices).items())
    print(
        f"{name:<22} {len(devices):>5} devices  {wall:6.1f} s  {len(devices) / wall:6.1f}/s  CPU {cpu:5.1f} s "
        f"({cpu / max(len(devices), 1) * 1e3:.0f} ms each)  {used.ru_maxrss / 1024:.0f} MB  {size / 2**20:.1f} MiB  "
        f"exit {os.waitstatus_to_exitcode(status)}  {outcomes}"
    )


def switches(count: int, sessions: int, folder: Path) -> None:
    """Fake switches through netmiko."""
    from tests.live.fake_switch import PASSWORD

    os.environ["FAKE_PASSWORD"] = PASSWORD
    command = [sys.executable, __file__, "--serve", str(count), str(folder)]
    fakes = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert fakes.stdin is not None
    assert fakes.stdout is not None
    fakes.stdout.readline()
    measured("fake switches", folder, sessions)
    fakes.stdin.close()
    fakes.wait()


def hosts(count: int, sessions: int, folder: Path, bundle: Path | None = None) -> None:
    """Logins at one OpenSSH server. Each runs the whole script here; with a `bundle` each only prints that file."""
    from tests.live.sshd import Sshd

    server = Sshd(folder / "sshd", f"ForceCommand cat {bundle}\n" if bundle is not None else "")
    user = getpass.getuser()
    login = f"defaults: {{platform: linux, user: {user}, key: {server.key}, port: {server.port}}}\n"
    rows = "".join(f"  gpu{n}: {{address: 127.0.0.1}}\n" for n in range(count))
    (folder / "inventory.yaml").write_text(f"{login}devices:\n{rows}")
    (folder / "known_hosts").write_text(server.known_hosts())
    measured("sshd, script runs here" if bundle is None else "sshd, ready bundle", folder, sessions)
    server.close()


def made(folder: str, name: str) -> Path:
    """A folder of its own for one measurement."""
    path = Path(folder, name)
    path.mkdir()
    return path


def main() -> None:
    """Both halves."""
    if sys.argv[1:2] == ["--serve"]:
        serve(int(sys.argv[2]), Path(sys.argv[3]))
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    sessions = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    with tempfile.TemporaryDirectory() as folder:
        switches(count, sessions, made(folder, "switches"))
        if os.path.exists("/usr/sbin/sshd"):
            scripts = made(folder, "scripts")
            hosts(count, sessions, scripts)
            hosts(count, sessions, made(folder, "bundles"), scripts / "snapshot/gpu0/bundle.txt")
        else:
            print("OpenSSH logins: apt-get install openssh-server")


if __name__ == "__main__":
    main()
