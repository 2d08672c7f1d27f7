"""Quoted lines and the stanzas around them."""

from roce_audit.sources import lines
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


def test_a_line_walks_up_to_what_the_table_of_all_lines_says() -> None:
    rows = [*TEXT.split("\n"), "  a", "   ", "    b", "!", "   c", "", " d", "}", "  e", "   # f", "    g"]
    assert [lines._parent(rows, at) for at in range(len(rows))] == lines._parents(rows)


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
