"""Quoted lines and the stanzas around them."""

import random
from pathlib import Path

import pytest

from roce_audit.sources import lines
from roce_audit.sources.lines import SourceLines, standard_input
from roce_audit.text.decode import LONGEST_LINE, decode, has_own_lines
from roce_audit.text.document import Document
from roce_audit.values import Place

TEXT = """\
policy-map QOS
  class roce
    pause no-drop

    mtu 9216
! comment
interface Ethernet1/1
  mtu 9216
{
 "PORT": {
  "Ethernet0": {
   "mtu": "9100"
  },
  "Ethernet4": {
   "mtu": "9100"
"""


def block(line: int) -> str:
    return SourceLines({"a": TEXT}).block(Place("a", line))


def test_the_stanzas_around_a_line() -> None:
    assert block(3) == "policy-map QOS > class roce"
    assert block(5) == "policy-map QOS > class roce"
    assert block(8) == "interface Ethernet1/1"
    assert block(12) == '"PORT": > "Ethernet0":'
    assert block(15) == '"PORT": > "Ethernet4":'
    assert [block(line) for line in (0, 1, 7, 99)] == ["", "", "", ""]


def above(rows: list[str]) -> list[str]:
    """The heads around each row, found from the top with a stack of what is open."""
    found: list[str] = []
    open_: list[tuple[int, str]] = []
    for row in rows:
        text = row.lstrip()
        depth = len(row) - len(text)
        if text:
            while open_ and open_[-1][0] >= depth:
                open_.pop()
        found.append(" > ".join(head for _, head in open_ if head) if text else "")
        if text and text[0] not in "}])!#":
            open_.append((depth, " ".join(text.split()).rstrip(" {[")))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_lines_find_the_same_heads_in_whatever_order_they_are_asked_for(seed: int) -> None:
    rows = [*TEXT.split("\n"), "  a", "   ", "    b", "!", "   c", "", " d", "}", "  e", "   # f", "    g"]
    dice = random.Random(seed)
    rows += [" " * dice.randrange(5) + dice.choice(["a", "b {", "}", "]", "!", "# c", ""]) for _ in range(200)]
    numbers = list(range(1, len(rows) + 1))
    dice.shuffle(numbers)
    source = SourceLines({"a": "\n".join(rows)})
    wanted = above(rows)
    assert {n: source.block(Place("a", n)) for n in numbers} == {n: wanted[n - 1] for n in numbers}


def test_many_lines_of_one_file_are_looked_up_as_one_is() -> None:
    one_by_one = [block(line) for line in range(20)]
    many = SourceLines({"a": TEXT})
    for _ in range(20):
        assert [many.block(Place("a", line)) for line in range(20)] == one_by_one


def test_a_line_and_no_line() -> None:
    source = SourceLines({"a": TEXT})
    assert source(Place("a", 2)) == "  class roce"
    assert source(Place("a", 99)) == source(Place("nowhere", 1)) == ""


def test_a_staircase_is_cut() -> None:
    source = SourceLines({"a": "\n".join(" " * i + str(i) for i in range(2000))})
    assert source.block(Place("a", 2000)).count(">") == 11


def test_standard_input_is_put_together_from_its_documents() -> None:
    bundle = [Document("-", "c\nd", first_line=4), Document("-", "a", first_line=2), Document("x.cfg", "y")]
    source = SourceLines(standard_input(bundle))
    assert [source(Place("-", n)) for n in range(1, 7)] == ["", "a", "", "c", "d", ""]
    assert standard_input(bundle[2:]) == {}


