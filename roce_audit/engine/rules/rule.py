"""Rule: one file of a rule pack, with its expressions compiled on first use."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Literal, get_args

from roce_audit.engine.conditions.expressions import Bound, Expression
from roce_audit.engine.conditions.kinds import describe, joined, kind_of, words_of
from roce_audit.engine.conditions.logic import Path
from roce_audit.engine.findings import SEVERITIES, Severity
from roce_audit.engine.rules.messages import Template
from roce_audit.engine.rules.rulecompiler import RuleCompiler
from roce_audit.engine.rules.scopes import CLASS_KEYS, Scope
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.formulas import templates
from roce_audit.patterns import lazy
from roce_audit.records import dataclass

MAX_BYTES = 64 * 1024
"""Of a rule file."""
Topic = Literal[
    "pfc", "ecn", "dcqcn", "ets", "buffer", "mtu", "marking", "cnp", "dcbx", "link", "fabric", "app", "fleet", "input"
]
TOPICS: tuple[Topic, ...] = get_args(Topic)
Asks = Literal["present", "absent", "forbidden"]
Confidence = Literal["consensus", "vendor-specific", "debated"]
Owner = Literal["switch", "host", "app", "plan"]
ParameterType = Literal["integer", "number", "text", "template"]
"""template: what a guide says by facing and speed, see `formulas/templates.py`."""
_PYTHON: Mapping[str, type] = {"integer": int, "number": float, "text": str, "template": str}


@dataclass(frozen=True, slots=True)
class Source:
    """Who says so. `definition`: true by what the words mean; `unverified`: nobody was found who says it."""

    kind: Literal["document", "definition", "unverified"]
    title: str
    section: str = ""
    url: str | None = None
    """Where it can be read: of a paper or standard its DOI."""

    @property
    def text(self) -> str:
        """Title, section and address on one line; says so where nobody was found who says it."""
        text = f"{self.title}, {self.section}" if self.section else self.title
        text = f"{text} ({self.url})" if self.url else text
        return f"unverified: {text}" if self.kind == "unverified" else text


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number or word a policy or profile may change. Without a value the rule sees it as absent."""

    type: ParameterType
    value: int | float | str | None
    doc: str
    least: int = 0
    """The smallest number that means something: with a smaller one the rule would hold whatever is written."""


@dataclass(frozen=True, slots=True)
class FixText:
    """A neutral repair as written: model path and an expression for its value (or neither), a message template."""

    path: str | None
    value: str | None
    note: str
    swaps: bool = False
    """Whether the value is that of another path, which takes the old one in return."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """What a rule knows to be wrong: paths, and of a list of numbers those that are too many in it."""

    paths: tuple[Path, ...] = ()
    numbers: frozenset[int] = frozenset()


NOTHING = Pointed()
"""The rule leaves it to what decided."""


@dataclass(frozen=True, slots=True)
class RuleReads:
    """What a rule reads, as (env key, first field)."""

    deciding: frozenset[tuple[str, str]]
    """What decides whether it holds: the reads of its conditions."""
    wording: frozenset[tuple[str, str]]
    """What only the words of a failure depend on: its severity, message, fix and place."""


class Compiled:
    """The expressions of a rule, each compiled when it is first asked for: most rules fail nowhere, and need no message."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        parameters = {name: _PYTHON[parameter.type] for name, parameter in rule.params.items()}
        self._compiler = RuleCompiler(rule.path, rule.places, rule.scope, parameters, rule.let)

    @cached_property
    def when(self) -> Expression | None:
        """Which subjects it is about."""
        when = self._rule.when
        return None if when is None else self._compiler.condition("when", when)

    @cached_property
    def require(self) -> Expression:
        """What must hold."""
        return self._compiler.condition("require", self._rule.require)

    @cached_property
    def severities(self) -> tuple[tuple[Severity, Expression], ...]:
        """Levels with their conditions."""
        return tuple(
            (level, self._compiler.condition(f"severity.{level}", text)) for level, text in self._rule.severities
        )

    @cached_property
    def message(self) -> Template:
        """What a failure says."""
        return self._compiler.template("message", self._rule.message)

    @cached_property
    def _fix(self) -> tuple[Expression | None, Expression | None, Template | None]:
        return _fix(self._rule.fix, self._compiler)

    @property
    def fix_path(self) -> Expression | None:
        """What a repair would set."""
        return self._fix[0]

    @property
    def fix_value(self) -> Expression | None:
        """The value that a repair would give it."""
        return self._fix[1]

    @property
    def fix_note(self) -> Template | None:
        """A repair in words."""
        return self._fix[2]

    @cached_property
    def points_at(self) -> tuple[tuple[Expression, Expression], ...]:
        """(value, condition): where the finding points is the line of the first value whose condition holds."""
        return tuple(
            (
                self._compiler.expression(f"points_at.{value}", value),
                self._compiler.condition(f"points_at.{value}", test),
            )
            for value, test in self._rule.points_at
        )

    @cached_property
    def worst_by(self) -> Expression | None:
        """A number: of failures that share their line, the one with the largest is told."""
        text = self._rule.worst_by
        return None if text is None else self._compiler.number("worst_by", text)

    def parts(self) -> tuple[Expression | Template, ...]:
        """Everything that reads the model. Raises RuleError with the place in the file for the first that cannot be compiled."""
        self._compiler.compile_names()
        tests = [test for _, test in self.severities]
        fix = (self.fix_path, self.fix_value, self.fix_note)
        pointers = [part for pair in self.points_at for part in pair]
        others = (self.when, self.require, self.worst_by, self.message, *fix)
        return tuple(p for p in (*others, *pointers, *tests) if p is not None)


