"""Services of Compose: variables whose quotes become a part of them, and services of one file that are set unlike each other.

Source: Compose specification, services, `environment`: a mapping, or a list of NAME=VALUE, each a text as YAML gives it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from roce_audit.platforms.linux.env import place
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.platforms.shared.host.settings import NUMBERS, VARIABLES
from roce_audit.text.structured.yamltext import YamlText

_CLASSES = frozenset(variable for field, variable in NUMBERS.items() if field.endswith("_class"))
_TRANSPORTS = "UCX_TLS"
_GIVEN = re.compile(r"([A-Z][A-Z0-9_]{1,80})=([^\n]{0,500})")
_IN_QUOTES = re.compile(r"\"[^\n]{0,500}\"|'[^\n]{0,500}'")
_QUOTED = "in a list of variables all behind the sign is the value, its quotes as well, and the library understands none in quotes"
_RDMA = frozenset(
    {
        "rc",
        "rc_x",
        "rc_v",
        "rc_verbs",
        "rc_mlx5",
        "dc",
        "dc_x",
        "dc_mlx5",
        "ud",
        "ud_x",
        "ud_v",
        "ud_verbs",
        "ud_mlx5",
        "ib",
        "all",
    }
)
"""Transports of UCX over RDMA (OpenUCX, UCX_TLS)."""


def compare(answer: Answer, found: Sequence[YamlText]) -> None:
    """Say where a variable is in quotes that stay, and where services of one file, which speak to each other, differ."""
    for document in found:
        said: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for name, value, line, is_listed in _variables(document):
            if name not in VARIABLES:
                continue
            if is_listed and _IN_QUOTES.fullmatch(value) is not None:
                _tell(answer, line, name, value, _QUOTED)
            elif "$" not in value:
                said[name].append((value, line))
        for name, values in said.items():
            _differ(answer, name, values)


def _variables(document: YamlText) -> Iterator[tuple[str, str, int, bool]]:
    """(variable, value, line, whether a list has it) of all services."""
    services = document.value.get("services") if isinstance(document.value, dict) else None
    for service, what in services.items() if isinstance(services, dict) else ():
        given: Any = what.get("environment") if isinstance(what, dict) else None
        path = ("services", service, "environment")
        for name, value in given.items() if isinstance(given, dict) else ():
            yield str(name), str(value), document.nearest_line_of((*path, name)), False
        for index, one in enumerate(given if isinstance(given, list) else ()):
            pair = _GIVEN.fullmatch(one) if isinstance(one, str) else None
            if pair is not None:
                yield pair[1], pair[2], document.nearest_line_of((*path, index)), True


def _differ(answer: Answer, name: str, values: list[tuple[str, int]]) -> None:
    (value, line), *others = values
    for other, number in others:
        if name in _CLASSES and other != value:
            _tell(answer, number, name, other, f"line {line} of this file sets it to {value} for another service")
            return
        if name == _TRANSPORTS and _over_rdma(value) != _over_rdma(other):
            (without, at), beside = ((other, number), line) if _over_rdma(value) else ((value, line), number)
            _tell(answer, at, name, without, f"none of these goes over RDMA, as line {beside} has for another service")
            return


def _over_rdma(transports: str) -> bool:
    return transports.startswith("^") or bool(_RDMA & frozenset(transports.split(",")))


def _tell(answer: Answer, line: int, name: str, value: str, meaning: str) -> None:
    answer.collector.seen.append(noticed("conflict", place(answer, line), f"{name}={value}", meaning))
