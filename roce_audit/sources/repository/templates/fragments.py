"""What templates and data files of a repository say plainly of a switch: a part of its configuration, on the lines of the file.

Of a template only lines count that stand in it whatever is rendered: those under conditions, and those with a value that is made
elsewhere, are left out with all that stands below them. What is left is never taken as whole, unless a device printed it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice, pairwise
from typing import Any

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.sources import detect
from roce_audit.sources.files import YAML
from roce_audit.sources.repository import remote, shown, terraform
from roce_audit.sources.repository.ansible import switchtasks
from roce_audit.sources.repository.carried import is_of_many
from roce_audit.sources.repository.python import pushes as pythonpushes
from roce_audit.sources.repository.templates import datablocks, jsontemplates
from roce_audit.sources.repository.templates.controls import control, is_conditional
from roce_audit.sources.repository.variables import Version
from roce_audit.text.document import Document
from roce_audit.text.jinja.lines import rendered, without_remarks
from roce_audit.text.jinja.values import fill

_INLINE = lazy(
    r"\{\{-?[ \t]{0,8}[\"'],[\"'] if not loop\.last\b[^{}\n]{0,40}\}\}"
    r"|\{%-?\s*if\b[^\n]{0,400}?%\}(?P<inner>[^\n]{0,400}?)\{%-?\s*endif\s*-?%\}|\{%[^\n]{0,200}?%\}"
)
_OPEN = ("{{", "{%", "{#", "<%", "%}")
_NAMED = lazy(r"(?<!\S)\$(?:[A-Za-z_]\w{0,40}|\{\w{1,40}\})(?![^\s;])")
"""A value that is a word of its own and stands elsewhere: `$fill_low`."""
_IN_CAPITALS = lazy(
    r"^(?![ \t]{0,80}(?:[!#]|/?\*|(?:set )?(?:description|remark|banner|alias|action|event)\b))[^\n\"'$()=|]{0,200}(?<![\d$.])"
    r"\$(?:[A-Z][A-Z0-9_]{1,40}|\{[A-Z][A-Z0-9_]{1,40}\})(?=[\s;.:/-]|$)",
    re.M,
)
"""Such a value in capitals, perhaps as part of a word (`et-0/0/$PORT`, `${PORT}:1`), outside remarks and texts for people."""
_BLOCK_IN_CAPITALS = lazy(r"(?:\A|\s)\$\S{2,60} ?\{\Z")
"""The header of a block that has such a name: `port $PORT {`."""
_OWN_KEYS = lazy(r"^custom_structured_configuration_(?=[a-z_]{2,60}:)", re.M)
"""AVD, `eos_designs`: what follows this prefix is a key of the structured configuration."""
_MATTERS = lazy(
    r"(?i)\b(?:mtu|pfc|priority|flow-?control|pause|qos|ecn|w?red|random-detect|(?:tx-)?queue\w{0,4}|policy|profile|service\w{0,8}|trust|dscp"
    r"|cos|pcp|dot1p|buffer|pool|headroom|bandwidth|shap\w{1,4}|dwrr|wrr|class|match|set|drop|no-drop|lossless|roce|traffic-\w{1,8})\b"
)
"""Words of statements on which lossless transport hangs."""
_JSON = lazy(r"^(?:\{[ \t]*$|[ \t]{0,20}\"[A-Z][A-Z0-9_]{2,60}\"[ \t]{0,8}:[ \t]{0,8}\{)", re.M)
_STANZA = lazy(
    r"^(interface )[ \t]{0,4}(?:Eth\w{0,20}|\w{0,20}GigE?|\w{0,9}GE)?[ \t/\d]{0,8}\{\{-?[ \t]{0,4}"
    r"(?![^{}\n]{0,60}(?:vlan|svi|irb|loop|mgmt|management|channel|lag|bond))[\w.\[\]'\"]{1,60}[ \t]{0,4}-?\}\}[/\d]{0,8}[ \t]*$",
    re.M | re.I,
)
"""The header of a physical port's stanza that a loop names."""
_CAPTURED = lazy(r"[!#].{0,40}\bshow (?:running-config|configuration|running-?configuration)\b")
"""What a device prints above all of its configuration."""
_SIGNS = ("custom_structured_configuration_", "- set:", "- header:", ": |", ": >")
"""One of these stands in every file that has such keys: most have none, and words are found quickly."""
_CONTROLS = ("{%", "{#", "<%")
_NO_SWITCH = "what is typed here is not read: too little of it to know the system of the switch"
_MADE = "a value in it is given elsewhere, and it is not judged: check what is made of it"
_RESOURCES = "resources for switches are not read"
_JOINED = "what is written here is not read: a block in it is closed by another text"
_IN_PART = "what is written here is not read: the program does more than is followed"
_BEYOND = "what begins here is not read: the file holds more configurations than are taken from one file; give each a file of its own"
_NOTHING: Mapping[str, str] = {}
_HEAD = 200_000
_BLOCKS_HEAD = 1_000_000
_MOST = 16
_MOST_BLOCKS = 64
_MOST_TEXTS = 64


