"""Bytes of a file become clean text, line for line.

What leaves here has newlines as line ends, no terminal control of any kind, and no line longer than `LONGEST_LINE`.
Every change that a reader of the file should know of is a note. All steps take linear time.
"""

from __future__ import annotations

import re

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.interjections import without_fence, without_messages, without_times
from roce_audit.text.memo import of_text

LIMIT_BYTES = 64 * 2**20
LONGEST_LINE = 20_000

_CONTROL_CLASS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without tab and newline, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks that turn the direction of text
    "\u2028\u2029"  # would count as line ends elsewhere
    "\ud800-\udfff"
)
_CONTROL = lazy(f"[{_CONTROL_CLASS}]")
_C0 = bytes(c for c in (*range(32), 127) if c not in b"\t\n")
_HARMLESS = b"\b\r\x0c\x1b\x07"
_OF_SCREENS = (b"\r", b"\b", b"\x1b", b"\0")
"""What may end a line or take back what stands before it, and what no text has."""
_FENCED = re.compile(rb"\s*```")
_HEAD = 8_000
"""Bytes by which a file shows what it is, and whether its lines begin with times."""

_CURSOR = "\x1b\\[[0-9]{0,4}[DK]"
_ESCAPE = lazy(
    f"(?!{_CURSOR})"
    "(?:(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    "|\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)"  # OSC: window titles
    "|\x1b[PX^_][^\x1b\n]*\x1b\\\\"
    "|\x1b[ -/]*[0-~])"
)
_ASKED = lazy("-- ?\\(?(?:More|more|MORE)")
_MORE = lazy(
    f"^(?:[ \t\r]|{_CURSOR})*"
    "(?:<-{2,3} ?more ?-{2,3}>|-{2,4} ?\\(?more(?: ?[0-9]{1,3}%)?\\)? ?-{2,4}"
    "(?:, next page: space, next line: enter, quit: q(?:uit)?)?)"
    "(?:[ \t]*\r)*",
    re.M | re.I,
)
_LEFT = lazy(
    r"[ \t\r\x08]*+q?[ \t\r\x08]*+(?:\n\s*+)?(?:\Z|(?:\w{1,32}@)?[A-Za-z][\w.-]{0,62}(?:\([^()\n]{1,60}\))?[#>]|<[A-Za-z][\w.-]{0,62}>)"
)
"""What follows a pager's question that was answered by leaving: nothing, or the next prompt."""
_TERMINAL_STEP = lazy(f"(\x08+|\r|{_CURSOR})")
_CR_AT_EDGE = lazy("(?<!\r)\r++(?=\n)|(?<=\n)\r++")

_MAGIC = (
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"%PDF-", "a PDF"),
    (b"\x1f\x8b", "compressed (gzip): unpack it first"),
    (b"PK\x03\x04", "a zip archive: unpack it first"),
    (b"\xfd7zXZ", "compressed (xz): unpack it first"),
    (b"BZh", "compressed (bzip2): unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed (zstd): unpack it first"),
    (b"\x7fELF", "a program (ELF)"),
    (b"\xd4\xc3\xb2\xa1", "a packet capture"),
    (b"\x0a\x0d\x0d\x0a", "a packet capture"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PAR1", "a table (Parquet)"),
    (b"ARROW1", "a table (Arrow)"),
    (b"Obj\x01", "a table (Avro)"),
    (b"\x89HDF", "a table (HDF5)"),
    (b"\xff\xfe\x00\x00", "UTF-32 text: save it as UTF-8"),
)


REFUSED = ("binary", "compressed", "a zip archive", "too large", "UTF-32 text")
"""How it begins why there is no text of a file that may hold some."""


@dataclass(frozen=True, slots=True)
class Note:
    """One clause about a line (0: the file as a whole). `lost` says that text of the file is missing from here on."""

    line: int
    text: str
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Decoded:
    """Clean text and what was done to get it. `refused` says why there is no text; empty when there is."""

    text: str
    notes: tuple[Note, ...] = ()
    refused: str = ""


def printable(text: str) -> str:
    """`text` with every control character but tab and newline replaced by U+FFFD."""
    return _CONTROL.sub("\ufffd", text)


@of_text
def decode(data: bytes) -> Decoded:
    """Clean text of a file's bytes. Never raises; what is no text is refused with a word."""
    # a byte is looked for at the speed of memory, and counted at a tenth of it
    controls = len(data) - len(data.translate(None, _C0)) if any(map(data.__contains__, _C0)) else 0
    refused = _refusal(data, controls)
    if refused:
        return Decoded("", (), refused)
    notes: list[Note] = []
    text = _characters(data, notes)
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\n" not in text:
            text = text.replace("\r", "\n")
    clean = controls == (data.count(b"\r") if b"\r" in data else 0) and "\r" not in text and text.isascii()
    if (not clean and _CONTROL.search(text) is not None) or _may_be_paged(text):
        text = _clean(text, notes)
    text = _undisturbed(text, notes)
    if _has_long_line(text):
        text = _cut(text, notes)
    return Decoded(text, tuple(notes))


def has_own_lines(data: bytes) -> bool:
    """Whether each line of `decode(data).text` follows from the same line of the file alone, as `decode_part` makes it.

    It is so for most files, and found out without decoding them.
    """
    if len(data) > LIMIT_BYTES or not data.isascii() or any(sign in data for sign in _OF_SCREENS):
        return False
    head = data[:_HEAD]
    if _refusal(head, len(head) - len(head.translate(None, _C0))) or _FENCED.match(data) is not None:
        return False
    text = head.decode("ascii")
    return not _may_be_paged(text) and without_times(text) == text


