"""A verdict explained: why a rule fired, held, did not apply or is undetermined on one subject, cell by cell."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roce_audit.audit import Checked
from roce_audit.engine.conditions.expressions import Bound, Compiler, Expression, ExpressionError, judge
from roce_audit.engine.conditions.logic import ABSENT, Path, Term, cell_at, dotted, truth
from roce_audit.engine.judging import is_asked
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.rules.scopes import compiler_for
from roce_audit.engine.subjects import Subject, Subjects
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.policy import Policy
from roce_audit.report.words import position, prose
from roce_audit.text.sentences import listed
from roce_audit.values import Cell, Place
from roce_audit.views.cellwords import Quote, plain, positions, safe, value, where
from roce_audit.views.choosing import NothingChosen, names_of

_ANSWER = {True: "carries RoCE", False: "carries no RoCE", None: "may or may not carry RoCE"}
_SHOWN = 3
_PARAMETERS = {int: "integer", float: "number", str: "text"}


def verdict_lines(rule: Rule, name: str, checked: Checked, policy: Policy) -> Iterator[str]:
    """The explanation, once per class the subject is judged for. Raises NothingChosen where nothing has this name."""
    subjects = Subjects(checked.site, checked.seen)
    known: list[str] = []
    found = False
    for subject in subjects.of(rule.scope, rule.uses_class):
        names = _names(subject)
        known.extend(names[:1])
        if name.lower() in (each.lower() for each in names):
            found = True
            yield from _on_subject(rule, subject, policy, checked.lines)
    if not found:
        yield from _elsewhere(rule, name, checked, known)


def _names(subject: Subject) -> list[str]:
    names = [subject.id, subject.name, *(f"{s.device.name}:{port}" for s in subject.ports for port in names_of(s))]
    if subject.seen is not None:
        names += [position(subject.header.path, subject.header.line), f"{subject.seen.device}:{subject.name}"]
        names += [f"{subject.seen.device}:{port}" for port in subject.seen.ports]
    return names


def _elsewhere(rule: Rule, name: str, checked: Checked, known: Sequence[str]) -> Iterator[str]:
    """A subject that the rule has no business with, though it is there."""
    ports = [port for fabric in checked.site.fabrics for port in fabric.ports]
    for port in ports:
        if name.lower() in (f"{port.device.name}:{alias}".lower() for alias in names_of(port)):
            yield f"{rule.id} on {port.id}: not applicable"
            if port.roce.rank == "not_data":
                yield f"  {prose(port.roce.because)}  {positions(port.places(port.roce.at) or [port.reading.header])}"
            else:
                yield f"  the rule judges {_KINDS.get(rule.scope, rule.scope)}, and no class or link leads it here"
            return
    others = list(dict.fromkeys((*known, *(port.id for port in ports))))
    of_device = [other for other in others if other.startswith(f"{name}:")]
    if of_device:
        raise NothingChosen(f"{rule.id} is asked of more than '{name}': name one of {listed(of_device, _SHOWN)}")
    said = did_you_mean(name, others) or did_you_mean(name, [device.name for device in checked.devices])
    raise NothingChosen(f"{rule.id} has no subject '{name}'{said}")


_KINDS = {"link": "links with both ends read", "nic": "NICs", "input": "what was noticed in the input"}


def _on_subject(rule: Rule, subject: Subject, policy: Policy, quote: Quote) -> Iterator[str]:
    changed = next((entry.params for entry in policy.rules if entry.rule == rule.id), {})
    bound = Bound({**subject.env, "params": rule.parameters(changed)})
    compiled = rule.compiled
    term = judge(compiled, bound)
    asked = is_asked(rule, subject)
    for_class = f", class {subject.cls.name}" if subject.cls is not None else ""
    yield f"{rule.id} on {subject.id}{for_class}: {_verdict(term, asked)}"
    if not asked:
        yield f"  rules that ask for what is {rule.asks} do not apply here:"
        for port in subject.ports:
            at = positions(port.places(port.roce.at) or [port.reading.header])
            said = f": {prose(port.roce.because)}" if port.roce.because else ""
            yield f"    {port.id} {_ANSWER[port.roce.carries]}{said}  {at}"
    elif term is not None and not (term.known and term.value):
        yield f"  {prose(compiled.message(bound))}"
    if term is not None and not term.known and term.note:
        yield f"  because {prose(term.note)}"
    reader = _Reader(rule, subject, bound, quote)
    if rule.when is not None and compiled.when is not None:
        yield from reader.condition("when", rule.when, compiled.when)
    if term is not None:
        yield from reader.condition("require", rule.require, compiled.require)


def _verdict(term: Term | None, asked: bool) -> str:
    if not asked:
        return "not applicable"
    if term is None:
        return "not applicable, because its condition does not hold here"
    if not term.known:
        return "undetermined"
    return "holds" if term.value else "fails"


class _Reader:
    """Takes the conditions of a rule apart: every path in the text, with what was read there."""

    def __init__(self, rule: Rule, subject: Subject, bound: Bound, quote: Quote) -> None:
        self.rule, self.subject, self.bound, self.quote = rule, subject, bound, quote
        self.compiler: Compiler = compiler_for(rule.scope)
        self.names: dict[str, Expression | type] = {
            f"params.{name}": next(t for t, word in _PARAMETERS.items() if word == p.type)
            for name, p in rule.params.items()
        }
        self.lets: dict[str, str] = {}
        for name, text in rule.let.items():
            self.names[name] = self.compiler.compile(text, self.names)
            self.lets[name] = text
        self.told: set[str] = set()

    def condition(self, label: str, text: str, expression: Expression) -> Iterator[str]:
        """The text with its truth, and a line for each thing that it reads; what was told before is left out."""
        term = truth(expression(self.bound))
        yield f"  {label} {prose(text)}  -> {_term(term)}"
        yield from self._paths(text)
        for path in term.reads:
            yield from self._read(path)

    def _paths(self, text: str) -> Iterator[str]:
        for piece in _chains(text):
            if piece in self.lets and piece not in self.told:
                self.told.add(piece)
                term = self.names[piece](self.bound)
                yield f"    {piece} = {prose(self.lets[piece])} = {_term(term)}"
                yield from self._paths(self.lets[piece])
            elif piece not in self.lets and piece.partition(".")[0] in (*self.compiler.roots, "params"):
                try:
                    term = self.compiler.compile(piece, self.names)(self.bound)
                except ExpressionError:
                    continue
                yield from self._read(term.path or (term.reads[0] if term.reads else ()), piece, term)

    def _read(self, path: Path, piece: str = "", term: Term | None = None) -> Iterator[str]:
        shown = piece or _written(path)
        if not path or shown in self.told or dotted(path) in self.told:
            return
        self.told |= {shown, dotted(path)}
        cell = _cell(self.bound.roots, path)
        if not isinstance(cell, Cell):
            yield f"    {shown} = {_term(term) if term is not None else plain(cell)}"
            return
        found = [self.subject.resolver(str(path[0]))(at) for at in cell.at]
        text = safe(cell, [at for at in found if isinstance(at, Place)], self.quote)
        at = where(found, self.quote)
        yield f"    {shown} = {prose(text)}{'    ' + at if at else ''}"


def _chains(text: str) -> list[str]:
    """The names and dotted paths of an expression, each once, in the order of the text; numbered steps are kept."""
    found: dict[str, None] = {}
    local = {n.target.id for n in ast.walk(ast.parse(text, mode="eval")) if _is_loop(n)}  # type: ignore[attr-defined]

    def visit(node: ast.AST) -> None:
        base = node
        while isinstance(base, ast.Attribute | ast.Subscript) and not _moves(base):
            base = base.value
        if isinstance(base, ast.Name) and isinstance(node, ast.Attribute | ast.Subscript | ast.Name):
            if base.id not in local:
                found.setdefault(ast.unparse(node))
            return
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(text.strip(), mode="eval").body)
    return list(found)


def _is_loop(node: ast.AST) -> bool:
    return isinstance(node, ast.comprehension) and isinstance(node.target, ast.Name)


def _moves(node: ast.Attribute | ast.Subscript) -> bool:
    """A step whose number is itself computed."""
    return isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant)


def _written(path: Path) -> str:
    """A read path as rules write it: the fabric's layer of a port is part of `port`."""
    root = str(path[0])
    written = "port" if root == "joined" else root.removesuffix("_joined")
    return dotted((written, *path[1:]))


def _cell(roots: Mapping[str, object], path: Path) -> Any:
    try:
        return cell_at(roots, path)
    except (LookupError, AttributeError):
        return None


def _term(term: Term) -> str:
    if not term.known:
        return f"unknown ({prose(term.note)})" if term.note else "unknown"
    if term.value is ABSENT:
        return "none"
    return value(Cell(term.value))
