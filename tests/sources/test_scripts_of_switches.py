"""A script that only lists what is typed at a switch is its configuration; what a program computes is left out and said."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.sources.devices import load

COMMANDS = """# day one
nv set system hostname leaf7
nv set qos roce state enabled
nv set interface swp1s0,swp1s1 link mtu 9216
nv config apply -y
"""


def _devices(folder: Path, text: str, name: str = "leaf7.sh") -> list[str]:
    (folder / name).write_text(text)
    return [f"{device.name} {device.platform}" for device in load([str(folder)]).devices]


@pytest.mark.parametrize("head", ["", "#!/bin/bash\n", "#!/bin/sh -e\n# made by a generator\n"])
def test_commands_that_are_only_listed_are_read(tmp_path: Path, head: str) -> None:
    assert _devices(tmp_path, head + COMMANDS) == ["leaf7 cumulus"]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("if [ -f /x ]; then\n  nv set qos roce state disabled\nfi\n", "8: it stands under a condition"),
        ("trap 'error $LINENO' ERR\napply() {\n  nv config apply -y\n}\n", ""),
        ("nv set qos roce mode ${MODE}\n", "7: a value in it is made elsewhere"),
        ("nv set system hostname ${NAME}\n", ""),
    ],
)
def test_of_a_program_a_part_is_read_and_the_rest_is_said(tmp_path: Path, program: str, said: str) -> None:
    assert _devices(tmp_path, f"#!/bin/bash\n{COMMANDS}{program}") == ["leaf7 cumulus"]
    notes = [note for note in load([str(tmp_path)]).notes if "leaf7.sh:" in note]
    assert [note.partition("leaf7.sh:")[2][: len(said)] for note in notes] == ([said] if said else [])


def test_loops_and_other_switches_are_followed(tmp_path: Path) -> None:
    loop = "for port in 1 2; do\n  nv set interface swp$port link mtu 9216\ndone\n"
    other = "ssh leaf8 <<EOF\nnv set system hostname leaf8\nnv set qos roce state enabled\nEOF\n"
    assert _devices(tmp_path, f"#!/bin/bash\n{COMMANDS}{loop}{other}") == ["leaf7 cumulus", "leaf8 cumulus"]


def test_a_script_that_shows_a_configuration_to_nobody_is_none(tmp_path: Path) -> None:
    assert _devices(tmp_path, "#!/bin/bash\ninterface Ethernet1\n  priority-flow-control mode on\n", "x.sh") == []
