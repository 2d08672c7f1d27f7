"""Launchers written in Python, and plugins and modules in Lua, that set the variables of libraries for the jobs that they start."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from textwrap import dedent

from roce_audit.platforms.linux.env import JOB, place
from roce_audit.platforms.linux.jobs.variables import (
    KEEPS_OFF,
    LIBRARY_WORDS,
    VARIABLE,
    by_module,
    by_program,
    of_members,
    on_one_node,
)
from roce_audit.platforms.shared.host.answers import Answer, Tool
from roce_audit.platforms.shared.shell.arithmetic import whole_number

MEMBER = rf"\\?[\"']{VARIABLE}\\?[\"'][ \t]{{0,8}}:[ \t]{{0,8}}[\\\"'0-9]"
"""A variable as a member of a JSON object: the environment that Ray, or a runner of jobs, is handed."""
_PYTHON_MEMBER = rf"[\"']{VARIABLE}[\"'][ \t]{{0,8}}:[ \t]{{0,8}}[\"'0-9A-Za-z_]"
_WORD = rf"[\"'](?:export )?{VARIABLE}="
"""A variable in a word of a command, or in a line of a script, that a program puts together."""
_OF_PYTHON = r"\A(?=[\s\S]{0,19000}?^(?:import|from) [a-z_])"
_CONDITION = re.compile(r"[ \t]{0,80}(?:if|elif|else|except)\b[^\n]{0,400}:[ \t]{0,20}(?:#.*)?$")
_DEFAULT = re.compile(r"__name__|\bnot in os\.environ|\bis None|\bnot os\.(?:environ\.get|getenv)\(")
"""Of a condition that holds for a program that somebody starts, or where nobody has set the variable."""
_HANDED_BY_RAY = re.compile(r"\b(?:runtime_env|env_vars)\b")
"""What Ray is handed for its workers (Ray, Environment Dependencies, runtime_env)."""
_ENVIRONMENT = re.compile(r"(?:\w{0,40}_)?env(?:iron|ironment|_vars|s)?", re.I)
"""What programs call an environment."""
_GIVEN = re.compile(rf"(export[ \t]{{1,9}})?({VARIABLE})=[\"']?([^\s\"';&|]{{1,300}})[\"']?")
_OPTIONS = frozenset({"-x", "-e", "--env", "-env", "-genv"})
"""What stands before a variable that a launcher hands over."""
_KEYWORDS = frozenset({"env", "environment", "env_vars"})
_DEEPEST = 20
"""Names of names, and expressions in expressions."""


def _program(answer: Answer) -> None:
    answer.collector.launched = place(answer, answer.document.first_line)
    text = answer.document.text
    tree = _parsed(text)
    is_alone = on_one_node(text)
    conditional = _conditional(answer)
    members = dict[str, dict[str, int]]()
    first = answer.document.first_line

    def hand(name: str, value: str, number: int) -> None:
        is_open = (number in conditional or is_alone) and name in KEEPS_OFF
        answer.collector.variable(name, f"${name}" if is_open else value, place(answer, number), JOB)

    is_handed = _HANDED_BY_RAY.search(text) is not None
    told = _Python(tree) if tree is not None else None
    for name, value, line in told.members() if told is not None else ():
        members.setdefault(name, {}).setdefault(value, first + line - 1)
    for number, line_text in answer.lines():
        for name, value in of_members(line_text) if is_handed else ():
            members.setdefault(name, {}).setdefault(value, number)
        for name, value in (*by_module(line_text), *(by_program(line_text) if told is None else ())):
            hand(name, value, number)
    for name, value, line in (*told.stored(), *told.words()) if told is not None else ():
        hand(name, value, first + line - 1)
    for name, values in members.items():
        if len(values) == 1:  # several: a table, of which something else picks one
            for value, number in values.items():
                is_open = is_alone and name in KEEPS_OFF
                answer.collector.variable(name, f"${name}" if is_open else value, place(answer, number), JOB)


def stored(text: str) -> list[tuple[str, str, int]] | None:
    """(variable, value, line from 1 on) of what a program of Python stores in its environment; None where a text is no such program."""
    tree = _parsed(dedent(text)) if "environ" in text else None
    return [*_Python(tree).stored()] if tree is not None else None


def _conditional(answer: Answer) -> frozenset[int]:
    """The lines that stand below a condition."""
    found = set[int]()
    indents: list[int] = []
    """Of the conditions that hold for the line."""
    for number, text in answer.lines():
        indent = len(text) - len(text.lstrip())
        while indents and text.strip() and indent <= indents[-1]:
            indents.pop()
        if indents:
            found.add(number)
        if _CONDITION.match(text) is not None and _DEFAULT.search(text) is None:
            indents.append(indent)
    return frozenset(found)


def _parsed(text: str) -> ast.Module | None:
    """The text as a program of Python; None where it is none."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _Python:
    """A program of Python. It is never run; what it computes otherwise than below is open (`$NAME`)."""

    def __init__(self, tree: ast.Module) -> None:
        self._nodes = [*ast.walk(tree)]
        self._constants = _constants(self._nodes)

    def stored(self) -> Iterator[tuple[str, str, int]]:
        """(variable, value, line) of `environ["NAME"] = VALUE` and `environ.setdefault("NAME", VALUE)`."""
        for node in self._nodes:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Subscript) and _is_environment(target.value):
                        yield from _pair(target.slice, node.value, self._constants)
            elif isinstance(node, ast.Call) and _is_call_of(node, "setdefault") and len(node.args) == 2:
                yield from _pair(node.args[0], node.args[1], self._constants)

    def members(self) -> Iterator[tuple[str, str, int]]:
        """The same of mappings that are handed to what the program starts, or go into its environment."""
        said = [*self._handed()]
        by_name = {node.id for one in said for node in ast.walk(one) if isinstance(node, ast.Name)}
        for node in self._nodes:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                if any(isinstance(one, ast.Name) and _goes_there(one.id, by_name) for one in _targets(node)):
                    said.append(node.value)
            elif isinstance(node, ast.FunctionDef) and _goes_there(node.name, by_name):
                said += [one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value is not None]
        told = {id(node): node for one in said for node in _mappings(one)}
        for mapping in told.values():
            if isinstance(mapping, ast.Dict):
                for key, value in zip(mapping.keys, mapping.values, strict=True):
                    yield from _pair(key, value, self._constants)
            else:
                for keyword in mapping.keywords:
                    yield from _pair(ast.Constant(keyword.arg), keyword.value, self._constants)

    def words(self) -> Iterator[tuple[str, str, int]]:
        """The same of lists of words and lines: `"-x", "NCCL_IB_TC=106"` of a command, `"export NCCL_IB_TC=106"` of a script."""
        for node in self._nodes:
            listed = node.elts if isinstance(node, ast.List | ast.Tuple) else []
            texts = ["", *(_text(one, self._constants) or "" for one in listed)]
            for one, (before, text) in zip(listed, pairwise(texts), strict=True):
                given = _GIVEN.fullmatch(text)
                if given is not None and (given[1] or before in _OPTIONS):
                    yield given[2], given[3], one.lineno

    def _handed(self) -> Iterator[ast.expr]:
        """What goes into an environment as a whole."""
        for node in self._nodes:
            if isinstance(node, ast.Call):
                if _is_call_of(node, "update"):
                    yield from node.args
                    yield node
                yield from (one.value for one in node.keywords if one.arg in _KEYWORDS)
            elif isinstance(node, ast.Dict):
                if any(
                    key is None and _is_environment(value) for key, value in zip(node.keys, node.values, strict=True)
                ):
                    yield node
            elif isinstance(node, ast.For) and any(_stores(inner) for one in node.body for inner in ast.walk(one)):
                yield node.iter


