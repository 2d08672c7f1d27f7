"""Values of a script's variables, and the words that its loops go through."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, product

from roce_audit.platforms.shared.shell.arithmetic import computed

_LEAD = re.compile(r"(?:export|local|readonly|declare|typeset|ARG|ENV)(?:\s+-\w+)*\s+")
"""What stands before an assignment, in a shell or in how an image of a container is built."""
_WORDS_OF_ONE = (
    r"\"[^\"]{0,500}\"|'[^']{0,500}'|`[^`]{0,300}`|\$\((?:[^()]|\([^()]{0,200}\)){0,500}\)|\([^()]{0,2000}\)"
    r"|\$(?!\()|[^\s\"'()`$]"
)
_ASSIGNED = re.compile(rf"([A-Za-z_]\w{{0,40}})(\+?)=((?:{_WORDS_OF_ONE}){{0,2000}})")
"""An assignment: its value is one word to the shell."""
_GIVEN_HERE = re.compile(r":[ \t]{1,9}[\"']?\$\{([A-Za-z_]\w{0,40}):?=([^{}$`\"']{0,200})\}[\"']?")
"""A variable gets a value where it has none."""
_PLAIN = re.compile(r"\"([^\"`]{0,500})\"|'([^'$`]{0,500})'|\(([^()`]{0,2000})\)|([^\s\"'();&|`]{0,300})")
_TAKEN = re.compile(r"(?:read|mapfile|readarray|shift|getopts)\b(.*)")
_VARIABLE = re.compile(
    r"(?<!\\)\$(?:([A-Za-z_]\w{0,40}|[0-9@*])|\{([A-Za-z_]\w{0,40}|[0-9@*])(?:\[[@*]\])?(?:(##\*/)|:?[-=]([^{}$`]{0,200})|:?\?[^{}$`]{0,200})?\})"
)
_ELEMENT = re.compile(r"\$\{([A-Za-z_]\w{0,40})\[(?:([0-9]{1,3})\]|[@*]\]:([0-9]{1,3})(?::([0-9]{1,3}))?)\}")
"""One element of an array, or a part of it from a number on."""
_REPLACED = re.compile(r"\$\{([A-Za-z_]\w{0,40})(//?)([^/{}$`\\*?\[#%]{1,40})/([^/{}$`]{0,40})\}")
"""The value of a variable with another text in place of the first one like this, or of each: `${list//,/ }`."""
_TRIMMED = re.compile(
    r"\$\{([A-Za-z_]\w{0,40})(?:(##?)(\*?)([^/{}$`\\*?\[\]\"'#%]{1,40})|(%%?)([^/{}$`\\*?\[\]\"'#%]{1,40})(\*?))\}"
)
"""What is left of the value of a variable without its beginning or end: `${pair%%:*}`, `${pair##*:}`, `${netdev%np0}`."""
_OPEN_WORD = re.compile(r"\$\{[^{}\s]{1,100}\s")
"""What is not worked out, and is one word all the same: cut at blanks it would be several."""
_BASENAME = re.compile(r"(?:\$\(|`)\s*basename\s+[\"']?(?:[^\s\"'()$`]{0,200}/)?([^\s\"'()$`/]{1,100})/?[\"']?\s*[)`]")
_OTHER_NAME = re.compile(
    r"(?:\$\(|`)\s*(?:(?:ls|basename|echo)\s+(?:-\w+\s+)?[\"']?/sys/class/(?:net|infiniband)/(?P<by_file>[^\s\"'()$`/|]{1,100})/device/(?:infiniband|net)/?"
    r"\*?/?[\"']?|cat\s+[\"']?/sys/class/infiniband/(?P<by_gid>[^\s\"'()$`/|]{1,100})/ports/\d{1,3}/gid_attrs/ndevs/\d{1,3}[\"']?"
    r"|ibdev2netdev\s*\|\s*grep\s+(?:-\w+\s+)?[\"']?(?!(?:[Uu]p|[Dd]own|UP|DOWN|port)\b)(?P<by_tool>[A-Za-z0-9_.@-]{1,100})[\"']?)"
    r"\s*+(?:2>\s*+/dev/null\s*+)?(?:\|\s*+(?:awk|cut|head|tail)\s[^|()`]{1,60}){0,2}\s*+[)`]"
)
"""What asks for the RDMA device of a network device, or the other way round."""
_PROGRAM = re.compile(
    r"(?:\$\(|`)\s*(?:command\s+-v|which|type\s+-[pP])\s+[\"']?([A-Za-z0-9_.-]{1,60})[\"']?"
    r"\s*+(?:2>\s*+/dev/null\s*+)?(?:\|\|\s*+(?:true|:|echo\s[^|()`;&]{0,100}))?\s*+[)`]"
)
"""What asks where a program stands."""
_ASKED = re.compile(r"[\"']?(?:\$\(|`)\s*(?:ls|basename|echo|cat|ibdev2netdev)\b[^`;&]{1,300}[)`][\"']?")
_SEQUENCE = re.compile(r"(?:\$\(|`)\s*seq\s+([0-9]{1,4})(?:\s+([0-9]{1,4}))?(?:\s+([0-9]{1,4}))?\s*[)`]")
"""`seq LAST`, `seq FIRST LAST` or `seq FIRST STEP LAST`."""
_LISTED = re.compile(
    r"(?:\$\(|`)\s*ls\s+(?:-[1d]+\s+)?(/sys/class/(?:net|infiniband))/?([A-Za-z0-9_.*?-]{0,60})\s*(?:2>\s*/dev/null\s*)?"
    r"(?:\|\s*grep\s+[\"']?(?P<begins>\^?)(?P<word>[A-Za-z0-9_-]{1,40})(?P<ends>\$?)[\"']?\s*|(?P<names>\|\s*xargs\s+-n\s?1\s+basename\s*))?[)`]"
)
_RANGE = re.compile(r"\{([0-9]{1,4})\.\.([0-9]{1,4})(?:\.\.([0-9]{1,4}))?\}")
_CHOICE = re.compile(r"\{([A-Za-z0-9_.,-]{1,300})\}")
_WORD = re.compile(r"[A-Za-z0-9_.,*?/@%:+=\[\]-]{1,200}")
HIDDEN = "<redacted>"
"""What `host-probe` prints in place of what may be a secret."""
_MOST = 256
"""Values of loops that a line is repeated for."""
_ROUNDS = 8
_NAMES = 500
_LONGEST = 4_000


@dataclass
class Values:
    """The variables of one script at one place of it."""

    known: dict[str, str | None] = field(default_factory=dict)
    """Variable -> its value; None where it may have one of several, or one that the script computes."""
    loops: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Variable -> what a loop around this place gives it, one after the other."""

    def learn(self, text: str) -> bool:
        """Take an assignment; False where the text is none."""
        taken = _TAKEN.match(text)
        if taken is not None:
            listed = (
                re.findall(r"[A-Za-z_]\w{0,40}", taken.group(1)) if taken.group(1).strip() else map(str, range(1, 10))
            )
            self.known.update(dict.fromkeys(list(listed)[:20]))
            return True
        if (given := _GIVEN_HERE.fullmatch(text)) is not None:
            self.known.setdefault(given[1], given[2])
            return True
        bare = _LEAD.sub("", text, count=1) if _LEAD.match(text) else text
        found = _ASSIGNED.fullmatch(bare)
        is_several = found is None and (bare != text or (not _ASSIGNED.sub("", bare).strip() and "==" not in bare))
        several = list(_ASSIGNED.finditer(bare)) if is_several else [found]
        for one in several:
            if one is not None:
                self._assign(*one.groups())
        return any(one is not None for one in several)

    def _assign(self, name: str, more: str, rest: str) -> None:
        self.loops.pop(name, None)
        one_word = f'"{rest}"' if _VARIABLE.fullmatch(rest) else rest  # what it holds is not cut at blanks
        plain = _PLAIN.fullmatch(self.filled(one_word, {}).strip()) if HIDDEN not in rest else None
        value = next((v for v in plain.groups() if v is not None), "") if plain is not None else None
        if value is None and _ASKED.fullmatch(rest) and self._used(rest):
            value = rest  # what it gives is known where the loop's variables are
        elif value is None and (listed := self.listed(rest)) is not None:
            value = " ".join(listed)
        if more:
            have, between = self.known.get(name), " " if rest.startswith("(") else ""
            value = f"{have}{between}{value}" if value is not None and have is not None else None
        if value is not None and (name in _named(value) or len(value) > _LONGEST or _OPEN_WORD.search(value)):
            value = None
        if len(self.known) < _NAMES or name in self.known:
            self.known[name] = value.replace('"', "").replace("'", "") if value is not None else None

    def listed(self, text: str) -> tuple[str, ...] | None:
        """The words that `for NAME in ...` goes through; None where they are not written down."""
        words: list[str] = []
        for each in self.each(text):
            each = _SEQUENCE.sub(_sequence, _LISTED.sub(_folder, each))
            for word in each.replace('"', "").replace("'", "").split():
                spread = list(islice(_spread(word), _MOST + 1))
                if len(spread) > _MOST or not all(_WORD.fullmatch(one) for one in spread):
                    return None
                words += spread
        return tuple(dict.fromkeys(words)) if 0 < len(words) <= _MOST else None

    def each(self, text: str) -> list[str]:
        """The text with the values of variables in it, once for each value that loops give one of them."""
        used = [name for name in self._used(text) if self.loops.get(name)]
        count = 1
        for name in used:
            count *= len(self.loops[name])
        if count > _MOST:
            return [self.filled(text, {})]
        rows = product(*(self.loops[name] for name in used))
        return list(dict.fromkeys(self.filled(text, dict(zip(used, row, strict=True))) for row in rows))

    def filled(self, text: str, chosen: Mapping[str, str]) -> str:
        """The text with the values of all variables that have one; `chosen` are those of loops.

        `: ${NAME:=VALUE}` stays, which sets one."""
        if text.lstrip().startswith(":"):
            return text

        def number(name: str) -> str | None:
            return chosen.get(name) if name in self.loops else self.known.get(name)

        def value(found: re.Match[str]) -> str:
            name = found.group(1) or found.group(2)
            told = number(name)
            if told is None:
                default: str | None = found.group(4)
                unset = name not in self.known and name not in self.loops and not name.isdigit()
                named = (
                    f"${name}" if name.isdigit() and "?" in found.group() else found.group()
                )  # ${1:?usage} asks for a word
                return default if default and unset else named
            if not told and found.group(4):
                return str(found.group(4))
            return told.rpartition("/")[2] if found.group(3) and "$" not in told else told

        def answered(found: re.Match[str]) -> str:
            """A variable that holds a question has a value where the answer is known; else it stays a variable, one word."""
            told = value(found)
            is_open = _is_asked(told) and _is_asked(_answered(_VARIABLE.sub(value, told)))
            return told if told == found.group() or not is_open else found.group()

        def element(found: re.Match[str]) -> str:
            told = number(found[1])
            if told is None or "$" in told:
                return found.group()
            words = told.split()
            first = int(found[2] or found[3])
            count = 1 if found[2] else int(found[4] or len(words))
            return " ".join(words[first : first + count])

        def replaced(found: re.Match[str]) -> str:
            told = number(found[1])
            return (
                found[0]
                if told is None or "$" in told
                else told.replace(found[3], found[4], -1 if found[2] == "//" else 1)
            )

        def trimmed(found: re.Match[str]) -> str:
            told = number(found[1])
            return found[0] if told is None or "$" in told else _without_end(told, found)

        for _ in range(_ROUNDS):
            parts = text
            if "${" in text:
                parts = _TRIMMED.sub(trimmed, _REPLACED.sub(replaced, _ELEMENT.sub(element, text)))
            filled = _answered(computed(_VARIABLE.sub(answered, parts), number))
            if filled == text or len(filled) > _LONGEST:
                break
            text = filled
        return text

    def without(self, names: Collection[str]) -> Values:
        """The same, where nobody knows what these variables are."""
        return Values(
            {n: v for n, v in self.known.items() if n not in names},
            {n: v for n, v in self.loops.items() if n not in names},
        )

    def _used(self, text: str) -> list[str]:
        """The loop variables that the text depends on."""
        seen: dict[str, None] = {}
        left = list(_named(text))
        while left and len(seen) < _NAMES:
            name = left.pop(0)
            if name not in seen:
                seen[name] = None
                if name not in self.loops:
                    left += _named(self.known.get(name) or "")
        return [name for name in seen if name in self.loops]


