"""Two platforms for tests that need no other, a folder to write in, and the verdict on files that are written there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding, Report
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.record import Parts, Platform
from roce_audit.platforms.signature import ANYTHING, Form
from roce_audit.platforms.statement_docs import Documentation
from roce_audit.policy.values import Policy
from roce_audit.sources import detect
from roce_audit.sources.repository.ansible import switchtasks
from roce_audit.text.document import DeviceInput, Document

Write = Callable[[str, str], None]


_NAME = re.compile(r"^hostname (\S+)$", re.M)


def fake_platform(name: str, score: int = 90, commands: tuple[str, ...] = ()) -> Platform:
    """Recognises a text by its first word after `!`, or by the beginning of a command; the name stands behind `hostname`."""

    def hostname(document: Document) -> str | None:
        found = _NAME.search(document.text)
        return found.group(1) if found else None

    def load() -> Parts:
        return Parts(read=read_nothing, hostname=hostname, documentation=lambda: Documentation((), {}))

    told = "|".join(map(re.escape, commands))
    return Platform(
        name=name,
        kind="switch",
        load=load,
        signature=(
            Form(marks={rf"^! {name}$": score}),
            *((Form(commands=rf"\A(?:{told})", marks={ANYTHING: score}),) if commands else ()),
        ),
        commands=(),
        needs={},
        programs=tuple(command.strip() for command in commands),
        bare_programs=tuple(command for command in commands if "_" in command),
        underscored="mlnx_qos|mlx5_[0-9]",
        factory_names=("sonic",),
        kinds_of_file=("config_db", "ports"),
    )


def read_nothing(device: DeviceInput) -> DeviceReading:
    """These tests end before anything is read."""
    raise NotImplementedError(device.name)


@pytest.fixture
def two_platforms(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Platform]]:
    """`alpha`, a switch, and `hostos`, which knows the commands of a host."""
    known = {
        "alpha": fake_platform("alpha"),
        "hostos": fake_platform("hostos", 60, ("sysfs", "mlnx_qos", "dcb", "ethtool", "uname", "ip ")),
    }
    monkeypatch.setattr(platforms, "names", lambda: tuple(sorted(known)))
    monkeypatch.setattr(platforms, "platform", known.__getitem__)
    _forget()
    yield known
    _forget()


def _forget() -> None:
    """What was found out from the platforms that there are: others may be asked next."""
    for remembered in (detect.remembered, *(one for one in vars(switchtasks).values() if hasattr(one, "cache_clear"))):
        remembered.cache_clear()


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a text file below the working directory, which is empty at first."""
    monkeypatch.chdir(tmp_path)

    def write_one(path: str, text: str) -> None:
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    return write_one


def judged(folder: Path, files: Mapping[str, str]) -> tuple[Report, list[Finding]]:
    """The report on these files, which are written into the folder, and its errors and warnings."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    report = check(Request((str(folder),), Policy.empty())).report
    return report, [one for one in report.findings if one.verdict == "fails" and one.severity in ("error", "warning")]
