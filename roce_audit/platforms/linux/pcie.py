"""`ls -l /sys/bus/pci/devices`, and class and vendor of each function: the PCIe tree."""

from __future__ import annotations

import re

from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.words import choice, matched, not_understood

_LINK = re.compile(r"\S{10,11}\s.{0,120}\s([0-9a-fA-F:.]{7,18}) -> (?:\.\./)*devices/(\S{1,400})")
_FILE = re.compile(r"/sys/bus/pci/devices/([0-9a-f:.]{7,18})/(class|vendor)")


def _tree(answer: Answer) -> None:
    for number, text in answer.lines():
        if text.startswith("total "):
            continue
        found = _LINK.fullmatch(text)
        if found is None or not found.group(2).endswith(f"/{found.group(1)}"):
            _unclear(answer, number, text)
        else:  # functions behind a hub of another kind (VMD) have no place in the tree of root ports
            answer.collector.pcie.add(found.group(2), answer.document, number)


def _unclear(answer: Answer, number: int, text: str) -> None:
    answer.unread(number, text)
    answer.collector.pcie.unclear = (answer.document, number)


def _function(answer: Answer, path: str, number: int, value: str) -> None:
    found = _FILE.fullmatch(path)
    if found is None or re.fullmatch(r"0x[0-9a-f]{4,6}", value) is None:
        _unclear(answer, number, f"{path}:{value}")
        return
    tree = answer.collector.pcie
    (tree.classes if found.group(2) == "class" else tree.vendors)[found.group(1)] = value


TREE = Tool(
    name="pci tree",
    split=_tree,
    commands=r"ls -l\S* /\S*sys/bus/pci/devices/?",
    lines=(
        Line("unclear", ("nic.near_gpu",), not_understood),
        sets("near", "nic.near_gpu", lambda text: bool(matched(r"[0-9a-f:.]{7,18}", text))),
        sets("apart", "nic.near_gpu", choice({"": False})),
    ),
    covers=("nic.near_gpu",),
    complete=False,
)
FUNCTIONS = Tool(name="pci functions", files=_FILE.pattern.replace("(", "(?:"), read_file=_function)

TOOLS = (TREE, FUNCTIONS)
