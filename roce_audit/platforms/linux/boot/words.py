"""Slips of the pen in what a script does besides calling NIC tools: writers, files of the kernel, keys of sysctl, modules."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from roce_audit import platforms
from roce_audit.platforms.shared.host.tools import file_tool
from roce_audit.text.statements.misspelling import meant

_BEGINS = r"(?:^|[;&|(){}]|\b(?:then|do|else|sudo)\s)\s{0,20}"
_WRITES = re.compile(_BEGINS + r"([a-z]{3,8})\s[^;&|<>]{0,200}>{1,2}\s{0,9}[\"']?/(?:sys|proc)/")
_TEE = re.compile(r"\|\s{0,9}(?:sudo\s+)?([a-z]{2,5})\s+(?:-a\s+)?[\"']?/(?:sys|proc)/")
_KEY = re.compile(
    _BEGINS + r"([a-z]{4,9})\s+(?:-{1,2}[a-z]{1,8}\s+){0,3}[\"']?(net[\w.*@-]{0,3}\.[\w.*@${}-]{3,80})\s{0,3}="
)
_LOADS = re.compile(_BEGINS + r"([a-z]{5,10})\s+(?:-{1,2}[a-z]{1,8}\s+){0,3}([a-z][\w-]{2,20})(?![\w.-])")
_PATH = re.compile(r"(?<![\w.$}/-])/(s[a-z]{1,3}|p[a-z]{2,4})((?:/[\w.*?${}@%-]{1,60}){3,9})")
_ABOUT = ("/sys", "/proc", "net.", "mod", "prob", "class/")
"""Of the lines without any of these none is looked at."""
_COMMENT = re.compile(r"(?:^|\s)#.*")
_ANY = ""
_FILES: tuple[tuple[str | tuple[str, ...], ...], ...] = (
    ("sys", "class", "net", _ANY, "ecn", ("roce_np", "roce_rp"), ("enable", "cnp_dscp", "cnp_802p_prio")),
    ("sys", "class", "net", _ANY, "mtu"),
    ("sys", "class", "net", _ANY, "qos", "trust"),
    ("sys", "class", "infiniband", _ANY, "tc", _ANY, "traffic_class"),
    ("sys", "kernel", "config", "rdma_cm", _ANY, "ports", _ANY, ("default_roce_tos", "default_roce_mode")),
    ("proc", "sys", "net", "ipv4", "conf", _ANY, ("arp_ignore", "arp_announce")),
)
"""Files that scripts write to set RoCE up; `_ANY` stands for the name of a device or a number."""
_KEYS = (("net", "ipv4", "conf", _ANY, ("arp_ignore", "arp_announce")),)
_RDMA_MODULES = frozenset({"ib_core", "ib_uverbs", "ib_umad", "rdma_cm", "rdma_ucm"})


def in_words(texts: Sequence[str]) -> Iterator[int]:
    """Lines of a script that are passed over for a misspelt word, though they are about RDMA or its NICs."""
    for index, text in enumerate(texts):
        if any(word in text for word in _ABOUT) and _is_slip(_COMMENT.sub("", text)):
            yield index


def _is_slip(line: str) -> bool:
    return (
        any(meant(word, ("echo",)) is not None for word in _WRITES.findall(line))
        or any(meant(word, ("tee",)) is not None for word in _TEE.findall(line))
        or any(_is_misspelt_key(word, key) for word, key in _KEY.findall(line))
        or any(_is_misspelt_module(word, module) for word, module in _LOADS.findall(line))
        or any(_is_misspelt_file(f"{first}{rest}") for first, rest in _PATH.findall(line.replace('"', "")))
    )


def _is_misspelt_file(path: str) -> bool:
    """`sys/class/net/X/ecn/roce_rp/rpg_ai_rat`: a slip in a step that is known, or in the name of a file that a tool of a NIC shows."""
    found = file_tool(f"/{path}")
    if found is not None:
        tool, _, name = found
        folder, _, last = name.rpartition("/")
        beside = [lead.rpartition("/")[2] for lead in tool.by_lead if folder and lead.rpartition("/")[0] == folder]
        if last not in beside and meant(last, beside) is not None and not last.isdigit():
            return True
    return _is_misspelt(path.split("/"), _FILES)


def _is_misspelt_key(word: str, key: str) -> bool:
    steps = key.split(".")
    if word != "sysctl":
        return meant(word, ("sysctl",)) is not None
    return _is_misspelt(steps, _KEYS)


def _is_misspelt_module(word: str, module: str) -> bool:
    name = module.replace("-", "_")
    if word == "modprobe":
        return meant(name, _modules()) is not None
    return name in _modules() and meant(word, ("modprobe",)) is not None


@cache
def _modules() -> frozenset[str]:
    """The drivers of the NICs that are known, and what RDMA needs beside them."""
    asked = (words for one in platforms.every() for words in map(str.split, one.commands) if words[0] == "modinfo")
    loaded = (name for one in platforms.every() for name in one.nics.kernel_modules)
    return frozenset((*_RDMA_MODULES, *(words[1] for words in asked), *loaded))


def _is_misspelt(steps: Sequence[str], known: Collection[Sequence[str | tuple[str, ...]]]) -> bool:
    """Whether one step of a path is a slip, and all others are those of a file that is known."""
    found = [slips for form in known if len(steps) >= len(form) and (slips := _slips(steps, form)) is not None]
    return bool(found) and min(found) == 1


def _slips(steps: Sequence[str], form: Sequence[str | tuple[str, ...]]) -> int | None:
    """How many steps are misspelt ones of this form; None where one is something else."""
    slips = 0
    for step, wanted in zip(steps, form, strict=False):
        names = (wanted,) if isinstance(wanted, str) else wanted
        if wanted == _ANY or step in names:
            continue
        if meant(step, names) is None:
            return None
        slips += 1
    return slips
