"""Every rule's message is a sentence: with nothing known, with one of everything, with several, and on two devices."""

from __future__ import annotations

import re
import typing
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal

import pytest

from roce_audit.engine.conditions.operations import Bound
from roce_audit.engine.findings import Finding, Member
from roce_audit.engine.rules import rulepack
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.rules.scopes import ROOTS
from roce_audit.model.base import size_of
from roce_audit.report.words import headline
from roce_audit.values import Cell, Why, known, unknown

RULES = rulepack.load()
FAULTS: dict[str, re.Pattern[str]] = {
    "a model path": re.compile(
        r"\b(?:port|hop|nic|host|joined|device|fabric|app|cnp_hop|roce|cnp|queues|groups)\.[a-z]"
    ),
    "doubled blanks": re.compile(r"  "),
    "unknown unknown": re.compile(r"unknown unknown|none none|no no\b|an unknown \w+ unknown"),
    "one of many": re.compile(
        r"(?<![\d.,/-])1 (?:ports|devices|NICs|priorities|links|queues|hosts|members|checks|lines)\b"
    ),
    "many of one": re.compile(r"\b(?:priorities|traffic classes) \d+(?! ?[,\d-]| and)"),
    "a blank before a comma": re.compile(r" [,;:.)]|\( "),
    "an odd end": re.compile(r"(?:[:;,(]|\b(?:and|or|of|for|with|the|to))$"),
    "an expression": re.compile(r"[{}]|\bNone\b|frozenset|Cell\("),
}
ROW = 64


def made(annotation: Any, number: int | None, size: int | None = None) -> Any:
    """A value of this type: cells hold `number` members or, with None, nothing at all."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Cell:
        return unknown(Why.NOT_VISIBLE) if number is None else known(made(arguments[0], number, size))
    if origin is frozenset:
        element = made(arguments[0], number)
        return frozenset(range(3, 3 + (number or 0)) if isinstance(element, int) else [element])
    if origin is tuple:
        inner, length = arguments[0], size or number or 0
        rows = is_dataclass(inner) and "number" in {field.name for field in fields(inner)}
        return tuple(made(inner, number) for _ in range(ROW if rows or typing.get_origin(inner) is Cell else length))
    if origin is Literal:
        return arguments[0]
    if is_dataclass(annotation):
        return instance(annotation, number)  # type: ignore[arg-type]
    return {bool: False, int: number or 0, float: float(number or 0), str: "name"}[annotation]


@cache
def instance(cls: type, number: int | None) -> Any:
    """A model object all of whose cells hold `number` members or nothing; a NIC's later states are left out."""
    types = typing.get_type_hints(cls)
    nested = {"persisted", "next_boot"}
    return cls(
        **{
            field.name: unknown(Why.NOT_VISIBLE)
            if field.name in nested
            else made(types[field.name], number, size_of(cls, field.name))
            for field in fields(cls)
        }
    )


def message(rule: Rule, number: int | None) -> str:
    """The rule's message about such objects."""
    env = {name: instance(cls, number) for objects in ROOTS[rule.scope].values() for name, cls in objects}
    return " ".join(rule.compiled.message(Bound({**env, "params": rule.parameters({})})).split("\n"))


def finding(rule: Rule, text: str) -> Finding:
    """A finding of this message about ports of two devices."""
    members = tuple(
        Member(f"{device}:{port}", device, port, f"{device}.cfg", 1, "0" * 16, "")
        for device, port in (("leaf1", "Ethernet1/1"), ("leaf1", "Ethernet1/2"), ("leaf2", "Ethernet1/1"))
    )
    return Finding(
        rule=rule.id,
        topic=rule.topic,
        severity=rule.severity,
        rule_severity=rule.severity,
        verdict="fails",
        confidence=rule.confidence,
        owner=rule.owner,
        device=None,
        platform=None,
        subject="Ethernet1/1 and 2 more",
        members=members,
        title=rule.title,
        message=text,
        why=rule.why,
        source="",
        locations=(),
        values={},
        fingerprint="0" * 16,
    )


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
@pytest.mark.parametrize("number", [None, 1, 2, 5], ids=["unknown", "one", "two", "several"])
def test_the_message_is_a_sentence(rule: Rule, number: int | None) -> None:
    text = message(rule, number)
    assert text
    found = {what: pattern.search(text) for what, pattern in FAULTS.items()}
    assert not [f"{what}: {text}" for what, hit in found.items() if hit]


NAMED = [rule for rule in RULES if rule.id != "input/unread-line"]
"""Lines that were not understood are counted in the headline, and quoted below it."""


@pytest.mark.parametrize("rule", NAMED, ids=lambda rule: rule.id)
def test_the_headline_names_members_on_two_devices(rule: Rule) -> None:
    line = headline(finding(rule, message(rule, 1)))
    assert f"[{rule.id}] leaf1 Ethernet1/1, 1/2, leaf2 Ethernet1/1: " in line
    assert "  " not in line
