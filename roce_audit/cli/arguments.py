"""What can be said on the command line."""

from __future__ import annotations

import argparse

EPILOG = """exit codes: 0 everything judged holds, 1 findings at or above --fail-on, 2 usage or policy wrong,
3 nothing recognised, 4 something could not be judged, 70 internal error"""

_RAW = argparse.RawDescriptionHelpFormatter


def parser() -> argparse.ArgumentParser:
    """The parser of all verbs."""
    top = argparse.ArgumentParser(
        prog="roce-audit",
        description="The linter and auditor for lossless RoCE fabrics.",
        epilog=EPILOG,
        formatter_class=_RAW,
    )
    top.add_argument("--version", action="store_true", help="print the version and leave")
    verbs = top.add_subparsers(dest="verb", metavar="VERB", required=True)
    _check(
        verbs.add_parser(
            "check", help="judge configuration files, folders or snapshots", epilog=EPILOG, formatter_class=_RAW
        )
    )
    _show(verbs.add_parser("show", help="the normalized model, each value with its line"))
    _explain(verbs.add_parser("explain", help="why a rule exists, or why it fired here"))
    _fix(verbs.add_parser("fix", help="proved changes in each device's own syntax; nothing is sent to a device"))
    _baseline(verbs.add_parser("baseline", help="accept today's findings, so that only new and worse ones fail"))
    _audit(verbs.add_parser("audit", help="check, keep the run in the history, say what changed"))
    _diff(verbs.add_parser("diff", help="what changed between two folders, git revisions or recorded runs"))
    _history(verbs.add_parser("history", help="past runs"))
    _rules(verbs.add_parser("rules", help="the catalogue of rules"))
    _selftest(verbs.add_parser("selftest", help="break every rule's good examples and see the rule fire"))
    _host_probe(verbs.add_parser("host-probe", help="print the read-only script that gathers a host's settings"))
    return top


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--policy", metavar="FILE", help="policy file (default: roce-audit.yaml, upward from the first path)"
    )
    parser.add_argument("--profile", metavar="NAME", help="numbers of one published guide")
    parser.add_argument("--topology", metavar="FILE", help="topology file (default: topology.yaml beside the inputs)")
    parser.add_argument(
        "--context", metavar="DIR", action="append", default=[], help="read as well, for links and majority"
    )
    parser.add_argument(
        "--select", metavar="SELECTOR", action="append", default=[], help="only these rules, topics, ..."
    )
    parser.add_argument(
        "--ignore", metavar="SELECTOR", action="append", default=[], help="not these rules, topics, ..."
    )
    parser.add_argument("--no-suppressions", action="store_true", help="as if no suppression were written")
    parser.add_argument("-q", "--quiet", action="count", default=0, help="findings and summary alone")
    parser.add_argument("-v", "--verbose", action="count", default=0, help="nothing folded")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, folders, or - for standard input (default: .)")
    _common(parser)
    parser.add_argument(
        "-f",
        "--format",
        metavar="NAME[=FILE]",
        action="append",
        default=[],
        help="text, concise, json, jsonl, sarif, junit, github, gitlab, markdown, html, csv or prometheus (repeatable)",
    )
    parser.add_argument("--fail-on", choices=("error", "warning", "info", "never"), default="error")
    parser.add_argument("--strict", action="store_true", help="what could not be judged fails")
    parser.add_argument("--baseline", metavar="FILE", help="accepted findings: only new and worse ones count")
    parser.add_argument(
        "--changed-since",
        metavar="REV",
        help="judge everything, show what touches files that changed since this git revision",
    )
    _since(parser)


def _show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("subject", nargs="?", metavar="DEVICE[:PORT]", help="a device, a port, or a path")
    parser.add_argument("paths", nargs="*", metavar="PATH")
    _common(parser)
    parser.add_argument("--roce", action="store_true", help="which ports carry RoCE, and on what evidence")
    parser.add_argument("--effective", action="store_true", help="the class's way through each port, on one line")


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE")
    parser.add_argument("subject", nargs="?", metavar="DEVICE:SUBJECT")
    parser.add_argument("paths", nargs="*", metavar="PATH")
    _common(parser)
    _since(parser)


def _since(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--since", metavar="SNAPSHOT", help="an earlier snapshot of the same devices: what was counted since then"
    )


def _judging(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fail-on", choices=("error", "warning", "info", "never"), default="error")
    parser.add_argument("--strict", action="store_true", help="what could not be judged fails")


def _past(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--history",
        metavar="FILE|URL",
        help="SQLite file or postgresql+psycopg://... (default: $ROCE_AUDIT_HISTORY, else roce-audit-history.sqlite)",
    )


def _audit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, folders or snapshots (default: .)")
    _common(parser)
    _judging(parser)
    _past(parser)
    _since(parser)
    parser.add_argument("-f", "--format", metavar="NAME[=FILE]", action="append", default=[], help="as for check")
    parser.add_argument("--baseline", metavar="FILE", help="accepted findings: only new and worse ones count")
    parser.add_argument("--webhook", metavar="URL", help="POST a JSON notice there when something changed")


def _diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="folder, file, git revision, run number, or last")
    parser.add_argument("new", metavar="NEW")
    _common(parser)
    _judging(parser)
    _past(parser)
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text")


def _history(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run", nargs="?", metavar="RUN", help="a run's number, or last: what failed in it, and for how long"
    )
    _past(parser)
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="runs to list")
    parser.add_argument("--window", type=int, default=20, metavar="N", help="runs in which a finding may flap")
    parser.add_argument("--changes", type=int, default=3, metavar="N", help="so many comings and goings are flapping")
    parser.add_argument("--keep-days", type=int, metavar="N", help="forget older runs")
    parser.add_argument("--keep-runs", type=int, metavar="N", help="forget all but the last N runs")


def _fix(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: .)")
    _common(parser)
    parser.add_argument("--diff", action="store_true", help="a unified diff of the configuration files")
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text")


def _baseline(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: .)")
    _common(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="default: roce-audit-baseline.json beside the policy, else here"
    )
    parser.add_argument("--prune", action="store_true", help="only take out what is mended; nothing new is accepted")


def _rules(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text")


def _selftest(parser: argparse.ArgumentParser) -> None:
    _common(parser)


def _host_probe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--budget", metavar="SECONDS", type=int, default=60, help="time for the whole run on the host (default: 60)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write the script to a file")