def constants(lines: Iterable[str]) -> Values:
    """The variables that a script gives one value alone, whichever of its lines run."""
    once: dict[str, str | None] = {}
    for line in map(str.strip, lines):
        if "=" not in line and _TAKEN.match(line) is None:
            continue
        here = Values(dict(once))
        if here.learn(line):
            once |= {name: value if once.get(name, value) == value else None for name, value in here.known.items()}
    return Values(once)


def derived(texts: Iterable[str]) -> frozenset[str]:
    """What a function is handed, and the variables that these commands of it make of that."""
    found = {*map(str, range(1, 10)), "@", "*"}
    for text in texts:
        bare = _LEAD.sub("", text, count=1)
        found |= {one[1] for one in _ASSIGNED.finditer(bare) if found & {*_named(one[3])}}
    return frozenset(found)


def _named(text: str) -> Iterator[str]:
    for found in _VARIABLE.finditer(text):
        yield found.group(1) or found.group(2)
    yield from (found[1] for found in (_REPLACED.finditer(text) if "/" in text else ()))
    yield from (found[1] for found in (_TRIMMED.finditer(text) if "${" in text else ()))


def _without_end(value: str, found: re.Match[str]) -> str:
    """What `_TRIMMED` leaves of a value: all of it where it does not have what is taken off."""
    _, at_front, before, first, _, last, behind = found.groups()
    mark = first or last
    if mark not in value:
        return value
    if first:
        parts = value.rpartition(mark) if at_front == "##" else value.partition(mark)
        return parts[2] if before else value.removeprefix(mark)
    parts = value.partition(mark) if found[5] == "%%" else value.rpartition(mark)
    return parts[0] if behind else value.removesuffix(mark)


