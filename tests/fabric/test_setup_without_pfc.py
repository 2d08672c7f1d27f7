"""A script that prepares the class and leaves PFC out: not told where another file, or the far end, turns PFC on."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.policy import load

RULE = "pfc/setup-without-pfc"
MARK = "#!/bin/bash\nmlnx_qos -i ens1f0np0 --trust dscp\ncma_roce_tos -d mlx5_0 -t 106\n"


@pytest.mark.parametrize(
    ("name", "text", "is_told"),
    [
        ("notes.txt", "nothing", True),
        ("pause.sh", "#!/bin/bash\nmlnx_qos -i ens1f0np0 --pfc 0,0,0,1,0,0,0,0\n", False),
        ("pause.sh", '#!/bin/bash\nmlnx_qos -i ens1f0np0 --pfc "$PFC"\n', False),
        ("mark.sh", MARK.replace("--trust dscp\n", "--trust dscp\nmlnx_qos -i ens1f0np0 --dcbx fw\n"), False),
        ("mark.sh", MARK.replace("106", "0"), False),
    ],
)
def test_who_turns_pfc_on(tmp_path: Path, name: str, text: str, is_told: bool) -> None:
    policy = tmp_path / "roce-audit.yaml"
    policy.write_text("roce: {dscp: [26], priority: [3]}\n")
    (tmp_path / "mark.sh").write_text(MARK)
    (tmp_path / name).write_text(text)
    rules = tuple(rulepack.load())
    report = check(Request((str(tmp_path),), load(policy), rules=rules, select=(RULE,))).report
    assert any(one.verdict == "fails" for one in report.findings) is is_told
