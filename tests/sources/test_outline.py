"""Files in other languages give the calls and variables that stand in them, on the lines of the file."""

from __future__ import annotations

import pytest

from roce_audit.sources.repository.carried import as_script
from roce_audit.sources.repository.linecalls import mentions
from roce_audit.sources.repository.outline import outline


def _lines(text: str) -> dict[int, str]:
    return {number: line for number, line in enumerate(outline(text).split("\n"), 1) if line and number > 1}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            'resource "vm" "gpu" {\n  user_data = <<-EOF\n    mlnx_qos -i eth0 --pfc 0,0,0,1,0,0,0,0\n  EOF\n}\n',
            {3: "mlnx_qos -i eth0 --pfc 0,0,0,1,0,0,0,0"},
        ),
        (
            (
                "class roce {\n  exec { 'pfc':\n    command => '/usr/bin/mlnx_qos -i eth0 --trust dscp',\n"
                "    unless  => '/usr/bin/mlnx_qos -i eth0 | grep -q dscp',\n  }\n}\n"
            ),
            {3: "mlnx_qos -i eth0 --trust dscp"},
        ),
        (
            'nics.each do |nic|\n  execute "pfc" do\n    command "mlnx_qos -i #{nic} --trust dscp"\n  end\nend\n',
            {3: "mlnx_qos -i ${nic} --trust dscp"},
        ),
        (
            "{ pkgs, ... }:\n{\n  script = ''\n    ${pkgs.mlnx-tools}/bin/mlnx_qos -i eth0 --trust dscp\n  '';\n}\n",
            {4: "mlnx_qos -i eth0 --trust dscp"},
        ),
        (
            '# image\ninline = [\n  "mlnx_qos -i eth0 --trust dscp",\n  # "mlnx_qos -i eth0 --trust pcp",\n]\n',
            {3: "mlnx_qos -i eth0 --trust dscp"},
        ),
        (
            "PFC = 0,0,0,1,0,0,0,0\nqos:\n\t@sudo mlnx_qos -i eth0 --pfc $(PFC)\n",
            {3: "sudo mlnx_qos -i eth0 --pfc 0,0,0,1,0,0,0,0"},
        ),
        ("# x\nexport NCCL_IB_TC := 106\nother:\n\ttrue\n", {2: "export NCCL_IB_TC='106'"}),
        ('help([[x]])\nsetenv("NCCL_IB_TC", "106")\n', {2: "export NCCL_IB_TC='106'"}),
        ("# fish\nset -gx NCCL_IB_TC 106\n", {2: "export NCCL_IB_TC='106'"}),
        (
            'task "t" {\n  env {\n    NCCL_IB_TC = "106"\n    NCCL_IB_HCA = var.hca\n  }\n}\n',
            {3: "export NCCL_IB_TC='106'", 4: "export NCCL_IB_HCA=$CONDITION"},
        ),
        ('- op: add\n  value:\n    name: NCCL_IB_TC\n    value: "106"\n', {4: "export NCCL_IB_TC='106'"}),
        ("x:\n  env:\n    - {name: NCCL_IB_TC, value: '106'}\n", {3: "export NCCL_IB_TC='106'"}),
        ('set {\n  name  = "env.NCCL_IB_TC"\n  value = "106"\n}\n', {3: "export NCCL_IB_TC='106'"}),
        ("p:\n  NCCL_IB_TC: {{ tc }}\n", {2: "export NCCL_IB_TC=$CONDITION"}),
        ("# a\necho NCCL_IB_TC=${tc} > /etc/nccl.conf\n", {2: "export NCCL_IB_TC=$CONDITION"}),
        # a condition of the template, and one of the language around
        (
            "a:\n{{- if .Values.roce }}\n  NCCL_IB_TC: 106\n{{- else }}\n  NCCL_IB_TC: 0\n{{- end }}\n",
            {
                2: "if $CONDITION; then",
                3: "export NCCL_IB_TC='106'",
                4: "else",
                5: "export NCCL_IB_TC='0'",
                6: "fi",
            },
        ),
        (
            "{% for n in nics %}\n{% if x %}\nmlnx_qos -i {{ n }} --trust dscp\n{% endif %}\n{% endfor %}\n",
            {2: "if $CONDITION; then", 3: "mlnx_qos -i {{n}} --trust dscp", 4: "fi"},
        ),
        (
            "class x {\n  if $roce {\n    exec { 'mlnx_qos -i eth0 --trust dscp': }\n  }\n}\n",
            {3: "if $CONDITION; then mlnx_qos -i eth0 --trust dscp; fi"},
        ),
        # what a shell prints of its commands; answers between them are none
        (
            "+ set -e\n+ mlnx_qos -i eth0 --trust dscp\nPriority trust state: dscp\n++ hostname\n+ export NCCL_IB_TC=106\n",
            {2: "mlnx_qos -i eth0 --trust dscp", 5: "export NCCL_IB_TC=106"},
        ),
        # a condition on the first line, a remark of several lines, what is looked for, and what describes
        ("{% if a %}\nNCCL_IB_TC=1\n{% endif %}\n", {2: "if $CONDITION; then export NCCL_IB_TC='1'", 3: "fi"}),
        ("x\n/* old\nNCCL_IB_TC=0\n*/\nNCCL_IB_TC=106\n", {5: "export NCCL_IB_TC='106'"}),
        ("x\ngrep NCCL_IB_TC=0 f\ndescription: NCCL_IB_TC=0\n! run NCCL_IB_TC=0\n", {}),
        ("a = 1\nb = 2\n", {}),
    ],
)
def test_what_stands_in_the_file(text: str, lines: dict[int, str]) -> None:
    assert _lines(text) == lines


def test_a_text_without_any_has_no_outline() -> None:
    assert not mentions("class web { }\n")
    assert outline("class web { }\n") == ""
    assert outline('resource "x" "mlnx_qos_y" {}\n' * 3) == ""


@pytest.mark.parametrize(
    ("path", "named", "is_read"),
    [
        ("main.tf", "Terraform", True),
        ("recipes/default.rb", "source code", True),
        ("lib/tool.rb", "source code", False),
        ("apps/modulefiles/nccl/2.21.lua", "a script", True),
        ("apps/nccl.lua", "a script", False),
        ("README.md", "Markdown", False),
        ("notes.txt", "", False),
        ("tests/test_env.py", "Python source", False),
    ],
)
def test_which_files_are_asked(path: str, named: str, is_read: bool) -> None:
    assert bool(as_script(path, 'x {\n  NCCL_IB_TC = "106"\n}\n', named)) is is_read


def test_a_text_that_was_seen_before_is_asked_the_same() -> None:
    """Texts are remembered: an equal one is another object."""
    task = "- hosts: gpu\n  tasks:\n    - command: mlnx_qos -i eth0 --trust dscp --pfc 0,0,0,1,0,0,0,0\n"
    once = "".join(list(task))
    assert [as_script("a.yml", one, "") for one in (task, once)] == ["", ""]


def test_link_pause_and_mtu_stand_beside_what_sets_rdma_up() -> None:
    state = "eth2:\n  cmd.run:\n    - name: {0}\n"
    pause, mtu = "ethtool -A eth2 rx on tx on", "ip link set dev eth2 mtu 1500"
    together = "".join(map(state.format, ("mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0", pause, mtu)))
    assert [line for line in outline(together).split("\n")[1:] if line][1:] == [pause, mtu]
    assert outline(state.format(pause) + state.format(mtu)) == ""
