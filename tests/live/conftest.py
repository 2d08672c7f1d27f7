"""Fakes that are closed again, and a collection of them in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from roce_audit.sources.live import ssh
from roce_audit.sources.live.credentials import Secrets
from roce_audit.sources.live.fleet import Pace, collect
from roce_audit.sources.live.snapshot import Snapshot
from roce_audit.sources.live.ssh import Connector, Limits
from roce_audit.sources.live.targets import Reference, Target
from roce_audit.sources.live.trust import Trust
from roce_audit.sources.manifest import DeviceRecord
from roce_audit.text.secrets.mask import Masker
from roce_audit.values import Place
from tests.live.fake_switch import PASSWORD, USER, Device, FakeDevice

LOGIN = Reference("env:FAKE_PASSWORD")
PATIENT = Limits(30, 30, 120)
"""For what answers: a busy machine may take its time."""
Start = Callable[[Device], FakeDevice]
Collect = Callable[..., Mapping[str, DeviceRecord]]


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's own keys, hosts or agent take part."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    monkeypatch.setenv("FAKE_PASSWORD", PASSWORD)
    monkeypatch.setattr(ssh, "_DROP_RESTS", (0.01,) * len(ssh._DROP_RESTS))


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a fake."""
    running: list[FakeDevice] = []

    def one(device: Device) -> FakeDevice:
        running.append(FakeDevice(device))
        return running[-1]

    yield one
    for fake in running:
        fake.close()


def target(name: str, fake: FakeDevice, platform: str = "eos", **more: object) -> Target:
    """A target that leads to a fake."""
    return Target(name, platform, Place("inventory.yaml", 1), "127.0.0.1", fake.port, USER, LOGIN, **more)  # type: ignore[arg-type]


@pytest.fixture
def gather(tmp_path: Path) -> Collect:
    """Collects targets into `tmp_path/snapshot` and gives what became of them."""

    def run(
        targets: list[Target],
        fakes: list[FakeDevice],
        *,
        retries: int = 0,
        limits: Limits = PATIENT,
        known: str | None = None,
        accept_new: bool = False,
        resume: bool = False,
        masker: Masker | None = None,
    ) -> Mapping[str, DeviceRecord]:
        hosts = tmp_path / "known_hosts"
        hosts.write_text("".join(f.known_hosts() for f in fakes) if known is None else known)
        connector = Connector(
            Trust([str(hosts)], accept_new=accept_new), Secrets({LOGIN: PASSWORD}), limits, config=None
        )
        snapshot = Snapshot(str(tmp_path / "snapshot"), targets, masker, resume=resume)
        manifest = collect(targets, snapshot, connector, Pace(32, retries, 0.01), lambda target, record, again: None)
        connector.close()
        return manifest.devices

    return run
