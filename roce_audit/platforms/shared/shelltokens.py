"""A shell script as simple commands, each word with its line: quotes gone, comments gone, here-documents kept as what they are."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.records import dataclass

DOLLAR, TICK, OPEN, CLOSE = "\ue000", "\ue001", "\ue002", "\ue003"
"""Stand for signs that quotes took their meaning from."""
_PLAIN = str.maketrans({"$": DOLLAR, "`": TICK, "{": OPEN, "}": CLOSE})
_BRACES = str.maketrans({"{": OPEN, "}": CLOSE})
_WRITTEN = str.maketrans({DOLLAR: "$", TICK: "`", OPEN: "{", CLOSE: "}"})
_OPERATORS = ("&&", "||", ";;", "<<<", ">>", "<(", ">(", "<&", ">&", "&>", ";", "|", "&", "<", ">", "(", ")")
_JOINTS = frozenset({"&&", "||", ";;", ";", "|", "&", "(", ")"})
_REDIRECTS = frozenset({"<", ">", ">>", "<<<", "&>", ">&", "<&"})
_RUN = lazy(r"[^\s'\"\\$`;|&<>()#]{1,4000}")
_HERE = lazy(r"<<-?[ \t]{0,8}[\\'\"]?([A-Za-z_]\w{0,40})['\"]?")
_VARIABLE = lazy(r"\$\{[^{}\n]{0,200}\}|\$\w{1,60}|\$[@*#?$!-]")
_LONGEST = 400_000
_MOST_WORDS = 60_000


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command. What is left to be filled in stands in `text` as in the script; `plain` has its signs back."""

    text: str
    line: int
    quoted: bool = False

    @property
    def plain(self) -> str:
        """The word as a program gets it."""
        return self.text.translate(_WRITTEN)


@dataclass(frozen=True, slots=True)
class Simple:
    """One command, and the sign before it."""

    joint: str
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class HereDocument:
    """The lines of a here-document, the first of which is this line of the script."""

    text: str
    line: int


@dataclass
class Tokens:
    """What a script consists of."""

    commands: list[Simple]
    documents: list[HereDocument]


def tokens(text: str, first_line: int = 1) -> Tokens:
    """Cut a script into commands."""
    return _Cutter(text[:_LONGEST], first_line).cut()


def in_plain(text: str) -> str:
    """A text with the signs that quotes had taken their meaning from."""
    return text.translate(_WRITTEN)


