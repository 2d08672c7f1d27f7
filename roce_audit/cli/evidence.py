"""`roce-audit evidence`: a redacted, replayable bundle of one finding."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from roce_audit.audit import check
from roce_audit.cli.errors import UsageError, crashed, no_device
from roce_audit.cli.request import request
from roce_audit.report.words import count, headline
from roce_audit.text.wholefile import replace_file

NOT_REPLAYED = 1


def run(options: argparse.Namespace) -> int:
    """Write the bundle; 0 where the finding comes out of it again."""
    from roce_audit.casefile.bundle import archive, build
    from roce_audit.casefile.choosing import find

    if not options.output.endswith((".tar.gz", ".tgz")):
        raise UsageError(f"-o {options.output}: the bundle is a gzipped tar archive: name it FILE.tar.gz")
    if os.path.lexists(options.output) and not options.force:
        raise UsageError(f"{options.output} exists; --force writes over it")
    if not os.path.isdir(os.path.dirname(options.output) or "."):
        raise UsageError(f"{os.path.dirname(options.output)}: no such folder to write the bundle to")
    wanted = request(options, options.paths)
    checked = check(wanted)
    if checked.report.problems:
        return crashed(checked.report.problems)
    if not checked.devices:
        return no_device()
    findings, device = find(checked, options.finding)
    case = build(checked, wanted, findings[0], device)
    replace_file(Path(options.output), (archive(case),), private=True)
    print(headline(findings[0]))
    files = sum(path.startswith("site/") for path in case.tree)
    print(
        f"{options.output}: {count(files, 'file')} of {', '.join(case.devices)}, {count(case.secrets, 'secret')} masked"
    )
    if len(findings) > 1:
        print(f"{count(len(findings) - 1, 'more finding')} of this name: give a fingerprint or RULE:DEVICE for another")
    if case.replayed is None:
        print(
            "the finding does NOT come out of the bundle again: it depends on something that could not be taken along"
        )
        return NOT_REPLAYED
    print(f"proved: unpacked, `roce-audit check --select {findings[0].rule} site` shows it again")
    return 0
