"""User data of cloud-init that sets NICs up at the first boot alone, or never.

Sources: cloud-init, module reference (`runcmd` and the scripts of an instance run at its first boot, `bootcmd` and those per boot at
every one; `write_files` writes with 0644 unless it is told otherwise; scripts that may not be executed are left out).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any, NamedTuple

from roce_audit.platforms.linux.boot.calls import settings
from roce_audit.platforms.linux.env import place
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.structured.nested import value_at
from roce_audit.text.structured.yamltext import YamlError, YamlText, documents

_BEGINS = "#cloud-config"
_INSTALLER = "autoinstall"
_NETPLAN = "/etc/netplan/00-installer-config.yaml"
_FORGOTTEN = frozenset({"pfc", "pfc-bit", "trust", "dscp", "mapped", "traffic_class"})
"""Statements about what a NIC does not keep."""
_WITHOUT_MEMORY = re.compile(r"\b(?:mlnx_qos|dcb)\s|>\s{0,9}[\"']?/sys/")
"""Tools whose settings nothing makes again."""
_RUN_FROM = re.compile(r"/var/lib/cloud/scripts/per-(?:boot|instance|once)/[\w.-]{1,100}")
_AT_BOOT = re.compile(
    r"/scripts/per-boot/|/systemd/system/|/rc\.local$|/cron|/udev/|/if-|/dispatcher\.d/|/networkd-dispatcher/"
)
_UNIT = re.compile(r"/(?:etc|usr/lib|lib)/systemd/system/[\w@.-]{1,80}\.service")
_STARTED_BY = re.compile(r"^[ \t]{0,20}ExecStart=[-@:+!]{0,3}(/[\w./-]{1,200})", re.MULTILINE)
_WANTED = re.compile(r"^[ \t]{0,20}(?:WantedBy|RequiredBy)=\S", re.MULTILINE)
_LATER = re.compile(
    r"crontab|@reboot|(?<!/)\benable\b|rc\.local|per-boot|\.wants/|\bpreset\b|ansible|\bpuppet\b|\bsalt"
)
"""By what a command of the first boot may see to the later ones."""
FIRST_BOOT = "cloud-init runs this at the first boot of an instance alone, and nothing here makes it again: the next boot forgets it"
NOT_EXECUTABLE = "it is written as a file that may not be executed, so what is to run it leaves it out"
NOT_ENABLED = (
    "this unit sets NICs up and is to be started with a target, and nothing here enables it: no boot starts it"
)


def tell(answer: Answer) -> None:
    """Say of a file of user data what no later boot makes."""
    document = answer.document
    if not document.text.startswith(_BEGINS):
        return
    lines = document.text.split("\n")
    for number, meaning in slips(document.text, document.first_line):
        quote = lines[number - document.first_line].strip()
        answer.collector.seen.append(noticed("conflict", place(answer, number), quote, meaning))


def written_lines(answer: Answer) -> Iterator[tuple[str, int, str]]:
    """(path, number, text) of the lines of the files that user data writes, and of the network that an installer is given."""
    document = answer.document
    if not document.text.startswith(_BEGINS) or not any(word in document.text for word in ("write_files", _INSTALLER)):
        return
    try:
        found = documents(document.text, first_line=document.first_line)
    except YamlError:
        return
    for one in found:
        for file in _files(one.value) if isinstance(one.value, dict) else ():
            lines = one.lines_of_text(("write_files", file.position, "content"), file.content)
            yield from ((file.path, number, text) for number, text in lines)
        yield from _network_of_installer(answer, one)


def _network_of_installer(answer: Answer, user_data: YamlText) -> Iterator[tuple[str, int, str]]:
    """`autoinstall: network:` is netplan, and stays on the host (Ubuntu, autoinstall reference)."""
    way = (_INSTALLER, "network")
    if not isinstance(value_at(user_data.value, *way), dict):
        return
    lines = answer.document.text.split("\n")[user_data.line_of(way) - answer.document.first_line :]
    indent = len(lines[0]) - len(lines[0].lstrip())
    within = takewhile(lambda text: not text.strip() or len(text) - len(text.lstrip()) > indent, lines[1:])
    for number, text in enumerate((lines[0], *within), start=user_data.line_of(way)):
        yield _NETPLAN, number, text[indent:]


class _File(NamedTuple):
    position: int
    path: str
    content: str
    mode: str
    """"" where nobody can tell it."""


def slips(text: str, first_line: int) -> Iterator[tuple[int, str]]:
    """(line, what is wrong with it) of what is set up at the first boot alone, or by a file that nothing runs."""
    try:
        found = documents(text, first_line=first_line)
    except YamlError:
        return
    for document in found:
        if isinstance(document.value, dict):
            files = list(_files(document.value))
            yield from _not_run(document, files, text)
            yield from _misspelt(document, files, text)
            yield from _first_boot(document, files)


def _files(value: Mapping[Any, Any]) -> Iterator[_File]:
    written = value.get("write_files")
    for index, entry in enumerate(written if isinstance(written, list) else ()):
        if not isinstance(entry, dict) or entry.get("encoding") not in (None, "text/plain"):
            continue
        path, content, mode = entry.get("path"), entry.get("content"), entry.get("permissions", "0644")
        if isinstance(path, str) and isinstance(content, str):
            yield _File(index, path, content, mode if isinstance(mode, str) else "")


def _not_run(document: YamlText, files: list[_File], text: str) -> Iterator[tuple[int, str]]:
    started = {path for file in files if _UNIT.fullmatch(file.path) for path in _STARTED_BY.findall(file.content)}
    setting = {file.path for file in files if _sets_up(file.content)}
    for file in files:
        at = ("write_files", file.position)
        is_run = _RUN_FROM.fullmatch(file.path) is not None or file.path in started
        is_plain = re.fullmatch("[0-7]{3,4}", file.mode) is not None and not _is_executable(file.mode)
        if file.path in setting and is_run and is_plain and "chmod" not in text:
            yield document.nearest_line_of((*at, "permissions")), NOT_EXECUTABLE
        sets_up = file.path in setting or any(path in setting for path in _STARTED_BY.findall(file.content))
        if _UNIT.fullmatch(file.path) and sets_up and _WANTED.search(file.content) and _LATER.search(text) is None:
            yield document.nearest_line_of((*at, "path")), NOT_ENABLED


def _misspelt(document: YamlText, files: list[_File], text: str) -> Iterator[tuple[int, str]]:
    """The line of a unit that runs a file which comes near to one that is written here, sets NICs up, and is named nowhere else."""
    written = {file.path for file in files}
    unused = {file.path for file in files if text.count(file.path) == 1 and _sets_up(file.content)}
    for file in files if unused else ():
        for number, line in document.lines_of_text(("write_files", file.position, "content"), file.content):
            started = _STARTED_BY.match(line) if _UNIT.fullmatch(file.path) else None
            if started is not None and started[1] not in written and (near := meant(started[1], unused)) is not None:
                yield number, f"it runs {started[1]}, which is not written here; {near} is"


def _is_executable(mode: str) -> bool:
    return any(int(digit) & 1 for digit in mode[-3:])


def _first_boot(document: YamlText, files: list[_File]) -> Iterator[tuple[int, str]]:
    """The first command that only the first boot runs and that sets up what a NIC forgets."""
    commands = [_command(one) for one in _listed(document.value.get("runcmd"))]
    every = "\n".join(_command(one) for one in _listed(document.value.get("bootcmd")))
    scripts = [file.path for file in files if _sets_up(file.content)]
    again = [file.content for file in files if _AT_BOOT.search(file.path) and not _is_idle(file, files)] + [every]
    is_made_again = any(_sets_up(text) or any(path in text for path in scripts) for text in again)
    if is_made_again or any(_LATER.search(command) for command in commands):
        return
    for index, command in enumerate(commands):
        if _sets_up(command) or any(re.search(rf"(?<!\S){re.escape(path)}(?!\S)", command) for path in scripts):
            yield document.nearest_line_of(("runcmd", index)), FIRST_BOOT
            return


def _is_idle(file: _File, files: list[_File]) -> bool:
    """Whether a file is a unit that no target starts, and that no other file speaks of."""
    name = file.path.rpartition("/")[2].removesuffix(".service")
    is_unit = _UNIT.fullmatch(file.path) is not None and _WANTED.search(file.content) is None
    return is_unit and not any(f"{name}.service" in f"{one.path} {one.content}" for one in files if one is not file)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _command(item: Any) -> str:
    """A command as a text, or as a list of words."""
    return " ".join(map(str, item)) if isinstance(item, list) else str(item)


def _sets_up(text: str) -> bool:
    """Whether a line sets up what a NIC forgets."""
    return any(
        statement.partition(" ")[0] in _FORGOTTEN
        for line in text.split("\n")
        if _WITHOUT_MEMORY.search(line) is not None and not line.lstrip().startswith("#")
        for _, _, statement, _ in settings(line)
    )
