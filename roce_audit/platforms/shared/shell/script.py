"""A setup script followed without running it: which commands it surely runs, which it may, with which values.

Variables, loops over words that are written down, conditions, functions. What cannot be told (an input, the answer of a
command) leaves a variable open, or a command one that may run.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from roce_audit.platforms.shared.shell.blocks import (
    Block,
    Kind,
    Way,
    all_hold,
    both,
    merged_values,
    of_condition,
    same_for_all,
)
from roce_audit.platforms.shared.shell.commands import Command
from roce_audit.platforms.shared.shell.conditions import Answer, asked, asks_for_a_tool, chosen, is_test
from roce_audit.platforms.shared.shell.functions import Functions
from roce_audit.platforms.shared.shell.values import HIDDEN, Values, derived

_KEYWORD = re.compile(
    r"(?:@reboot\s+(?:[a-z_][\w-]*\s+)?)?(if|elif|then|else|fi|for|select|while|until|do|done|case|esac|\{|\}|\()(?=[\s;\[!(]|$)\s*([\s\S]*)"
)
_LOOP = re.compile(r"([A-Za-z_]\w{0,40})\s+in\s+([\s\S]+)")
_CASE = re.compile(r"(\S{1,200})\s+in\b\s*([\s\S]*)")
_ARM = re.compile(r"\(?\s*([^()\s][^()]{0,300}?)\s*\)\s*([\s\S]*)")
_GOES_INTO = re.compile(r"cd\s+(?:--\s+)?[\"']?(/sys/[^\s\"';&|]{1,200})[\"']?")
_RELATIVE = re.compile(r"(>{1,2}\s{0,9}|\btee\s{1,9}(?:-a\s{1,9})?)[\"']?(?!\.{0,2}/)(\w[\w./-]{0,100})[\"']?(?=\s|$)")
"""A file that is written to, named from the folder that the script went into."""
_WORD_BY_WORD = re.compile(r"(?<=\s)\"(\$@|\$\{@\})\"(?=\s|$)")
"""The words that a function is called with, each of which stays one by itself."""
_ARGUMENTS = re.compile(r"[\"']?\$[@*][\"']?(?:\s|$)")
_ARRAY = re.compile(r"[A-Za-z_]\w{0,40}\+?=\((.*)\)\s*")
_LEAVES = re.compile(r"(exit|return|continue|break|exec)\b\s*(\S*)")
_ENDS = frozenset({"}", "elif", "else", "fi", "esac", "done"})
"""Words that end a block, and with it commands in braces that are never closed."""
_MOST_STEPS = 20_000
_DOUBT = (-1, 0)
"""A way that may not be taken, of a condition that is no block."""
_DEEPEST = 8


@dataclass(frozen=True)
class Step:
    """A command that the script runs, or may run."""

    number: int
    """Which line of the script it begins on."""
    texts: tuple[str, ...]
    """It with the values of variables, once for each value that loops give."""
    way: Way
    """Empty: it is surely run."""
    until: int
    """Which line it ends on."""
    caller: int | None = None
    """Which line calls the function that it stands in."""
    open: str = ""
    """In a function that is called, the command without what the call hands over."""


class Script:
    """One script being followed.

    `hooks` are variables that whoever runs it sets; one that is `*` is each NIC in turn. `matters` says of a text whether it calls
    what somebody looks for: such texts are followed where they are kept in variables. `one_of_many` stands for each of those that
    a loop goes through and that are not written down; without it they stay open.
    """

    def __init__(
        self,
        hooks: Mapping[str, str] | None = None,
        matters: Callable[[str], object] = bool,
        one_of_many: str = "",
    ) -> None:
        self.values = Values(dict(hooks or {}))
        self._matters = matters
        self._one_of_many = (one_of_many,) if one_of_many else ()
        self._each_nic = frozenset(name for name, value in (hooks or {}).items() if value == "*")
        self._blocks = [Block("script")]
        self._functions = Functions()
        self._called: set[str] = set()
        self._count = 0
        self._callers: list[tuple[int, frozenset[str]]] = []
        """(line of the call, what it hands over) of the functions that are being run."""
        self._truth = Answer(True)
        self._folder = ""
        """The folder of the kernel that the script went into last."""
        self._tested = False
        self.arms: dict[int, int] = {}
        """Condition -> the number of its arms, where one of them is surely taken."""
        self.instead: list[Step] = []
        """Commands that are run where a tool is missing that is taken to be there."""
        self.ends: int | None = None
        """Line of the `exit` that every run of the script comes to."""
        self.behind: list[Step] = []
        """Commands that stand behind it, and that no run comes to."""
        self._steps = 0
        self.is_cut = False
        """It was too long to be followed to its end."""

    def follow(self, said: Iterable[Command]) -> Iterator[Step]:
        """Those of its commands that the script runs or may run, in order; those of functions where they are called."""
        for command in said:
            yield from self._command(command)
        del self._blocks[1:]
        for name in [name for name in self._functions.bodies if name not in self._called]:
            yield from self._call(name, "", None, None)  # whoever sources this file may call it

    def _command(self, command: Command) -> Iterator[Step]:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            self.is_cut = True
            return
        if self._functions.is_open:
            self._functions.record(command)
            return
        if command.is_data:
            yield self._step(command, command.text, None)
            return
        if self._functions.begins(command):
            return
        text = command.text
        if command.joint in (";;", ";&", ";;&"):
            self._next_arm()
        block = self._blocks[-1]
        arm = _ARM.fullmatch(text) if block.kind == "case" and block.test is not None else None
        if arm is not None:
            self._take_arm(arm.group(1))
            text = arm.group(2)
        if text == HIDDEN or (HIDDEN in text and _KEYWORD.fullmatch(text) is not None):
            self._blocks[0].alive = None  # it may have been anything
        runs = self._joined(command.joint)
        while (found := _KEYWORD.fullmatch(text)) is not None:
            text = self._keyword(found.group(1), found.group(2), runs)
            runs = True
        if text and text not in (")", "}"):
            yield from self._plain(command, text, runs)

    def _plain(self, command: Command, text: str, runs: bool | None) -> Iterator[Step]:
        """A command that is no part of the script's own structure."""
        answer = Answer(True)
        self._tested = is_test(text)
        if self._tested:
            filled = self.values.each(text)
            answer = (
                asked(filled[0], text, self._each_nic)
                if len(filled) == 1
                else same_for_all(filled, text, self._each_nic)
            )
        test = self._blocks[-1].test
        if test is not None:
            self._blocks[-1].by_tool = self._blocks[-1].by_tool or asks_for_a_tool(text)
            test.append((command.joint, answer if self._tested else Answer(None)))
        before, self._truth = self._truth, answer if command.joint not in ("&&", "||") else both(self._truth, answer)
        leaves = _LEAVES.match(text)
        if leaves is not None:
            self._leave(leaves.group(1), leaves.group(2), runs, before)
            is_plain = len(self._blocks) == 1 and leaves.group(1) == "exit" and command.joint not in ("&&", "||")
            if is_plain and self._blocks[0].alive is False and self.ends is None:
                self.ends = command.number
            return
        if all_hold(self._runs(), runs) is False:
            if self._blocks[-1].by_tool and not self._tested:
                self.instead.append(self._step(command, text, runs))
            elif self.ends is not None and all(block.kind != "function" for block in self._blocks):
                self.behind.append(self._step(command, text, runs))
            return
        name = text.split(None, 1)[0]
        if name in ("cd", "pushd", "popd"):
            into = _GOES_INTO.fullmatch(text.replace("pushd", "cd", 1))
            self._folder = into[1].rstrip("/") if into is not None else ""
        elif self._folder:
            text = _RELATIVE.sub(self._from_folder, text)
        if name in self._functions.bodies:
            yield from self._call(name, text[len(name) :], runs, command)
        elif not self._learn(text, runs):
            yield self._step(command, text, runs)
        else:
            yield from (self._step(command, kept, None) for kept in self._kept(text))

    def _from_folder(self, found: re.Match[str]) -> str:
        return f"{found[1]}{self._folder}/{found[2]}"

    def _step(self, command: Command, text: str, runs: bool | None) -> Step:
        texts = tuple(self.values.each(text))
        self._steps += len(texts)
        way = (*self._way(), *((_DOUBT,) if runs is None else ()))
        if not self._callers:
            return Step(command.number, texts, way, command.until)
        caller, handed = self._callers[-1]
        return Step(command.number, texts, way, command.until, caller, self.values.without(handed).filled(text, {}))

    def _learn(self, text: str, runs: bool | None) -> bool:
        have = dict(self.values.known)
        if not self.values.learn(text):
            return False
        if runs is None:
            self.values.known = merged_values([have, self.values.known])
        return True

    def _kept(self, assignment: str) -> list[str]:
        """The commands that it keeps where what runs them later cannot be followed: as words of an array, or in one of several ways."""
        array = _ARRAY.fullmatch(assignment)
        found = words_of(array[1]) if array is not None else words_of(assignment)[:1] if self._way() else []
        return [kept for kept in found if " " in kept and self._matters(kept)]

    def _joined(self, joint: str) -> bool | None:
        """Whether a command runs, as far as the one before decides."""
        if joint == "&&":
            return self._truth.holds
        if joint == "||":
            holds = self._truth.holds
            return None if holds is None or not self._tested else not holds
        return True

    # -- structure

    def _keyword(self, word: str, rest: str, runs: bool | None) -> str:
        """Take a keyword, which is reached or not as what stands before it says; gives what stands behind it."""
        while word in _ENDS and self._blocks[-1].kind == "group":
            self._end_group()
            if word == "}":
                self._truth, self._tested = Answer(True), False
                return rest
        block = self._blocks[-1]
        if word in ("if", "while", "until"):
            self._begin("if" if word == "if" else "loop", test=[])
        elif word in ("for", "select"):
            return self._for(rest)
        elif word == "case":
            found = _CASE.fullmatch(rest)
            self._begin("case", test=[])
            self._blocks[-1].word = found.group(1) if found is not None else "$"
            rest = found.group(2) if found is not None else ""
            arm = _ARM.fullmatch(rest)
            if arm is not None:
                self._take_arm(arm.group(1))
                rest = arm.group(2)
        elif word in ("then", "do") and block.test is not None:
            answer = of_condition(block.test)
            block.test = None
            self._enter(answer if block.kind == "if" else Answer(None))
        elif word == "elif" and block.kind == "if":
            self._next_arm()
        elif word == "else" and block.kind == "if":
            self._next_arm()
            block.test = None
            block.complete = True
            self._enter(Answer(True, block.otherwise))
        elif (word, block.kind) in (("fi", "if"), ("esac", "case"), ("done", "loop")):
            self._end()
        elif word == "{" and runs is not True:
            self._begin("group", None)
            self._blocks[-1].runs = runs
        self._truth, self._tested = Answer(True), False
        return rest

    def _begin(self, kind: Kind, test: list[tuple[str, Answer]] | None) -> None:
        self._count += 1
        if len(self._blocks) < 60:
            self._blocks.append(Block(kind, self._count, before=dict(self.values.known), test=test))

    def _for(self, rest: str) -> str:
        found = _LOOP.fullmatch(rest)
        self._begin("loop", None)
        name = found.group(1) if found is not None else rest.strip()
        words = self.values.listed(found.group(2)) if found is not None else None
        self.values.known.pop(name, None)
        self.values.loops[name] = words or self._one_of_many
        self._blocks[-1].word = name
        return ""

    def _enter(self, answer: Answer) -> None:
        """Into an arm whose condition has this answer."""
        block = self._blocks[-1]
        block.arm += 1
        block.runs = all_hold(block.rest, answer.holds)
        block.rest = all_hold(block.rest, None if answer.holds is None or answer.then else not answer.holds)
        block.otherwise = answer.otherwise
        self.values.known.update(answer.then)

    def _take_arm(self, patterns: str) -> None:
        block = self._blocks[-1]
        block.test = None
        block.complete = block.complete or "*" in patterns.split("|")
        filled = self.values.each(block.word)
        self._enter(chosen(filled[0], block.word, patterns, self._each_nic) if len(filled) == 1 else Answer(None))

    def _next_arm(self) -> None:
        block = self._blocks[-1]
        if block.kind not in ("if", "case"):
            return
        if block.runs is not False and block.arm:
            block.after.append(self.values.known)
        self.values.known = dict(block.before)
        block.test = []
        block.runs = block.rest

    def _end(self) -> None:
        block = self._blocks.pop()
        if block.kind == "loop":
            self.values.loops.pop(block.word, None)
            return
        if block.runs is not False and block.test is None:
            block.after.append(self.values.known)
        if not block.complete and block.rest is not False:
            block.after.append(block.before)
        if block.complete:
            self.arms[block.number] = block.arm
        self.values.known = merged_values(block.after) if block.after else dict(block.before)
        self.values.known.update(
            {name: "*" for name in self._each_nic if name in self.values.known} | dict(self._left(block))
        )

    def _end_group(self) -> None:
        """The end of `cmd || { ...; }`: what it sets holds where it was surely run."""
        block = self._blocks.pop()
        if block.runs is False:
            self.values.known = block.before
        elif block.runs is None:
            self.values.known = merged_values([block.before, self.values.known])

    def _left(self, block: Block) -> Mapping[str, str]:
        """What a hook's variables are behind an arm in which the script ends."""
        return block.otherwise if block.alive is False else {}

    def _leave(self, word: str, status: str, runs: bool | None, before: Answer) -> None:
        """`exit` and its like: what follows is not run, or may not be. One with an error is no way that a boot goes."""
        block = self._blocks[-1]
        if word == "exec" and status and not status.startswith(("-", ">", "<", "&")) and not status[0].isdigit():
            return
        if word == "exec" or (word in ("exit", "return") and re.fullmatch(r"[1-9]\d*", status)):
            return
        if before.then and runs is False:  # [ "$IFACE" = eth0 ] || exit 0
            self.values.known.update(before.then)
            return
        if block.kind == "if" and block.otherwise and runs is True:
            block.alive = False
            return
        certain = all_hold(self._runs(), runs)
        if certain is False:
            return
        scope = self._blocks[0]
        if word in ("continue", "break"):
            scope = next((b for b in reversed(self._blocks) if b.kind == "loop"), scope)
        elif word == "return":
            scope = next((b for b in reversed(self._blocks) if b.kind == "function"), scope)
        if certain is True:
            scope.alive = False if word != "break" else None
        elif scope.alive is True:
            scope.alive = None

    def _runs(self) -> bool | None:
        return all_hold(*(b.runs for b in self._blocks), *(b.alive for b in self._blocks if b.kind != "if"))

    def _way(self) -> Way:
        """The conditions that may go either way."""
        arms = tuple((b.number, b.arm) for b in self._blocks if b.runs is None)
        return (*arms, _DOUBT) if any(b.alive is None for b in self._blocks) else arms

    # -- functions

    def _call(self, name: str, arguments: str, runs: bool | None, caller: Command | None) -> Iterator[Step]:
        """The function, once for each way in which loops fill its arguments in. What it runs of its arguments alone, its caller runs."""
        self._called.add(name)
        if sum(block.kind == "function" for block in self._blocks) >= _DEEPEST:
            return
        for filled in self.values.each(re.sub(r"\s[0-9&]?>.*", "", arguments)):
            yield from self._call_once(name, words_of(filled), runs, caller)

    def _call_once(self, name: str, words: list[str], runs: bool | None, caller: Command | None) -> Iterator[Step]:
        depth = len(self._blocks)
        self._begin("function", None)
        self._blocks[-1].runs = runs
        outer = {key: value for key, value in self.values.known.items() if key.isdigit() or key in "@*"}
        loops = dict(self.values.loops)
        for number in range(1, 10):
            self.values.known[str(number)] = words[number - 1] if number <= len(words) else None
        self.values.known["@"] = self.values.known["*"] = " ".join(words) or None
        if caller is not None:
            self._callers.append((caller.number, derived(command.text for command in self._functions.bodies[name])))
        for command in self._functions.bodies[name]:
            is_passed_on = caller is not None and _ARGUMENTS.match(command.text) is not None
            command = replace(command, text=_WORD_BY_WORD.sub(r"\1", command.text))
            yield from self._command(
                replace(command, number=caller.number, until=caller.until)
                if caller is not None and is_passed_on
                else command
            )
        if caller is not None:
            self._callers.pop()
        del self._blocks[depth:]
        self.values.loops = loops
        for key in [key for key in self.values.known if key.isdigit() or key in "@*"]:
            del self.values.known[key]
        self.values.known.update(outer)


def words_of(arguments: str) -> list[str]:
    """What a call hands over, a word in quotation marks as one; where one is never closed, cut at the blanks."""
    try:
        return shlex.split(arguments)
    except ValueError:
        return [word.strip("\"'") for word in arguments.split()]
