"""Folders of Oxidized and RANCID in place of SSH: a file a device, without an ending, with remarks in front."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.cli.main import main

FABRIC = Path(__file__).parents[2] / "fixtures/fabric/backend"
OXIDIZED = {"spine1": "! Cisco NX-OS\n!Command: show version\n!Software\n", "leaf1": "! Arista vEOS\n! Serial: X\n"}
RANCID = {
    "spine1": "!RANCID-CONTENT-TYPE: cisco-nx\n!\n!Chassis type: Nexus9000\n!\n",
    "leaf1": "!RANCID-CONTENT-TYPE: arista\n!\n!Model: DCS\n!\n",
}


def judged(folder: Path, verb: str, capsys: pytest.CaptureFixture[str]) -> dict:  # type: ignore[type-arg]
    capsys.readouterr()
    assert main([verb, str(folder), "-f", "json"]) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


@pytest.mark.parametrize("verb", ["check", "audit"])
@pytest.mark.parametrize(
    ("where", "heads", "list_of_devices"),
    [
        ("configs/default", OXIDIZED, "spine1:nxos:ops:not-a-word\n"),
        ("dc1/configs", RANCID, "spine1;cisco-nx;up\nleaf1;arista;up\n"),
    ],
    ids=["oxidized", "rancid"],
)
def test_a_folder_of_backups(
    verb: str,
    where: str,
    heads: dict[str, str],
    list_of_devices: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "backups" / where
    folder.mkdir(parents=True)
    (folder.parent / "router.db").write_text(list_of_devices)
    for name, head in heads.items():
        (folder / name).write_text(head + (FABRIC / f"{name}.cfg").read_text())
        (tmp_path / f"{name}.cfg").write_text((FABRIC / f"{name}.cfg").read_text())
    found = judged(tmp_path / "backups", verb, capsys)["coverage"]
    (tmp_path / "plain").mkdir()
    for name in heads:
        (tmp_path / f"{name}.cfg").rename(tmp_path / "plain" / f"{name}.cfg")
    plain = judged(tmp_path / "plain", "check", capsys)["coverage"]
    assert found["devices"] == 2
    assert found["ports_roce"] == plain["ports_roce"]
    assert found["lines_relevant"] == plain["lines_relevant"]
    assert (found["lines_unread"], [row["path"] for row in found["unrecognised"]]) == (
        0,
        [f"backups/{Path(where).parent}/router.db".replace("/./", "/")],
    )
    assert found["missing_input"], "what only show commands tell is said to be missing"
