"""Each fault on each kind of device ends as docs/live.md says; the table there is what is expected here."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import paramiko
import pytest

from roce_audit import platforms
from roce_audit.sources.reading import READ
from tests.live import samples
from tests.live.conftest import PATIENT, Collect, Start, target
from tests.live.fake_switch import Device, Faults
from tests.live.test_switches import CONFIGURES

DOCS = Path(__file__).parents[2] / "docs/live.md"
KINDS = ("cli", "shell", "probe")
"""The columns of the table: a switch's own command line, a switch whose login is a Linux shell, a host."""
SHELLS = tuple(one.name for one in platforms.every() if one.live is not None and one.live.access == "shell")
ENDING = ("eos", "vrp", "comware")
CONFIGURING = {"junos": "audit@leaf1#", "vrp": "[~leaf1]", "comware": "[leaf1]"}
SILENT = {
    "no answer comes to the question for the configuration": 1,
    "no answer comes while the session is prepared": 1,
    "the prompt is none": 1,
    "the session is in configuration mode": 4,  # some device types wait for another prompt first
}
"""Seconds of silence, for what ends by it; all others answer, and a busy machine may take its time."""
Fault = Callable[[Device, str], "Device | None"]
"""Makes a device of a platform faulty; None where there is no such fault."""


def faults(**more: object) -> Fault:
    return lambda device, platform: replace(device, faults=Faults(**more))  # type: ignore[arg-type]


def hang(device: Device, platform: str) -> Device:
    return replace(device, faults=Faults(hang_at="sh -s" if platform == "linux" else device.configuration))


def hang_early(device: Device, platform: str) -> Device | None:
    words = next(iter(device.session_answers), "")
    return replace(device, faults=Faults(hang_at=words)) if words else None


def cut(device: Device, platform: str) -> Device:
    return replace(device, faults=Faults(cut_at=device.configuration, cut_after=900, exec_cut=True))


def no_end(device: Device, platform: str) -> Device | None:
    if platform in ENDING:
        answers = {**device.answers, device.configuration: b"! device: leaf1\nhostname leaf1\n"}
        return replace(device, answers=answers)
    body = samples.BUNDLE.partition(b"@@ END")[0]
    return Device(exec_answers={"sh -s": (0, body)}) if platform == "linux" else None


def line_lost(device: Device, platform: str) -> Device | None:
    body = samples.BUNDLE.replace(b"|RX:\toff\n", b"")
    return Device(exec_answers={"sh -s": (0, body)}) if platform == "linux" else None


def changes(device: Device, platform: str) -> Device | None:
    return replace(device, faults=Faults(changes=99)) if platform != "linux" else None


def refuses_everything(device: Device, platform: str) -> Device:
    return replace(device, answers={}, exec_answers={"x": (0, b"")})


def refuses_one(device: Device, platform: str) -> Device | None:
    if platform == "linux":
        return None
    last = next(c for c in reversed(platforms.platform(platform).commands) if c != device.configuration)
    return replace(
        device,
        answers={c: a for c, a in device.answers.items() if c != last},
        exec_answers={c: a for c, a in device.exec_answers.items() if c != last},
    )


def speaking(**more: object) -> Fault:
    def made(device: Device, platform: str) -> Device | None:
        return replace(device, **more) if platform in samples.SPEAKING else None  # type: ignore[arg-type]

    return made


def configuring(device: Device, platform: str) -> Device | None:
    return speaking(prompt=CONFIGURING.get(platform, "leaf1(config)#"))(device, platform)


def no_utf8(device: Device, platform: str) -> Device | None:
    body = b"hostname leaf1\ninterface Ethernet1\n   description caf\xe9 \xff\xfe\n"
    answers = {**device.answers, device.configuration: body + samples.ENDS.get(platform, b"")}
    return replace(device, answers=answers) if platform in samples.SPEAKING else None


def no_exec(device: Device, platform: str) -> Device | None:
    return Device() if platform not in samples.SPEAKING else None


