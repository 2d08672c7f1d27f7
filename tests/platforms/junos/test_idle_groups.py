"""Configuration groups that hold what binds the lossless class, and take no effect."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.proof import examples

BINDS = "set class-of-service interfaces "
GROUP = "set groups cos class-of-service interfaces "


def _text(apply: str, pattern: str = "et-*") -> str:
    """The base, whose bindings stand in a group."""
    text = examples.base("junos")["leaf1.set"]
    lines = text.splitlines()
    bound = [line for line in lines if line.startswith(BINDS)]
    inside = [line.replace(f"{BINDS}et-0/0/1 ", f"{GROUP}{pattern} ") for line in bound if f"{BINDS}et-0/0/1 " in line]
    assert inside
    return "\n".join([*inside, *([apply] if apply else []), *(line for line in lines if line not in bound)]) + "\n"


def _told(tmp_path: Path, text: str) -> list[tuple[str, str, int | None]]:
    (tmp_path / "leaf1.set").write_text(text)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    loud = [one for one in found if one.severity == "error" and not one.because_of]
    return [(one.severity, one.message, one.locations[0].line) for one in loud]


@pytest.mark.parametrize(
    ("apply", "pattern", "words"),
    [
        ("", "et-*", "configuration group cos is defined and never applied"),
        ("set apply-groups COS", "et-*", "configuration group COS is used here and defined nowhere"),
        ("set apply-groups cos", "<et-*>", "its wildcard <et-*> fits nothing that class-of-service interfaces names"),
    ],
)
def test_a_class_that_is_lossless_nowhere_is_one_error(tmp_path: Path, apply: str, pattern: str, words: str) -> None:
    ((severity, message, line),) = _told(tmp_path, _text(apply, pattern))
    lines = _text(apply, pattern).splitlines()
    where = next(n for n, one in enumerate(lines, 1) if one == apply) if apply.endswith("COS") else 1
    assert (severity, words in message, line) == ("error", True, where)
    assert ("applied nowhere else" if apply else "nor is anything else that a port could take") in message


def test_the_same_group_in_effect_is_quiet(tmp_path: Path) -> None:
    assert not _told(tmp_path, _text("set apply-groups cos"))
