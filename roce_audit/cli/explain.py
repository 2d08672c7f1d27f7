"""`roce-audit explain`: why a rule exists; with a subject, why it fired, held or could not be judged there."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Iterable

from roce_audit.audit import check, rules_of
from roce_audit.cli.errors import UsageError, no_device
from roce_audit.cli.request import policy, request
from roce_audit.engine.rules.rule import TOPICS, Rule
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.report.words import clean
from roce_audit.views.choosing import NothingChosen
from roce_audit.views.rulefacts import entries
from roce_audit.views.ruletext import rule_lines
from roce_audit.views.verdict import verdict_lines


def run(options: argparse.Namespace) -> int:
    """Print the explanation."""
    site = policy(options, options.paths)
    rule = _rule(options.rule, rules_of(site))
    if options.subject is None:
        lines: Iterable[str] = rule_lines(entries([rule], site)[0], shutil.get_terminal_size((100, 40)).columns)
    else:
        checked = check(request(options, options.paths, rules=(rule,)))
        if not checked.devices:
            return no_device()
        try:
            lines = list(verdict_lines(rule, options.subject, checked, site))
        except NothingChosen as error:
            path = " (a path stands behind DEVICE:SUBJECT)" if os.path.lexists(options.subject) else ""
            raise UsageError(f"{error}{path}") from None
    for line in lines:
        print(clean(line))
    return 0


def _rule(name: str, rules: Iterable[Rule]) -> Rule:
    known = {rule.id: rule for rule in rules}
    found = known.get(name)
    if found is None:
        short = [rule for rule in known if rule.partition("/")[2] == name]
        if len(short) != 1:
            topic = name.partition("/")[0]
            whole = f": `roce-audit rules --select {topic}` lists the topic" if topic in TOPICS else ""
            raise UsageError(f"there is no rule '{name}'{did_you_mean(name, known) or whole}")
        found = known[short[0]]
    return found