class _Cutter:
    def __init__(self, text: str, first_line: int) -> None:
        self._text, self._at, self._line = text, 0, first_line
        self._words: list[Word] = []
        self._joint = ""
        self._pending: list[str] = []
        self._found = Tokens([], [])

    def cut(self) -> Tokens:
        text = self._text
        while self._at < len(text) and len(self._found.commands) < _MOST_WORDS:
            sign = text[self._at]
            if sign == "\n":
                self._end(";")
                self._next_line()
            elif sign in " \t\r":
                self._at += 1
            elif sign == "\\" and text.startswith("\\\n", self._at):
                self._at += 2
                self._line += 1
            elif sign == "#":
                end = text.find("\n", self._at)
                self._at = end if end >= 0 else len(text)
            elif not self._operator():
                self._words.append(self._word())
        self._end("")
        return self._found

    def _end(self, joint: str) -> None:
        if self._words:
            self._found.commands.append(Simple(self._joint, tuple(self._words)))
            self._words = []
            self._joint = joint
        elif joint != ";" or self._joint not in ("&&", "||", "|"):
            self._joint = joint

    def _next_line(self) -> None:
        self._at += 1
        self._line += 1
        for end in self._pending:
            self._here_document(end)
        self._pending = []

    def _here_document(self, end: str) -> None:
        begins, first = self._at, self._line
        while self._at < len(self._text):
            until = self._text.find("\n", self._at)
            until = until if until >= 0 else len(self._text)
            line = self._text[self._at : until]
            if line.strip() == end:
                self._found.documents.append(HereDocument(self._text[begins : self._at], first))
                self._at = until
                return
            self._at, self._line = until + 1, self._line + 1

    def _operator(self) -> bool:
        text, at = self._text, self._at
        if text.startswith("((", at) and not self._words:
            end = text.find("))", at)
            if end > 0 and "\n" not in text[at:end]:
                self._words.append(Word(text[at : end + 2], self._line))
                self._at = end + 2
                return True
        if text.startswith("((", at) and self._words[-1].text == "for":
            end = text.find("))", at)
            if end > 0 and "\n" not in text[at:end]:
                self._words.append(Word(text[at : end + 2], self._line))
                self._at = end + 2
                return True
        here = _HERE.match(text, at) if text.startswith("<<", at) and not text.startswith("<<<", at) else None
        if here is not None:
            self._pending.append(here[1])
            self._at = here.end()
            return True
        for sign in _OPERATORS:
            if text.startswith(sign, at):
                break
        else:
            return False
        if sign == "(" and self._words and self._words[-1].text.endswith("="):
            self._array()
            return True
        self._at += len(sign)
        if sign in _REDIRECTS:
            if self._words and self._words[-1].text.isdigit() and text[at - 1].isdigit():
                self._words.pop()
            self._skip_target()
        elif sign in ("<(", ">("):
            self._substitution(at + 1)
        else:
            self._end(sign if sign in _JOINTS else ";")
        return True

    def _array(self) -> None:
        """`NAME=(a b)`: one word with its members between brackets."""
        name, line = self._words.pop().text, self._line
        self._at += 1
        members: list[str] = []
        while self._at < len(self._text):
            sign = self._text[self._at]
            if sign == ")":
                self._at += 1
                break
            if sign == "\n":
                self._at, self._line = self._at + 1, self._line + 1
            elif sign in " \t\\":
                self._at += 1
            elif sign == "#":
                end = self._text.find("\n", self._at)
                self._at = end if end >= 0 else len(self._text)
            elif sign in "(;|&<>":
                self._at += 1
            else:
                members.append(self._word().text)
        self._words.append(Word(f"{name}(" + "\x1f".join(members) + ")", line, True))

    def _skip_target(self) -> None:
        while self._at < len(self._text) and self._text[self._at] in " \t":
            self._at += 1
        if self._at < len(self._text) and self._text[self._at] not in "\n;|&<>()":
            self._word()
        elif self._text.startswith("&", self._at):
            self._at += 1

    def _substitution(self, at: int) -> None:
        """Skip what stands between brackets from the one at `at` on."""
        depth = 0
        while at < len(self._text):
            sign = self._text[at]
            depth += (sign == "(") - (sign == ")")
            self._line += sign == "\n"
            at += 1
            if depth == 0:
                break
        self._at = at

    def _word(self) -> Word:
        text, line, quoted = self._text, self._line, False
        found: list[str] = []
        while self._at < len(text):
            sign = text[self._at]
            if sign in " \t\r\n;|&<>()":
                break
            if sign == "'":
                quoted = True
                end = text.find("'", self._at + 1)
                end = end if end >= 0 else len(text)
                inside = text[self._at + 1 : end]
                self._line += inside.count("\n")
                found.append(inside.translate(_PLAIN))
                self._at = end + 1
            elif sign == '"':
                quoted = True
                found.append(self._double())
            elif sign == "\\":
                nxt = text[self._at + 1 : self._at + 2]
                if nxt == "\n":
                    self._line += 1
                else:
                    found.append(nxt.translate(_PLAIN))
                self._at += 2
            elif sign == "$" or sign == "`":
                found.append(self._dollar())
            else:
                run = _RUN.match(text, self._at)
                piece = run[0] if run is not None else sign
                found.append(piece)
                self._at += len(piece)
        return Word("".join(found), line, quoted)

    def _double(self) -> str:
        text, found = self._text, []
        self._at += 1
        while self._at < len(text):
            sign = text[self._at]
            if sign == '"':
                self._at += 1
                break
            if sign == "\\" and text[self._at + 1 : self._at + 2] in ('"', "\\", "$", "`", "\n"):
                nxt = text[self._at + 1]
                self._line += nxt == "\n"
                found.append("" if nxt == "\n" else nxt.translate(_PLAIN))
                self._at += 2
            elif sign in "$`":
                found.append(self._dollar())
            else:
                self._line += sign == "\n"
                found.append(sign.translate(_BRACES))
                self._at += 1
        return "".join(found)

    def _dollar(self) -> str:
        """A variable or what a command prints, as it stands in the script."""
        text, at = self._text, self._at
        if text[at] == "`":
            end = text.find("`", at + 1)
            end = end if end >= 0 else len(text) - 1
            self._at = end + 1
            return f"$({text[at + 1 : end]})"
        if text.startswith("$(", at):
            self._substitution(at + 1)
            return text[at : self._at].replace("\n", " ")
        name = _VARIABLE.match(text, at)
        self._at = name.end() if name is not None else at + 1
        return name[0] if name is not None else DOLLAR


def words_of(commands: list[Simple]) -> Iterator[Word]:
    """All words, in order."""
    for one in commands:
        yield from one.words