def has_named_values(path: str, text: str) -> bool:
    """Whether it is a configuration as a switch's own command line takes it, with values such as `$PORT` that are put in later.

    Where a switch is set up in a shell, these are the shell's variables.
    """
    if "$" not in text or text.startswith("#!") or not any(map(_matters, _IN_CAPITALS.finditer(text[:_HEAD]))):
        return False
    live = platforms.platform(name).live if (name := platform_of(path, text)) else None
    return live is not None and live.access != "shell" and detect.is_of_switch(path, text)


def _matters(found: re.Match[str]) -> bool:
    """Whether the value is one on which lossless transport may hang, or names a port: no secret that was taken out of a whole file."""
    line = (found[0] + found.string[found.end() :].partition("\n")[0]).strip()
    return (
        _BLOCK_IN_CAPITALS.search(line) is not None
        or line.startswith(("interface", "set interfaces"))
        or _MATTERS.search(line.removeprefix("set ")) is not None
    )


def of_template(path: str, text: str) -> str:
    """The plain lines of a template of a switch's configuration; empty for any other template."""
    given = without_remarks(text[:_HEAD])
    if _JSON.search(given) is not None:
        lines = jsontemplates.with_port(given).split("\n")
        plain = jsontemplates.whole_rows(lines, list(_standing(lines)))
        platform = platform_of(path, plain)
    else:
        plain = _plain(given)
        platform = platform_of(path, plain)
        if platform and (port_name := platforms.platform(platform).port_name):
            plain = _plain(_with_ports(given, port_name))
        if sum(map(_opens, plain.split("\n"))):
            return ""  # blocks that other parts of the template close
    if not platform:
        return ""
    return plain if not _is_data(plain) or jsontemplates.is_whole(plain) else ""


def of_hosts(path: str, text: str, versions: Sequence[Version]) -> list[tuple[Version, Part]]:
    """The same of a template with the variables of each host; one of the hosts for whom it says the same of what matters."""
    found: dict[tuple[str, ...], tuple[Version, Part]] = {}
    given = without_remarks(text[:_HEAD])
    for version in versions:
        lines = [(number, str(fill(line, version.values))) for number, line in rendered(given, version.values)]
        plain = of_template(path, "\n".join(line for _, line in lines) + "\n")
        if not plain or not detect.is_of_switch(path, plain):
            continue
        numbers = tuple(number + 1 for number, _ in lines)
        part = Part(plain, (*numbers, numbers[-1]))
        key = what_matters([plain])
        found.setdefault(key, (version, part))
    return list(found.values())


def what_matters(texts: Iterable[str]) -> tuple[str, ...]:
    """The lines of configurations on which lossless transport hangs, and those that name ports."""
    lines = (line for text in texts for line in text.split("\n"))
    return tuple(line for line in lines if _MATTERS.search(line) is not None or line.lstrip().startswith("interface"))


def _is_data(plain: str) -> bool:
    return plain.lstrip().startswith(("{", "[")) or _JSON.search(plain) is not None


