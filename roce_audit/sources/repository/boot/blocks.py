"""Files of modprobe.d in a repository that keep the RDMA driver of NICs from being loaded, which other files set up.

Source: modprobe.d(5), `blacklist`, `install`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.sources.files import Candidate
from roce_audit.sources.loaded import Problem
from roce_audit.sources.repository.boot.hostfiles import HostFiles

_BLOCKS = lazy(
    r"^[ \t]{0,20}(?:blacklist[ \t]{1,9}(?P<listed>[\w-]{2,40})"
    r"|install[ \t]{1,9}(?P<replaced>[\w-]{2,40})[ \t]{1,9}/(?:usr/)?s?bin/(?:false|true)\b)",
    re.M,
)


def may_block(one: Candidate) -> bool:
    """Whether a file says which modules are loaded."""
    return one.name.endswith(".conf") and "modprobe.d/" in one.path


def problems(one: Candidate, here: HostFiles) -> Iterator[Problem]:
    """The drivers that such a file blocks while another one sets their NICs up."""
    text = here.text(one)
    for found in _BLOCKS.finditer(text):
        module = (found["listed"] or found["replaced"]).replace("-", "_")
        calls = [p.nics.calls for p in platforms.every() if module in p.nics.rdma_modules and p.nics.calls]
        by = next((path for path, other in here.scripts.items() for call in calls if re.search(call, other)), None)
        if by is not None:
            line = 1 + text.count("\n", 0, found.start("listed" if found["listed"] else "replaced"))
            words = f"it keeps {module} from being loaded, without which the NICs that {by.rpartition('/')[2]} sets up carry no RDMA"
            yield Problem(one.path, line, words, "conflict")
