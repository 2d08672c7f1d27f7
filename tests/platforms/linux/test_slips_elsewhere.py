"""A call that its tool refuses is told in whichever way of a script, and in whichever file that it writes, it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

EITHER = """#!/bin/bash
for dev in $(ls /sys/class/net | grep -v lo); do
  if command -v dcb >/dev/null 2>&1; then
    dcb pfc set dev "$dev" prio-pfc all:off 3:on
  elif command -v mlnx_qos >/dev/null 2>&1; then
    mlnx_qos -i "$dev" --pfc {}
  fi
done
"""
COMPUTED = """#!/bin/bash
MASK="${{MASK:-{}}}"
QOS="$(command -v mlnx_qos || echo /usr/bin/mlnx_qos)"
cat > /etc/systemd/system/pfc.service <<UNIT
[Service]
Type=oneshot
ExecStart=${{QOS}} -i ens1f0np0 --pfc ${{MASK}}
[Install]
WantedBy=multi-user.target
UNIT
systemctl enable pfc.service
"""


@pytest.mark.parametrize("script", [EITHER, COMPUTED], ids=["in another way", "in a file with a computed value"])
def test_seven_values_are_told(script: str, tmp_path: Path) -> None:
    found = {}
    for name, values in (("sound", "0,0,0,1,0,0,0,0"), ("seven", "0,0,0,1,0,0,0")):
        file = tmp_path / name / "setup.sh"
        file.parent.mkdir()
        file.write_text(script.format(values))
        report = check(Request((str(file.parent),), Policy.empty())).report
        found[name] = {one.rule for one in report.findings if one.verdict == "fails" and one.severity == "error"}
    assert found == {"sound": set(), "seven": {"input/rejected-call"}}
