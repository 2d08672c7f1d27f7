"""Files that services and drivers read at boot: those of NIC families, and the store of lldpad.

Source of the store's form: intel/openlldp, lldp_8021qaz_cmds.c (PFC as a mask, application entries as `priority,selector,protocol`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import HOST, Collector
from roce_audit.platforms.shared.host.tools import family_files

BOOT_FILES = "boot files"
_STORE = "/var/lib/lldpad/lldpad.conf"
_OPENS = re.compile(r"\s*\"?([A-Za-z0-9_.*-]{1,60})\"?\s*[:=]\s*+(\{?)\s*")
_SETS = re.compile(r"\s*([A-Za-z0-9_]{1,40})\s*=\s*\"?([^\";{}]{0,80})\"?\s*;?\s*")
_PFC, _APPLICATIONS = "tlvid0080c20b", "tlvid0080c20c"
_APPLICATION = re.compile(r"\s*([0-7])\s*,\s*([0-9])\s*,\s*([0-9]{1,5})\s*")
_BY_DSCP = "5"
_DEEPEST = 20

Lines = Sequence[tuple[Answer, int, str]]


def is_configuration(path: str) -> bool:
    """Whether a file is read here."""
    return path == _STORE or any(re.fullmatch(file.path, path) for file in family_files())


def say_all(files: Mapping[str, Lines], collector: Collector) -> None:
    """Say what these files set up, of the NICs that they speak of."""
    for path, lines in files.items():
        if path == _STORE:
            _stored(lines, collector)
        for file in family_files():
            if re.fullmatch(file.path, path) is not None:
                _of_family(lines, file.family, file.settings)


def _of_family(lines: Lines, family: str, settings: Any) -> None:
    found: Iterable[tuple[int, str]]
    try:
        found = list(settings([text for _, _, text in lines]))
    except ValueError as error:
        answer, number, _ = next((one for one in lines if one[2] == str(error)), lines[0])
        answer.say(f"of {family} unclear {str(error)[:120]}", number, HOST, BOOT_FILES)
        return
    for index, statement in found:
        answer, number, _ = lines[index]
        answer.say(f"of {family} {statement}", number, HOST, BOOT_FILES)


def _stored(lines: Lines, collector: Collector) -> None:
    """lldpad sets up what it stored for an interface, where it runs."""
    seen = collector.host.agents_seen
    if seen is not None and seen.is_known and "lldpad" not in collector.host.agents:
        return
    doubt = "" if "lldpad" in collector.host.agents else "maybe "
    for answer, number, name, statement in stored_settings(lines):
        if name in collector.nics:
            answer.say(doubt + statement, number, ("net", name), BOOT_FILES)


def stored_settings(lines: Lines) -> Iterator[tuple[Answer, int, str, str]]:
    """(answer, line, interface, statement) of `lldp : { NAME : { tlvid... : { enabled = 8; }; }; };`."""
    way: list[str] = []
    opened = ""
    for answer, number, text in lines:
        opens, sets = _OPENS.fullmatch(text), _SETS.fullmatch(text)
        if opens is not None:
            opened = opens.group(1)
            if opens.group(2) and len(way) < _DEEPEST:
                way.append(opened)
        elif text.strip() == "{" and len(way) < _DEEPEST:
            way.append(opened)
        elif text.strip().startswith("}") and way:
            way.pop()
        elif sets is not None and len(way) == 3 and way[0] == "lldp":
            for statement in _statements(way[2], sets.group(1), sets.group(2)):
                yield answer, number, way[1], statement


def _statements(kind: str, key: str, value: str) -> Iterator[str]:
    if (kind, key) == (_PFC, "enabled"):
        yield f"pfc-mask {value}"
    elif kind == _APPLICATIONS and re.fullmatch(r"app[0-9]{1,3}", key):
        found = _APPLICATION.fullmatch(value)
        if found is None:
            yield f"unclear {key} {value}"
        elif found.group(2) == _BY_DSCP:
            yield f"mapped {found.group(3)} {found.group(1)}"