def sudo(device: Device, platform: str) -> Device | None:
    return Device(exec_answers={"sh -s": (1, b"sudo: a password is required")}) if platform == "linux" else None


BANNER = "leaf1# is monitored!\nAuthorized use only > all is logged #\n"
FAULTS: dict[str, Fault] = {
    "the login is refused": faults(refuse_login=True),
    "the host key is not known": faults(),
    "the host key is another one than known": faults(),
    "the connection is closed before the login": faults(refuse_connections=99),
    "no answer comes to the question for the configuration": hang,
    "no answer comes while the session is prepared": hang_early,
    "the session ends within an answer": cut,
    "the end mark is missing": no_end,
    "a line was lost on the way": line_lost,
    "the configuration is changed meanwhile": changes,
    "the configuration (host: the script) is refused": refuses_everything,
    "another command is refused": refuses_one,
    "no command may run on an exec channel": no_exec,
    "`sudo` wants a password": sudo,
    "the session is in configuration mode": configuring,
    "the prompt is none": speaking(prompt="press any key"),
    "it pages although paging is off, slowly": speaking(faults=Faults(page_lines=100, page_seconds=0.1)),
    "answers come in small pieces": speaking(faults=Faults(drip=2_000)),
    "a banner looks like prompts": speaking(faults=Faults(banner=BANNER)),
    "prompts of the session's beginning come only behind the first question": speaking(faults=Faults(late_prompts=2)),
    "answers hold bytes that are no UTF-8": no_utf8,
}


def table() -> dict[str, tuple[str, ...]]:
    """Fault -> outcomes by kind of device, as the documentation has them; "" where there is no such fault."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", DOCS.read_text(), re.M)
    start = next(i for i, row in enumerate(rows) if row[0] == "fault")
    found = {row[0]: tuple(cell.partition(" (")[0].replace("–", "") for cell in row[1:]) for row in rows[start + 1 :]}
    return {fault: found[fault] for fault in found if fault in FAULTS}


def test_the_table_names_every_fault() -> None:
    assert list(table()) == list(FAULTS)
    assert SHELLS
    assert len(samples.SPEAKING) + len(SHELLS) == sum(
        one.kind == "switch" and one.live is not None for one in platforms.every()
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_as_the_table_says(fault: str, start: Start, gather: Collect, tmp_path: Path) -> None:
    sound = {
        "cli": {name: samples.device(name, lines=100) for name in samples.SPEAKING},
        "shell": {name: samples.shell(name) for name in SHELLS},
        "probe": {"linux": samples.host()},
    }
    expected: dict[str, str] = {}
    targets, fakes = [], []
    for kind, outcome in zip(KINDS, table()[fault], strict=True):
        faulty = {name: FAULTS[fault](device, name) for name, device in sound[kind].items()}
        assert any(faulty.values()) == bool(outcome), "the table leaves out what happens, or has what does not"
        for name, device in faulty.items():
            if device is not None:
                fakes.append(start(device))
                targets.append(target(f"{name}-1", fakes[-1], name))
                expected[f"{name}-1"] = outcome
    known = None
    if "host key" in fault:
        other = paramiko.ECDSAKey.generate()
        lines = [f"[127.0.0.1]:{f.port} {other.get_name()} {other.get_base64()}\n" for f in fakes]
        known = "".join(lines) if "another" in fault else "# none\n"
    records = gather(targets, fakes, known=known, limits=replace(PATIENT, silent=SILENT.get(fault, PATIENT.silent)))
    assert {name: record.outcome for name, record in records.items()} == expected, {
        name: record.reason for name, record in records.items() if record.outcome != expected[name]
    }
    assert not [line for fake in fakes for line in fake.device.typed if line.startswith(CONFIGURES)]
    for name, record in records.items():
        assert record.outcome in READ or record.reason, "what failed is said in words"
        folder = tmp_path / "snapshot" / name
        assert {p.name for p in folder.glob("*")} == set(record.files), "files and manifest agree"
        assert record.outcome != "truncated" or any(file.truncated for file in record.files.values())
