"""`nicctl update`, which sets AMD's NICs up until the next boot unless a persona of the card keeps it.

Source: AMD, guides of the Pollara card (nicctl update qos, port, dcqcn).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from roce_audit.platforms.ionic.qos import codes
from roce_audit.platforms.shared.host.boot import Program, misspelt, options

_DIRECTIONS = {"--rx-pause": "RxFlowControl", "--tx-pause": "TxFlowControl"}
_OF_PFC = {"--rx-pause": "pfc-obeyed", "--tx-pause": "pfc-sent"}


def _update(text: str) -> Iterator[str]:
    words = text.split()
    rest = words[2:]
    if words[:2] == ["update", "dcqcn"]:
        yield from (f"cnp-dscp {value}" for name, value in options(rest) if name == "--cnp-dscp")
    elif words[:2] == ["update", "port"]:
        yield from _port(dict(options(rest)))
    if words[:2] != ["update", "qos"]:
        return
    what = rest.pop(0) if rest and not rest[0].startswith("-") else ""
    said = dict(options(rest))
    if not what and "--classification-type" in said:
        yield f"trust {said['--classification-type'].lower()}"
    elif what == "pfc" and "--no-drop" in said:
        for priority in said.get("--priority", "").split(","):
            yield f"pfc-bit {priority} {said['--no-drop']}"
    elif what == "scheduling":
        for priority, share in zip(
            said.get("--priority", "").split(","), said.get("--dwrr", "").split(","), strict=False
        ):
            if share == "0":
                yield from (f"tc-of {priority} {priority}", f"tsa {priority} strict")
            elif share:
                yield from (f"tc-of {priority} {priority}", f"tsa {priority} ets", f"share {priority} {share}")
    elif what == "dscp-to-priority":
        priority = said.get("--priority", "")
        for code in _codes(said.get("--dscp", "")):
            is_word = priority.isalpha()  # `strict` is a word of the scheduler, and no priority
            yield misspelt(["dscp"], f"nicctl {text.strip()}") if is_word else f"dscp {code} {priority}"


def _port(said: Mapping[str, str]) -> Iterator[str]:
    """`--pause-type link --rx-pause enable --tx-pause enable`, `--mtu 9000`; with PFC the two directions are those of PFC."""
    kind = said.get("--pause-type", "").lower()
    for option, name in _DIRECTIONS.items():
        if kind == "pfc" and option in said:
            yield f"{_OF_PFC[option]} {said[option]}"
        if kind == "link" and option in said:
            yield f"{name} {said[option]}"
        elif kind in ("pfc", "none"):
            yield f"{name} off"
    if "--mtu" in said:
        yield f"mtu {said['--mtu']}"


def _codes(text: str) -> list[str]:
    """Each code point of `0-23,25`; the text itself where it is none."""
    try:
        return [str(code) for code in codes(text)] or [text]
    except ValueError:
        return [text]


_NIC = r"(?:^|\s)(?:(?:-r|--roce-device)[ =](?P<rdma>\S+)|(?:-p|--port|-c|--card)[ =](?P<card>\S+))"
# fmt: off
_WORDS = (
    "update", "qos", "pfc", "scheduling", "dscp-to-priority", "dscp-to-purpose", "pcp-to-priority", "port", "dcqcn",
    "--classification-type", "--no-drop", "--dwrr", "--priority", "--dscp", "--pcp", "--purpose", "--cnp-dscp", "--pause-type",
    "--rx-pause", "--tx-pause", "--mtu",
)
# fmt: on

PROGRAMS = (Program("nicctl", _update, nic=_NIC, family="ionic", only_for="ionic", words=_WORDS),)
