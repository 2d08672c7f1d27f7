"""A platform is one folder: a toy that lies elsewhere is recognised, read, collected, mended, documented and selftested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.cli.main import main
from roce_audit.platforms.factorynames import is_factory
from roce_audit.sources import detect
from roce_audit.sources.commands import command_of
from roce_audit.sources.live.credentials import Secrets
from roce_audit.sources.live.fleet import Pace, collect
from roce_audit.sources.live.snapshot import Snapshot
from roce_audit.sources.live.ssh import Connector, Limits
from roce_audit.sources.live.targets import Reference, Target, platform_named
from roce_audit.sources.live.trust import Trust
from roce_audit.text.document import Document
from roce_audit.values import Place
from tests.live.fake_switch import PASSWORD, USER, Device, FakeDevice

FOLDER = Path(__file__).parent / "toy_platforms"
BASE = FOLDER / "toyos/examples/base"
CONFIGURATION = (BASE / "leaf1.cfg").read_text(encoding="utf-8")
BAD = CONFIGURATION.replace("gpu2\n mtu 9000", "gpu2\n mtu 1500")
RULE = "mtu/below-roce"


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The toy's folder is seen where those of all platforms are; nothing else is said of it anywhere."""
    monkeypatch.setattr(platforms, "__path__", [*platforms.__path__, str(FOLDER)])
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    detect.remembered.cache_clear()
    yield
    detect.remembered.cache_clear()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with one toy whose second port is too small."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "leaf1.cfg").write_text(BAD, encoding="utf-8")
    (folder / "roce-audit.yaml").write_text((BASE / "roce-audit.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    return folder


Capture = pytest.CaptureFixture[str]


def said(capsys: Capture, *arguments: str) -> str:
    """What the program prints."""
    assert main(list(arguments)) in (0, 1)
    return capsys.readouterr().out


def test_its_texts_are_recognised() -> None:
    assert "toyos" in platforms.names()
    assert detect.choose((Document("x", CONFIGURATION),)) == detect.Choice("toyos")
    without_head = CONFIGURATION.partition("\n")[2]
    assert detect.choose((Document("x", without_head),)) == detect.Choice("toyos")


def test_its_words_are_known() -> None:
    assert platform_named("Toy.Bricks.ToyOS") == "toyos"
    assert is_factory("toybox")
    assert command_of("show_release.txt") == "show release"


def test_it_is_read_and_judged(site: Path, capsys: Capture) -> None:
    shown = said(capsys, "show", "leaf1:brick2", str(site))
    assert "ip_mtu_bytes = 1500" in shown
    assert f"error[{RULE}] leaf1 brick2" in said(capsys, "check", str(site), "--select", RULE)


def test_its_mistakes_are_fixed(site: Path, capsys: Capture) -> None:
    mended = said(capsys, "fix", str(site), "--select", RULE)
    assert "interface brick2\n   mtu 9000\n" in mended


def test_it_is_collected_from_a_device(tmp_path: Path) -> None:
    fake = FakeDevice(
        Device(
            "leaf1#",
            {"show release": b"toy release 1\n", "show running-config": CONFIGURATION.encode()},
        )
    )
    login = Reference("env:FAKE_PASSWORD")
    target = Target("leaf1", "toyos", Place("inventory.yaml", 1), "127.0.0.1", fake.port, USER, login)
    hosts = tmp_path / "known_hosts"
    hosts.write_text(fake.known_hosts())
    connector = Connector(Trust([str(hosts)]), Secrets({login: PASSWORD}), Limits(5, 2, 20), config=None)
    snapshot = Snapshot(str(tmp_path / "snapshot"), [target], None)
    manifest = collect([target], snapshot, connector, Pace(1, 0, 0.01), lambda target, record, again: None)
    connector.close()
    fake.close()
    assert (manifest.devices["leaf1"].outcome, manifest.devices["leaf1"].reason) == ("collected", "")
    kept = (tmp_path / "snapshot/leaf1/show_running-config.txt").read_text(encoding="utf-8")
    assert kept == CONFIGURATION


def test_its_statements_are_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs"))
    import statements

    pages: Mapping[str, str] = dict(statements.pages())
    page = pages["platforms/generated/toyos.md"]
    assert "| `interface` | `mtu <64..9216>` | `ip_mtu_bytes` |" in page
    assert "| `ip_mtu_bytes` | 1500 | Toy manual: MTU 1500 |" in page


def test_its_examples_are_selftested_and_explained(capsys: Capture) -> None:
    table = said(capsys, "selftest", "--select", RULE)
    assert "toyos" in table.splitlines()[0]
    assert "WRONG" not in table
    assert "toyos: a port carries smaller packets than the class has" in said(capsys, "explain", RULE)
    assert RULE in said(capsys, "rules", "--select", RULE)
