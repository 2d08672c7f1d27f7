"""Statement tables: the language of rows, what follows from a row, and what is told of lines that no row understands."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import pytest

from roce_audit.platforms.shared.leaves import numbers, word
from roce_audit.text.statements import forms
from roce_audit.text.statements.misspelling import is_near, meant
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, NOTHING, Leaf, Reset, Set, leaf, row, sets, unread
from roce_audit.text.statements.table import StatementTable


class Wred(NamedTuple):
    low: int | None = None
    weight: int = 0
    ecn: bool = False


class Bound(NamedTuple):
    way: str
    name: str | None


TABLE = StatementTable(
    name="test",
    types={"dscp": numbers(63, {"ef": 46}), "fec": word({"rs": "rs", "off": "none"})},
    modes={
        "top": Mode(
            rows=(row("lldp run", sets("dcbx.lldp", True), no=False), row("mls qos", paths="trust")),
            opens={"interface": "port", "map type qos": "queue", "vlan": "queue"},
            shared=frozenset({"lldp"}),
        ),
        "port": Mode(
            rows=(
                row("mtu <64..9216>", sets("ip_mtu_bytes")),
                row("shutdown", sets("admin_up", False), no=True),
                row("flowcontrol receive <on|off>", sets("link_pause_rx"), no=False),
                row("flowcontrol send <on|off>", sets("link_pause_tx"), no=ABSENT),
                row("fec <value:fec>", sets("fec")),
                row(
                    "match <negated?not> dscp <values:dscp...>", lambda values, negated=False: (negated, values), "dscp"
                ),
                row(
                    "policy [type qos] input <name>",
                    partial(Bound, "input"),
                    "trust dscp",
                    no=Bound("input", None),
                    no_form="policy [type qos] input [<>]",
                ),
                row("policy output <name>", partial(Bound, "output"), "rewrites_dscp"),
                row("random {low <low:0..100>, weight <weight:0..15>, <?ecn> [also]}", Wred, "ecn"),
                row("note a|b [<...>]"),
                unread("inherit profile", "queues"),
            ),
            labels=frozenset({"description"}),
            ignored=frozenset({"mac"}),
            opens={"queue": "queue"},
        ),
        "queue": Mode(
            rows=(row("share <1..100>", sets("share")),), base="queues.#", strict=True, ignored=frozenset({"name"})
        ),
        "tree": Mode(
            rows=(
                leaf("pool <number:0..7> size <value:0..1000>", "size"),
                leaf("mode", "mode"),
                leaf("unit <name>", "unit"),
                leaf("unit <name> mtu <value:1..9216>", "mtu"),
                unread("policy", "queues"),
                leaf("speed <value:1..400>", "speed"),
                leaf("fec <value:rs|auto>", "fec"),
                leaf("remark <value...>"),
            ),
            lenient=True,
        ),
    },
)


@pytest.mark.parametrize(
    ("mode", "statement", "value"),
    [
        ("port", "mtu 9000", Set(("ip_mtu_bytes",), 9000)),
        ("port", "no mtu", Reset(("ip_mtu_bytes",))),
        ("port", "default mtu 9000", Reset(("ip_mtu_bytes",))),
        ("port", "shutdown", Set(("admin_up",), False)),
        ("port", "no shutdown", Set(("admin_up",), True)),
        ("port", "flowcontrol receive on", Set(("link_pause_rx",), True)),
        ("port", "no flowcontrol receive", Set(("link_pause_rx",), False)),
        ("port", "no flowcontrol send on", Set(("link_pause_tx",), ABSENT)),
        ("port", "fec off", Set(("fec",), "none")),
        ("port", "match dscp 1-2,ef 8", (False, (1, 2, 46, 8))),
        ("port", "match not dscp ef", (True, (46,))),
        ("port", "policy input x", Bound("input", "x")),
        ("port", "policy type qos input 5", Bound("input", "5")),
        ("port", "no policy input", Bound("input", None)),
        ("port", "random", Wred()),
        ("port", "random ecn weight 3 low 7", Wred(7, 3, True)),
        ("port", "random ecn also", Wred(ecn=True)),
        ("port", "note b mtu 5 ecn", NOTHING),
        ("port", "no note a", NOTHING),
        ("port", "mtu 9000 ! jumbo", Set(("ip_mtu_bytes",), 9000)),
        ("tree", "pool 3 size 20", Leaf("pool * size", (3,), 20)),
        ("tree", "mode", Leaf("mode", (), None)),
        ("tree", "fec rs", Leaf("fec", (), "rs")),
        ("tree", "remark a b 5", Leaf("remark", (), "a b 5")),
    ],
)
def test_what_a_statement_says(mode: str, statement: str, value: object) -> None:
    assert TABLE.parse(mode, statement).value == value


@pytest.mark.parametrize(
    ("mode", "line", "paths"),
    [
        ("port", "mtu 99999", "ip_mtu_bytes"),
        ("port", "mtu 9000x", "ip_mtu_bytes"),
        ("port", "mtuu 9000", "ip_mtu_bytes"),
        ("port", "mut 9000", "ip_mtu_bytes"),
        ("port", "no shutdwon", "admin_up"),
        ("port", "flowcontrol both on", "link_pause_rx link_pause_tx"),
        ("port", "flowcontorl send on", "link_pause_tx"),
        ("port", "flowcontrol recieve on", "link_pause_rx"),
        ("port", "flowcontrol mac on", "link_pause_rx link_pause_tx"),  # known as a first word only
        ("port", "policy input", "trust dscp"),
        ("port", "policy inptu x", "trust dscp"),
        ("port", "policy", "trust dscp rewrites_dscp"),
        ("port", "no policy output x", "rewrites_dscp"),  # a row that says nothing of its negation has none
        ("port", "random ecn ecn", "ecn"),
        ("port", "inherit profile X", "queues"),
        ("top", "lldp rnu", "dcbx.lldp"),
        ("top", "interfcae Ethernet1", ""),
        ("top", "map type qso X", ""),
        ("queue", "sahre 5", "share"),
        ("queue", "share name", "share"),  # what is passed over is so at the beginning of a line
        ("queue", "anything else", "share"),
        ("tree", "pool 9 size 20", "size"),
        ("tree", "pool 3 siez 20", "size"),
        ("tree", "sped 100", "speed"),
        ("tree", "fec rs~x", "fec"),
        ("tree", "no remark a", ""),
        ("tree", "unti 3 mtu 9000", "mtu unit"),
        ("tree", "unti 3 colour red", "unit mtu"),
        ("tree", "policy of a kind", "queues"),
    ],
)
def test_what_nobody_understood_is_told_with_what_it_might_set(mode: str, line: str, paths: str) -> None:
    parsed = TABLE.parse(mode, line)
    assert parsed.unread
    assert parsed.paths == tuple(paths.split())


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("port", "description mtu 5"),
        ("port", "mac address x"),
        ("port", "queue 3"),
        ("port", "storm-control x"),
        ("top", "lldp timer 5"),
        ("top", "interfcae"),
        ("top", "vxlan 5"),
        ("top", "interface Ethernet1"),
        ("queue", "name x"),
        ("tree", "pool 3 colour red"),
        ("tree", "adv_speeds 100"),
        ("nowhere", "mtu 5"),
    ],
)
def test_what_is_none_of_ours_is_passed_over(mode: str, line: str) -> None:
    parsed = TABLE.parse(mode, line)
    assert (parsed.paths, parsed.value) == (None, None)


@pytest.mark.parametrize(
    ("line", "leaf_"),
    [
        ("pool 3 size 9999", Leaf("pool * size", (3,), None)),
        ("pool 9 size 20", Leaf("pool * size", (), None)),
        ("speed fast", Leaf("speed", (), None)),
        ("pool 3 siez 20", Leaf("pool * size", (3,), None)),
        ("pool 3", Leaf("", (3,), None)),
        ("mtuu 20", None),
        ("speed 100", None),
    ],
)
def test_of_a_leaf_that_is_not_understood_its_keys_are_known(line: str, leaf_: Leaf | None) -> None:
    assert TABLE.parse("tree", line).meant == leaf_


def test_leaves_are_read_without_a_grammar() -> None:
    table = StatementTable("t", {"tree": Mode((leaf("pool <number:0..7> size <value:0..9>"),))})
    assert table.parse("tree", "pool 1 size 9").value == Leaf("pool * size", (1,), 9)
    assert "pool" not in table.grammar.text


def test_a_type_that_the_table_does_not_have_is_a_mistake_in_it() -> None:
    table = StatementTable("t", {"tree": Mode((leaf("size <value:bytes>"),))})
    with pytest.raises(forms.FormError, match="no such type"):
        table.parse("tree", "size 9")


def test_nested_statements_are_read_in_the_block_that_their_header_opens() -> None:
    parsed = TABLE.parse("port", "queue 3\x1fshare 40")
    assert parsed.value == Set(("share",), 40)
    assert len(parsed.context) == 1


@pytest.mark.parametrize("text", ["", "mtu [5", "mtu 5]", "a }", "<x:y:z>", "a {b"])
def test_a_row_that_is_no_row_is_refused(text: str) -> None:
    with pytest.raises(forms.FormError):
        row(text)


def test_a_type_that_the_table_does_not_have_is_refused() -> None:
    with pytest.raises(forms.FormError, match="no such type"):
        StatementTable("t", {"top": Mode(rows=(row("mtu <value:nonsense>"),))}).parse("top", "mtu 5")


@pytest.mark.parametrize(
    ("word_", "wanted", "near"),
    [
        ("mtuu", "mtu", True),
        ("mut", "mtu", True),
        ("m\u200btu", "mtu", True),
        ("mt\u03c5", "mtu", True),
        ("mtu9216", "mtu", False),
        ("mtu~x", "mtu", True),
        ("shutdwon", "shutdown", True),
        ("qso", "qos", True),
        ("pcf", "pfc", True),
        ("profiel_list", "profile_list", True),
        ("prority-flow-contrl", "priority-flow-control", True),
        ("bfd", "afd", False),
        ("fex", "fec", False),
        ("cos", "qos", False),
        ("queue2", "queue1", False),
        ("shutdown", "shutdown", False),
        ("System", "system", False),
        ("$lldp", "lldp", False),
    ],
)
def test_when_a_word_is_meant_to_be_another(word_: str, wanted: str, near: bool) -> None:
    assert (meant(word_, [wanted]) is not None) is near
    assert word_ == wanted or is_near(word_, wanted) is near


def test_default_may_mean_something_else_than_no() -> None:
    rows = (
        row("lldp run", sets("dcbx.lldp", True), no=False, default=True),
        row("trust <way>", Bound, no=Bound("none", None), default=Bound("", None)),
        row("poll <value:1..9>", sets("pfc.watchdog.poll_ms"), no=NOTHING),
    )
    table = StatementTable("t", {"top": Mode(rows=rows)})
    said = {
        text: table.parse("top", text).value for text in ("no lldp run", "default lldp run", "no trust", "no poll 3")
    }
    assert said == {
        "no lldp run": Set(("dcbx.lldp",), False),
        "default lldp run": Set(("dcbx.lldp",), True),
        "no trust": Bound("none", None),
        "no poll 3": NOTHING,
    }
    assert table.parse("top", "default trust").value == Bound("", None)


def test_every_row_is_documented_with_its_paths() -> None:
    rows = {r.text: r.paths for r in TABLE.modes["port"].rows}
    assert rows["mtu <64..9216>"] == ("ip_mtu_bytes",)
    assert rows["note a|b [<...>]"] == ()


_LISTS = ("tenant7", "standard", "standart", "standardx", "standard-7", "extended", "STANDARD", "s")
_HEADERS = [
    line
    for first in ("ip access-list", "ip acces-list", "mac access-list", "ip nothing")
    for name in _LISTS
    for line in (f"{first} {name}", f"{first} {name} leaf", f"{first} {name} leaf x")
]


def _lists() -> StatementTable:
    opens = {"ip access-list": "acl", "ip access-list standard": "plain", "mac access-list": "acl"}
    return StatementTable("t", {"top": Mode(opens=opens), "acl": Mode(raw=True), "plain": Mode(raw=True)})


@pytest.mark.parametrize("line", _HEADERS)
def test_a_header_is_what_it_is_whatever_was_asked_before(line: str) -> None:
    asked_before, alone = _lists(), _lists()
    for other in (*_HEADERS, *reversed(_HEADERS)):
        if other != line:
            asked_before.begins("top", other)
            asked_before.misspelt_header("top", other)
    told = alone.opens("top", line), alone.paths("top", line) is not None
    assert asked_before.begins("top", line) == alone.begins("top", line) == told
    assert asked_before.misspelt_header("top", line) == alone.misspelt_header("top", line)


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("flow rec on", "flowcontrol receive on"),
        ("no flow rec", "no flowcontrol receive"),
        ("policy type qos in ROCE", "policy type qos input ROCE"),
        ("policy type qos inpu ROCE", ""),  # a slip: so little is not cut
        ("flowcontro receive on", ""),
        ("flow re maybe", ""),  # not understood in full either
        ("policy put ROCE", ""),
        ("policy input ROCE", ""),  # nothing is cut short
        ("mt 9000", ""),  # too short for a first word
        ("flow exporter nine", ""),
    ],
)
def test_statements_whose_words_are_cut_short(text: str, full: str) -> None:
    assert TABLE.in_full("port", text) == full


def test_a_word_that_is_cut_short_behind_the_first_is_understood() -> None:
    assert TABLE.parse("port", "policy type qos in ROCE") == TABLE.parse("port", "policy type qos input ROCE")
