"""Ansible: tasks that call NIC tools, or put such calls into files, once for each item of their loops.

A value that another file gives (role defaults, inventory) stays open: nothing here looks beyond the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.platforms.linux.boot.scripts import script_line
from roce_audit.platforms.linux.env import JOB, place
from roce_audit.platforms.linux.jobs.variables import LIBRARY_WORDS, VARIABLE, assignments
from roce_audit.platforms.linux.setups import services
from roce_audit.platforms.linux.setups.files import CALL_WORDS, CALLS, begin, unclear
from roce_audit.platforms.shared.host.answers import Answer, Tool
from roce_audit.text import plays
from roce_audit.text.jinja import values as jinjavalues
from roce_audit.text.jinja.conditions import decided
from roce_audit.text.structured.yamltext import YamlError, YamlText, documents

Way = tuple[str | int, ...]
_LOOPS = ("loop", "with_items", "with_list", "with_flattened")
_RUNS = frozenset({"command", "shell", "raw"})
_WRITES = {"copy": "content", "blockinfile": "block", "lineinfile": "line"}
_MODULE = re.compile(r"(?:ansible\.(?:builtin|legacy)\.)?(\w+)")
_ANY = re.compile(r"\{\{[^{}]{0,300}\}\}")
_DEPTH = 20


def _playbook(answer: Answer) -> None:
    begin(answer)
    try:
        found = documents(answer.document.text, first_line=answer.document.first_line, own_tags=True)
    except YamlError as error:
        unclear(answer, error.line, f"playbook: {error.message}")
        return
    for document in found:
        _tasks(answer, document, document.value, (), {})
        services.tell_disabled(answer, document)


def _tasks(answer: Answer, document: YamlText, value: Any, way: Way, around: Mapping[str, Any]) -> None:
    if not isinstance(value, list) or len(way) > _DEPTH:
        return
    for index, task in enumerate(value):
        if not isinstance(task, dict):
            continue
        own = task.get("vars")
        variables = {**around, **(own if isinstance(own, dict) else {})}
        if decided(task.get("when", True), variables) is False:
            continue
        _environment(answer, document, task, (*way, index), variables)
        for key in plays.LISTS:
            _tasks(answer, document, task.get(key), (*way, index, key), variables)
        times = plays.items(task, variables)
        odd = next((key for key in _LOOPS if not _is_list(task.get(key))), None)
        if odd is not None and times is None:
            unclear(answer, document.nearest_line_of((*way, index, odd)), f"{odd}: {task[odd]}")
        for item in times if times is not None else [{}]:
            for path, lines in _texts(document, task, (*way, index)):
                for number, text in lines:
                    plain = filled(text, {**variables, **item})
                    for name, given in assignments(plain):
                        _hear(answer, name, given, number)
                    script_line(answer, begin(answer), path or f"/ansible/{way}/{index}/{item}", number, plain)


def _environment(
    answer: Answer, document: YamlText, task: Mapping[str, Any], way: Way, around: Mapping[str, Any]
) -> None:
    """The variables that a play or task runs with."""
    given = task.get("environment")
    for name, value in given.items() if isinstance(given, dict) else ():
        if isinstance(value, str | int) and re.fullmatch(VARIABLE, str(name)):
            line = document.nearest_line_of((*way, "environment", name))
            _hear(answer, str(name), filled(str(value), around), line)


def _hear(answer: Answer, name: str, value: str, number: int) -> None:
    """A variable of a library; one whose value stands elsewhere says nothing here."""
    if "{{" not in value:
        answer.collector.launched = answer.collector.launched or place(answer, number)
        answer.collector.variable(name, value, place(answer, number), JOB)


def _is_list(value: Any) -> bool:
    """A list, none, or one that Ansible computes."""
    return not isinstance(value, str) or re.fullmatch(r"\s*\{\{[\s\S]*\}\}\s*", value) is not None


def _texts(document: YamlText, task: Mapping[str, Any], way: Way) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """(path of the file that is written, or nothing; numbered lines) of what a task runs or writes."""
    for key, value in task.items():
        module = _MODULE.fullmatch(str(key))
        name = module.group(1) if module is not None else ""
        if name in _RUNS:
            yield from (("", lines) for lines in _commands(document, value, (*way, key)))
        elif name in _WRITES and isinstance(value, dict) and isinstance(value.get(_WRITES[name]), str):
            path = value.get("dest") or value.get("path")
            if isinstance(path, str) and path.startswith("/"):
                yield path, list(_lines(document, value[_WRITES[name]], (*way, key, _WRITES[name])))


def _commands(document: YamlText, value: Any, way: Way) -> Iterator[list[tuple[int, str]]]:
    if isinstance(value, str):
        yield list(_lines(document, value, way))
    elif isinstance(value, dict):
        for key in ("cmd", "_raw_params"):
            if isinstance(value.get(key), str):
                yield list(_lines(document, value[key], (*way, key)))
        if isinstance(value.get("argv"), list):
            yield list(_argv(document, value["argv"], (*way, "argv")))


def _argv(document: YamlText, words: list[Any], way: Way) -> Iterator[tuple[int, str]]:
    """One command, whose words may stand on lines of their own."""
    lines: dict[int, list[str]] = {}
    for index, word in enumerate(words):
        lines.setdefault(document.nearest_line_of((*way, index)), []).append(str(word))
    last = max(lines, default=0)
    for line, those in lines.items():
        yield line, " ".join(those) + ("" if line == last else " \\")


def _lines(document: YamlText, text: str, way: Way) -> Iterator[tuple[int, str]]:
    """The lines of a text, but for comments and statements of a template."""
    for number, piece in document.lines_of_text(way, text):
        if not piece.lstrip().startswith(("#", "{%")):
            yield number, piece


def filled(text: str, variables: Mapping[str, Any]) -> str:
    """The text with the values of variables that the document gives; others stay open, as one word each."""
    known = jinjavalues.fill(text, variables)
    is_plain = isinstance(known, str | int) and not isinstance(known, bool)
    return _ANY.sub(lambda found: "".join(found.group().split()), str(known) if is_plain else text)


PLAYBOOK = Tool(
    name="ansible playbook",
    split=_playbook,
    signature=r"\A(?=[\s\S]{0,4000}?^ {0,20}- (?:name|hosts|[a-z_.]+):)"
    r"(?=[\s\S]{0,19000}?^ {0,40}(?:- )?(?:ansible\.(?:builtin|legacy)\.)?(?:command|shell|raw|copy|blockinfile|lineinfile|environment):)"
    rf"(?=[\s\S]{{0,19000}}?^[^#\n]{{0,300}}?(?:{CALLS}|\b{VARIABLE}(?:=|: )))",
    words=(*CALL_WORDS, *LIBRARY_WORDS),
)

TOOLS = (PLAYBOOK,)
