"""What a job says that it was handed: the log of NCCL (or RCCL) with NCCL_DEBUG=INFO.

Source: NVIDIA/nccl, src/misc/param.cc (`%s set by environment to %lld.`) and src/transport/net_ib.cc (`NCCL_IB_HCA set to %s`).
"""

from __future__ import annotations

import re

from roce_audit.platforms.linux.env import JOB, place
from roce_audit.platforms.shared.host.answers import Answer, Tool

_SET = r"\bNCCL INFO (NCCL_IB_[A-Z0-9_]{1,60}) set (?:by environment )?to ([^\s\\]{1,300})"
_SAID = re.compile(_SET)


def _log(answer: Answer) -> None:
    """Every rank says the same: a value is told once, at its first line."""
    answer.collector.launched = place(answer, answer.document.first_line)
    told: set[tuple[str, str]] = set()
    for number, text in answer.lines():
        found = _SAID.search(text) if "NCCL INFO NCCL_IB_" in text else None
        if found is not None and (said := (found[1], found[2].rstrip("."))) not in told:
            told.add(said)
            answer.collector.variable(*said, place(answer, number), JOB)


LOG = Tool(name="job log", split=_log, signature=_SET, words=("NCCL INFO NCCL_IB_",), anywhere=True)
