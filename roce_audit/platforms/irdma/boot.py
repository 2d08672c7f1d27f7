"""Module options that say at boot what Intel's NICs speak (Intel, README of the irdma driver)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_audit.platforms.shared.host.boot import FamilyFile, Program
from roce_audit.text.statements.misspelling import meant

_OPTIONS = re.compile(r"\s*options\s+irdma\s+(.*)")
_SWITCH = re.compile(r"(?:^|\s)roce_ena=(\S+)")
_PORTS = re.compile(r"(?:^|\s)roce_port_cfg=")
_NAMES = ("roce_ena", "roce_port_cfg", "resource_profile", "max_rdma_vfs", "dcqcn_enable")
_WORDS = {"0": "off", "1": "on"}


def _options(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """`options irdma roce_ena=1`; with `roce_port_cfg` single ports are picked, and nobody here can tell which."""
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if meant(word, ("options",)) is not None and rest.split()[:1] == ["irdma"]:
            raise ValueError(line)
    found = [(index, match.group(1)) for index, line in enumerate(lines) if (match := _OPTIONS.fullmatch(line))]
    for index, text in found:
        if any(meant(name, _NAMES) is not None for name in re.findall(r"\b(\w++)=", text)):
            raise ValueError(lines[index])
    picked = any(_PORTS.search(text) for _, text in found)
    switches = [(index, switch) for index, text in found if (switch := _SWITCH.search(text)) is not None]
    for index, switch in switches[-1:]:  # modprobe hands the options of all lines over, and the last word counts
        statement = f"roce {_WORDS.get(switch.group(1), switch.group(1))}"
        yield index, f"maybe {statement}" if picked else statement


def _modprobe(options: str) -> Iterator[str]:
    """`irdma roce_ena=1`; of other modules it says nothing."""
    words = options.split()
    if "irdma" in words:
        yield from (
            statement for _, statement in _options([f"options irdma {' '.join(words[words.index('irdma') + 1 :])}"])
        )


PROGRAMS = (Program("modprobe", _modprobe, nic=r"(?!)", family="irdma"),)
FILES = (FamilyFile(r"/(?:etc|usr/lib)/modprobe\.d/\S+\.conf", "irdma", _options),)
