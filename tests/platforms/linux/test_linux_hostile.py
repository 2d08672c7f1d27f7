"""Damaged answers: nothing raises, nothing damaged keeps its old value, and every damaged line is seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from host_answers import FIXTURES, folder, host
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit.model.walk import cells, follow
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.shared.host.tools import tool_for
from roce_audit.sources.detect import choose
from roce_audit.sources.splitting import bundle
from roce_audit.text.block import resolve
from roce_audit.text.decode import decode
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place

CASES = (
    *(
        "linux/rail-nic",
        "linux/boot",
        "linux/names",
        "linux/refused",
        "linux/bundle",
        "mlnx/qos",
        "mlnx/next-boot",
        "mlnx/dpu",
    ),
    *("bnxt/new-tool", "bnxt/old-tool", "bnxt/unread", "irdma/lldpad", "irdma/dcb", "irdma/iwarp"),
    *("ionic/text", "ionic/json", "ionic/unread", "windows/host", "windows/unread"),
)
CORPUS = Path(__file__).parents[4] / "shared/corpus/hosts"
JUNK = " %garbled("
"""No name, number or word of any tool."""


def documents(case: str) -> tuple[Document, ...]:
    if case == "linux/bundle":
        text = (FIXTURES / case / "gpu05.txt").read_text(encoding="utf-8")
        return bundle.split(text, "gpu05.txt")[0].documents
    return folder(case)


def damaged(given_: tuple[Document, ...], place: Place) -> tuple[Document, ...]:
    """The documents with junk at the end of one line."""
    found = []
    for document in given_:
        lines = document.text.split("\n")
        index = place.line - document.first_line
        if document.path == place.path and 0 <= index < len(lines):
            lines[index] = lines[index].rstrip() + JUNK
            document = replace(document, text="\n".join(lines))
        found.append(document)
    return tuple(found)


def evidence(reading: DeviceReading) -> dict[Place, list[tuple[str, tuple[str | int, ...]]]]:
    """Line -> the known cells of ports that rest on it."""
    found: dict[Place, list[tuple[str, tuple[str | int, ...]]]] = {}
    for port in reading.ports:
        for path, cell in cells(port.facts):
            for at in () if cell.is_unknown else cell.at:
                place = resolve(at, port.parts)
                if isinstance(place, Place):
                    found.setdefault(place, []).append((port.name, path))
    return found


DAMAGED = (*(case for case in CASES if case.startswith(("linux/", "mlnx/"))), "bnxt/unread")
"""Hosts of which each setting has one source: elsewhere a second answer may still tell what a damaged one told."""


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_line_darkens_all_that_rested_on_it(case: str) -> None:
    given_ = documents(case)
    resting = evidence(host(*given_))
    assert resting
    for place, rested in resting.items():
        reading = host(*damaged(given_, place))
        ports = {port.name: port.facts for port in reading.ports}
        assert any(seen.place == place or seen.place.path == place.path for seen in reading.seen), place
        for name, path in rested:
            if name in ports:
                cell = follow(ports[name], path)
                assert cell is None or cell.is_unknown, (place, name, path)


@settings(max_examples=200)
@given(
    st.sampled_from(
        (
            *("mlnx_qos -i e", "dcb -j app show dev e", "show_gids", "sysfs", "ip -j link", "mlxconfig -d x q"),
            *(
                "niccli -i 1 getqos",
                "niccli -i 1 dump pri2cos",
                "niccli --listdev",
                "lldptool -ti e",
                "lldpctl -f json0",
            ),
            *(
                "nicctl show qos",
                "nicctl show port",
                "nicctl show dcqcn",
                "nicctl show lif -j",
                "devlink dev param show",
            ),
            *("Get-NetAdapterQos", "Get-NetQosTrafficClass", "Get-NetQosPolicy", "Get-NetAdapterAdvancedProperty"),
        )
    ),
    st.text(),
)
def test_any_text_is_read_without_an_exception(command: str, text: str) -> None:
    reading = host(Document("x.txt", text, command))
    assert {seen.place.path for seen in reading.seen} <= {"x.txt"}


def corpus_files() -> list[Path]:
    return sorted(
        p
        for name in ("nvidia", "linux", "broadcom", "intel", "amd", "windows")
        for p in (CORPUS / name).glob("*")
        if p.suffix in (".txt", ".json", ".conf")
    )


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus lies outside the repository")
def test_real_answers_are_read() -> None:
    kinds = []
    for path in corpus_files():
        text = decode(path.read_bytes()).text
        bundles = bundle.split(text, path.name) if bundle.is_bundle(text) else ()
        found = [d for b in bundles for d in b.documents] or [Document(path.name, text)]
        if any(tool_for(document) for document in found):
            reading = platform("linux").read(DeviceInput("host", "linux", tuple(found)))
            kinds.append((path.name, reading.kind))
    assert kinds
    assert [one for one in kinds if one[1] != "host"] == []


def test_a_script_that_writes_the_answer_of_a_tool_is_no_answer() -> None:
    answer = "DCBX mode: OS controlled\nPriority trust state: dscp\n"
    assert choose((Document("a.txt", answer),)).platform == "mlnx"
    assert choose((Document("mock.sh", f"#!/bin/bash\ncat > /tmp/qos.txt << 'EOF'\n{answer}EOF\n"),)).platform == ""