def _constants(nodes: Sequence[ast.AST]) -> Mapping[str, ast.expr]:
    """The names that the program assigns once, and what to."""
    stored = Counter(one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    stored.update(one.arg for one in nodes if isinstance(one, ast.arg))
    return {
        one.id: node.value
        for node in nodes
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for one in _targets(node)
        if isinstance(one, ast.Name) and stored[one.id] == 1
    }


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _goes_there(name: str, by_name: Collection[str]) -> bool:
    """Whether what has this name is handed over, or is called after an environment."""
    return name in by_name or _ENVIRONMENT.fullmatch(name) is not None


def _name_of(node: ast.expr) -> str:
    """The name of what is named, the last of several; "" for any other expression."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_environment(node: ast.expr) -> bool:
    return _ENVIRONMENT.fullmatch(_name_of(node)) is not None


def _stores(node: ast.AST) -> bool:
    """Whether a statement sets a variable of an environment by a name that it computes."""
    if isinstance(node, ast.Assign):
        return any(isinstance(one, ast.Subscript) and _is_environment(one.value) for one in node.targets)
    return isinstance(node, ast.Call) and _is_call_of(node, "setdefault")


def _is_call_of(node: ast.Call, method: str) -> bool:
    """Whether it is a call of this method of an environment."""
    called = node.func
    return isinstance(called, ast.Attribute) and called.attr == method and _is_environment(called.value)


def _mappings(node: ast.expr) -> Iterator[ast.Dict | ast.Call]:
    """A mapping that is written down, and those that are taken into it."""
    if isinstance(node, ast.Dict):
        yield node
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                yield from _mappings(value)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _mappings(node.left)
        yield from _mappings(node.right)
    elif isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in ("items", "copy"):
            yield from _mappings(called.value)
        is_update = isinstance(called, ast.Attribute) and called.attr == "update"
        if is_update or (isinstance(called, ast.Name) and called.id == "dict"):
            yield node


def _pair(key: ast.expr | None, value: ast.expr, names: Mapping[str, ast.expr]) -> Iterator[tuple[str, str, int]]:
    if isinstance(key, ast.Constant) and isinstance(key.value, str) and re.fullmatch(VARIABLE, key.value):
        told = _text(value, names)
        yield key.value, f"${key.value}" if told is None else told, value.lineno


def _text(node: ast.expr, names: Mapping[str, ast.expr], depth: int = 0) -> str | None:
    """What an expression comes to as text; None where something else decides it."""
    if depth > _DEEPEST:
        return None
    if isinstance(node, ast.Constant):
        return str(node.value) if isinstance(node.value, str | int) else None
    if isinstance(node, ast.Name):
        given = names.get(node.id)
        return _text(given, names, depth + 1) if given is not None else None
    if isinstance(node, ast.BinOp):
        return _computed(node, names)
    if isinstance(node, ast.JoinedStr):
        parts = [
            _text(one.value, names, depth + 1) if isinstance(one, ast.FormattedValue) else _text(one, names, depth + 1)
            for one in node.values
            if not (isinstance(one, ast.FormattedValue) and (one.format_spec is not None or one.conversion > 0))
        ]
        known = [part for part in parts if part is not None]
        return "".join(known) if len(known) == len(node.values) else None
    if isinstance(node, ast.Call) and not node.keywords:
        called = _name_of(node.func)
        if called in ("str", "int") and len(node.args) == 1:
            return _text(node.args[0], names, depth + 1)
        is_asked = called == "getenv" or (
            isinstance(node.func, ast.Attribute) and called == "get" and _is_environment(node.func.value)
        )
        if is_asked and len(node.args) == 2:  # what it is where nobody has set it
            return _text(node.args[1], names, depth + 1)
    return None


def _computed(node: ast.BinOp, names: Mapping[str, ast.expr]) -> str | None:
    """An expression of whole numbers."""

    class _Filled(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            given = names.get(name.id)
            told = _text(given, names, 1) if given is not None else None
            return ast.Constant(int(told)) if told is not None and told.isdecimal() else name

    try:
        return str(whole_number(_Filled().visit(node)))
    except (ValueError, RecursionError):
        return None


PROGRAM = Tool(
    name="job program",
    split=_program,
    # a manifest may hold a program, and is read as a manifest
    signature=r"\A(?![\s\S]{0,4000}?^apiVersion:)[\s\S]{0,19000}?^[ \t]*[\w.]{0,40}"
    rf"(?:\b|_)env(?:iron|ironment|_vars|s)?(?:\[|\.setdefault\()[\"']{VARIABLE}[\"'][\],]"
    rf"|^(?:setenv|pushenv)\([ \t]{{0,9}}[\"']{VARIABLE}[\"']"
    rf"|\A(?=[\s\S]{{0,19000}}?\b(?:runtime_env|env_vars)\b)[\s\S]{{0,19000}}?{MEMBER}"
    rf"|{_OF_PYTHON}(?=[\s\S]{{0,19000}}?(?i:env))[\s\S]{{0,19000}}?{_PYTHON_MEMBER}"
    rf"|{_OF_PYTHON}[\s\S]{{0,19000}}?(?:{_WORD}|\benv(?:iron)?\.update\([^)]{{0,600}}?\b{VARIABLE}=)",
    words=LIBRARY_WORDS,
    scripts=True,
)
"""A launcher in Python, or a job_submit plugin of Slurm in Lua, that sets variables."""
