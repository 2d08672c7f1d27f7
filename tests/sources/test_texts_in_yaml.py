"""YAML that holds the configurations of several devices: each is read by itself, on the lines of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

TEXTS = """---
version: 1.6.13
sw-leaf-001: |
  interface ethernet1/1/1
    no shutdown
    flowcontrol transmit off

sw-spine-001: |
  dcb priority-flow-control enable force
  dcb priority-flow-control priority 3 enable
  interface ethernet 1/1 dcb priority-flow-control mode on force
"""
LISTS = """leaf1:
- header:
    nvue-api-version: nvue_v1
- set:
    system:
      hostname: leaf1
    interface:
      swp1:
        type: swp
leaf2:
  - header:
      nvue-api-version: nvue_v1
  - set:
      system:
        hostname: leaf2
      interface:
        swp1:
          type: swp
"""


@pytest.mark.parametrize(
    ("text", "devices"),
    [
        (TEXTS, {("sw-leaf-001", "os10"), ("sw-spine-001", "onyx")}),
        (LISTS, {("leaf1", "cumulus"), ("leaf2", "cumulus")}),
        (LISTS.partition("leaf2:")[0], set()),  # one alone is no list of devices
        ("a: |\n  one\nb: |\n  two\n", set()),
    ],
)
def test_each_device_is_read_by_itself(tmp_path: Path, text: str, devices: set[tuple[str, str]]) -> None:
    (tmp_path / "fabric.yaml").write_text(text)
    done = check(Request((str(tmp_path),), policy=Policy.empty()))
    found = {(one.name, one.platform) for one in done.devices}
    assert found == devices if devices else len(found) <= 1


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(TEXTS.replace("transmit off", "transmit sometimes"))
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert [(line.line, line.text) for line in report.coverage.unread] == [(6, "flowcontrol transmit sometimes")]
