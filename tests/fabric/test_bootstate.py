"""Running and saved configuration of one switch: what runs decides, and what the next reboot would change is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.audit import Checked, Request, check
from roce_audit.engine.findings import Finding
from roce_audit.fabric.bootstate import of_facts
from roce_audit.platforms import platform
from roce_audit.policy import load
from roce_audit.text.document import DeviceInput, Document

FILES = {
    "nxos": ("leaf1.cfg", "leaf1.startup.cfg", "mtu 9216", "mtu 1500"),
    "eos": ("leaf1.cfg", "leaf1.startup.cfg", "mtu 9214", "mtu 1500"),
    "os10": ("leaf1.cfg", "leaf1.startup.cfg", "mtu 9216", "mtu 1500"),
    "aoscx": ("leaf1/show_running-config.txt", "leaf1/show_startup-config.txt", "    mtu 9198", "    mtu 1500"),
    "os9": ("tor1/show_running-config.txt", "tor1/show_startup-config.txt", "mtu 9216", "mtu 1600"),
    "onyx": ("leaf1.cfg", "leaf1.startup.cfg", "mtu 9216", "mtu 1500"),
    "cumulus": (
        "leaf1/nv_config_show_-o_commands.txt",
        "leaf1/nv_config_show_-r_startup_-o_commands.txt",
        "mtu 9216",
        "mtu 1500",
    ),
    "srlinux": ("leaf1/info_flat.txt", "leaf1/info_from_startup_flat.txt", "ip-mtu 9000", "ip-mtu 1500"),
    "sonic": ("leaf1/show_runningconfiguration_all.txt", "leaf1/config_db.json", '"mtu": "9100"', '"mtu": "1500"'),
}
"""Platform -> (what runs, what is saved, a setting, another value of it)."""


def _checked(folder: Path) -> Checked:
    return check(Request((str(folder),), load(folder / "roce-audit.yaml")))


def _of(checked: Checked, rule: str) -> list[Finding]:
    return [finding for finding in checked.report.findings if finding.rule == rule and finding.verdict == "fails"]


@pytest.fixture(params=sorted(FILES))
def site(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path, Path, str, str]:
    """A good network in which the first switch shows both states, and they are equal."""
    running, saved, value, other = FILES[request.param]
    shutil.copytree(platforms.folder(request.param) / "examples" / "base", tmp_path, dirs_exist_ok=True)
    if request.param == "sonic":
        shutil.copy(tmp_path / saved, tmp_path / running)
    else:
        text = (tmp_path / running).read_text(encoding="utf-8")
        text = text.replace("show running-config", "show startup-config").replace("Running database", "Saved database")
        (tmp_path / saved).write_text(text, encoding="utf-8")
    return tmp_path, tmp_path / running, tmp_path / saved, value, other


def _change(file: Path, value: str, other: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert value in text
    file.write_text(text.replace(value, other), encoding="utf-8")


def test_equal_states_say_nothing(site: tuple[Path, Path, Path, str, str]) -> None:
    folder, *_ = site
    checked = _checked(folder)
    for rule in ("fleet/lost-at-reboot", "fleet/saved-not-running", "input/same-device-twice", "input/conflict"):
        assert not _of(checked, rule)


def test_what_runs_and_was_never_saved_is_told_with_both_lines(site: tuple[Path, Path, Path, str, str]) -> None:
    folder, running, saved, value, other = site
    _change(saved, value, other)
    checked = _checked(folder)
    found = _of(checked, "fleet/lost-at-reboot")
    assert found
    assert {Path(place.path).name for place in found[0].locations} >= {running.name, saved.name}
    assert "MTU" in found[0].message
    assert not _of(checked, "mtu/below-roce"), "what is saved is not in force"


def test_what_is_only_saved_is_not_in_force(site: tuple[Path, Path, Path, str, str]) -> None:
    folder, running, _, value, other = site
    _change(running, value, other)
    assert _of(_checked(folder), "mtu/below-roce")


def test_what_a_macro_sets_is_lost_with_it(tmp_path: Path) -> None:
    """`qos roce` runs and is not saved in `startup.yaml`: what it stands for is no default that would come back."""
    ports = "".join(f"      swp{n}:\n        link:\n          mtu: 9216\n" for n in range(1, 5))
    saved = f"- set:\n    system:\n      hostname: leaf1\n    interface:\n{ports}"
    (tmp_path / "leaf1").mkdir()
    (tmp_path / "leaf1" / "startup.yaml").write_text(saved, encoding="utf-8")
    running = f"{saved}    qos:\n      roce:\n        enable: on\n"
    (tmp_path / "leaf1" / "nv_config_show.txt").write_text(running, encoding="utf-8")
    (tmp_path / "roce-audit.yaml").write_text('ports: [{match: "leaf1:*", roce: true}]\n', encoding="utf-8")
    (finding,) = _of(_checked(tmp_path), "fleet/lost-at-reboot")
    assert "PFC mode is on, saved is off" in finding.message
    assert {Path(place.path).name for place in finding.locations} >= {"startup.yaml", "nv_config_show.txt"}


def test_roce_that_boot_files_switch_off_is_told_without_a_value_nobody_saw() -> None:
    documents = (
        Document("ethtool.txt", "driver: ice\nversion: 1.16.3\nbus-info: 0000:3b:00.0\n", "ethtool -i ens2f0"),
        Document("irdma.conf", "options irdma roce_ena=0\n", "cat /etc/modprobe.d/irdma.conf"),
    )
    reading = platform("linux").read(DeviceInput("host", "linux", documents))
    assert of_facts(reading.ports[0].facts).unsaved.get() == ("the boot files switch RoCE off",)