def platform_of(path: str, plain: str) -> str:
    return detect.choose((Document(path, plain),)).platform if plain.strip() else ""


def _opens(line: str) -> int:
    """How many blocks in braces a line opens, or closes (-1)."""
    return line.rstrip().endswith("{") - line.lstrip().startswith("}")


def _with_ports(text: str, port_name: str) -> str:
    """The template with a port in the place of those that a loop names, another one for each stanza and none that it names itself."""
    names = (name for name in map(port_name.format, count(1)) if f"interface {name}\n" not in text)
    return _STANZA.sub(lambda found: f"{found[1]}{next(names)}", text)


@dataclass(frozen=True, slots=True)
class Part:
    """A configuration within a file: on the lines of the file, or with the line of the file for each of its own. `platform` is whose it is
    where the file says that; `left_out` is (line, words) on what of the file is not in it, which may be all (`text` is empty then).
    `is_capture`: a device printed it as it stands."""

    text: str
    lines: tuple[int, ...] = ()
    platform: str = ""
    left_out: tuple[tuple[int, str], ...] = ()
    is_capture: bool = False


def in_data(path: str, text: str) -> list[Part]:
    """The configurations that a file of YAML holds below its keys, and those that its tasks write."""
    if not path.endswith(YAML) or is_of_many(text):
        return []
    parts = map(_of_tasks, switchtasks.written(text[:_HEAD]))
    found = [one for one in parts if one.platform or one.left_out or detect.is_of_switch(path, one.text)]
    if any(sign in text for sign in _SIGNS) and not any(one.text.strip() for one in found):
        return [*found, *_blocks(path, text)]
    return found[:_MOST]


def _blocks(path: str, text: str) -> list[Part]:
    """The configurations below keys of a file of data; where they are too many, or the file too long, it is told what is left."""
    is_whole = "- set:" in text and detect.is_of_switch(path, text)
    blocks = _candidates(text[:_BLOCKS_HEAD], is_whole)
    ours = (
        one for one in blocks if detect.is_of_switch(path, one.lstrip("\n"))
    )  # each stands on its lines of the file
    found = list(islice(ours, _MOST_BLOCKS + 1))
    left = found[-1:] if len(found) > _MOST_BLOCKS or len(text) > _BLOCKS_HEAD else []
    is_plain = not any(mark in text for mark in _OPEN)
    kept = [
        Part(one, is_capture=is_plain and _CAPTURED.match(one.lstrip("\n")) is not None)
        for one in found[: len(found) - len(left)]
    ]
    return [*kept, *(Part("", left_out=((len(one) - len(one.lstrip("\n")) + 1, _BEYOND),)) for one in left)]


def without_parts(text: str, parts: Sequence[Part]) -> str:
    """The text of a file without the lines of its parts that stand where they stand in the file; empty where none do."""
    lines = text.split("\n")
    theirs = {n for one in parts if not one.lines for n, line in enumerate(one.text.split("\n")) if line.strip()}
    return "\n".join("" if n in theirs else line for n, line in enumerate(lines)) if theirs else ""


def has_blocks(path: str, text: str) -> bool:
    """Whether a file of YAML holds texts below its keys one of which may be a configuration."""
    return path.endswith(YAML) and datablocks.are_in(text)


def in_script(path: str, text: str) -> list[Part]:
    """The configurations that a script types at switches."""
    made = [
        Part("\n".join(one.statements) + "\n", (*one.lines, one.lines[-1]), "", tuple(one.left_out))
        for one in remote.sent(text[:_HEAD])
    ]
    found = [one for one in made if detect.is_of_switch(path, one.text)]
    others = (one for one in made if one not in found and switchtasks.MATTERS.search(one.text) is not None)
    return [*found, *(Part("", (), "", ((one.lines[0], _NO_SWITCH),)) for one in others)] if found else []


