"""SARIF 2.1.0 for code scanning: one run, one result a primary line, rules with help, suppressions.

What GitHub reads of it: https://docs.github.com/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import quote

from roce_audit.engine.findings import Finding, Fix, Location, Report, Severity
from roce_audit.report.jsontext import laid_out
from roce_audit.report.options import Options
from roce_audit.report.perline import LONGEST_LINE, LineResult, results
from roce_audit.report.words import clean, count, prose

WANTS = ("changes", "blocks")
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"

_LEVEL: Mapping[Severity, str] = {"error": "error", "warning": "warning", "info": "note", "none": "none"}
_PRECISION = {"consensus": "very-high", "vendor-specific": "high", "debated": "medium"}

Json = dict[str, object]


def render(report: Report, options: Options) -> Iterator[str]:
    """One log; also what was suppressed or baselined is in it, marked as such."""
    found = list(results(report, options, accepted=True))
    yield laid_out(_log(report, found))
    yield "\n"


def _log(report: Report, found: list[LineResult]) -> Json:
    first: dict[str, Finding] = {}
    for result in found:
        first.setdefault(result.finding.rule, result.finding)
    index = {rule: number for number, rule in enumerate(first)}
    compared = any(result.finding.baselined for result in found)
    run: Json = {
        "tool": {
            "driver": {
                "name": "roce-audit",
                "version": report.version,
                "semanticVersion": report.version,
                "rules": [_rule(finding) for finding in first.values()],
            }
        },
        "automationDetails": {"id": f"roce-audit/{quote(report.profile, safe='')}/"},
        "invocations": [_invocation(report)],
        "columnKind": "unicodeCodePoints",
        "results": [_result(result, index[result.finding.rule], compared) for result in found],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(finding: Finding) -> Json:
    rule: Json = {
        "id": prose(finding.rule),
        "name": "".join(part.capitalize() for part in prose(finding.rule).replace("/", "-").split("-")),
        "shortDescription": {"text": prose(finding.title) or prose(finding.rule)},
        "fullDescription": {"text": prose(finding.why) or prose(finding.title) or prose(finding.rule)},
        "help": {"text": "\n\n".join(_help(finding, "")), "markdown": "\n\n".join(_help(finding, "**"))},
        "defaultConfiguration": {"level": _LEVEL[finding.rule_severity]},
        "properties": {
            "tags": list(dict.fromkeys(("roce", prose(finding.topic), prose(finding.owner)))),
            "precision": _PRECISION.get(finding.confidence, "medium"),
            "problem.severity": "recommendation" if finding.rule_severity == "info" else finding.rule_severity,
        },
    }
    return {**rule, "helpUri": finding.page} if finding.page else rule


def _help(finding: Finding, bold: str) -> Iterator[str]:
    plain = bold == ""
    yield f"{_marked(finding.title, plain)}."
    for label, text in (("Why", finding.why), ("Source", finding.source)):
        if text:
            yield f"{bold}{label}{bold}: {_marked(text, plain)}."
    command = f"roce-audit explain {prose(finding.rule)}"
    yield f"{command if plain else f'`{command}`'} shows good and bad configuration per platform."


def _marked(text: str, plain: bool) -> str:
    text = prose(text).rstrip(".") if plain else prose(text).rstrip(".").replace("\\", "\\\\")
    if plain:
        return text
    for sign in "*_`[]<>":
        text = text.replace(sign, f"\\{sign}")
    return text


def _result(result: LineResult, index: int, compared: bool) -> Json:
    finding = result.finding
    found: Json = {
        "ruleId": prose(finding.rule),
        "ruleIndex": index,
        "level": _LEVEL[finding.severity],
        "message": {"text": _message(result)},
        "locations": [_location(result.at) | _logical(result)],
        "partialFingerprints": {"primaryLocationLineHash": result.fingerprint},
    }
    if finding.verdict == "unknown":
        found["kind"] = "open"
    if result.related:
        found["relatedLocations"] = [
            {"id": number, **_location(at), "message": {"text": prose(at.note) or "related line"}}
            for number, at in enumerate(result.related, 1)
        ]
    if compared:
        found["baselineState"] = "unchanged" if finding.baselined else "new"
    if finding.fix is not None and finding.fix.replacements:
        found["fixes"] = [_proved(finding.fix)]
    if result.cause.accepted:
        found["suppressions"] = [_suppression(finding)]
    found["properties"] = {
        "subjects": list(dict.fromkeys(prose(member.id) for member in result.members))[:100],
        "consequences": len(result.cause.consequences),
        "spread": prose(finding.spread),
        **({} if finding.reach is None else {"nicsOnTheWay": finding.reach.nics, "nicsOfFabric": finding.reach.of}),
    }
    return found


def _proved(fix: Fix) -> Json:
    """The change in the files, by the columns of the texts as they were read."""
    by_path: dict[str, list[Json]] = {}
    for one in fix.replacements:
        region = {
            "startLine": one.line,
            "startColumn": one.column,
            "endLine": one.end_line,
            "endColumn": one.end_column,
        }
        by_path.setdefault(one.path, []).append({"deletedRegion": region, "insertedContent": {"text": one.text}})
    return {
        "description": {"text": prose(fix.note)},
        "artifactChanges": [
            {"artifactLocation": _artifact(path), "replacements": replacements}
            for path, replacements in by_path.items()
        ],
    }


def _message(result: LineResult) -> str:
    finding = result.finding
    sentences = [result.message]
    if finding.fix is not None and finding.fix.note:
        sentences.append(f"Fix: {prose(finding.fix.note)}")
    if result.cause.consequences:
        sentences.append(f"And {count(len(result.cause.consequences), 'consequence')}")
    return result.message if len(sentences) == 1 else " ".join(f"{one.rstrip('.')}." for one in sentences)


def _location(at: Location) -> Json:
    physical: Json = {"artifactLocation": _artifact(at.path)}
    if at.line:
        text = clean(at.text).rstrip()[:LONGEST_LINE]
        region: Json = {"startLine": at.line}
        if text:
            region["startColumn"] = len(text) - len(text.lstrip()) + 1
            region["endColumn"] = len(text) + 1
            region["snippet"] = {"text": text}
        physical["region"] = region
    return {"physicalLocation": physical}


def _artifact(path: str) -> Json:
    """A path below the working directory is relative to the root of the sources; others are what they are."""
    if path.startswith("/"):
        return {"uri": f"file://{quote(path, errors='replace')}"}
    return {"uri": quote(path, errors="replace"), "uriBaseId": ROOT}


def _logical(result: LineResult) -> Json:
    if not result.members:
        return {}
    ids = dict.fromkeys(
        (prose(member.subject), prose(member.id)) for member in result.members
    )  # each once, says the schema
    return {
        "logicalLocations": [
            {"name": name, "fullyQualifiedName": id_, "kind": "resource"} for name, id_ in list(ids)[:10]
        ]
    }


def _suppression(finding: Finding) -> Json:
    """Without `status`: schemas before the errata call it `state`, and what has neither counts as accepted."""
    by = finding.suppressed
    if by is None:
        return {"kind": "external", "justification": "accepted in the baseline"}
    in_source = any(at.path == by.path for at in finding.locations)
    return {
        "kind": "inSource" if in_source else "external",
        "justification": f"{prose(by.reason)} (until {by.until})",
        "location": _location(Location(by.path, by.line, "", "related")),
    }


def _invocation(report: Report) -> Json:
    """Whether the run went well, and what it could not judge."""
    notes: list[Json] = [
        {"level": "error", "message": {"text": f"internal error: {prose(problem)}"}} for problem in report.problems
    ]
    for path, family in report.coverage.blind:
        text = f"{prose(family)} could not be judged on any RoCE port: lines were not understood"
        notes.append({"level": "warning", "message": {"text": text}, "locations": [_location(_whole(path))]})
    for path, why in report.coverage.unrecognised:
        text = f"not recognised: {prose(why)}"
        notes.append({"level": "note", "message": {"text": text}, "locations": [_location(_whole(path))]})
    return {"executionSuccessful": not report.problems, "toolExecutionNotifications": notes}


def _whole(path: str) -> Location:
    return Location(path, 0, "", "related")
