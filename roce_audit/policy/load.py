"""Read a policy file: YAML, checked at the border, turned into plain values that know their lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from roce_audit.policy.find import shown
from roce_audit.policy.values import Policy
from roce_audit.records import dataclass
from roce_audit.values import Place

if TYPE_CHECKING:
    from pydantic import BaseModel

    from roce_audit.policy.lines import Lines

F = TypeVar("F", bound="BaseModel")
MAX_BYTES = 1_000_000
"""Largest policy file; a larger one is refused."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with the policy file; line 0: with the file as a whole."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"


class PolicyError(Exception):
    """The policy file cannot be used. Holds all problems that were found, not only the first."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def load(path: Path) -> Policy:
    """The policy of a file. Raises PolicyError where it cannot be read or says something it may not."""
    name = shown(path)
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise PolicyError((Problem(name, 0, error.strerror or "cannot be read"),)) from error
    if len(raw) > MAX_BYTES:
        raise PolicyError((Problem(name, 0, f"is larger than {MAX_BYTES:,} bytes"),))
    return load_text(decoded(raw, name), name, folder=path.absolute().parent)


def load_text(text: str, name: str, *, folder: Path | None = None) -> Policy:
    """The policy of a text; `name` is its path as people see it. Raises PolicyError."""
    from roce_audit.policy.build import build
    from roce_audit.policy.schema import PolicyForm

    form, lines = checked(text, name, PolicyForm, "policy")
    policy, wrong = build(form, lines, folder)
    if wrong:
        raise _refused(wrong)
    return policy


def decoded(raw: bytes, name: str) -> str:
    """The text of a file. Raises PolicyError with the line that is not UTF-8."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise PolicyError((Problem(name, line, "is not UTF-8"),)) from error


def checked(text: str, name: str, form: type[F], whole: str) -> tuple[F, Lines]:
    """A YAML text as this form, and where each entry stands; `whole` is what the file is called. Raises PolicyError."""
    from pydantic import ValidationError

    from roce_audit.policy.lines import Lines
    from roce_audit.text.formerrors import problems
    from roce_audit.text.structured.yamltext import YamlError, parse

    try:
        document = parse(text)
    except YamlError as error:
        raise PolicyError((Problem(name, error.line, error.message),)) from error
    lines = Lines(name, document)
    try:
        return form.model_validate({} if document.value is None else document.value), lines
    except ValidationError as error:
        raise _refused([(lines.at(*path), message) for path, message in problems(error, form, whole)]) from None


def _refused(wrong: list[tuple[Place, str]]) -> PolicyError:
    found = [Problem(at.path, at.line, message) for at, message in wrong]
    return PolicyError(tuple(sorted(found, key=lambda problem: problem.line)))
