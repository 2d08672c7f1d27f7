"""Bytes become clean text and no line moves."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from roce_audit.text import decode as module
from roce_audit.text.decode import LONGEST_LINE, decode, printable


def test_plain_text_is_untouched() -> None:
    text = "hostname leaf1\n\tmtu 9214\n"
    assert decode(text.encode()) == module.Decoded(text)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfa\nb", "a\nb"),
        ("a ü\nb".encode(), "a ü\nb"),
        ("a ü\nb".encode("utf-16"), "a ü\nb"),
        ("a ü\nb".encode("latin-1"), "a ü\nb"),
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"a\r\r\nb", "a\nb"),
        (b"a\rb\rc", "a\nb\nc"),
        (b"a\r\nb\rc\nd", "a\nb\nc\nd"),
        (b"a\n\rb\n\rc", "a\nb\nc"),
        (b"\x1b[1mbold\x1b[0m \x1b]0;title\x07x", "bold x"),
        (b"N\x08NA\x08AM\x08ME\x08E", "NAME"),
        (b"shwo\x08\x08ow run", "show run"),
        (
            b"a\n --More-- \x08\x08\x08\x08\x08\x08\x08\x08\x08         \x08\x08\x08\x08\x08\x08\x08\x08\x08   mtu 9214\n",
            "a\n   mtu 9214\n",
        ),
        (b"a\n<--- More --->\r              \r mtu 9214\n", "a\n mtu 9214\n"),
        (b"a\n\x1b[7m--More--\x1b[27m\r\x1b[K mtu 9214\n", "a\n mtu 9214\n"),
        (b"a\n  ---- More ----\x1b[16D                \x1b[16D mtu 9214\n", "a\n mtu 9214\n"),
        (b"a\n---(more 45%)---\r                \rset x\n", "a\nset x\n"),
        (b"--More--mtu 1500\n", "mtu 1500\n"),
        (b"description one more -- or less\n", "description one more -- or less\n"),
    ],
)
def test_forms_of_text(data: bytes, text: str) -> None:
    found = decode(data)
    assert found.refused == ""
    # a terminal leaves blanks at the end of a line that was overwritten: they say nothing
    assert [line.rstrip() for line in found.text.split("\n")] == text.split("\n")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("interface Ethernet1/3\n--More--\n", [2]),
        ("interface Ethernet1/3\n--More--", [2]),
        ("a\n--More-- \x08\x08\x08q\nleaf1# show clock\n", [2]),
        ("a\n ---- More ----\n<leaf1>display clock\n", [2]),
        ("a\n--More--\nleaf1(config)# end\nb\n--More--\n", [2, 5]),
        ("a\n--More--\n  mtu 9216\nleaf1# \n", []),
        ("a\n--More--\n#\nreturn\n", []),
        ("a\n--More--  description to leaf7# of pod 2\n", []),
    ],
)
def test_an_answer_that_was_left_at_the_pager_lacks_its_rest(text: str, lines: list[int]) -> None:
    assert [note.line for note in decode(text.encode()).notes if note.lost] == lines


def test_latin_1_is_noted_with_its_line() -> None:
    assert [(n.line, "latin-1" in n.text) for n in decode(b"a\nb \xfc\n").notes] == [(2, True)]


def test_control_characters_are_replaced_and_noted_once() -> None:
    found = decode("a\nb\u202ec\x9b\x7f\x00\u2028d\n".encode() + b"x" * 200)
    assert found.text.startswith("a\nb\ufffdc\ufffd\ufffd\ufffd\ufffdd\n")
    assert [(n.line, n.lost) for n in found.notes if "control" in n.text] == [(2, False)]


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n",
        b"\x1f\x8b\x08",
        b"a\x00b\x00c\x00",
        bytes(range(32)) * 10,
        b"\x00",
        b"PAR1\x15 interfaces {",
    ],
)
def test_binary_is_refused(data: bytes) -> None:
    found = decode(data)
    assert found.refused
    assert found.text == ""


def test_a_long_line_is_cut_and_said() -> None:
    found = decode(b"a\n" + b"x" * (LONGEST_LINE + 5) + b"\nb\n")
    assert [len(line) for line in found.text.split("\n")] == [1, LONGEST_LINE, 1, 0]
    assert [(n.line, n.lost, f"{LONGEST_LINE + 5:,}" in n.text) for n in found.notes] == [(2, True, True)]


def test_a_line_of_the_longest_length_stays() -> None:
    assert decode(b"x" * LONGEST_LINE + b"\n" + b"y" * LONGEST_LINE).notes == ()


@pytest.mark.parametrize("prefix", ["", "|"])
def test_json_on_one_line_is_not_cut(prefix: str) -> None:
    text = prefix + "[" + ",".join(["1"] * LONGEST_LINE) + "]\n"
    assert decode(text.encode()) == module.Decoded(text)


def test_a_long_value_in_a_whole_json_text_is_not_cut() -> None:
    text = '{\n"a": "' + "x" * LONGEST_LINE + '",\n"b": 1\n}\n'
    assert decode(text.encode()).text == text


def test_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT_BYTES", 10)
    assert "too large" in decode(b"x" * 11).refused
    assert decode(b"x" * 10).refused == ""


_PIECES = st.sampled_from(
    [
        "\n",
        "\r\n",
        "\r",
        "\x1b[31m",
        "\x1b[5D",
        "\x1b[K",
        "\x1b",
        "\x08",
        "--More--",
        "a b",
        "ü",
        "\u202e",
        "\x00",
        "\x1b]0;",
    ]
)


@given(st.binary(max_size=300))
@example(b"\x1b[9999D\x08")
def test_never_raises_and_leaves_no_control_character(data: bytes) -> None:
    found = decode(data)
    assert printable(found.text) == found.text
    assert "\r" not in found.text


@given(st.lists(_PIECES | st.text(max_size=5), max_size=40).map("".join))
def test_keeps_the_number_of_lines(text: str) -> None:
    data = text.encode("utf-8", "replace")
    found = decode(data)
    if found.refused:
        return
    newlines = data.count(b"\n")
    if newlines:
        assert newlines <= found.text.count("\n") <= newlines + data.count(b"\r")
    else:
        assert found.text.count("\n") == data.count(b"\r")


@given(st.lists(st.text("abc \t!", max_size=8), max_size=20), st.sampled_from(["\n", "\r\n", "\r"]))
def test_line_ends_alone_change_nothing_else(lines: list[str], end: str) -> None:
    assert decode(end.join(lines).encode()).text.split("\n") == lines or not lines


@pytest.mark.parametrize(
    "unit",
    [b"\x08", b"a\x08", b"\x1b[", b"\x1b]a", b"--More--\r", b" \r", b"\x1b[5D", b"\x1bP", b"-", b"\x1b[1K", b"x\r"],
)
def test_hostile_repetition_comes_to_an_end(unit: bytes) -> None:
    # a quadratic step would need many minutes
    assert decode(unit * 300_000 + b"\nmtu 9100").text.endswith("\nmtu 9100")


def test_notes_are_one_clause() -> None:
    for data in (b"\xff\xfe" + "a".encode("utf-16-le"), b"a\x1b[1mb", b"a\rb\n", b"a\x01\n" + b"b" * 50):
        notes = decode(data).notes
        assert notes
        assert all(re.fullmatch(r"[^\n.]+", n.text) for n in notes)


@pytest.mark.parametrize(
    "message",
    [
        "2024 Jan  1 10:00:01 leaf1 %ETHPORT-5-IF_UP: Interface Ethernet1/1 is up in mode access",
        "2024 Jan  1 10:00:01.123 leaf1 %$ VDC-1 %$ %ETHPORT-5-IF_DOWN_LINK_FAILURE: Interface Ethernet1/1 is down",
        "Jan  1 10:00:01 leaf1 Ebra: %LINEPROTO-5-UPDOWN: Line protocol on Interface Ethernet1, changed state to up",
        "*Jan  1 10:00:01.123: %SYS-5-CONFIG_I: Configured from console by admin on vty0",
        "<189>: 2024 Jan  1 10:00:01 UTC: %VSHD-5-VSHD_SYSLOG_CONFIG_I: Configured from vty",
    ],
)
def test_log_messages_do_not_end_a_block(message: str) -> None:
    found = decode(f"interface Ethernet1/1\n  mtu 9216\n{message}\n  no shutdown\n".encode())
    assert found.text == "interface Ethernet1/1\n  mtu 9216\n\n  no shutdown\n"
    assert [(note.line, note.lost) for note in found.notes] == [(3, False)]


@pytest.mark.parametrize(
    "line",
    [
        "  description 2024 Jan  1 10:00:01 %ETHPORT-5-IF_UP: old note",
        "logging level ETHPORT-5-IF_UP: x",
        "Jan  1 10:00:01 at 80 %",
    ],
)
def test_a_line_that_is_no_log_message_stays(line: str) -> None:
    text = f"interface Ethernet1/1\n{line}\n"
    assert decode(text.encode()).text == text


@pytest.mark.parametrize(
    "stamp", ["[2024-01-01 10:00:00] ", "[10:00:00.123] ", "2024-01-01T10:00:00.123Z ", "10:00:00.123 "]
)
def test_times_before_each_line_are_left_out(stamp: str) -> None:
    lines = ["hostname leaf1", "interface Ethernet1/1", "  mtu 9216", "", "interface Ethernet1/2", "  mtu 9216", ""]
    found = decode("\n".join([f"{stamp}{line}" if line else stamp.rstrip() for line in lines[:-1]] + [""]).encode())
    assert found.text == "\n".join(lines)
    assert [note.text for note in found.notes] == ["the time before each line was left out"]


def test_times_of_a_few_lines_are_their_own() -> None:
    text = "10:00:00 a\n" * 4 + "interface Ethernet1/1\n  mtu 9216\n" * 4
    assert decode(text.encode()) == module.Decoded(text)


def test_a_fence_around_the_whole_text_is_none_of_it() -> None:
    assert decode(b'```json\n{"a": 1}\n```\n').text == '\n{"a": 1}\n\n'
    for text in ("```\na\n```\nb\n```\nc\n```\n", "see:\n```\na\n```\n", "```\na ``` b\n", "```\na\nb ```\n"):
        assert decode(text.encode()) == module.Decoded(text)