def in_program(path: str, text: str, beside: Mapping[str, str] = _NOTHING) -> list[Part]:
    """The configurations that a program of Python hands to switches; `beside` are the files of data that it loads."""
    found, others = [], []
    for one in pythonpushes.pushed_with(text, beside) if beside else pythonpushes.pushed(text):
        written = "\n".join(one.statements) + "\n"
        if switchtasks.MATTERS.search(written) is None and not one.left_out:
            continue
        platform = one.platform or platform_of(path, _without_open_stanzas(written))
        if platform and platforms.platform(platform).kind == "switch":
            port_name = platforms.platform(platform).port_name
            plain = _without_open_stanzas(_with_ports(written, port_name) if port_name else written)
            if not _closes_what_it_opens(plain):
                others.append(Part("", (), "", ((one.lines[0], _IN_PART),)))
                continue
            found.append(Part(*_laid_out(plain, tuple(one.lines)), one.platform, tuple(one.left_out)))
        elif one.lines and not one.is_file and switchtasks.MATTERS.search(written) is not None:
            others.append(Part("", (), "", ((one.lines[0], _NO_SWITCH),)))
        elif one.left_out:
            others.append(Part("", (), "", tuple(one.left_out)))
    return [*found, *others]


def in_plan(path: str, text: str, given: Mapping[str, Any] | None = None) -> list[Part]:
    """The configurations that a plan of Terraform hands on as a text (`<<-EOT`), but for lines that it makes of what stands elsewhere.

    `given` are the values of the plan where it has other files as well.
    """
    texts = list(islice(terraform.texts(text[:_HEAD], given), _MOST_TEXTS)) if shown.is_ours(text) else []
    found = [_of_plan(path, rows) for rows in texts if not isinstance(rows, int) and rows]
    parts = [one for one in found if one is not None][:_MOST]
    lost = tuple((line, _MADE) for line in texts if isinstance(line, int))
    parts += [Part("", (), "", lost)] if parts and lost else []
    resource = shown.first_resource(text) if parts else 0
    return [*parts, *([Part("", (), "", ((resource, _RESOURCES),))] if resource else [])]


def _of_plan(path: str, rows: Sequence[terraform.Row]) -> Part | None:
    """One text of a plan; None for one that is no configuration of a switch."""
    written = "\n".join(row for _, row in rows)
    platform = platform_of(path, _without_open_stanzas(written)) if shown.is_ours(written) else ""
    if not platform or platforms.platform(platform).kind != "switch":
        return None
    port_name = platforms.platform(platform).port_name
    is_named = any(row.startswith("interface ") and "{{" not in row for _, row in rows)
    plain = without_open(_with_ports(written, port_name) if port_name and not is_named else written)
    if not _closes_what_it_opens(plain):
        return Part("", (), "", ((rows[0][0], _JOINED),))
    pairs = zip(rows, plain.split("\n"), strict=False)
    lost = [line for (line, row), kept in pairs if not kept.strip() and switchtasks.MATTERS.search(row) is not None]
    text, lines = _laid_out(plain, tuple(line for line, _ in rows))
    return Part(text, lines, "", tuple((line, _MADE) for line in dict.fromkeys(lost)))


def _closes_what_it_opens(text: str) -> bool:
    """Whether every block in braces has both its ends: of a program that is followed in part only, one may be missing."""
    depth = 0
    for line in map(str.strip, text.split("\n")):
        depth -= line.startswith(("}", "]"))
        if depth < 0:
            return False
        depth += line.endswith(("{", "["))
    return depth == 0


