"""What a shell script types, as far as it can be followed without running it.

Plain variables, lists, counted loops and functions are followed. What stands under a condition, or holds a value that is made
elsewhere, is typed in doubt, and says why. A loop over what a command lists is gone through once, for one that stands for all.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import translate

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.shelltokens import Simple, Word, in_plain, tokens
from roce_audit.records import dataclass

UNKNOWN = "\ue010"
"""Stands in a word for what nobody can know from the script."""
ONE_OF_MANY = "\ue011"
"""Stands for one of those that a command lists."""
CONDITION = "it stands under a condition"
ELSEWHERE = "a value in it is made elsewhere"
_MOST_TYPED = 20_000
_MOST_TIMES = 1_024
_DEEPEST = 6
_MOST_POWERS = 10**9
_NAME = lazy(r"[A-Za-z_]\w{0,60}")
_ASSIGNED = lazy(r"([A-Za-z_]\w{0,60})(\+?)=")
_BRACES = lazy(r"([^{}]{0,200})\{([^{}]{1,400})\}(.{0,400})")
_RANGE = lazy(r"(-?[0-9]{1,6})\.\.(-?[0-9]{1,6})(?:\.\.(-?[0-9]{1,6}))?")
_COUNTED = lazy(
    r"\(\(\s*([A-Za-z_]\w{0,40})\s*=\s*([0-9]{1,6})\s*;\s*[A-Za-z_]\w{0,40}\s*(<=?)\s*([0-9]{1,6})\s*;"
    r"\s*[A-Za-z_]\w{0,40}\s*(?:\+\+|\+=\s*([0-9]{1,6}))\s*\)\)"
)
_FILLED = lazy(
    r"\$\(\((?P<sum>[^()\n]{1,200}(?:\([^()\n]{0,100}\)[^()\n]{0,100}){0,4})\)\)|\$\((?P<command>[^\n]{0,2000})"
    r"|\$\{(?P<list>[A-Za-z_]\w{0,60})\[[@*]\]\}|\$\{(?P<name>\w{1,60})(?P<way>:-|-|##|#|%%|%)?(?P<rest>[^{}\n]{0,200})\}"
    r"|\$(?P<bare>\w{1,60}|[@*#?$!-])"
)
_SEQUENCE = lazy(r"seq\s{1,8}(?:-w\s{1,8})?([0-9]{1,6})(?:\s{1,8}([0-9]{1,6}))?(?:\s{1,8}([0-9]{1,6}))?\s{0,8}")
_OPERATIONS: Mapping[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.floordiv,
    ast.Mod: operator.mod,
}
_LOOPS = frozenset({"for", "while", "until", "select"})
_DECLARES = frozenset({"export", "local", "readonly", "declare", "typeset"})
_TESTS = frozenset({"[", "[[", "test"})
_OWN = frozenset({"do", "then", "else", "{", "!", "time"})
"""Words behind which a command begins."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as it is run: its words, the line of each, and why it may not run like that ("" where it does)."""

    words: tuple[str, ...]
    lines: tuple[int, ...]
    doubt: str = ""


def typed(text: str, first_line: int = 1) -> list[Typed]:
    """The commands of a script in the order in which they are run."""
    script = _Script()
    script.run(_single(tokens(text, first_line).commands), {}, "", 0)
    return script.found


def _single(commands: Sequence[Simple]) -> list[Simple]:
    """The commands with words such as `do` on their own."""
    found: list[Simple] = []
    for one in commands:
        words, joint = one.words, one.joint
        while len(words) > 1 and words[0].text in _OWN and not words[0].quoted:
            found.append(Simple(joint, words[:1]))
            words, joint = words[1:], ";"
        found.append(Simple(joint, words))
    return found


_Values = dict[str, "str | list[str]"]


