"""`roce-audit show`: the normalized model, each value with its line, default citation, or why it is unknown."""

from __future__ import annotations

import argparse
import os

from roce_audit.audit import check
from roce_audit.cli.errors import UsageError, no_device
from roce_audit.cli.request import request
from roce_audit.report.words import clean
from roce_audit.sources.files import STDIN
from roce_audit.views.choosing import NothingChosen, choose
from roce_audit.views.effective import effective_lines
from roce_audit.views.modelview import model_lines, roce_lines


def run(options: argparse.Namespace) -> int:
    """Print the chosen view."""
    subject, paths = options.subject, list(options.paths)
    if subject is not None and (subject == STDIN or os.path.lexists(subject)):
        subject, paths = None, [subject, *paths]
    checked = check(request(options, paths, rules=()))
    if not checked.devices:
        return no_device()
    try:
        chosen = choose(checked.site, checked.devices, subject)
    except NothingChosen as error:
        raise UsageError(str(error)) from None
    if options.roce:
        lines = roce_lines(chosen)
    elif options.effective:
        lines = effective_lines(chosen, checked.site)
    else:
        lines = model_lines(chosen, checked.lines)
    for line in lines:
        print(clean(line))
    return 0