PIECES = [
    *(
        b"interface Ethernet1/1\n",
        b"  mtu 9216\n",
        b"\n",
        b"   \n",
        b"\tno shutdown\n",
        b"pass more traffic\n",
        b"x" * 3000 + b"\n",
    ),
    *(
        b" --More-- \n",
        b"--More-- mtu 9216\n",
        b"  description a\x07\x0b\x0c\x1c\x7fb\n",
        b"\x0c  mtu 9216\n",
        b"\x1c mtu\n",
    ),
    *(
        b"Mar  1 10:11:12 leaf1 %ETHPORT-5-IF_UP: Interface up\n",
        b"10:11:12 mtu 9216\n",
        b"BZh mtu\n",
        b"```\n",
        b"x" * (LONGEST_LINE + 9) + b"\n",
    ),
]
ODD = [
    b"a\r\n",
    b"a\rb\n",
    b"ab\b\bcd\n",
    b"\x1b[31m  red\x1b[0m\n",
    "ü\n".encode(),
    b"\xe9\n",
    b"\xef\xbb\xbf",
    b"\0\n",
]
"""What concerns other lines, or all of them."""


@pytest.mark.parametrize("seed", range(40))
def test_a_line_is_quoted_as_it_was_judged(seed: int, tmp_path: Path) -> None:
    those = random.Random(seed)
    path = tmp_path / "a.cfg"
    has_odd = seed % 4 == 0
    data = [those.choice(PIECES) for _ in range(those.randrange(1, 60))]
    if has_odd:
        data.insert(those.randrange(len(data)), those.choice(ODD))
    path.write_bytes(b"".join(data).rstrip(b"\n") if seed % 3 else b"".join(data))
    assert not (has_odd and has_own_lines(path.read_bytes()))
    _as_decoded(path)


def _as_decoded(path: Path) -> None:
    """Every line and block is the one of the decoded text, in whatever order they are asked for."""
    text = decode(path.read_bytes()).text
    whole, found = SourceLines({"a": text}), SourceLines()
    numbers = list(range(len(text.split("\n")) + 3))
    assert [found(Place(str(path), n)) for n in numbers[1:]] == [*text.split("\n"), "", ""]
    backwards = SourceLines()
    for n in reversed(numbers):
        assert backwards(Place(str(path), n)) == whole(Place("a", n))
        assert backwards.block(Place(str(path), n)) == whole.block(Place("a", n))


@pytest.mark.parametrize(
    "begin", [b"```text\n", b" \n```\n", b"12:13:14 mtu\n" * 99, b"%PDF-\n", b"PK\x03\x04", b"\x01" * 99]
)
def test_what_a_file_begins_with_may_concern_all_of_it(begin: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.cfg"
    path.write_bytes(begin + b"interface Ethernet1\n  12:13:14 mtu\n" * 9 + b"```\n")
    assert not has_own_lines(path.read_bytes())
    _as_decoded(path)


def test_a_plain_file_is_not_decoded_for_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.cfg"
    path.write_text("interface Ethernet1\n   mtu 9216\n" * 10_000)
    monkeypatch.setattr(lines, "decode", lambda data: pytest.fail("the whole file was decoded"))
    source = SourceLines()
    assert source(Place(str(path), 20_000)) == "   mtu 9216"
    assert source.block(Place(str(path), 20_000)) == "interface Ethernet1"
    assert sum(map(len, source._files[str(path)]._pieces.values())) < 500


def test_a_line_that_is_known_is_looked_for_in_no_file(tmp_path: Path) -> None:
    path = tmp_path / "a.cfg"
    path.write_text("interface Ethernet1\n   mtu 9216\n")
    source = SourceLines(quoted={str(path): {2: "   mtu 9000"}})
    assert source(Place(str(path), 2)) == "   mtu 9000"
    assert source.opened == set()
    assert source(Place(str(path), 1)) == "interface Ethernet1"
    assert source.block(Place(str(path), 2)) == "interface Ethernet1"
    assert source.opened == {str(path)}


def test_text_that_is_given_is_taken_before_what_is_known_of_the_file() -> None:
    assert SourceLines({"a": "mtu 9216"}, {"a": {1: "mtu 9000"}})(Place("a", 1)) == "mtu 9216"
