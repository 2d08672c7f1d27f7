"""What a shell script takes in from a file of settings is known in the script, where it is set once and plainly."""

from __future__ import annotations

import os
from collections.abc import Mapping

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load_text
from roce_audit.sources import files
from roce_audit.sources.repository.boot.sourced import filled, settings
from roce_audit.sources.repository.variablefiles import of_repository
from tests.sources.conftest import Write

GIVEN = {"setup/roce.env": {"PFC": "0,0,0,1,0,0,0,0", "NICS": '"eth0 eth1"'}}
KNOWN = "; PFC=0,0,0,1,0,0,0,0"


@pytest.mark.parametrize(
    ("line", "behind"),
    [
        (". ./roce.env", KNOWN),
        ("source roce.env", KNOWN),
        ('. "$(dirname "$0")/roce.env"', KNOWN),
        ('source "${HERE}/roce.env"', KNOWN),
        ("source $(cd $(dirname $0); pwd)/roce.env", ""),
        ("[ -r roce.env ] && . roce.env", KNOWN),
        ("source ../roce.env", ""),
        ("source other.env", ""),
        ("echo source roce.env", ""),
    ],
)
def test_a_line_that_takes_settings_in(line: str, behind: str) -> None:
    text = f"{line}\nmlnx_qos -i eth0 --pfc $PFC\n"
    assert filled("setup/roce.sh", text, GIVEN)[0] == f"{line}{behind}\nmlnx_qos -i eth0 --pfc $PFC\n"


@pytest.mark.parametrize(
    ("line", "behind"),
    [
        ("source /etc/roce.conf", KNOWN),
        ('CONF="/etc/roce.conf"\nsource "${CONF}"', KNOWN),
        ('CONF=/etc/roce.conf\nCONF=/etc/other.conf\nsource "$CONF"', ""),
        ("source /opt/roce.conf", ""),
    ],
)
def test_a_tree_of_files_that_is_laid_over_a_host(line: str, behind: str) -> None:
    given = {"files/etc/roce.conf": GIVEN["setup/roce.env"]}
    text = f"{line}\nmlnx_qos -i eth0 --pfc $PFC\n"
    assert filled("files/usr/bin/roce.sh", text, given)[0] == f"{line}{behind}\nmlnx_qos -i eth0 --pfc $PFC\n"


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("TC=106\n", {"TC": "106"}),
        ("export TC='106'  # DSCP 26\n", {"TC": "'106'"}),
        ("TC=106\nTC=26\n", {}),
        ("TC=106\n  export TC=26\n", {}),
        ("TC=$((26 * 4))\n", {}),
        ("TC=106; rm -rf /\n", {}),
        ("if true; then\n  TC=106\nelse\n  TC=26\nfi\n", {}),
    ],
)
def test_what_a_file_of_settings_says(text: str, known: Mapping[str, str]) -> None:
    assert settings(text) == known


def test_a_script_does_not_take_itself_in() -> None:
    text = ". roce.sh\nPFC=1\n"
    assert filled("roce.sh", text, {"roce.sh": {"PFC": "1"}}) == (text, ())


def test_a_script_with_its_settings_is_judged_and_both_files_are_known(write: Write) -> None:
    write("roce.sh", '#!/bin/bash\n. "$(dirname "$0")/roce.env"\nmlnx_qos -i eth0 --trust dscp --pfc $PFC\n')
    write("roce.env", "PFC=0,0,0,0,1,0,0,0\n")
    report = check(Request((".",), load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml"))).report
    failing = [(f.rule, f.locations[0].path, f.locations[0].line) for f in report.findings if f.verdict == "fails"]
    assert ("pfc/setup-off-class", "roce.sh", 3) in failing
    assert "roce.env" not in str(report.coverage.unrecognised)


def test_a_script_that_takes_settings_in_has_its_placeholders_filled_as_well(write: Write) -> None:
    os.makedirs("group_vars")
    write("group_vars/all.yml", "mtu: 9000\n")
    write("roce.env", "NIC=eth0\n")
    write("roce.sh", ". ./roce.env\n")
    variables = of_repository(files.walk(["."]).files, {})
    for path, text in (
        ("roce.sh", ". ./roce.env\nip link set $NIC mtu {{ mtu }}\n"),
        ("b.sh", "ip link set x mtu {{ mtu }}\n"),
    ):
        assert "mtu 9000" in variables.settled(path, text)[0]


def test_only_scripts_take_settings_in(write: Write) -> None:
    write("notes.txt", ". ./roce.env\n")
    write("roce.env", "PFC=3\n")
    assert not of_repository(files.walk(["."]).files, {}).rows