def _other_name(found: re.Match[str]) -> str:
    """`@NAME`: the RDMA device of a network device, or the network device of an RDMA device."""
    return f"@{found['by_file'] or found['by_gid'] or found['by_tool']}"


def _answered(text: str) -> str:
    return _BASENAME.sub(r"\1", _OTHER_NAME.sub(_other_name, _PROGRAM.sub(r"\1", text)))


def _is_asked(text: str) -> bool:
    return "$(" in text or "`" in text


def _sequence(found: re.Match[str]) -> str:
    if found[3]:
        return f"{{{found[1]}..{found[3]}..{found[2]}}}"
    first, last = (found[1], found[2]) if found[2] else ("1", found[1])
    return f"{{{first}..{last}}}"


def _folder(found: re.Match[str]) -> str:
    """What a listing of a folder of devices gives: names, by pattern."""
    pattern = str(found[2]).strip("/") or "*"
    if found["word"] and pattern == "*":
        return f"{'' if found['begins'] else '*'}{found['word']}{'' if found['ends'] else '*'}"
    if found["names"]:
        return pattern
    return pattern if found[0].find("-d") < 0 and found[0].find("*/") < 0 else f"{found[1]}/{pattern}"


def _spread(word: str) -> Iterator[str]:
    """`ens{1..3}np0`, `Ethernet{0..28..4}` and `ens{1,3}` as the words they stand for."""
    span, choice = _RANGE.search(word), _CHOICE.search(word)
    if span is not None:
        step = int(span.group(3) or 1) or 1
        numbers = range(int(span.group(1)), int(span.group(2)) + 1, step)
        options = [str(number) for number in islice(numbers, _MOST + 1)]
        found = span
    elif choice is not None:
        options, found = choice.group(1).split(","), choice
    else:
        yield word
        return
    for option in options:
        yield from _spread(word[: found.start()] + option + word[found.end() :])
