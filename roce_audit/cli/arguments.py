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
        "-f", "--format", metavar="NAME[=FILE]", action="append", default=[], help="text, concise, json"
    )
    parser.add_argument("--fail-on", choices=("error", "warning", "info", "never"), default="error")
    parser.add_argument("--strict", action="store_true", help="what could not be judged fails")


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