@dataclass(frozen=True)
class Rule:
    """A rule as its file says it. `places` maps a field (`require`, `let.x`) to its line and column in the file."""

    id: str
    topic: Topic
    path: str
    title: str
    scope: Scope
    asks: Asks | None
    when: str | None
    let: Mapping[str, str]
    require: str
    severities: tuple[tuple[Severity, str], ...]
    message: str
    why: str
    source: tuple[Source, ...]
    confidence: Confidence
    owner: Owner
    tags: tuple[str, ...]
    params: Mapping[str, Parameter]
    after: tuple[str, ...]
    not_suppressible: bool
    fix: FixText | None
    examples: Mapping[str, str]
    places: Mapping[str, tuple[int, int]]
    points_at: tuple[tuple[str, str], ...] = ()
    worst_by: str | None = None
    """A number: of failures that share their line, the one with the largest is told."""
    known_reads: RuleReads | None = field(default=None, compare=False)
    """What it reads, where an earlier run of the same program found that out and nothing need be compiled for it."""

    def __hash__(self) -> int:
        return hash(self.id)

    def __getstate__(self) -> dict[str, Any]:
        """What goes to a worker process: the file's content; closures are compiled anew over there."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def severity(self) -> Severity:
        """The worst severity the rule can have: the one of the catalogue."""
        return min((level for level, _ in self.severities), key=SEVERITIES.index)

    @cached_property
    def compiled(self) -> Compiled:
        """The compiled expressions; each raises RuleError with its place in the file when it is asked for."""
        return Compiled(self)

    @cached_property
    def reads_by_use(self) -> RuleReads:
        """What it reads to decide, and what to tell."""
        if self.known_reads is not None:
            return self.known_reads
        conditions = (self.compiled.when, self.compiled.require)
        deciding = frozenset(read for part in conditions if part is not None for read in part.reads)
        return RuleReads(deciding, frozenset(read for part in self.compiled.parts() for read in part.reads) - deciding)

    @property
    def reads(self) -> frozenset[tuple[str, str]]:
        """(env key, first field) pairs the rule reads."""
        return self.reads_by_use.deciding | self.reads_by_use.wording

    @cached_property
    def deciding_reads(self) -> tuple[tuple[str, str], ...]:
        """What its verdict depends on besides its parameters, in one order: rules of the same are asked together."""
        return _of_subject(self.reads_by_use.deciding)

    @cached_property
    def wording_reads(self) -> tuple[tuple[str, str], ...]:
        """What two failures may differ in besides."""
        return _of_subject(self.reads_by_use.wording)

    @cached_property
    def fields(self) -> frozenset[tuple[type, str]]:
        """Every field that its condition reads, with the model class that has it."""
        parts = (self.compiled.when, self.compiled.require)
        return frozenset(field for part in parts if part is not None for field in part.fields)

    @cached_property
    def uses_class(self) -> bool:
        """True when the verdict depends on the class that the subject is judged for."""
        return any(key in CLASS_KEYS for key, _ in self.reads)

    def severity_of(self, env: Mapping[str, object] | Bound) -> Severity:
        """Severity of a failure: the first level whose condition is known to hold, else the last one."""
        bound = env if isinstance(env, Bound) else Bound(env)
        for level, test in self.compiled.severities:
            term = test(bound)
            if term.known and term.value is True:
                return level
        return self.severities[-1][0]

    def pointed(self, bound: Bound) -> Pointed:
        """What the finding shall point at; nothing where the rule leaves it to what decided."""
        for value, test in self.compiled.points_at:
            term = test(bound)
            if term.known and term.value is True:
                found = value(bound)
                numbers = found.value if found.known and isinstance(found.value, frozenset) else frozenset()
                return Pointed(found.reads, numbers)
        return NOTHING

    def how_bad(self, bound: Bound) -> float | None:
        """How far off this failure is, where the rule compares failures of one line."""
        worst_by = self.compiled.worst_by
        term = worst_by(bound) if worst_by is not None else None
        return term.value if term is not None and term.known and isinstance(term.value, int | float) else None

    @cached_property
    def _own_parameters(self) -> SimpleNamespace:
        return SimpleNamespace(**{name: parameter.value for name, parameter in self.params.items()})

    def parameters(self, changed: Mapping[str, object] | None = None) -> SimpleNamespace:
        """The environment's `params` with changed values; raises ValueError for an unknown name or a wrong type."""
        if not changed:
            return self._own_parameters
        values = dict(vars(self._own_parameters))
        for name, value in changed.items():
            if name not in self.params:
                raise ValueError(f"{self.id} has no parameter '{name}'{did_you_mean(name, self.params)}")
            if not fits(value, self.params[name].type):
                raise ValueError(f"parameter '{name}' of {self.id} must be of type {self.params[name].type}")
            least = self.params[name].least
            if isinstance(value, int | float) and not least <= value < math.inf:
                raise ValueError(f"parameter '{name}' of {self.id} cannot be {value}: the least is {least}")
            if self.params[name].type == "template" and isinstance(value, str):
                templates.rows(value)
            values[name] = value
        return SimpleNamespace(**values)


