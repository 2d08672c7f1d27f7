"""How AMD's NICs are told: `nicctl update`, as AMD's setup guides for the Pollara NIC use it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from roce_audit.platforms.shared.host.repair import HostLine, HostRepairs

_PORT = re.compile(r"^Port +: (\S+)")
_NO_DROP = re.compile(r"^ +PFC no-drop priorities +: (\S(?:.*\S)?)\s*$")
_ROW = re.compile(r"^ +([0-7]) +(DWRR|strict) +(\d+|N/A) +(\d+|N/A)\s*$")
_CODES = re.compile(r"^ +DSCP +: ([\d, -]*[\d,-]) +==> priority : ([0-7])")
_PAUSE = re.compile(r"^ +(Pause type|RX pause|TX pause) +: (\w+)")
_PROFILE = re.compile(r"^ +DCQCN profile id +: (\d+)")
_FIELD = re.compile(r"^ +(\S(?:.*\S)?) +: (\d+)\s*$")
_OPTIONS = {
    "Rate increase in AI phase": "--ai-rate",
    "Rate increase byte count": "--rate-increase-byte-count",
    "Alpha update G value": "--alpha-update-g",
    "Alpha update interval": "--alpha-update-interval",
    "Rate increase in HAI phase": "--hai-rate",
    "Initial alpha value": "--initial-alpha-value",
    "Rate reduce monitor period": "--rate-reduce-monitor-period",
    "Rate increase threshold": "--rate-increase-threshold",
    "Rate increase interval": "--rate-increase-interval",
    "Token bucket size": "--token-bucket-size",
    "DSCP value used for CNP": "--cnp-dscp",
}
"""What `nicctl show dcqcn` calls a parameter -> the option that sets it; how the profile is enabled is not known."""


def _port(lines: Sequence[str]) -> str:
    return next((found[1] for found in map(_PORT.match, lines) if found is not None), "")


def _first(pattern: re.Pattern[str], lines: Sequence[str]) -> str:
    return next((found[1] for found in map(pattern.match, lines) if found is not None), "")


def _pfc(names: Mapping[str, str], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    old, new = (set(re.findall("[0-7]", _first(_NO_DROP, lines))) for lines in (before, after))
    for priority in sorted(old ^ new):
        on = "enable" if priority in new else "disable"
        yield f"nicctl update qos pfc -p {_port(after)} --priority {priority} --no-drop {on}"


def _scheduling(names: Mapping[str, str], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """All priorities at once: a strict one has the share 0, one without a limit the limit 0."""
    rows = [found.groups() for found in map(_ROW.match, after) if found is not None]
    if rows != [found.groups() for found in map(_ROW.match, before) if found is not None]:
        numbers, shares, limits = (",".join("0" if row[n] == "N/A" else row[n] for row in rows) for n in (0, 2, 3))
        yield (
            f"nicctl update qos scheduling -p {_port(after)} --priority {numbers} --dwrr {shares} --rate-limit {limits}"
        )


def _codes(lines: Sequence[str]) -> dict[int, str]:
    found: dict[int, str] = {}
    for row in map(_CODES.match, lines):
        for piece in row[1].split(",") if row is not None else ():
            low, _, high = piece.strip().partition("-")
            found |= dict.fromkeys(range(int(low), int(high or low) + 1), row[2]) if row is not None else {}
    return found


def _map(names: Mapping[str, str], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    old, new = _codes(before), _codes(after)
    for code in sorted(new):
        if old.get(code) != new[code]:
            yield f"nicctl update qos dscp-to-priority -p {_port(after)} --dscp {code} --priority {new[code]}"


def _pause(names: Mapping[str, str], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    new = {found[1]: found[2] for found in map(_PAUSE.match, after) if found is not None}
    if len(new) == len(_WAYS):
        rx, tx = (new[way].removesuffix("d") for way in ("RX pause", "TX pause"))
        kind = new["Pause type"].lower()
        yield f"nicctl update port -p {_port(after)} --pause-type {kind} --rx-pause {rx} --tx-pause {tx}"


_WAYS = ("Pause type", "RX pause", "TX pause")


def _dcqcn(names: Mapping[str, str], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    old, new = (
        {found[1]: found[2] for found in map(_FIELD.match, lines) if found is not None} for lines in (before, after)
    )
    changed = [f"{option} {new[name]}" for name, option in _OPTIONS.items() if new.get(name) != old.get(name)]
    profile = _first(_PROFILE, after)
    if changed and profile and names["rdma"]:
        yield f"nicctl update dcqcn -r {names['rdma']} -i {profile} {' '.join(changed)}"


def _bitmap(value: object) -> str:
    return f"0x{sum(1 << priority for priority in value):x}" if isinstance(value, frozenset) else "0x0"


def _list(value: object) -> str:
    return ", ".join(map(str, sorted(value))) if isinstance(value, frozenset) else ""


_LINES = (
    HostLine("pfc", r"^ +PFC priority (?P<what>bitmap) +: (?P<value>0x[0-9a-f]+)\s*$", with_others=True, write=_bitmap),
    HostLine(
        "pfc", r"^ +PFC (?P<what>no-drop) priorities +: (?P<value>\S.*?)\s*$", with_others=True, write=_list, whole=_pfc
    ),
    HostLine(
        "nicctl-scheduling",
        r"^ {3,}(?P<number>[0-7]) +(?P<value>(?:DWRR|strict) +(?:\d+|N/A) +(?:\d+|N/A))\s*$",
        with_others=True,
        whole=_scheduling,
    ),
    HostLine(
        "nicctl-map",
        r"^ +DSCP(?P<what> bitmap)? +: (?P<value>\S.*?) +==> priority : (?P<number>[0-7])\s*$",
        with_others=True,
        whole=_map,
    ),
    HostLine(
        "nicctl-trust",
        r"^ +Classification type +: (?P<value>\w+)\s*$",
        "nicctl update qos --classification-type {value}",
    ),
    HostLine(
        "nicctl-pause",
        r"^ +(?P<what>Pause type|RX pause|TX pause) +: (?P<value>\w+)\s*$",
        with_others=True,
        whole=_pause,
    ),
    HostLine("nicctl-dcqcn", rf"^ +(?P<what>{'|'.join(_OPTIONS)}) +: (?P<value>\d+)\s*$", whole=_dcqcn),
)
REPAIRS = HostRepairs(_LINES, {})
