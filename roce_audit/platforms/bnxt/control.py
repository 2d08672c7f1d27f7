"""Congestion control of the driver: the configfs tree `bnxt_re/DEVICE/ports/N/cc`.

Each parameter is a file of its own; `apply` prints them all, each with a comment that says the value again:
`cnp_dscp=0x30   # cnp dscp   : 48`. The tree exists only where somebody made its directory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from roce_audit.platforms.shared.host.answers import Answer, Line, Narrow, Tool
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import Note, Path
from roce_audit.platforms.shared.host.words import matched, one_of, whole
from roce_audit.values import At

CONTROL_ON = Note[bool]("whether congestion control is on")
CONTROL_PRIORITY = Note[int]("the priority under congestion control")
_NUMBERS: Mapping[str, tuple[Path, int]] = {
    "cnp_dscp": ("nic.cnp_dscp", 63),
    "cnp_prio": ("nic.cnp_priority", 7),
    "roce_prio": (CONTROL_PRIORITY, 7),
    "roce_dscp": ("nic.roce_dscp", 63),
    "min_time_bet_cnp": ("nic.dcqcn.min_time_between_cnps_us", 131_071),
}
_OWN_TERMS = (
    "g", "inact_th", "init_cr", "init_tr", "rtt", "ai_rate_incr", "rtt_jitter_en", "cnp_ecn", "ecn_marking", "lbytes_per_usec",
    "cr_width", "min_quota", "max_quota", "abs_max_quota",
)  # fmt: skip
"""Parameters whose scale Broadcom does not state: compared with those of other NICs, and nothing else."""
_PRIORITIES = ("nic.dcqcn.np_priorities", "nic.dcqcn.rp_priorities")
_PATHS: dict[str, tuple[Path, ...]] = {
    "ecn_enable": (CONTROL_ON, *_PRIORITIES),
    "roce_prio": (CONTROL_PRIORITY, *_PRIORITIES),
    "cc_mode": ("nic.dcqcn.algorithm",),
    **{name: (path,) for name, (path, _) in _NUMBERS.items() if name != "roce_prio"},
    **{name: (f"nic.dcqcn.vendor.{name}.value",) for name in _OWN_TERMS},
}
_LINE = re.compile(r"(\w{1,40})=(0x[0-9a-fA-F]{1,8})(?:\s+#[^:]{0,80}:\s*(\S[^\n]{0,40}?)\s*)?")


def _value(nic: NicSettings, name: str, text: str, at: At, said: str = "") -> None:
    """A parameter; `said` is what the comment calls the value."""
    number = int(text, 0) if text.startswith("0x") else whole(text, 0, 2**32 - 1)
    if name == "ecn_enable":
        on = one_of(str(number), {"0": False, "1": True})
        if said and said != ("Enabled" if on else "Disabled"):
            raise ValueError(said)
        nic.set(CONTROL_ON, on, at)
    elif name == "cc_mode":
        # 0 is DCQCN-D on all chips; 1 is DCQCN-P, or TCP on older ones: only the comment tells
        if said not in ("", "DCQCN-D", "DCQCN-P", "TCP"):
            raise ValueError(said)
        algorithm = said or one_of(str(number), {"0": "DCQCN-D", "1": "DCQCN-P"})
        nic.set("nic.dcqcn.algorithm", algorithm.lower(), at)
    elif name in _OWN_TERMS:
        spelt = "Enabled" if number else "Disabled"
        if (
            said
            and said != spelt
            and not re.fullmatch(rf"{number}(?: \w{{1,12}}(?:/\w{{1,12}})?)?|(?:Not-)?ECT(?:\([01]\))?|CE", said)
        ):
            raise ValueError(said)
        nic.set(_PATHS[name][0], number, at)
    else:
        path, high = _NUMBERS[name]
        if number > high or (said and not re.fullmatch(rf"{number}(?: usec)?", said)):
            raise ValueError(text)
        nic.set(path, number, at)


def _file(name: str) -> Callable[[NicSettings, str, At], None]:
    def read(nic: NicSettings, text: str, at: At) -> None:
        if text == "unreadable":
            for path in _PATHS[name]:
                nic.refuse(path, at)
        else:
            _value(nic, name, matched(r"0x[0-9a-fA-F]{1,8}|[0-9]{1,10}", text).group(), at)

    return read


def _dump(nic: NicSettings, text: str, at: At) -> None:
    """A line of `apply`."""
    if text == "unreadable":
        for path in _ALL:
            nic.refuse(path, at)
        return
    name = text.partition("=")[0]
    found = _LINE.fullmatch(text)
    try:
        if found is None:
            raise ValueError(text)
        if name in _PATHS:
            _value(nic, name, found.group(2), at, found.group(3) or "")
    except ValueError as error:
        raise Narrow(text, *(_PATHS.get(name) or ())) from error


_ALL = tuple(dict.fromkeys(path for paths in _PATHS.values() for path in paths))

CONTROL = Tool(
    name="bnxt_re cc",
    files=r"/sys/kernel/config/bnxt_re/(?P<rdma>[^/]+)/(?P<key>ports/\d+/cc/\S+)",
    lines=(*(Line(f"cc/{name}", paths, _file(name)) for name, paths in _PATHS.items()), Line("cc/apply", _ALL, _dump)),
    ignored=r"cc/\S+ .*",
)


def _split(answer: Answer) -> None:
    for number, text in answer.lines():
        answer.say(f"cc/apply {text.strip()}", number)


DUMP = Tool(
    name="bnxt_re cc dump",
    split=_split,
    commands=r"cat /sys/kernel/config/bnxt_re/(?P<rdma>[^/]+)/ports/\d+/cc/apply",
    signature=r"^ecn_enable=0x[01]\s",
    lines=CONTROL.lines,
    covers=_ALL,
    complete=False,
)

TOOLS = (CONTROL, DUMP)
