"""The table of what `roce-audit fix` fixes: every bad example of every rule and platform is fixed, and judged again from disk.

`python docs/fixes.py` writes docs/reference/fixes.md (minutes); with `--check` a difference fails, and so does a change
that was printed and does not prove out.
"""

from __future__ import annotations

import difflib
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.engine.findings import SEVERITIES, Report
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.rules.rulepack import builtin_folder, load
from roce_audit.fixing.planning import plan
from roce_audit.platforms import names
from roce_audit.policy import Policy
from roce_audit.policy import load as load_policy
from roce_audit.proof.examples import case_tree, collect
from roce_audit.proof.exampletext import ExampleSet

PAGE = Path(__file__).parent / "reference" / "fixes.md"
TODAY = date(2026, 1, 1)
HEAD = """# What `fix` fixes

Made by `python docs/fixes.py`, which takes every bad example of every rule, asks `fix` for changes, writes them to disk and judges
the files again. A change counts where the finding is gone, and nothing fails that did not fail before (a remark that is new is no harm
where an error or warning is fixed). What does not prove out is not printed, so a finding is either fixed or listed as left.

In a cell: examples that are fixed, of those there are. *s*: a source calls the statements of all these changes harmless on a running
port; everything else is to be taken as disruptive. Empty: no example. Rules about the input itself, and rules that no platform fixes,
stand below.

"""


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of the examples of one rule on one platform."""

    rule: str
    platform: str
    examples: int
    fixed: int
    safe: bool
    broken: tuple[str, ...]
    """Titles of examples for which a change was printed that does not prove out."""

    @property
    def cell(self) -> str:
        """`2/3 s`."""
        return f"{self.fixed}/{self.examples}{' *s*' if self.safe else ''}"


@cache
def rules() -> tuple[Rule, ...]:
    """All rules of the tool."""
    return load([builtin_folder()])


def sets() -> list[ExampleSet]:
    """The examples that can be fixed: those about the reading itself are no configuration's fault."""
    return [found for found in collect(rules()) if not found.rule.startswith("input/")]


def prove(number: int) -> Proof:
    """Fix the examples of one set on disk, and judge them again."""
    found = sets()[number]
    fixed = 0
    safe: list[bool] = []
    broken: list[str] = []
    for example in found.bad:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            _lay_out(dict(case_tree(found, example).tree))
            planned = plan(_site(select=(found.rule,)))
            if planned.fixed:
                fixed_ones = [finding for one in planned.fixed for finding in one.findings]
                before = _failing(check(_site()).report)
                _lay_out(planned.after)
                after = check(_site()).report
                claimed = {member.fingerprint for finding in fixed_ones for member in finding.members}
                # what is fixed may be like all others, of which something is remarked
                severities = SEVERITIES if all(f.severity == "info" for f in fixed_ones) else ("error", "warning")
                left = {new.fingerprint for one in planned.fixed for new in one.brings}
                proved = claimed.isdisjoint(_failing(after)) and _failing(after, severities) <= before | left
                fixed += proved
                broken += [] if proved else [example.title]
                safe += [bool(change.safe) for one in planned.fixed for _, change in one.proposal.changes]
            os.chdir("/")
    return Proof(found.rule, found.platform, len(found.bad), fixed, bool(safe) and all(safe), tuple(broken))


def _site(select: tuple[str, ...] = ()) -> Request:
    policy = Path("roce-audit.yaml")
    site = load_policy(policy) if policy.exists() else Policy.empty()
    return Request((".",), site, rules=rules(), today=TODAY, select=select)


def _failing(report: Report, severities: Sequence[str] = SEVERITIES) -> set[str]:
    failing = (f for f in report.findings if f.verdict == "fails" and f.severity in severities)
    return {member.fingerprint for finding in failing for member in finding.members}


def _lay_out(tree: Mapping[str, str]) -> None:
    for name, text in tree.items():
        file = Path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def page(proofs: Sequence[Proof]) -> str:
    """The page as Markdown."""
    return HEAD + "".join(_table(proofs))


def _table(proofs: Sequence[Proof]) -> Iterator[str]:
    by_rule: dict[str, dict[str, Proof]] = defaultdict(dict)
    for proof in proofs:
        by_rule[proof.rule][proof.platform] = proof
    fixable = {rule for rule, found in by_rule.items() if any(proof.fixed for proof in found.values())}
    columns = [name for name in names() if any(p.platform == name and p.fixed for p in proofs)]
    fixed, examples = sum(proof.fixed for proof in proofs), sum(proof.examples for proof in proofs)
    yield f"**{fixed:,} of {examples:,} examples** are fixed.\n\n"
    yield f"| rule | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}\n"
    for rule in sorted(fixable):
        cells = [by_rule[rule][name].cell if name in by_rule[rule] else "" for name in columns]
        yield f"| [{rule}](rules/{rule}.md) | {' | '.join(cells)} |\n"
    without = [name for name in names() if name not in columns]
    yield f"\nNo change is written for: {', '.join(without) or 'none'}.\n\n## Not fixed\n\n"
    yield "These need a decision, a cable, a firmware, or a value that only the site knows; `explain` says what to look at.\n\n"
    left = sorted({rule.id for rule in rules()} - fixable)
    yield "".join(f"- {rule}\n" for rule in left)


def main(arguments: list[str]) -> int:
    """Write the page, or with --check compare it."""
    with ProcessPoolExecutor() as pool:
        proofs = list(pool.map(prove, range(len(sets())), chunksize=4))
    broken = [f"{p.rule} on {p.platform}: {title}" for p in proofs for title in p.broken]
    for line in broken:
        print(f"printed, and does not prove out: {line}")
    text = page(proofs)
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if "--check" not in arguments:
        PAGE.write_text(text, encoding="utf-8")
    elif old != text:
        print(
            "\n".join(
                difflib.unified_diff(old.splitlines(), text.splitlines(), PAGE.name, "made now", lineterm="", n=0)
            )
        )
        print("run: python docs/fixes.py")
        return 1
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
