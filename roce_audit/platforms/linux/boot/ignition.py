"""What Ignition writes at the first boot of a node (Butane, MachineConfigs): units that set NICs up, their scripts, and files of the
network.

Sources: Ignition and Butane configuration specifications (storage.files: path, mode, contents; systemd.units: enabled, contents);
systemd.service(5) (a command is run as it stands, so its file must be one that may be executed).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from roce_audit.platforms.linux.env import place
from roce_audit.platforms.linux.setups.files import CALLS
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.text.structured.nested import value_at
from roce_audit.text.structured.yamltext import YamlText

_NEVER_STARTED = "the unit beside it sets NICs up and is to be started with a target ([Install]), and no boot starts it"
_NOT_EXECUTABLE = "a unit runs this file, which may not be executed (mode): it fails, and no NIC is set up"
_RUNS = re.compile(r"^[ \t]{0,20}ExecStart=[-@:+!]{0,3}(/[\w./-]{1,200})", re.MULTILINE)
_Path = tuple[str | int, ...]


class _File(NamedTuple):
    at: _Path
    path: str
    text: str
    mode: int | None


def tell(answer: Answer, document: YamlText) -> None:
    """Say which units that set NICs up no boot starts, or start what is not there or may not be executed."""
    at, config = _config(document.value)
    files = list(_files(config, at))
    setting = {one.path for one in files if re.search(CALLS, one.text)}
    for path, unit in _listed(config, at, "systemd", "units"):
        contents = unit.get("contents")
        if not isinstance(contents, str):
            continue
        runs = _RUNS.findall(contents)
        if (
            unit.get("enabled") is False
            and "[Install]" in contents
            and (re.search(CALLS, contents) or setting & {*runs})
        ):
            _say(answer, document, (*path, "enabled"), "enabled: false", _NEVER_STARTED)
        for one in runs:
            _run(answer, document, (*path, "contents"), one, files, setting)


def _run(answer: Answer, document: YamlText, path: _Path, run: str, files: list[_File], setting: set[str]) -> None:
    """What is wrong with a script that a unit runs."""
    own = next((one for one in files if one.path == run and run in setting), None)
    if own is not None and own.mode is not None and not own.mode & 0o111:
        _say(answer, document, (*own.at, "mode"), f"mode: {own.mode:#o}", _NOT_EXECUTABLE)
    other = next((one for one in setting if one.rpartition("/")[2] == run.rpartition("/")[2]), None)
    if other is not None and run not in {one.path for one in files}:
        lines = document.lines_of_text(path, str(value_at(document.value, *path)))
        line = next((number for number, text in lines if run in text), document.nearest_line_of(path))
        meaning = f"it runs {run}, and this file writes {other}, which sets the NICs up"
        answer.collector.seen.append(noticed("conflict", place(answer, line), f"ExecStart={run}", meaning))


def _say(answer: Answer, document: YamlText, path: _Path, quote: str, meaning: str) -> None:
    answer.collector.seen.append(noticed("conflict", place(answer, document.nearest_line_of(path)), quote, meaning))


def paths(document: YamlText) -> Mapping[_Path, str]:
    """Where the texts stand of files that set NICs up, and of the units that run them -> their paths on the node."""
    at, config = _config(document.value)
    found = {
        (*one.at, "contents", "inline"): one.path
        for one in _files(config, at)
        if re.search(CALLS, one.text) is not None
    }
    setting = {*found.values()}
    for path, unit in _listed(config, at, "systemd", "units"):
        name, contents = unit.get("name"), unit.get("contents")
        if isinstance(name, str) and isinstance(contents, str) and setting & {*_RUNS.findall(contents)}:
            found[*path, "contents"] = f"/etc/systemd/system/{name}"
    return found


def written_lines(document: YamlText) -> Iterator[tuple[str, int, str]]:
    """(path, number, text) of the lines of the files that are written as they stand."""
    at, config = _config(document.value)
    for one in _files(config, at):
        lines = document.lines_of_text((*one.at, "contents", "inline"), one.text)
        yield from ((one.path, number, text.strip()) for number, text in lines)


def _config(value: Any) -> tuple[_Path, Mapping[str, Any]]:
    """Where the configuration stands: in a file of its own, or in a MachineConfig."""
    for at in ((), ("spec", "config")):
        found = value_at(value, *at)
        if isinstance(found, dict) and (
            isinstance(found.get("systemd"), dict) or isinstance(found.get("storage"), dict)
        ):
            return at, found
    return (), {}


def _listed(config: Mapping[str, Any], at: _Path, section: str, key: str) -> Iterator[tuple[_Path, Mapping[str, Any]]]:
    listed = value_at(config, section, key)
    for index, one in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(one, dict):
            yield (*at, section, key, index), one


def _files(config: Mapping[str, Any], at: _Path) -> Iterator[_File]:
    """The files whose text stands here; Butane's modes are octal, with a leading zero or none."""
    for path, one in _listed(config, at, "storage", "files"):
        text, name, mode = value_at(one, "contents", "inline"), one.get("path"), str(one.get("mode", ""))
        if isinstance(text, str) and isinstance(name, str):
            yield _File(path, name, text, int(mode, 8) if re.fullmatch(r"0?[0-7]{3,4}", mode) else None)