def decode_part(lines: bytes) -> str:
    """The text of some whole lines of a file of which `has_own_lines` holds."""
    text = lines.decode("ascii")
    if len(lines.translate(None, _C0)) < len(lines):
        text = _CONTROL.sub("\ufffd", text)
    if _may_be_paged(text):
        text = _MORE.sub("", text)
    text = without_messages(text)[0]
    return _cut(text, []) if _has_long_line(text) else text


def _may_be_paged(text: str) -> bool:
    """Whether a pager may have asked whether to go on: `--More`, `-- more`, `--(more`."""
    return _ASKED.search(text) is not None


def _refusal(data: bytes, controls: int) -> str:
    if len(data) > LIMIT_BYTES:
        return f"too large: {len(data):,} bytes, the limit is {LIMIT_BYTES:,}"
    for magic, word in _MAGIC:
        if data.startswith(magic):
            return word
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ""
    nuls = data.count(0) if controls else 0
    if nuls * 3 > len(data):
        return "binary, or UTF-16 without a byte order mark: save it as UTF-8"
    odd = controls - sum(map(data.count, _HARMLESS)) if controls * 10 > len(data) else 0
    if nuls * 100 > len(data) or odd * 10 > len(data):
        return "binary"
    return ""


def _characters(data: bytes, notes: list[Note]) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        notes.append(Note(0, "read as UTF-16"))
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        notes.append(Note(line, "not UTF-8: the file was read as latin-1"))
        return data.decode("latin-1")


def _clean(text: str, notes: list[Note]) -> str:
    escape = _first(text, "\x1b", "\x9b", "\x08")
    if escape >= 0:
        notes.append(Note(_line(text, escape), "terminal escapes and backspaces were resolved"))
        text = _ESCAPE.sub("", text)
    text = _unpaged(text, notes)
    if escape >= 0:
        text = "\n".join([_as_on_screen(line) for line in text.split("\n")])
    if "\r" in text:
        text = _CR_AT_EDGE.sub("", text)
        lone = text.find("\r")
        if lone >= 0:
            notes.append(Note(_line(text, lone), "a carriage return inside a line was read as a line end"))
            text = text.replace("\r", "\n")
    odd = _CONTROL.search(text)
    if odd is not None:
        line = _line(text, odd.start())
        text, count = _CONTROL.subn("\ufffd", text)
        more = f" (and {count - 1:,} more)" if count > 1 else ""
        notes.append(Note(line, f"a control character was replaced{more}"))
    return text


def _unpaged(text: str, notes: list[Note]) -> str:
    """Without a pager's questions. Where one is the last thing, or a prompt follows it, the rest of the answer was never shown."""
    for asked in _MORE.finditer(text):
        if _LEFT.match(text, asked.end()):
            notes.append(Note(_line(text, asked.start()), "a pager asked whether to go on, and nobody did", lost=True))
    return _MORE.sub("", text)


def _undisturbed(text: str, notes: list[Note]) -> str:
    text = without_fence(text)
    untimed = without_times(text)
    if untimed != text:
        notes.append(Note(0, "the time before each line was left out"))
    clean, line, count = without_messages(untimed)
    if count:
        more = f" (and {count - 1:,} more)" if count > 1 else ""
        notes.append(Note(line, f"a log message between the lines was left out{more}"))
    return clean


def _as_on_screen(line: str) -> str:
    """What a terminal shows after backspaces, cursor-left, erase-line and carriage returns."""
    if "\x08" not in line and "\x1b" not in line:
        return line
    screen: list[str] = []
    at = 0
    for step in _TERMINAL_STEP.split(line):
        if step == "\r":
            at = 0
        elif step.startswith("\x08"):
            at = max(0, at - len(step))
        elif step.startswith("\x1b["):
            if step.endswith("D"):
                at = max(0, at - int(step[2:-1] or "1"))
            elif step in ("\x1b[K", "\x1b[0K"):
                del screen[at:]
            else:
                screen[:at] = " " * at
                del screen[at:]
        else:
            screen[at : at + len(step)] = step
            at += len(step)
    return "".join(screen)


def _has_long_line(text: str) -> bool:
    at, end = 0, len(text)
    while end - at > LONGEST_LINE:
        newline = text.rfind("\n", at, at + LONGEST_LINE + 1)
        if newline < 0:
            return True
        at = newline + 1
    return False


def _cut(text: str, notes: list[Note]) -> str:
    # a cut would spoil a whole JSON answer, on one line or with a long value in it; only a JSON parser reads those
    if _is_json(text):
        return text
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if len(line) > LONGEST_LINE and not _is_json(line):
            lines[index] = line[:LONGEST_LINE]
            notes.append(
                Note(index + 1, f"the line has {len(line):,} characters and was cut at {LONGEST_LINE:,}", lost=True)
            )
    return "\n".join(lines)


def _is_json(line: str) -> bool:
    bare = line[:64].lstrip().removeprefix("|").lstrip()
    return bare.startswith(("{", "[")) and line[-64:].rstrip().endswith(("}", "]"))


def _first(text: str, *wanted: str) -> int:
    found = [at for at in map(text.find, wanted) if at >= 0]
    return min(found, default=-1)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
