"""Configurations that pages and plans show are not read, and that is said once."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.sources import kinds
from roce_audit.sources.files import Candidate
from roce_audit.sources.repository import shown
from roce_audit.sources.repository.templates.fragments import in_plan
from roce_audit.sources.repository.variablefiles import of_repository
from roce_audit.sources.repository.variables import Variables

LEAF = "hostname leaf1\n!\ninterface Ethernet1/1\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n!\n"


def _page(block: str, fence: str = "```") -> str:
    return f"# Leaf\n\nPFC is on:\n\n{fence}eos\n{block}{fence}\n\nThat is no-drop for priority 3.\n"


@pytest.mark.parametrize(
    ("path", "kind", "text", "is_shown"),
    [
        ("a.md", "Markdown", _page(LEAF), True),
        ("a.md", "Markdown", _page(LEAF, "~~~"), True),
        ("a.md", "Markdown", _page("mlnx_qos -i eth0 --pfc 0,0,0,1,0,0,0,0\nmlnx_qos -i eth0 --trust dscp\n"), True),
        ("a.md", "Markdown", _page(LEAF.replace("priority-flow-control", "mtu").replace("no-drop", "9214")), False),
        ("a.md", "Markdown", _page("make install\n") + LEAF, False),
        ("a.md", "Markdown", "PFC makes a class no-drop; mlnx_qos shows it.\n", False),
        ("a.tf", "Terraform", f"locals {{\n  leaf = <<-EOT\n{LEAF}EOT\n  b = 1\n}}\n", True),
        ("a.tf", "Terraform", 'locals {\n  leaf = "priority-flow-control on"\n}\n', False),
        ("a.py", "Python source", _page(LEAF), False),
    ],
)
def test_what_a_page_shows(path: str, kind: str, text: str, is_shown: bool) -> None:
    assert shown.shows(path, kind, text) is is_shown


def test_a_page_is_told_once_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(4):
        Path(f"page{number}.md").write_text(_page(LEAF))
    Path("plain.md").write_text("# Nothing\n\n```sh\nmake\n```\n")
    assert main(["check", "."]) == 3
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("to have one judged, save it as a file of its own") == 1
    assert "are not read (page0.md, page1.md and 2 more)" in said
    assert "plain.md: Markdown" in said
    for page in Path().glob("page*.md"):
        page.write_text("# Nothing\n")
    main(["check", "."])
    assert "to have one judged" not in capsys.readouterr().out


def variables() -> Variables:
    return of_repository([Candidate(one.name, str(one)) for one in sorted(Path().iterdir())], {})


def test_resources_of_terraform_for_switches() -> None:
    said = 'resource "nxos_physical_interface" "gpu" {\n  interface_id = "eth1/1"\n  mtu          = 1500\n}\n'
    assert shown.shows("main.tf", kinds.TERRAFORM, said)
    assert not shown.shows("main.tf", kinds.TERRAFORM, said.replace("nxos_physical", "google_compute"))


PLAN = """resource "nxos_cli" "roce" {
  cli = <<-EOT
    interface Ethernet1/1
      mtu 9216
      priority-flow-control mode off
      service-policy type qos input ROCE
    interface ${var.uplink}
      mtu ${var.mtu}
      priority-flow-control mode on
  EOT
}
resource "nxos_physical_interface" "gpu" {
  mtu = 1500
}
"""


def test_the_texts_of_a_plan_of_terraform_are_configurations(tmp_path: Path) -> None:
    one, of_resource = in_plan("main.tf", PLAN)
    lines = {number: text for number, text in enumerate(one.text.split("\n"), 1) if text.strip()}
    assert lines == {
        3: "interface Ethernet1/1",
        4: "  mtu 9216",
        5: "  priority-flow-control mode off",
        6: "  service-policy type qos input ROCE",
    }
    assert {line for line, _ in one.left_out} == {8, 9}
    assert of_resource.left_out == ((12, "resources for switches are not read"),)
    assert in_plan("main.tf", PLAN.replace("mtu 9216", "%{ for port in ports ~}")) == []
    assert in_plan("main.tf", PLAN.replace("priority-flow-control", "spanning-tree")) == []


HALF = """locals {
  classes = <<-EOT
    class-of-service {
        forwarding-classes {
            class NO-LOSS queue-num 3 no-loss pfc-priority 3;
        }
        congestion-notification-profile cnp {
            input { dscp { code-point 011010 { pfc; } } }
        }
  EOT
}
"""


def test_a_text_whose_block_another_one_closes_is_told(tmp_path: Path) -> None:
    """A plan puts texts together: the half of a configuration is no configuration that is cut off."""
    (half,) = in_plan("main.tf", HALF)
    assert (half.text, half.left_out) == (
        "",
        ((3, "what is written here is not read: a block in it is closed by another text"),),
    )
    (whole,) = in_plan("main.tf", HALF.replace("  EOT\n", "    }\n  EOT\n"))
    assert "class-of-service {" in whole.text


MADE = """locals {
  cos   = 3
  ports = ["1/1", "1/2"]
  class = <<-EOT
    policy-map type network-qos NQ
      class type network-qos c-8q-nq3
        pause pfc-cos ${local.cos}
        mtu ${var.mtu}
  EOT
}
variable "mtu" {
  default = 9216
}
resource "nxos_cli" "all" {
  for_each = var.leafs
  device   = each.key
  cli      = <<-EOT
    ${local.class}
    system qos
      service-policy type network-qos NQ
  EOT
}
resource "nxos_cli" "gpu" {
  for_each = var.leafs
  device   = each.value.name
  cli      = <<-EOT
    %{ for port in local.ports ~}
    interface Ethernet${port}
      priority-flow-control mode on
    %{ endfor ~}
  EOT
}
"""


def test_a_plan_is_gone_through_with_its_own_values() -> None:
    (part,) = in_plan("main.tf", MADE)
    assert [
        (line, row.strip()) for line, row in zip(part.lines, part.text.split("\n"), strict=False) if row.strip()
    ] == [
        (5, "policy-map type network-qos NQ"),
        (6, "class type network-qos c-8q-nq3"),
        (7, "pause pfc-cos 3"),
        (8, "mtu 9216"),
        (19, "system qos"),
        (20, "service-policy type network-qos NQ"),
        (28, "interface Ethernet1/1"),
        (29, "priority-flow-control mode on"),
        (28, "interface Ethernet1/2"),
        (29, "priority-flow-control mode on"),
    ]
    assert part.left_out == ()
    (open_,) = in_plan("main.tf", MADE.replace("default = 9216", ""))
    assert "pfc-cos" not in open_.text  # a stanza with an open value that matters is left out as a whole
    assert 8 in dict(open_.left_out)
    two = in_plan("main.tf", MADE.replace("each.value.name", '"leaf1"'))
    assert ["interface Ethernet1/1" in one.text for one in two] == [False, True]


COUNTED = """locals {
  ports = <<-EOT
    %{for i in range(local.port_count)}
    interface Ethernet1/${i + 1}
      mtu ${var.mtu}
      priority-flow-control mode off
    %{endfor}
  EOT
}
"""


def test_the_files_of_a_folder_are_one_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ports.tf").write_text(COUNTED)
    Path("vars.tf").write_text('locals {\n  port_count = 2\n}\nvariable "mtu" {\n  default = 1500\n}\n')
    Path("terraform.tfvars").write_text("mtu = 9216\n")
    (one,) = in_plan("ports.tf", COUNTED, variables().of_plan("ports.tf"))
    assert [line.strip() for line in one.text.split("\n") if line.strip()] == [
        *("interface Ethernet1/1", "mtu 9216", "priority-flow-control mode off"),
        *("interface Ethernet1/2", "mtu 9216", "priority-flow-control mode off"),
    ]
    Path("more.tf").write_text("locals {\n  port_count = 4\n}\n")
    assert in_plan("ports.tf", COUNTED, variables().of_plan("ports.tf")) == []  # two values are none


def test_of_several_texts_one_that_cannot_be_gone_through_is_told() -> None:
    _, lost, _ = in_plan("main.tf", PLAN + COUNTED.replace("%{endfor}", ""))
    assert (lost.text, [line for line, _ in lost.left_out]) == ("", [PLAN.count("\n") + 3])


def test_texts_that_a_plan_puts_together() -> None:
    apart = """locals {
  head = <<-EOT
class-of-service {
    congestion-notification-profile cnp { input { dscp { code-point 011010 { pfc; } } } }
EOT
  tail = <<-EOT
    interfaces {
    %{for i in range(local.count)}
      et-0/0/${i} {
        congestion-notification-profile cnp;
      }
    %{endfor}
    }
}
EOT
  count = 2
  both  = "${local.head} \\n ${local.tail}"
}
"""
    (part,) = in_plan("cos.tf", apart)
    assert [row.strip() for row in part.text.split("\n") if "et-" in row] == ["et-0/0/0 {", "et-0/0/1 {"]
    (open_,) = in_plan("cos.tf", apart.replace("  count = 2\n", ""))  # how many there are stands elsewhere
    assert "code-point 011010" in open_.text
    assert "et-" not in open_.text
    assert [line for line, _ in open_.left_out] == [10]
    made = apart.replace("count = 2", "count = local.leafs * 2 - var.spares").replace(
        "locals {", "locals {\n  leafs = 2"
    )
    (part,) = in_plan("cos.tf", made + 'variable "spares" {\n  default = 3\n}\n')
    assert [row.strip() for row in part.text.split("\n") if "et-" in row] == ["et-0/0/0 {"]