def _of_subject(reads: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(read for read in reads if read[0] != "params"))


def fits(value: object, kind: ParameterType) -> bool:
    """Whether a parameter of this type may have this value (None: no value)."""
    if value is None:
        return True
    if kind in ("text", "template"):
        return isinstance(value, str)
    return type(value) is int or (kind == "number" and type(value) is float)


_MODEL_PATH = lazy(r"[A-Za-z_]\w*(?:\[\w+\])?(?:\.[A-Za-z_]\w*(?:\[\w+\])?)+")


def _fix(fix: FixText | None, compiler: RuleCompiler) -> tuple[Expression | None, Expression | None, Template | None]:
    if fix is None:
        return None, None, None
    note = compiler.template("fix.note", fix.note)
    if fix.path is None or fix.value is None:
        return None, None, note
    path = compiler.expression("fix.path", fix.path)
    if not _MODEL_PATH.fullmatch(fix.path):
        raise compiler.error("fix.path", "a model path is needed here, such as port.ip_mtu_bytes")
    value = compiler.expression("fix.value", fix.value)
    if joined(path.type, value.type) is None:
        raise compiler.error("fix.value", f"{fix.path} is {describe(path.type)}, not {describe(value.type)}")
    word = value(Bound({})).value if not value.reads and kind_of(value.type) == "text" else None
    if word is not None and words_of(path.type) and word not in words_of(path.type):
        raise compiler.error("fix.value", f"'{word}' is never a value of it{did_you_mean(word, words_of(path.type))}")
    return path, value, note


def from_plain(data: Mapping[str, Any], reads: RuleReads | None = None) -> Rule:
    """A rule from the plain form that `rulefile.read` gives and the cache keeps; `reads` is what it is known to read."""
    fix = data["fix"]
    return Rule(
        **{
            **data,
            "severities": tuple((level, test) for level, test in data["severities"]),
            "source": tuple(Source(**entry) for entry in data["source"]),
            "tags": tuple(data["tags"]),
            "after": tuple(data["after"]),
            "points_at": tuple((value, test) for value, test in data.get("points_at", ())),
            "params": {name: Parameter(**entry) for name, entry in data["params"].items()},
            "fix": None if fix is None else FixText(**fix),
            "places": {name: (place[0], place[1]) for name, place in data["places"].items()},
            "known_reads": reads,
        }
    )
