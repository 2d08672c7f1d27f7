"""Quoted lines and the stanzas around them."""

from roce_audit.sources.lines import SourceLines, standard_input
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


def test_a_line_and_no_line() -> None:
    lines = SourceLines({"a": TEXT})
    assert lines(Place("a", 2)) == "  class roce"
    assert lines(Place("a", 99)) == lines(Place("nowhere", 1)) == ""


def test_a_staircase_is_cut() -> None:
    lines = SourceLines({"a": "\n".join(" " * i + str(i) for i in range(2000))})
    assert lines.block(Place("a", 2000)).count(">") == 11


def test_standard_input_is_put_together_from_its_documents() -> None:
    bundle = [Document("-", "c\nd", first_line=4), Document("-", "a", first_line=2), Document("x.cfg", "y")]
    lines = SourceLines(standard_input(bundle))
    assert [lines(Place("-", n)) for n in range(1, 7)] == ["", "a", "", "c", "d", ""]
    assert standard_input(bundle[2:]) == {}
