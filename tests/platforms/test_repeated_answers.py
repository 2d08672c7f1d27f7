"""Answers that were read before: read from memory a host is what it is when its tools cut every answer anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.platforms.linux import bootscripts, scriptcalls
from roce_audit.platforms.shared.host import reader, repeated
from roce_audit.platforms.shared.host.collector import Collector
from roce_audit.platforms.shared.host.repeated import Heard
from roce_audit.platforms.shared.host.speaking import speak
from roce_audit.platforms.shared.host.tools import tool_for
from roce_audit.proof import golden
from roce_audit.text.document import DeviceInput, Document

HOSTS = [
    case
    for case in golden.cases(Path(__file__).parents[2] / "fixtures")
    if platforms.platform(case.parent.name).kind == "host"
]


Hear = Callable[[Document, Heard, Collector], None]


def anew(document: Document, _: Heard, collector: Collector) -> None:
    """Cut an answer as if none like it had been read."""
    found = tool_for(document)
    if found is not None:
        speak(document, *found, collector)


def read(device: DeviceInput, monkeypatch: pytest.MonkeyPatch, hear: Hear) -> list[str]:
    """Everything that a reading says; ports are equal to nothing but themselves."""
    remembered = scriptcalls.followed
    with monkeypatch.context() as patch:
        if hear is anew:
            patch.setattr(reader, "hear", anew)
            patch.setattr(reader, "common", lambda _: None)
            patch.setattr(bootscripts, "followed", remembered.__wrapped__)
        found = platforms.platform(device.platform).read(device)
    return [repr(found), *(f"{port.name}: {port.labels.no_link}" for port in found.ports)]


def elsewhere(device: DeviceInput) -> DeviceInput:
    """The same host with its answers in another file, seven lines further down."""
    documents = (replace(d, path=f"other/{d.path}", first_line=d.first_line + 7) for d in device.documents)
    return replace(device, documents=tuple(documents))


@pytest.mark.parametrize("folder", HOSTS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_an_answer_from_memory_says_the_same_at_its_own_lines(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = golden.load_case(folder)
    read(device, monkeypatch, repeated.hear)
    other = elsewhere(device)
    assert read(other, monkeypatch, repeated.hear) == read(other, monkeypatch, anew)


def test_one_letter_less_in_any_answer_is_read_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    device = next(golden.load_case(case) for case in HOSTS if case.parent.name == "linux" and case.name == "bundle")
    whole = read(device, monkeypatch, repeated.hear)
    different = 0
    for number, document in enumerate(device.documents):
        changed = replace(document, text=document.text.rstrip()[:-1])
        documents = (*device.documents[:number], changed, *device.documents[number + 1 :])
        edited = replace(device, documents=documents)
        found = read(edited, monkeypatch, repeated.hear)
        assert found == read(edited, monkeypatch, anew), document.command
        different += found != whole
    assert different > len(device.documents) // 2


@pytest.mark.parametrize("change", [{"exit_status": 1}, {"truncated": True}, {"command": "ethtool -a ens9"}])
def test_what_is_known_of_an_answer_counts_as_much_as_its_text(
    change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    device = next(golden.load_case(case) for case in HOSTS if case.parent.name == "linux" and case.name == "bundle")
    read(device, monkeypatch, repeated.hear)
    for number, document in enumerate(device.documents):
        changed = replace(document, **change)  # type: ignore[arg-type]
        edited = replace(device, documents=(*device.documents[:number], changed, *device.documents[number + 1 :]))
        assert read(edited, monkeypatch, repeated.hear) == read(edited, monkeypatch, anew), document.command
