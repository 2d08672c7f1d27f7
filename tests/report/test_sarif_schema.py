"""SARIF reports against the schema that OASIS publishes.

The schema is no part of this repository. The source distribution of sarif-pydantic carries a copy of it, which is taken from
the package index; ROCE_AUDIT_SARIF_SCHEMA names another one, where there is no index.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from report_samples import finding, full, report

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Report, Suppressed
from roce_audit.engine.rules.rulepack import builtin_folder, load
from roce_audit.fixing.attaching import with_changes
from roce_audit.policy import Policy
from roce_audit.policy import load as load_policy
from roce_audit.report import Options, render

pytestmark = pytest.mark.schema
ROOT = Path(__file__).parents[2]
CARRIER = "sarif-pydantic==0.6.2"
RULES = load([builtin_folder()])
NAME = "sarif-schema-2.1.0.json"


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    named = os.environ.get("ROCE_AUDIT_SARIF_SCHEMA")
    text = Path(named).read_text(encoding="utf-8") if named else _from_index(tmp_path_factory.mktemp("schema"))
    found: dict[str, Any] = json.loads(text)
    assert found["title"] == "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"
    return found


def _from_index(folder: Path) -> str:
    name = CARRIER.partition("==")[0]  # what builds it may come ready made
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", name, "-d", str(folder), CARRIER]
    done = subprocess.run(pip, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        (member,) = [name for name in opened.getnames() if name.endswith(f"/{NAME}")]
        content = opened.extractfile(member)
        assert content is not None
        return content.read().decode()


def reports() -> Iterator[tuple[str, Report]]:
    yield "nothing found", report()
    yield "every kind of finding", full()
    yield "suppressed", report(finding(suppressed=Suppressed("lab", "leaf1.cfg", 56, "2027-01-31")))
    yield "baselined", report(finding(baselined=True))
    yield "broken", report(problems=("boom",))
    for fabric in ("fabric", "fabric-faulty", "mixed", "iosxr", "vrp"):  # the last two have ports of two classes
        folder = ROOT / "fixtures" / fabric
        policy = folder / "roce-audit.yaml"
        site = load_policy(policy) if policy.exists() else Policy.empty()
        request = Request((str(folder),), site, rules=RULES)
        yield fabric, with_changes(check(request), request).report
    yield (
        "no device",
        check(Request((str(ROOT / "docs" / "how-to"),), Policy.empty(), rules=RULES)).report,
    )


def test_every_report_holds_against_the_schema(schema: dict[str, Any]) -> None:
    validator = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())
    wrong: list[str] = []
    results = fixes = 0
    for name, made in reports():
        for strict in (False, True):
            log = json.loads("".join(render("sarif", made, Options(strict=strict))))
            results += len(log["runs"][0]["results"])
            fixes += sum("fixes" in result for result in log["runs"][0]["results"])
            wrong += [f"{name}: {error.json_path}: {error.message[:200]}" for error in validator.iter_errors(log)]
    assert results > 20
    assert fixes
    assert not wrong


def test_the_schema_refuses_what_is_no_report(schema: dict[str, Any]) -> None:
    log = json.loads("".join(render("sarif", full(), Options())))
    log["runs"][0]["results"][0]["ruleIndex"] = "first"
    assert not jsonschema.Draft7Validator(schema).is_valid(log)
