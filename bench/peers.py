"""Other programs on the same text. They are no dependencies: one that is not installed has a row that says so.

ciscoconfparse2 pins an older hier_config, so no environment holds all three.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

_TTP = """<group name="ports">
interface {{ name }}
 description {{ description | ORPHRASE }}
 mtu {{ mtu | to_int }}
 service-profile {{ profile }}
 priority-flow-control mode {{ pfc }}
 service-policy type qos input {{ policy }}
 ip address {{ address }}
</group>
<group name="profiles*">
qos profile {{ name }}
 priority-flow-control priority {{ priority }} no-drop
</group>
"""
"""It extracts what a template asks for: no tree, no line numbers, no defaults."""


READ = ("eos", "nxos")
"""Platforms whose syntax they know."""
_COMPARED = ("fresh", "fleet", "of it reading")


def rows(platform: str, text: str, figures: Mapping[str, float]) -> Iterator[str]:
    """A row a peer that reads this syntax; `figures` are ours, in seconds."""
    if platform not in READ:
        return
    for name, prepare in PROGRAMS.items():
        try:
            parse = prepare(platform, text)
        except ImportError:
            yield f"        {name:16} NOT MEASURED: not installed here (pip install {name})"
            continue
        theirs = min(once(parse) for _ in range(5))
        ratios = ", ".join(f"{theirs / figures[one]:5.1f} x {one}" for one in _COMPARED)
        yield f"        {name:16} {ratios}   ({theirs * 1e3:.0f} ms)"


def once(parse: Callable[[], object]) -> float:
    """CPU seconds of one run."""
    start = time.process_time()
    parse()
    return time.process_time() - start


def _hier_config(platform: str, text: str) -> Callable[[], object]:
    hier = import_module("hier_config")
    if not hasattr(hier, "get_hconfig"):
        raise ImportError("hier_config 3 is compared")
    kind = hier.Platform.CISCO_NXOS if platform == "nxos" else hier.Platform.ARISTA_EOS
    return lambda: hier.get_hconfig(kind, text)


def _ciscoconfparse2(platform: str, text: str) -> Callable[[], object]:
    parse = import_module("ciscoconfparse2").CiscoConfParse
    import_module("loguru").logger.disable("ciscoconfparse2")
    lines = text.splitlines()
    return lambda: parse(lines, syntax="nxos" if platform == "nxos" else "ios")


def _ttp(platform: str, text: str) -> Callable[[], object]:
    ttp = import_module("ttp").ttp

    def parse() -> object:
        parser = ttp(data=text, template=_TTP, log_level="ERROR")
        parser.parse(one=True)
        return parser.result()

    return parse


PROGRAMS: Mapping[str, Callable[[str, str], Callable[[], object]]] = {
    "hier_config": _hier_config,
    "ciscoconfparse2": _ciscoconfparse2,
    "ttp": _ttp,
}
"""Name -> what makes a run of it out of platform and text; it raises ImportError where the program is not installed."""
