"""`roce-audit rules`: the catalogue, with selectors and the policy applied."""

from __future__ import annotations

import argparse
import json

from roce_audit.audit import rules_of
from roce_audit.cli import ownrules
from roce_audit.cli.request import policy
from roce_audit.engine.rules.selecting import selected
from roce_audit.report.catalogue import as_json, as_text
from roce_audit.views.rulefacts import entries


def run(options: argparse.Namespace) -> int:
    """Print the catalogue; or write a rule of one's own, or try those of a folder."""
    if options.test is not None:
        return ownrules.test(options.test)
    site = policy(options, ())
    if options.new is not None:
        return ownrules.new(options.new, site)
    found = entries(selected(rules_of(site), options.select, options.ignore), site)
    if options.format == "json":
        print(json.dumps(as_json(found), indent=2, ensure_ascii=False))
        return 0
    for line in as_text(found):
        print(line)
    return 0
