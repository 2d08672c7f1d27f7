"""Pages and plans that show configurations or commands within another language: they are not read, and whoever checks them is told so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from roce_audit.patterns import lazy
from roce_audit.sources import detect, kinds
from roce_audit.text.document import Document
from roce_audit.text.sentences import listed
from roce_audit.text.structured.indented import without_margin

_HEAD = 400_000
_MOST = 4
"""So many blocks of a file are looked at."""
_FEWEST_LINES = 2
_BLOCKS = {
    "Markdown": lazy(
        r"^ {0,12}(?:```|~~~)[^\n`]{0,60}\n(?P<text>(?:(?! {0,12}(?:```|~~~))[^\n]*\n)++) {0,12}(?:```|~~~)[ \t]{0,9}$",
        re.M,
    ),
    kinds.TERRAFORM: lazy(
        r"<<-?\"?(?P<end>[A-Za-z_]\w{0,40})\"?[ \t]{0,9}\n(?P<text>(?:(?![ \t]{0,99}(?P=end)[ \t]{0,9}$)[^\n]*\n)++)",
        re.M,
    ),
}
"""Texts within texts."""
_RESOURCE = lazy(
    r"^resource \"[a-z]{2,20}_\w{0,60}"
    r"(?:qos|queuing|class_?of_?service|physical_interface|interface_physical|configlet)\w{0,60}\"",
    re.M,
)
"""Resources that providers have for switches, on which lossless transport hangs."""
_OURS = lazy(
    r"priority-flow-control|no-drop|no-loss|congestion-notification-profile|random-detect[^\n]{0,60}ecn|explicit-congestion-notification"
    r"|pause pfc-cos|dcb pfc|qos roce|PORT_QOS_MAP|WRED_PROFILE|pfc_enable|mlnx_qos|lldptool|cma_roce_tos|NetQosFlowControl|NCCL_IB_TC"
)
"""Words of lossless transport: a page without them needs no second look."""


def shows(path: str, kind: str, text: str) -> bool:
    """Whether a text of this kind shows what a platform would recognise, were it a file of its own, or sets switches up as resources."""
    if kind == kinds.TERRAFORM and first_resource(text):
        return True
    blocks = _BLOCKS.get(kind)
    if blocks is None or _OURS.search(text := text[:_HEAD]) is None:
        return False
    ours = (without_margin(found["text"]) for found in blocks.finditer(text) if _OURS.search(found["text"]) is not None)
    long_ones: Iterator[str] = (block for block in ours if block.count("\n") >= _FEWEST_LINES)
    return any(detect.choose((Document(path, block),)).platform for block in islice(long_ones, _MOST))


def first_resource(text: str) -> int:
    """The line of the first resource by which a plan sets a switch up; 0 where there is none."""
    found = _RESOURCE.search(text[:_HEAD])
    return text.count("\n", 0, found.start()) + 1 if found is not None else 0


def is_ours(text: str) -> bool:
    """Whether words of lossless transport stand in a text."""
    return _OURS.search(text[:_HEAD]) is not None


def word(kind: str) -> str:
    """What is said of a file of this kind that shows configurations."""
    return f"{kind} that shows configurations"


_WORDS = tuple(map(word, _BLOCKS))


def notes(unrecognised: Sequence[tuple[str, str]]) -> list[str]:
    """One note on all files that show configurations, and how one of these is judged."""
    paths = [path for path, said in unrecognised if said in _WORDS]
    if not paths:
        return []
    return [
        f"configurations that pages or plans show are not read ({listed(paths, 2)}): to have one judged, save it as a file of its own"
    ]
