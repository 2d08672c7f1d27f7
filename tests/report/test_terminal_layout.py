"""The text report on a terminal: the words of the plain one, laid out in columns; nothing of a file is interpreted."""

import re
import unicodedata
from dataclasses import replace

import pytest
from report_samples import finding, full, member, report

from roce_audit.engine.findings import Fix, Location, Report
from roce_audit.report import Options, render
from roce_audit.report.terminal import NARROWEST

PAINT = re.compile(r"\x1b\[[0-9;]*m")


def drawn(made: Report, *, color: bool = False, width: int = 100, verbosity: int = 0) -> str:
    options = Options(terminal=True, color=color, width=width, verbosity=verbosity)
    return "".join(render("text", made, options))


def test_a_report_in_full() -> None:
    assert drawn(full()).startswith(
        """\
2 devices, 12 RoCE ports
 - classes roce = DSCP 26 -> priority 3, lossless; cnp = DSCP 48 -> priority 6 (inferred)

error    leaf1 Ethernet1/1, 1/2, 1/3 and 3 more                                     pfc/priority-off
         PFC is off for priority 3, which carries the class roce.
         leaf1.cfg:57  sets port.pfc.mode
           57 |         priority-flow-control mode off
              |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
"""
    )


@pytest.mark.parametrize("verbosity", [-1, 0, 1])
@pytest.mark.parametrize("width", [NARROWEST, 80, 200])
def test_no_word_of_the_plain_layout_is_lost(width: int, verbosity: int) -> None:
    plain = "".join(render("text", full(), Options(width=1000, verbosity=verbosity)))
    shown = re.sub(r"\s", "", drawn(full(), width=width, verbosity=verbosity)).replace("|", "")
    for line in plain.splitlines():
        words = re.sub(r"^(?:error|unknown|info)\[[a-z/-]+\]|^ *(?:-->|:::|=|\d* \|)|[:^]+$", "", line)
        for part in re.split(r"\s|:", words):
            assert part in shown, (part, line)


@pytest.mark.parametrize("width", [NARROWEST, 100])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    assert max(map(len, drawn(full(), width=width).splitlines())) <= width


def test_colour_adds_only_colour() -> None:
    painted = drawn(full(), color=True)
    assert "\x1b[1;31merror" in painted
    bare = [line.rstrip() for line in PAINT.sub("", painted).splitlines()]
    assert bare == drawn(full()).splitlines()
    assert "\x1b" not in drawn(full())
    assert "\x1b[1;33mwarning" in drawn(report(finding(severity="warning")), color=True)


def test_a_narrow_terminal_has_the_plain_layout() -> None:
    plain = "".join(render("text", full(), Options(width=NARROWEST - 1)))
    assert drawn(full(), width=NARROWEST - 1) == plain


def test_commands_of_a_fix_stand_as_they_are_typed() -> None:
    made = report(finding(fix=Fix(False, ("interface Ethernet1/1", "  mtu 9216"), "both ends")))
    assert "fix     [*] both ends\n" in drawn(made, verbosity=1)
    indents = [
        len(found[1])
        for found in re.finditer(r"^( +)(?:interface Ethernet1/1|mtu 9216)$", drawn(made, verbosity=1), re.M)
    ]
    assert [indent - indents[0] for indent in indents] == [0, 2]


def test_markup_and_escapes_in_a_file_are_only_text() -> None:
    words = "[red]x[/red] :boom: [link=http://x]y[/link] \x1b[31m \x07 \u202e"
    bad = finding(
        subject=words,
        message=words,
        why=words,
        members=(member(words, 1, words),),
        locations=(Location(words, 1, words, "primary", words),),
    )
    out = drawn(report(bad, replace(bad, fingerprint="c", because_of=bad.fingerprint), problems=(words,)), verbosity=1)
    assert "[red]x[/red] :boom:" in out
    assert not [c for c in out if unicodedata.category(c) in ("Cc", "Cf") and c != "\n"]
