"""Bodies that are cut as a whole: the same statements as line by line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.platforms.eos.reader import SYNTAX as EOS
from roce_audit.platforms.nxos.reader import SYNTAX
from roce_audit.text import outline
from roce_audit.text.block import LateBlock, Texts, texts
from roce_audit.text.outline import Outline, Outliner, Stanza
from roce_audit.values import Place

_BODIES = {
    "one depth": "  10 permit tcp any any\n  20 deny ip any any\n",
    "two depths": "  10 permit tcp any any\n    20 deny ip any any\n",
    "less deep": "  10 permit tcp any any\n 20 deny ip any any\n",
    "several blanks": "  10 permit  tcp any any\n  20 deny ip any any \n",
    "tabs": "\t10 permit\ttcp any any\n\t20 deny ip any any\n",
    "a blank of another kind": "  10 permit\u00a0tcp any any\n",
    "comments": "  10 permit tcp any any\n  ! 20 deny ip any any\n  !\n  30 permit ip any any\n",
    "blank lines": "  10 permit tcp any any\n\n  20 deny ip any any\n\n\n",
    "a way out": "  10 permit tcp any any\n  exit\n",
    "nothing": "\n",
}


def _stanza(body: str) -> Stanza:
    made = Outliner(SYNTAX.table, lambda header, text, end: None)
    (stanza,) = made.outline(f"ip access-list A\n{body}", "leaf1.cfg").stanzas
    return stanza


@pytest.mark.parametrize("body", _BODIES.values(), ids=_BODIES)
def test_lines_that_are_cleaned_together_are_what_each_of_them_is(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    together = _stanza(body).block
    monkeypatch.setattr(outline, "_clean_lines", lambda body: None)
    assert together == _stanza(body).block


_PORTS = {
    "settled": "  description to gpu7\n  ip address 10.0.0.1/31\n  mtu 9216\n  vrf member blue\n",
    "blanks": "  description  to   gpu7 \n\n  mtu  9216\n\tip\taddress 10.0.0.1/31\n",
    "no tail": "  description\n  mtu 9216\n  ip\n",
    "another word that begins alike": "  descriptions x\n  ipmtu 3\n  mtu 9216\n",
    "a blank of another kind": "  description\u00a0x\n  ip\x0baddress\n  mtu 9216\n",
    "flat": "  mtu 9216\nip route 10.0.0.0/8 10.0.0.1\n! ip remark\n  exit\n",
    "negated": "  no ip redirects\n  no description x\n  no mtu 9216\n  switchport access vlan 7\n",
}


def _and_another(body: str) -> tuple[str, str]:
    """A body, and one that differs from it in its description and address alone."""
    return body, body.replace("gpu7", "gpu8").replace("10.0.0.1", "10.0.0.9")


@pytest.mark.parametrize("body", _PORTS.values(), ids=_PORTS)
def test_bodies_that_are_cut_alike_are_what_their_lines_are(body: str) -> None:
    made = Outliner(SYNTAX.table, lambda header, text, end: None)
    for one in _and_another(body):
        assert made._cut_alike("port", one) == made._cut_by_lines(("port", one))


def test_a_line_stands_where_it_stood() -> None:
    block = _stanza("  10 permit tcp any any\n\n  20 deny ip any any\n").block
    assert [block.place(i).line for i in range(2)] == [2, 4]


@pytest.mark.parametrize("mode", SYNTAX.table.modes)
def test_a_first_word_settles_a_line_only_where_its_tail_says_nothing(mode: str) -> None:
    table = SYNTAX.table
    settled = [word for word in table.modes[mode].known if table.is_settled_by(mode, word)]
    for word in settled:
        for tail in ("", " x", " mode on", " type qos input X", " pfc-cos 3"):
            assert table.opens(mode, word + tail) is None
            assert table.paths(mode, word + tail) is None
            assert table.is_label(mode, word + tail) == table.is_label(mode, word)


_NESTED = {
    "queues below": "   description to gpu7\n   uc-tx-queue 3\n      random-detect ecn count\n   ip address 10.0.0.1/31\n",
    "a label inside": "   uc-tx-queue 3\n      description gpu7\n      priority strict\n   description gpu7\n",
    "less deep behind": "   uc-tx-queue 3\n      priority strict\n ip address 10.0.0.1/31\n      priority strict\n",
    "level with it": "   uc-tx-queue 3\n   description gpu7\n   bandwidth percent 30\n   mtu 9214\n",
    "left": "   uc-tx-queue 3\n      priority strict\n   exit\n   description gpu7\n      no priority\n",
}


@pytest.mark.parametrize("body", _NESTED.values(), ids=_NESTED)
def test_bodies_with_blocks_inside_are_cut_alike_or_not_at_all(body: str) -> None:
    made = Outliner(EOS.table, lambda header, text, end: None)
    for one in _and_another(body):
        assert made._cut_alike("port", one) in (None, made._cut_by_lines(("port", one)))


def test_a_label_inside_a_block_is_looked_at_line_by_line() -> None:
    made = Outliner(EOS.table, lambda header, text, end: None)
    assert made._cut_alike("port", _NESTED["a label inside"]) is None
    assert made._cut_alike("port", _NESTED["queues below"]) is not None


@pytest.mark.parametrize("body", _BODIES.values(), ids=_BODIES)
def test_an_access_list_is_counted_before_it_is_cut(body: str) -> None:
    late = _stanza(body).given
    assert isinstance(late, LateBlock)
    assert late.count == len(late.cut().texts.statements) == len(late.cut().offsets)


def test_a_late_block_is_cut_once() -> None:
    asked = []

    def cut() -> tuple[Texts, tuple[int, ...]]:
        asked.append(1)
        return texts(("permit ip any any",)), (1,)

    late = LateBlock("leaf1.cfg", 4, 1, cut)
    assert not asked
    assert late.cut() is late.cut()
    assert late.cut().place(0) == Place("leaf1.cfg", 5)
    assert asked == [1]


_FOREIGN = (
    "snmp-server host 10.0.0.1 traps",
    "snmp-server host",
    "ip prefix-list A seq 5 permit 10.0.0.0/8",
    "ip  prefix-list A seq 5 permit 10.0.0.0/8",
    "ip prefix-list ",
    "ip route 10.0.0.0/8 10.0.0.1",
    "ip acess-list B",
    "no ip route 10.0.0.0/8 10.0.0.1",
    "logging host 10.0.0.1\n  mtu 1500",
    "banner motd ^C",
    "banner motd ^C hello\ninterface Ethernet1/9\n  mtu 1500\n^C",
    "exit",
    "ip access-list A\n  10 permit ip any any",
    "interface Ethernet1/1\n  mtu 9216\n  description a",
    "mtu 9216",
    "priority-flow-control watch-dog-interval on",
)


@given(st.lists(st.sampled_from(_FOREIGN), max_size=14))
def test_lines_that_are_passed_over_change_nothing(lines: list[str]) -> None:
    text = "\n".join(["hostname leaf1", *lines])
    for syntax in (SYNTAX, EOS):
        quick, slow = (Outliner(syntax.table, syntax.outliner.skip) for _ in range(2))
        slow._note_foreign = lambda beginning, line: None  # type: ignore[method-assign]
        first, again, slowly = (_said(one.outline(text, "leaf1.cfg")) for one in (quick, quick, slow))
        assert first == slowly == again


def _said(found: Outline) -> object:
    return found.top, found.lines, [(one.mode, one.header, one.line, one.block, one.labels) for one in found.stanzas]


_FOREIGN_FIRST = """policy-map type pdp A
   class X
policy-map type copp B
   class Y
class-map type pbr match-any C
policy-map type quality-of-service D
   class Z
class-map type qos match-any E
   match dscp 26
ip access-list F
   10 permit ip any any
ip access-list standard G
   10 permit host 192.0.2.1
"""


def test_what_begins_like_a_block_of_no_concern_is_not_passed_over() -> None:
    made = Outliner(EOS.table, lambda header, text, end: None)
    alone = {line: made.table.opens("top", line) for line in _FOREIGN_FIRST.split("\n") if line and line[0] != " "}
    wanted = [(mode, line) for line, mode in alone.items() if mode is not None]
    assert {line[-1] for _, line in wanted} >= set("DEFG")
    for _ in range(2):
        found = made.outline(_FOREIGN_FIRST, "leaf1.cfg").stanzas
        assert [(one.mode, one.header) for one in found] == wanted
