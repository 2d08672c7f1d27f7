"""`collect` and `audit -i` as people run them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.cli.main import main
from tests.live import samples
from tests.live.conftest import Start
from tests.live.fake_switch import PASSWORD, Device, FakeDevice, Faults
from tests.live.test_snapshots import FABRIC

SPINE = FABRIC / "spine1.cfg"


def eos(name: str) -> Device:
    """A fake with the configuration of a device of the fixture fabric."""
    device = samples.device("eos")
    device.answers = {**device.answers, "show running-config": (FABRIC / f"{name}.cfg").read_bytes()}
    return device


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(site: Path, fakes: dict[str, FakeDevice], extra: str = "") -> list[str]:
    devices = [f"  {n}: {{address: 127.0.0.1, port: {f.port}}}" for n, f in fakes.items()]
    head = "defaults: {platform: eos, user: audit, password: 'env:FAKE_PASSWORD'}\ndevices:\n"
    (site / "inventory.yaml").write_text(head + "\n".join(devices) + "\n" + extra)
    (site / "known_hosts").write_text("".join(f.known_hosts() for f in fakes.values()))
    return ["-i", "inventory.yaml", "--known-hosts", "known_hosts", "--ssh-config", "none", "--retries", "0"]


def test_collect_and_its_exit_codes(site: Path, start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    fakes = {"leaf1": start(eos("leaf1")), "leaf2": start(samples.device("eos", Faults(refuse_login=True)))}
    options = write(site, fakes)
    assert main(["collect", *options, "-o", "one"]) == 4
    out, err = capsys.readouterr()
    assert "2 devices: 1 collected, 1 refused" in out
    assert "leaf2: refused: login refused" in out
    assert "leaf2: refused" in err
    assert PASSWORD not in out + err + "".join(p.read_text() for p in site.rglob("*") if p.is_file())
    assert main(["collect", *options, "-o", "two", "--max-unreachable", "50%"]) == 0
    assert main(["collect", *options, "-o", "three", "--limit", "leaf2"]) == 3
    (site / "roce-audit.yaml").write_text("maintenance: [leaf2]\n")
    assert main(["collect", *options, "-o", "four"]) == 0
    assert main(["collect", *options, "-o", "four"]) == 2
    assert "--resume" in capsys.readouterr().err


def test_secrets_are_kept_only_where_that_is_said(site: Path, start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    device = eos("leaf1")
    config = device.answers["show running-config"].replace(
        b"hostname leaf1\n", b"hostname leaf1\nenable password 0 Zy9x\n"
    )
    device.answers = {**device.answers, "show running-config": config}
    options = write(site, {"leaf1": start(device)})
    assert main(["collect", *options, "-o", "masked"]) == 0
    assert "secrets" not in capsys.readouterr().out
    assert main(["collect", *options, "-o", "kept", "--keep-secrets"]) == 0
    assert "secrets are kept" in capsys.readouterr().out
    masked, kept = (Path(name, "leaf1/show_running-config.txt").read_bytes() for name in ("masked", "kept"))
    assert kept == config
    assert b"Zy9x" not in masked
    changed = [b for a, b in zip(masked.split(b"\n"), kept.split(b"\n"), strict=True) if a != b]
    assert {line.split()[0] for line in changed} == {b"enable", b"snmp-server"}
    for name, redacted in (("masked", True), ("kept", False)):
        assert json.loads(Path(name, "snapshot.json").read_text())["redacted"] is redacted


def test_print_commands_sends_nothing(site: Path, start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    fake = start(eos("leaf1"))
    options = write(site, {"leaf1": fake}, "  gpu1: {platform: linux, become: sudo -n}\n")
    assert main(["collect", *options, "--print-commands"]) == 0
    out = capsys.readouterr().out
    assert "# eos: 1 devices (leaf1)\nshow version\nshow running-config\n" in out
    assert "sudo -n sh -s" in out
    assert fake.device.connections == 0


def test_audit_of_an_inventory(site: Path, start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    fakes = {"leaf1": start(eos("leaf1"))}
    options = write(site, fakes)
    (site / "roce-audit.yaml").write_text("roce: {dscp: [26], priority: [3]}\n")
    first = main(["audit", *options, "-f", "json=report.json", "--keep-snapshots", "1"])
    assert first in (0, 1)
    assert "the first one" in capsys.readouterr().err
    found = json.loads((site / "report.json").read_text())
    assert found["coverage"]["devices"] == 1
    assert found["policy"]["file"] is not None
    fakes["leaf1"].device.faults.refuse_login = True
    fakes["leaf2"] = start(eos("leaf1"))
    assert (
        main(["audit", *write(site, fakes), "-f", "json=report.json", "--keep-snapshots", "1", "--fail-on", "never"])
        == 4
    )
    found = json.loads((site / "report.json").read_text())
    assert [line.partition(":")[0] for line in found["coverage"]["unreached"]] == ["leaf1"]
    assert len(list((site / ".snapshots").iterdir())) == 1
    fakes["leaf2"].device.faults.refuse_login = True
    assert main(["audit", *write(site, fakes)]) == 3
    (site / "spine1.cfg").write_text(SPINE.read_text())
    capsys.readouterr()
    assert main(["audit", *write(site, fakes), "-f", "json=report.json", "spine1.cfg"]) == 3, "nothing was collected"
    found = json.loads((site / "report.json").read_text())
    assert found["coverage"]["devices"] == 1, "what is given as files is judged all the same"
    assert len(found["coverage"]["unreached"]) == 2
    assert main(["history", "-f", "json"]) == 0


def test_what_cannot_begin_is_said(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = write(site, {})
    assert main(["collect", "-o", "x"]) == 2
    assert main(["collect", "-i", "none.yaml", "-o", "x"]) == 2
    (site / "inventory.yaml").write_text("devices:\n  leaf1: {platform: eos, password: hunter22}\n")
    assert main(["collect", *options, "-o", "x"]) == 2
    err = capsys.readouterr().err
    assert "inventory.yaml:2: devices.leaf1.password" in err
    assert "hunter22" not in err
    (site / "inventory.yaml").write_text("devices:\n  leaf1: {platform: eos, password: 'env:NOBODY_SET_THIS'}\n")
    assert main(["collect", *options, "-o", "x"]) == 2
    assert "NOBODY_SET_THIS" in capsys.readouterr().err
    assert not (site / "x").exists()
