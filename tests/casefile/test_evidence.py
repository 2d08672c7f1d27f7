"""The evidence bundle: it shows the finding again, and no secret leaves in it."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest

from roce_audit.cli.main import main
from roce_audit.policy import load
from roce_audit.text.secrets.mask import Masker, Numbered

Capture = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]
FAULTY = ROOT / "fixtures" / "fabric-faulty"
SECRET = "Zy9-hunter2.xK"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(FAULTY, tmp_path / "net")
    leaf = tmp_path / "net/backend/leaf1.cfg"
    secrets = f"hostname leaf1\nusername ops secret 0 {SECRET}\nenable password {SECRET}\n"
    leaf.write_text(leaf.read_text().replace("hostname leaf1\n", secrets))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "net"


def unpack(file: str, folder: Path) -> Path:
    with tarfile.open(file) as tar:
        tar.extractall(folder, filter="data")
    (top,) = folder.iterdir()
    return top


def report(path: str, *more: str) -> dict[str, Any]:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        main(["check", path, "-f", "json", *more])
    return json.loads(printed.getvalue())


def of_rule(found: dict[str, Any], rule: str) -> list[dict[str, Any]]:
    return [finding for finding in found["findings"] if finding["rule"] == rule and finding["verdict"] == "fails"]


RULES = (
    "app/traffic-outside-class",
    "buffer/headroom-below-floor",
    "input/undefined-or-unapplied",
    "marking/class-broken-in-box",
    "mtu/below-roce",
    "pfc/priority-mismatch",
)


@pytest.mark.parametrize("rule", RULES)
def test_the_unpacked_bundle_shows_the_same_finding(
    rule: str, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (before, *_) = of_rule(report("net"), rule)
    assert main(["evidence", rule, "net", "-o", "case.tar.gz"]) == 0
    assert "proved: " in capsys.readouterr().out
    top = unpack("case.tar.gz", tmp_path / "there")
    monkeypatch.chdir(top)
    (after, *_) = of_rule(report("site", "--select", rule), rule)
    assert [m["fingerprint"] for m in after["members"]] == [m["fingerprint"] for m in before["members"]]
    assert (after["message"], after["severity"]) == (before["message"], before["severity"])
    assert [at["line"] for at in after["locations"] if at["role"] == "primary"] == [
        at["line"] for at in before["locations"] if at["role"] == "primary"
    ]
    saved = json.loads((top / "finding.json").read_text())
    assert saved["fingerprint"] == after["fingerprint"]
    assert f"check --select {rule} site" in (top / "README.md").read_text()
    assert rule in (top / "finding.txt").read_text()


def test_only_the_devices_involved_go_along(site: Path, tmp_path: Path) -> None:
    assert main(["evidence", "mtu/below-roce:leaf1", "net", "-o", "case.tar.gz"]) == 0
    top = unpack("case.tar.gz", tmp_path / "there")
    names = sorted(path.relative_to(top / "site").as_posix() for path in (top / "site").rglob("*") if path.is_file())
    assert names == ["net/backend/leaf1.cfg", "roce-audit.yaml", "topology.yaml"]


def test_paths_between_devices_of_the_case_go_along(site: Path, tmp_path: Path) -> None:
    with (site / "roce-audit.yaml").open("a") as policy:
        policy.write("path_file: ways.yaml\n")
    kept = "{from: leaf1, to: 'spine[1-9]', via: [[leaf1, other]], one_way: true}"
    (site / "ways.yaml").write_text(f"paths:\n  - {{from: leaf1, to: leaf2, via: [spine1]}}\n  - {kept}\n")
    assert main(["evidence", "pfc/priority-mismatch", "net", "-o", "case.tar.gz"]) == 0
    (entry,) = load(unpack("case.tar.gz", tmp_path / "there") / "site" / "roce-audit.yaml").given_paths
    assert (entry.start, entry.end, entry.via) == ("leaf1", "spine[1-9]", (("leaf1", "other"),))
    assert entry.one_way


def test_no_secret_leaves_and_no_line_moves(site: Path, tmp_path: Path) -> None:
    assert main(["evidence", "mtu/below-roce", "net", "-o", "case.tar.gz"]) == 0
    top = unpack("case.tar.gz", tmp_path / "there")
    for file in top.rglob("*"):
        assert file.is_dir() or SECRET not in file.read_text(), file
    old = (site / "backend/leaf1.cfg").read_text().splitlines()
    new = (top / "site/net/backend/leaf1.cfg").read_text().splitlines()
    assert len(new) == len(old)
    at = old.index(f"username ops secret 0 {SECRET}")
    assert new[at : at + 2] == ["username ops secret 0 <secret-1>", "enable password <secret-1>"]
    assert [line for line in new if "interface" in line] == [line for line in old if "interface" in line]


def test_equal_cases_are_equal_bytes(site: Path) -> None:
    for name in ("one.tar.gz", "two.tar.gz"):
        assert main(["evidence", "mtu/below-roce", "net", "-o", name]) == 0
    assert Path("one.tar.gz").read_bytes() == Path("two.tar.gz").read_bytes()


def test_a_fingerprint_names_a_finding(site: Path, capsys: Capture) -> None:
    (finding, *_) = of_rule(report("net"), "pfc/priority-off")
    assert main(["evidence", finding["members"][0]["fingerprint"][:8], "net", "-o", "case.tar.gz"]) == 0
    assert "pfc/priority-off" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("mtu/below-roces", "did you mean 'mtu/below-roce'?"),
        ("pfc/watchdog-off", "fails nowhere"),
        ("mtu/below-roce:spine1", "it fails on leaf1"),
    ],
)
def test_a_name_that_finds_nothing(wanted: str, words: str, site: Path, capsys: Capture) -> None:
    assert main(["evidence", wanted, "net", "-o", "case.tar.gz"]) == 2
    assert words in capsys.readouterr().err
    assert not Path("case.tar.gz").exists()


def test_nothing_is_overwritten_unasked(site: Path, capsys: Capture) -> None:
    Path("case.tar.gz").write_text("mine")
    assert main(["evidence", "mtu/below-roce", "net", "-o", "case.tar.gz"]) == 2
    assert Path("case.tar.gz").read_text() == "mine"
    assert main(["evidence", "mtu/below-roce", "net", "-o", "no/such/case.tar.gz"]) == 2


def test_private_keys_are_masked_line_by_line() -> None:
    masks = Masker(Numbered())
    text = masks.text("a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----\nb MIIE")
    assert text.split("\n") == [
        "a",
        "-----BEGIN RSA PRIVATE KEY-----",
        "<secret-1>",
        "<secret-2>",
        "-----END RSA PRIVATE KEY-----",
        "b MIIE",
    ]


def test_blocks_stay_blocks() -> None:
    masks = Masker(Numbered())
    assert masks.text('authentication-key "$9$abc";') == 'authentication-key "<secret-1>";'
    assert masks.text("md5 1 key abcdef {") == "md5 1 key abcdef {".replace("1 key abcdef", "1 <secret-2> <secret-3>")
    json_text = json.dumps({"passkey": "abcdef", "mtu": "9100"})
    assert json.loads(masks.text(json_text)) == {"passkey": "<secret-3>", "mtu": "9100"}


def test_a_finding_about_files_comes_out_again(site: Path, tmp_path: Path, capsys: Capture) -> None:
    """Its subject is a path, which is another one in the bundle."""
    shutil.copy(site / "frontend/fe1.cfg", site / "frontend/fe1-old.cfg")
    assert main(["evidence", "input/same-device-twice", "net", "-o", "case.tar.gz"]) == 0
    top = unpack("case.tar.gz", tmp_path / "there")
    names = sorted(path.name for path in (top / "site/net").rglob("*.cfg"))
    assert names == ["fe1-old.cfg", "fe1.cfg"]