class _Script:
    def __init__(self) -> None:
        self.found: list[Typed] = []
        self._functions: dict[str, list[Simple]] = {}

    def run(self, commands: Sequence[Simple], values: _Values, doubt: str, depth: int) -> None:
        """Follow some commands; `doubt` is why they may not run."""
        at = 0
        while at < len(commands) and len(self.found) < _MOST_TYPED:
            words = commands[at].words
            first = words[0].text if not words[0].quoted else ""
            if first in _LOOPS:
                at = self._loop(commands, at, values, doubt, depth)
            elif first == "if":
                end = _closing(commands, at, {"if"}, "fi")
                self.run(_bodies(commands[at:end]), values, doubt or CONDITION, depth)
                at = end + 1
            elif first == "case":
                end = _closing(commands, at, {"case"}, "esac")
                self.run(commands[at + 1 : end], values, doubt or CONDITION, depth)
                at = end + 1
            elif _is_function(commands, at):
                at = self._function(commands, at)
            else:
                self._simple(commands, at, values, doubt, depth)
                at += 1

    def _loop(self, commands: Sequence[Simple], at: int, values: _Values, doubt: str, depth: int) -> int:
        end = _closing(commands, at, _LOOPS, "done")
        begins = next((n for n in range(at, end) if commands[n].words[0].text == "do"), at)
        body, head = commands[begins + 1 : end], commands[at].words
        if depth >= _DEEPEST:
            return end + 1
        if head[0].text == "for" and len(head) > 1:
            counted = _COUNTED.fullmatch(head[1].text)
            name = counted[1] if counted is not None else head[1].text
            items = _counted(counted) if counted is not None else self._items(head[3:], values)
            for item in items[:_MOST_TIMES]:
                values[name] = item
                self.run(body, values, doubt, depth + 1)
            return end + 1
        reads = next((one.words for one in commands[at:begins] if "read" in {w.text for w in one.words[:3]}), ())
        for word in reads:
            if _NAME.fullmatch(word.text) is not None and word.text not in ("while", "read", "until"):
                values[word.text] = ONE_OF_MANY
        self.run(body, values, doubt or ("" if reads else CONDITION), depth + 1)
        return end + 1

    def _items(self, words: Sequence[Word], values: _Values) -> list[str]:
        found: list[str] = []
        for word in words:
            for text in _spread(word):
                filled = _filled(text, values)
                if isinstance(filled, list):
                    found += filled
                elif UNKNOWN in filled:
                    found.append(ONE_OF_MANY)
                else:
                    found += [filled] if word.quoted else filled.split()
        return list(dict.fromkeys(found))

    def _function(self, commands: Sequence[Simple], at: int) -> int:
        words = commands[at].words
        name = words[1].text if words[0].text == "function" and len(words) > 1 else words[0].text
        begins = next((n for n in range(at, min(at + 3, len(commands))) if _opens(commands[n])), at)
        end = _closing(commands, begins, {"{"}, "}")
        body = commands[begins + 1 : end]
        self._functions[name.removesuffix("()")] = list(body)
        return end + 1

    def _simple(self, commands: Sequence[Simple], at: int, values: _Values, doubt: str, depth: int) -> None:
        one = commands[at]
        if _is_perhaps(commands, at):
            doubt = doubt or CONDITION
        words = list(one.words)
        if words[0].text in _DECLARES:
            words = [word for word in words[1:] if not word.text.startswith("-")]
            self._assign(words, values)
            return
        assigned = 0
        while assigned < len(words) and _ASSIGNED.match(words[assigned].text) is not None:
            assigned += 1
        if assigned == len(words):
            self._assign(words, values)
            return
        texts: list[str] = []
        lines: list[int] = []
        for word in words[assigned:]:
            for text in _spread(word):
                filled = _filled(text, values)
                several = filled if isinstance(filled, list) else [filled]
                if not word.quoted and not isinstance(filled, list) and "$" in text:
                    several = filled.split()
                texts += [in_plain(part) for part in several]
                lines += [word.line] * len(several)
        body = self._functions.get(texts[0]) if texts else None
        if body is not None and depth < _DEEPEST:
            own = {**values, **{str(n): text for n, text in enumerate(texts) if n}, "@": texts[1:], "*": texts[1:]}
            self.run(body, own, doubt, depth + 1)
        elif texts:
            known = doubt or (ELSEWHERE if any(UNKNOWN in text for text in texts) else "")
            self.found.append(Typed(tuple(texts), tuple(lines), known))

    def _assign(self, words: Sequence[Word], values: _Values) -> None:
        for word in words:
            named = _ASSIGNED.match(word.text)
            if named is None:
                continue
            given = word.text[named.end() :]
            if word.quoted and given.startswith("(") and given.endswith(")"):
                members = [Word(text, word.line) for text in given[1:-1].split("\x1f") if text]
                before = values.get(named[1]) if named[2] else None
                values[named[1]] = [*(before if isinstance(before, list) else []), *self._items(members, values)]
                continue
            filled = _filled(given, values)
            if named[2] and isinstance(filled, str):
                before = values.get(named[1], UNKNOWN)
                filled = (before if isinstance(before, str) else UNKNOWN) + filled
            values[named[1]] = filled


def _closing(commands: Sequence[Simple], at: int, opens: frozenset[str] | set[str], closes: str) -> int:
    """Where what begins at `at` ends."""
    depth = 0
    for number in range(at, len(commands)):
        first = commands[number].words[0]
        if first.quoted:
            continue
        if first.text in opens or ("{" in opens and _opens(commands[number])):
            depth += 1
        elif first.text == closes:
            depth -= 1
            if depth == 0:
                return number
    return len(commands)


