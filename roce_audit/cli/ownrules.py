"""`rules --new` and `rules --test`: write a rule of one's own, and run the examples of a pack."""

from __future__ import annotations

import os
import re
from pathlib import Path

from roce_audit.cli.errors import UsageError
from roce_audit.engine.rules import rulepack
from roce_audit.engine.rules.rule import TOPICS
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.policy.values import Policy
from roce_audit.report.deliver import write_whole
from roce_audit.report.words import clean, count

FOLDER = "our-rules"
"""Where a first rule goes while the policy names no folder."""
_NAME = re.compile(r"([a-z]+)/([a-z0-9]+(?:-[a-z0-9]+)*)")


def new(name: str, site: Policy) -> int:
    """Write `<pack>/<topic>/<name>.yaml` and the schema beside it."""
    from roce_audit.drafting import ownrules

    found = _NAME.fullmatch(name)
    topic = name.partition("/")[0]
    if found is None or topic not in TOPICS:
        hint = "" if topic in TOPICS else did_you_mean(topic, TOPICS)
        raise UsageError(f"a rule is named topic/the-bad-thing{hint}; topics are {', '.join(TOPICS)}")
    if (rulepack.builtin_folder() / f"{name}.yaml").is_file():
        raise UsageError(
            f"{name} is a rule of roce-audit: choose another name (`rules: {name}:` in the policy changes its numbers)"
        )
    entry = site.rules_paths[0].text if site.rules_paths else FOLDER
    pack = os.path.join(site.folder or ".", entry)
    file = os.path.join(pack, f"{name}.yaml")
    if os.path.lexists(file):
        raise UsageError(f"{file} exists")
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        write_whole(file, iter((ownrules.skeleton(),)))
        write_whole(os.path.join(pack, ownrules.SCHEMA_NAME), iter((ownrules.schema(),)))
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror or error}") from None
    print(f"{clean(file)}: make it yours, then: roce-audit rules --test {clean(pack)}")
    if not site.rules_paths:
        print(f'the policy does not name the folder yet: rules_path: ["{FOLDER}"]')
    return 0


def test(folder: str) -> int:
    """Run the examples of the rules of this pack; 0 only if each rule has some and all hold."""
    from roce_audit.proof import examples
    from roce_audit.proof.trial import Workbench

    pack = Path(folder)
    if not pack.is_dir():
        raise UsageError(
            f"{folder}: {'a file: give the folder of rules' if pack.exists() else 'no such folder of rules'}"
        )
    own = [
        rule
        for rule in rulepack.load([rulepack.builtin_folder(), pack])
        if pack.resolve() in Path(rule.path).resolve().parents
    ]
    wrong = ran = 0
    with Workbench() as bench:
        for rule in own:
            sets = examples.collect([rule])
            said = []
            for one in sets:
                for case in ((one.good,) if one.good is not None else ()) + one.cases:
                    ran += 1
                    problem = bench.wrong(one, case, rule)
                    said += [f"{one.platform} {case.kind}: {case.title}: {problem}"] if problem else []
            said += [] if sets else ["no example: a rule without one is not known to fire"]
            wrong += bool(said)
            print(clean(f"{'WRONG' if said else 'ok':<5}  {rule.id}"))
            for problem in said:
                print(clean(f"       {problem}"))
    print(f"{count(len(own), 'rule')} · {count(ran, 'example')} · {wrong:,} wrong")
    return 1 if wrong else 0