def _laid_out(plain: str, lines: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    """The statements on the lines of the file where they stand there in this order; else with the line of each."""
    if not lines or any(after <= before for before, after in pairwise(lines)):
        return plain, (*lines, lines[-1]) if lines else ()
    rows = [""] * lines[-1]
    for line, row in zip(lines, plain.split("\n"), strict=False):
        rows[line - 1] = row
    return "\n".join(rows) + "\n", ()


def _without_open_stanzas(text: str) -> str:
    """Statements one below the other, without those of a port whose name stands elsewhere; no line moves."""
    kept, is_open = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith(("interface ", "exit", "!")):
            is_open = "{{" in line
        kept.append("" if is_open or "{{" in line else line)
    return "\n".join(kept)


def _of_tasks(one: switchtasks.Written) -> Part:
    is_as_it_stands = not one.lines
    return Part(one.text if is_as_it_stands else without_open(one.text), one.lines, one.platform, one.left_out)


def _candidates(text: str, is_whole: bool) -> Iterator[str]:
    """Texts that may be configurations; `is_whole`: the file is one itself."""
    if _SIGNS[0] in text and _OWN_KEYS.search(text) is not None:
        yield without_open(_OWN_KEYS.sub("", text))
        return
    yield from () if is_whole else datablocks.below_lists(text)
    yield from map(without_open, datablocks.below_keys(text))


def without_open(text: str) -> str:
    """The lines without those that hold a value from elsewhere."""
    return _plain(text) if "{{" in text or "{%" in text else text


def _plain(text: str) -> str:
    """The lines that stand whatever is rendered; a stanza that lost one which matters is left out as a whole."""
    lines = text.split("\n")
    kept = list(_standing(lines))
    lost = [n for n, line in enumerate(lines) if line.strip() and not kept[n].strip() and _MATTERS.search(line)]
    for number in lost:
        if not lines[number].startswith((" ", "\t")):
            continue
        first = next((n for n in range(number, -1, -1) if _is_head(lines[n])), 0)
        if lines[first].startswith("interface") or _is_of_ports(lines, kept, number):
            continue  # what the stanza of a port does not say is not visible in a part
        last = next((n for n in range(number, len(lines)) if _is_head(lines[n])), len(lines))
        kept[first:last] = [""] * (last - first)
    _leave_out_emptied(lines, kept)
    return "\n".join(kept)


def _is_of_ports(lines: list[str], kept: list[str], number: int) -> bool:
    """Whether a line that was left out, with the block that it begins or stands in, is all of a port in a list of these in braces."""
    margin = _margin(lines[number])
    for at in range(number, -1, -1):
        if lines[at].strip() and not lines[at].lstrip().startswith("#") and _margin(lines[at]) < margin:
            margin = _margin(lines[at])
            if kept[at].strip():
                return kept[at].strip() == "interfaces {"
    return False


def _leave_out_emptied(lines: list[str], kept: list[str]) -> None:
    """A key below which no value stands any more is not set to nothing."""
    below_line = below_kept = -1
    for number in range(len(lines) - 1, -1, -1):
        line, its = lines[number], kept[number]
        if its.rstrip().endswith(":") and below_kept <= _margin(its) < below_line:
            kept[number] = its = ""
        below_line = _margin(line) if line.strip() and not line.lstrip().startswith(_CONTROLS) else below_line
        below_kept = _margin(its) if its.strip() else below_kept


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_head(line: str) -> bool:
    return bool(line.strip()) and not line.startswith((" ", "\t", "{{", *_CONTROLS))


def _standing(lines: list[str]) -> Iterator[str]:
    stack: list[str] = []
    hidden: int | None = None
    closes = False
    for line in lines:
        step = control(line, stack)
        text = "" if step is not None else _without_inline(line)
        margin = len(text) - len(text.lstrip())
        if hidden is not None and text.strip():
            is_end = closes and margin == hidden and text.lstrip().startswith("}")
            if margin > hidden or is_end:
                text = ""
            if margin <= hidden:
                hidden, closes = None, False
        if text and (is_conditional(stack) or any(mark in text for mark in _OPEN) or _is_named(text)):
            if hidden is None:
                hidden, closes = margin, text.rstrip().endswith("{")
            text = ""
        yield text


def _without_inline(line: str) -> str:
    """A line without its controls; one of which a part hangs on a condition, but for a comma, is left open."""
    rest = _INLINE.sub("", line)
    is_cut = rest.strip() and any((found["inner"] or "").strip(" ,") for found in _INLINE.finditer(line))
    return line if is_cut else rest


def _is_named(line: str) -> bool:
    """Whether a line has a value that stands elsewhere under its name."""
    return "$" in line and (_NAMED.search(line) is not None or _IN_CAPITALS.search(line) is not None)