def _bodies(commands: Sequence[Simple]) -> list[Simple]:
    """The commands of an `if` without its words; its conditions stay, for they are run as well."""
    found = []
    for one in commands:
        words = one.words
        if words[0].text in ("if", "elif"):
            words = words[1:]
        if words and words[0].text not in ("then", "else"):
            found.append(Simple(one.joint, words))
    return found


def _opens(one: Simple) -> bool:
    return one.words[-1].text == "{" and not one.words[-1].quoted


def _is_function(commands: Sequence[Simple], at: int) -> bool:
    words = commands[at].words
    if words[0].text == "function":
        return True
    following = commands[at + 1 : at + 2]
    is_named = len(words) == 1 and _NAME.fullmatch(words[0].text.replace("-", "_")) is not None
    return is_named and bool(following) and following[0].joint == ")" and _opens(following[0])


def _is_perhaps(commands: Sequence[Simple], at: int) -> bool:
    """Whether the command before decides on this one."""
    one = commands[at]
    if one.joint == "||":
        return True
    return one.joint == "&&" and at > 0 and commands[at - 1].words[0].text in _TESTS


def _counted(found: re.Match[str]) -> list[str]:
    last = int(found[4]) + (found[3] == "<=")
    return [str(n) for n in range(int(found[2]), last, int(found[5] or 1) or 1)][:_MOST_TIMES]


def _spread(word: Word) -> list[str]:
    """A word with lists in braces written out."""
    if "{" not in word.text:
        return [word.text]
    hidden = word.text.replace("${", "\ue020")
    found = _BRACES.fullmatch(hidden)
    if found is None or "\ue020" in found[2]:
        return [word.text]
    numbered = _RANGE.fullmatch(found[2])
    if numbered is not None:
        first, last = int(numbered[1]), int(numbered[2])
        step = abs(int(numbered[3] or 1)) or 1
        inside = [str(n) for n in range(first, last + 1, step)] if first <= last else []
    elif "," in found[2]:
        inside = found[2].split(",")
    else:
        return [word.text]
    return [f"{found[1]}{one}{found[3]}".replace("\ue020", "${") for one in inside[:_MOST_TIMES]]


def _filled(text: str, values: _Values) -> str | list[str]:
    """A word with the values of its variables; a list where the word is one."""
    if "$" not in text:
        return text
    alone = _FILLED.fullmatch(text)
    if alone is not None:
        name = alone["list"] or (alone["bare"] if alone["bare"] in ("@", "*") else None)
        found = values.get(name) if name else None
        if isinstance(found, list):
            return found
    return _FILLED.sub(lambda one: _one(one, values), text)


def _one(found: re.Match[str], values: _Values) -> str:
    if found["sum"] is not None:
        return _computed(found["sum"], values)
    if found["command"] is not None:
        return _printed(found["command"])
    value = values.get(found["list"] or found["name"] or found["bare"] or "", UNKNOWN)
    plain = " ".join(value) if isinstance(value, list) else value
    way, rest = found["way"], found["rest"] or ""
    if way is None:
        return plain if not rest else UNKNOWN
    if way in (":-", "-"):
        return rest if UNKNOWN in plain else plain
    if plain == ONE_OF_MANY:
        return plain
    return _cut(plain, way, in_plain(rest))


def _cut(value: str, way: str, pattern: str) -> str:
    """`${value#pattern}` and its like."""
    matches = re.compile(translate(pattern)).match
    lengths = range(len(value) + 1)
    order = reversed(lengths) if len(way) > 1 else lengths
    for length in order:
        part = value[:length] if way[0] == "#" else value[len(value) - length :]
        if matches(part) is not None:
            return value[length:] if way[0] == "#" else value[: len(value) - length]
    return value


def _printed(command: str) -> str:
    said = _SEQUENCE.fullmatch(command.removesuffix(")").strip())
    if said is None:
        return UNKNOWN
    numbers = [int(one) for one in said.groups() if one is not None]
    first, step, last = {1: (1, 1, numbers[-1]), 2: (numbers[0], 1, numbers[-1])}.get(len(numbers), tuple(numbers))
    return " ".join(str(n) for n in range(first, last + 1, step or 1)[:_MOST_TIMES])


def _computed(text: str, values: _Values) -> str:
    def named(found: re.Match[str]) -> str:
        value = values.get(found[1], "")
        return value if isinstance(value, str) and value.lstrip("-").isdigit() else "x"

    try:
        tree = ast.parse(re.sub(r"\$?\{?\b([A-Za-z_]\w{0,60})\}?", named, text).strip(), mode="eval")
        return str(_value(tree.body))
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError):
        return UNKNOWN


def _value(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        found = _OPERATIONS[type(node.op)](_value(node.left), _value(node.right))
        if abs(found) < _MOST_POWERS:
            return found
    raise ValueError(ast.dump(node))
