"""What can be said on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from roce_audit.cli import usage, words
from roce_audit.cli.parsing import Parser, above_zero, listed, positive
from roce_audit.report.registry import format_names

_RAW = argparse.RawDescriptionHelpFormatter
_TEXT = "default: text"
_CHOSEN = "this rule, topic, severity, owner or tag"
_AGAIN = "repeatable, or a list with commas"


def parser(verb: str | None = None) -> argparse.ArgumentParser:
    """The parser of all verbs; for one verb of them, when it is given: that spares a start two hundred options of the others."""
    top = Parser(
        prog="roce-audit",
        description="The linter and auditor for lossless RoCE fabrics.",
        epilog=usage.FIRST,
        formatter_class=_RAW,
    )
    top.add_argument("--version", action="store_true", help="print the version and leave")
    verbs = top.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, (add, help_) in _VERBS.items():
        one = verbs.add_parser(name, help=help_)
        if verb in (None, name):
            add(one)
            one.formatter_class = _RAW
            one.epilog = f"{usage.examples(name)}\n\n{usage.EXIT_CODES}" if name == "check" else usage.examples(name)
    return top


def _common(parser: argparse.ArgumentParser) -> None:
    _shared(parser)
    _jobs(parser)


def _jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-j",
        "--jobs",
        type=positive,
        metavar="N",
        help="processes at once (default: all usable cores; 1 for few files)",
    )


def _executor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--executor",
        metavar="WHERE",
        default="local",
        help="who reads files: local, or the workers of a Dask scheduler, dask://HOST:PORT or tls://HOST:PORT",
    )


def _shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--policy", metavar="FILE", help="policy file (default: roce-audit.yaml, upward from the first path)"
    )
    parser.add_argument(
        "--profile", metavar="PROFILE", help=f"numbers of one published guide: {usage.one_of(words.profiles())}"
    )
    parser.add_argument("--topology", metavar="FILE", help="topology file (default: topology.yaml beside the inputs)")
    parser.add_argument(
        "--context",
        metavar="DIR",
        action="append",
        default=[],
        help="read as well, for links and majority (repeatable; default: the folder of a policy found upward)",
    )
    parser.add_argument(
        "--select", metavar="SELECTOR", action="extend", type=listed, default=[], help=f"only {_CHOSEN} ({_AGAIN})"
    )
    parser.add_argument(
        "--ignore", metavar="SELECTOR", action="extend", type=listed, default=[], help=f"all but {_CHOSEN} ({_AGAIN})"
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="read every file anew, and keep nothing for the next run"
    )
    parser.add_argument("--no-suppressions", action="store_true", help="as if no suppression were written")
    _loudness(parser, "findings and summary alone", "nothing folded")
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="columns and colours as on a terminal (default: auto, where there is one)",
    )


def _loudness(parser: argparse.ArgumentParser, quiet: str, verbose: str) -> None:
    one = parser.add_mutually_exclusive_group()
    one.add_argument("-q", "--quiet", action="count", default=0, help=quiet)
    one.add_argument("-v", "--verbose", action="count", default=0, help=verbose)


def _paths(parser: argparse.ArgumentParser, what: str = "files and folders (default: .)") -> None:
    parser.add_argument("paths", nargs="*", default=[], metavar="PATH", help=what)


def _check(parser: argparse.ArgumentParser) -> None:
    _paths(parser, "files, folders, or - for standard input (default: .)")
    _common(parser)
    _executor(parser)
    parser.add_argument(
        "-f",
        "--format",
        metavar="NAME[=FILE]",
        action="append",
        default=[],
        help=f"{usage.one_of(format_names())} (repeatable; default: text; FILE - is standard output)",
    )
    _judging(parser)
    parser.add_argument("--baseline", metavar="FILE", help="accepted findings: only new and worse ones count")
    parser.add_argument(
        "--changed-since",
        metavar="REV",
        help="judge everything, show what touches files that changed since this git revision",
    )
    _since(parser)
    parser.add_argument(
        "--shard",
        metavar="I/N=FILE",
        help="read part I of N and write what was read to FILE, for `merge`; nothing is judged",
    )
    parser.add_argument("--watch", action="store_true", help="again whenever a file changes, until Ctrl-C")


def _merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shards", nargs="+", metavar="FILE", help="all parts that `check --shard` wrote")
    _common(parser)
    parser.add_argument("-f", "--format", metavar="NAME[=FILE]", action="append", default=[], help="as for check")
    _judging(parser)
    parser.add_argument("--baseline", metavar="FILE", help="accepted findings: only new and worse ones count")


def _show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("subject", nargs="?", metavar="DEVICE[:PORT]", help="a device, a port, or a path")
    _paths(parser)
    _common(parser)
    view = parser.add_mutually_exclusive_group()
    view.add_argument("--roce", action="store_true", help="which ports carry RoCE, and on what evidence")
    view.add_argument("--effective", action="store_true", help="the class's path through each port, on one line")


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE", help="topic/name, or the name alone where only one rule has it")
    parser.add_argument(
        "subject",
        nargs="?",
        metavar="DEVICE:SUBJECT",
        help="a port, a link or what else the rule is about: why it fired, held or could not be judged there",
    )
    _paths(parser, "files and folders, behind a subject (default: .)")
    _common(parser)
    _since(parser)


def _trace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="SRC[:PORT]", help="a host's NIC, a host, or a switch port that packets enter by"
    )
    parser.add_argument("target", metavar="DST[:PORT]", help="where they go: a NIC, a host, or a switch port")
    _paths(parser, "files, folders and snapshots (default: .)")
    _common(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--dscp", type=int, metavar="N", help="follow packets with this code point (0 to 63)")
    what.add_argument(
        "--app", choices=("nccl", "ucx", "perftest"), help="follow what this library or tool sends on the source host"
    )
    _failing(parser)
    parser.add_argument("--strict", action="store_true", help="what could not be seen fails")
    parser.add_argument("-f", "--format", choices=("text", "json", "html"), default="text", help=_TEXT)


def _since(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--since", metavar="SNAPSHOT", help="an earlier snapshot of the same devices: what was counted since then"
    )


def _judging(parser: argparse.ArgumentParser) -> None:
    _failing(parser)
    parser.add_argument("--strict", action="store_true", help="what could not be judged fails")
    _reaching(parser)


def _failing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "info", "never"),
        default="error",
        help="the mildest finding that makes the exit code 1 (default: error)",
    )


def _reaching(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-unreachable",
        metavar="N|N%",
        default="0",
        help="so many devices of a snapshot may be missing before the exit code is 4 (default: 0)",
    )


def _collect(parser: argparse.ArgumentParser) -> None:
    _live(parser)
    parser.add_argument("-o", "--output", metavar="SNAPSHOT", help="the folder to write")
    parser.add_argument("--resume", action="store_true", help="go on with a snapshot that was broken off")
    parser.add_argument("--print-commands", action="store_true", help="print what would be asked, and ask nothing")
    parser.add_argument("--policy", metavar="FILE", help="policy file, for its `maintenance` (default: found upward)")
    _loudness(parser, "no progress", "a line for each device")
    _reaching(parser)


def _live(parser: argparse.ArgumentParser, more: str = "") -> None:
    group = parser.add_argument_group("live devices")
    group.add_argument(
        "-i",
        "--inventory",
        metavar="[FORM:]PATH",
        action="append",
        default=[],
        help="own YAML or CSV, nornir, ansible, netbox:https://HOST/?FILTER (repeatable)",
    )
    group.add_argument(
        "--limit", metavar="GLOB", action="append", default=[], help="only devices or groups of these names"
    )
    group.add_argument("-j", "--jobs", type=positive, metavar="N", help=f"sessions at once (default: 32){more}")
    group.add_argument("--user", metavar="NAME", help="login where neither the inventory nor ~/.ssh/config says one")
    group.add_argument(
        "--password", metavar="REF", help="env:NAME, keyring:SERVICE/USER or prompt, where the inventory says none"
    )
    group.add_argument("--key", metavar="FILE", help="private key (default: agent, ~/.ssh/config, the usual files)")
    group.add_argument("--accept-new", action="store_true", help="take and keep host keys of hosts that are not known")
    group.add_argument("--known-hosts", metavar="FILE", action="append", default=[], help="in place of OpenSSH's files")
    group.add_argument(
        "--ssh-config",
        metavar="FILE|none",
        default="~/.ssh/config",
        help="default: ~/.ssh/config",
    )
    group.add_argument("--netbox-token", metavar="REF", help="default: env:NETBOX_TOKEN")
    group.add_argument("--connect-timeout", type=above_zero, default=15, metavar="SECONDS", help="default: 15")
    group.add_argument(
        "--timeout", type=above_zero, default=60, metavar="SECONDS", help="that a device may be silent (default: 60)"
    )
    group.add_argument("--retries", type=int, default=2, metavar="N", help="further tries (default: 2)")
    group.add_argument("--keep-secrets", action="store_true", help="write configurations as they are, with passwords")


def _past(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--history",
        metavar="FILE|URL",
        help="SQLite file or postgresql+psycopg://... (default: $ROCE_AUDIT_HISTORY, else roce-audit-history.sqlite)",
    )


def _audit(parser: argparse.ArgumentParser) -> None:
    _paths(parser, "files, folders or snapshots (default: . without -i)")
    _shared(parser)
    _executor(parser)
    _judging(parser)
    _past(parser)
    _since(parser)
    _live(parser, "; processes that read files (default: all usable cores)")
    parser.add_argument(
        "--snapshots", metavar="DIR", help="with -i: where dated snapshots go (default: .snapshots beside the policy)"
    )
    parser.add_argument(
        "--keep-snapshots", type=int, default=14, metavar="N", help="with -i: so many stay (default: 14; 0: all)"
    )
    parser.add_argument(
        "--resume", action="store_true", help="with -i: go on with the last snapshot if it was broken off"
    )
    parser.add_argument("-f", "--format", metavar="NAME[=FILE]", action="append", default=[], help="as for check")
    parser.add_argument("--baseline", metavar="FILE", help="accepted findings: only new and worse ones count")
    parser.add_argument("--webhook", metavar="URL", help="POST a JSON notice there when something changed")


def _diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="folder, file, git revision, run number, or last")
    parser.add_argument("new", metavar="NEW", help="the same; a run only where OLD is one")
    _common(parser)
    _judging(parser)
    _past(parser)
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text", help=_TEXT)


def _history(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run", nargs="?", metavar="RUN", help="a run's number, or last: what failed in it, and for how long"
    )
    _past(parser)
    parser.add_argument(
        "-f", "--format", choices=("text", "json", "csv", "html"), default="text", help=f"{_TEXT}; csv, html: the trend"
    )
    parser.add_argument("--limit", type=positive, default=50, metavar="N", help="runs to list or draw (default: 50)")
    parser.add_argument(
        "--window", type=positive, default=20, metavar="N", help="runs in which a finding may flap (default: 20)"
    )
    parser.add_argument(
        "--changes", type=positive, default=3, metavar="N", help="so many comings and goings are flapping (default: 3)"
    )
    parser.add_argument("--keep-days", type=positive, metavar="N", help="forget older runs; the newest always stays")
    parser.add_argument("--keep-runs", type=positive, metavar="N", help="forget all but the last N runs")


def _fix(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    _common(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--diff", action="store_true", help="a unified diff of the configuration files")
    how.add_argument(
        "--write", action="store_true", help="change the files themselves; each must be as it was committed to git"
    )
    parser.add_argument(
        "--allow-dirty", action="store_true", help="with --write: files that git could not give back, too"
    )
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text", help=_TEXT)


def _baseline(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    _common(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="default: roce-audit-baseline.json beside the policy, else here; - is standard output",
    )
    parser.add_argument("--prune", action="store_true", help="only take out what is fixed; nothing new is accepted")


def _rules(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text", help=_TEXT)
    own = parser.add_mutually_exclusive_group()
    own.add_argument(
        "--new", metavar="TOPIC/NAME", help="write a rule of your own to begin with, and its schema for editors"
    )
    own.add_argument("--test", metavar="FOLDER", help="run the examples of the rules in a folder of your own")


def _selftest(parser: argparse.ArgumentParser) -> None:
    _paths(parser, "your configurations (default: the examples of the rules)")
    _common(parser)
    parser.add_argument("--numbers", action="store_true", help="with paths: change numbers too, not only delete lines")
    parser.add_argument(
        "--damage", action="store_true", help="with paths: misspell, merge and cut as well, as happens to files"
    )
    parser.add_argument("--limit", type=positive, metavar="N", help="with paths: try at most N changes")
    parser.add_argument(
        "--seconds", type=above_zero, metavar="S", help="with paths: stop after S seconds (default: 60)"
    )
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text", help=f"with paths; {_TEXT}")


def _init(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    _common(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="default: roce-audit.yaml in the first PATH; - for standard output"
    )
    parser.add_argument("--force", action="store_true", help="write even where there is such a file")
    parser.add_argument(
        "--schema", action="store_true", help="write the schema of the file beside it, for completion in editors"
    )


def _evidence(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("finding", metavar="FINGERPRINT|RULE[:DEVICE]", help="which finding")
    _paths(parser)
    _common(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the bundle: FILE.tar.gz")
    parser.add_argument("--force", action="store_true", help="write even where there is such a file")


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")


def _host_probe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--budget", metavar="SECONDS", type=int, default=60, help="time for the whole run on the host (default: 60)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write the script to a file (default: - for standard output)"
    )


def _calc(parser: argparse.ArgumentParser) -> None:
    from roce_audit.cli import calcarguments

    calcarguments.add(parser)


_VERBS: Mapping[str, tuple[Callable[[argparse.ArgumentParser], None], str]] = {
    "check": (_check, "judge configuration files, folders or snapshots"),
    "merge": (_merge, "judge what `check --shard` read in parts"),
    "show": (_show, "the normalized model, each value with its line"),
    "explain": (_explain, "why a rule exists, or why it fired here"),
    "trace": (_trace, "one class hop by hop from one port to another, and its CNPs back"),
    "fix": (_fix, "proved changes in each device's own syntax; nothing is sent to a device"),
    "baseline": (_baseline, "accept today's findings, so that only new and worse ones fail"),
    "audit": (_audit, "collect or read, check, keep the run in the history, say what changed"),
    "collect": (_collect, "read live devices and hosts over SSH into a snapshot folder"),
    "diff": (_diff, "what changed between two folders, git revisions or recorded runs"),
    "history": (_history, "past runs"),
    "rules": (_rules, "the catalogue of rules"),
    "selftest": (_selftest, "break good configuration, the rules' or yours: does anybody notice?"),
    "host-probe": (_host_probe, "print the read-only script that gathers a host's settings"),
    "init": (_init, "write the policy file from what the devices agree on"),
    "calc": (_calc, "the formulas, term by term"),
    "evidence": (_evidence, "a redacted, replayable bundle of one finding, for a support case"),
    "lsp": (_common, "the language server for editors, on standard input and output"),
    "completion": (_completion, "completion for a shell"),
}
