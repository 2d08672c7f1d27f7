"""`roce-audit selftest PATH...`: the breakages of these files that nobody would notice."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from roce_audit import platforms
from roce_audit.cli.errors import INTERNAL, no_device
from roce_audit.cli.request import only_files, request
from roce_audit.proof import mutation
from roce_audit.proof.breakage import Kind, counted, shape
from roce_audit.proof.mutation import REASONS, Mutations, Unnoticed
from roce_audit.report.words import clean, count, position
from roce_audit.text.secrets.redact import redact
from roce_audit.text.sentences import listed

_DOING: Mapping[Kind, tuple[str, str]] = {
    "deleted": ("relevant line", "deleting any one of"),
    "changed": ("number", "changing any one of"),
    "misspelt": ("line", "a slip of the keyboard in"),
    "foreign letter": ("line", "a letter of another alphabet in"),
    "conflict": ("line", "the marks of an unfinished merge around"),
    "cut": ("line", "the end of the file in"),
}
"""What is counted, and what was done to it."""
SECONDS = 60.0
"""Of trying, where nobody says how long."""
_GROUPS_SHOWN = 12
_LONGEST = 90


def run(options: argparse.Namespace) -> int:
    """Break the files in memory, and print what nobody would notice."""
    only_files("selftest", options.paths)
    wanted = request(options, options.paths)
    kinds: list[Kind] = ["deleted"]
    kinds += ["changed"] if options.numbers else []
    kinds += mutation.DAMAGE if options.damage else []
    done = mutation.run(wanted, kinds, limit=options.limit, seconds=options.seconds or SECONDS)
    if not done.devices:
        return no_device()
    if options.format == "json":
        print(json.dumps(_plain(done), indent=2, ensure_ascii=False))
    else:
        for line in _text(done, options.verbose > 0):
            print(clean(line))
    return INTERNAL if done.problems else 0


def _text(done: Mutations, whole: bool) -> Iterator[str]:
    for kind, number in done.tried.items():
        if number or kind == "deleted":
            what, doing = _DOING[kind]
            inside = f"in {count(done.devices, 'device')}" if kind == "deleted" else "in them"
            yield f"of {count(number, what)} {inside}, {doing} " + _outcome(done, kind)
    for reason, words in REASONS.items():
        these = [one for one in done.unnoticed if one.reason == reason]
        if these:
            yield ""
            yield f"{counted(one.breakage.line for one in these):,} {words}:"
            yield from _groups(these, whole or reason == "no rule")
    yield ""
    trials = f"{count(done.trials, 'trial')} in {done.seconds:.0f} s; a line that stands alike in several places was tried once"
    yield trials
    if done.not_tried:
        yield f"not tried: {count(done.not_tried, 'line')} more ({done.lines:,} are relevant): raise --seconds or --limit"
    for problem in done.problems:
        yield f"internal error: {problem}"


def _outcome(done: Mutations, kind: Kind) -> str:
    nothing, elsewhere = done.missed(kind, "nothing changes"), done.missed(kind, "not asked there")
    lost = done.missed(kind, "not asked there", "no rule")
    where = f" ({elsewhere:,} of them on ports not known to carry RoCE)" if elsewhere else ""
    noticed = done.tried[kind] - nothing - lost
    return f"{noticed:,} raises a finding or a doubt; {nothing:,} change nothing; {lost:,} would go unnoticed{where}"


def _groups(these: Sequence[Unnoticed], whole: bool) -> Iterator[str]:
    groups: dict[tuple[str, str, Kind], list[Unnoticed]] = defaultdict(list)
    for one in these:
        line = one.breakage.line
        groups[(line.platform, shape(line.text), one.breakage.kind)].append(one)
    ordered = sorted(groups.items(), key=lambda item: _order(item[0][0], item[1]))
    shown = ordered if whole else ordered[:_GROUPS_SHOWN]
    for (platform, _, _), members in shown:
        first = members[0]
        number = counted(one.breakage.line for one in members)
        places = position(first.breakage.line.places[0].path, first.breakage.line.places[0].line)
        more = f" and {number - 1:,} more" if number > 1 else ""
        new = f" -> {redact(first.breakage.new)}" if first.breakage.new else ""
        touched = sorted({name for one in members for name in one.fields})
        yield f"  {number:>5,}  {platform}  {_short(redact(first.breakage.line.text))}{new}"
        yield f"         {places}{more}{f'; sets {listed(touched, 4)}' if touched else ''}"
    if len(ordered) > len(shown):
        rest = sum(counted(one.breakage.line for one in members) for _, members in ordered[len(shown) :])
        yield f"  and {rest:,} lines like these (-v)"


def _order(platform: str, members: Sequence[Unnoticed]) -> tuple[bool, int]:
    """Switches first: a host's lines are answers, which nobody deletes; then what stands for most lines."""
    return platforms.platform(platform).kind == "host", -counted(one.breakage.line for one in members)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _plain(done: Mutations) -> dict[str, object]:
    return {
        "schema": "roce-audit/selftest/1",
        "devices": done.devices,
        "lines_relevant": done.lines,
        "trials": done.trials,
        "seconds": round(done.seconds, 3),
        "tried": done.tried,
        "unnoticed": {kind: done.missed(kind) for kind in done.tried},
        "not_tried": done.not_tried,
        "problems": done.problems,
        "breakages": [
            {
                "kind": one.breakage.kind,
                "reason": one.reason,
                "platform": one.breakage.line.platform,
                "text": redact(one.breakage.line.text),
                "new": redact(one.breakage.new),
                "fields": list(one.fields),
                "places": [{"path": place.path, "line": place.line} for place in one.breakage.line.places],
            }
            for one in done.unnoticed
        ],
    }
