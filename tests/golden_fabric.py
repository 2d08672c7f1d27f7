"""The golden text of a whole fabric: its cables and where they are known from, and the way of its class from first host to last.

`python tests/golden_fabric.py FOLDER...` writes it anew; the change is reviewed as a diff.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy import load
from roce_audit.views.tracetext import trace_lines
from roce_audit.views.tracing import traces

SUFFIX = ".golden.txt"


def golden_of(folder: Path) -> Path:
    """The golden file of a fabric: it stands beside its folder, for all in the folder is input."""
    return folder.with_name(folder.name + SUFFIX)


def fabric_lines(folder: Path) -> Iterator[str]:
    """What the fabric in a folder must be joined to, its policy in `roce-audit.yaml` included."""
    with contextlib.chdir(folder):  # paths are shown relative to the working directory
        checked = check(Request(paths=(".",), policy=load(Path("roce-audit.yaml"))))
        links = sorted((link.id, f"{link.place.path}:{link.place.line}") for link in checked.site.links)
        yield from (f"{link}  @ {place}" for link, place in links)
        hosts = sorted(device.name for device in checked.devices if device.kind == "host")
        found = traces(checked.site, checked.devices, hosts[0], hosts[-1], None, None)
        yield ""
        yield from (line.rstrip() for line in trace_lines(found, (), checked.lines, str, brief=False))


if __name__ == "__main__":
    for named in map(Path, sys.argv[1:]):
        golden_of(named).write_text("\n".join(fabric_lines(named)) + "\n", encoding="utf-8")
