"""What makes each statement of OS9 from its parts in the grammar, with the bounds that the grammar does not know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roce_audit.platforms.numbers import within
from roce_audit.platforms.os9 import statements as st
from roce_audit.platforms.policystatements import number_list

_LARGEST_KB = 7_787


def _thresholds(priorities: Any, size: Any, pause: Any, offset: Any, *_: Any) -> st.Thresholds:
    sizes = [within(value, 0, _LARGEST_KB) for value in (size, pause, offset)]
    if sizes[1] > sizes[0]:
        raise ValueError("the pause threshold does not fit into the buffer")
    return st.Thresholds(number_list((priorities,), 7, {}), *sizes)


RULES: Mapping[str, Callable[..., Any]] = {
    "name": lambda n: (str(n),),
    "words": lambda *_: None,
    "nothing": lambda *_: st.Nothing(),
    "dcb_on": lambda *_: st.Dcb(True),
    "dcb_off": lambda *_: st.Dcb(False),
    "map_bound": lambda name: st.DcbMap(name[0]),
    "map_unbound": lambda *_: st.DcbMap(None),
    "thresholds_bound": lambda name: st.BufferPolicy(name[0]),
    "thresholds_unbound": lambda *_: st.BufferPolicy(None),
    "pfc_priorities": lambda values: st.PfcPriorities(number_list((values,), 7, {})),
    "pfc_none": lambda *_: st.PfcPriorities(()),
    "pfc_mode": lambda state: st.PfcMode(state == "on"),
    "pfc_mode_off": lambda *_: st.PfcMode(False),
    "flowcontrol": lambda receive, send: st.FlowControl(receive == "on", send == "on"),
    "flowcontrol_off": lambda *_: st.FlowControl(False, False),
    "mtu": lambda n: st.Mtu(within(n, 592, 12_000), True),
    "ip_mtu": lambda n: st.Mtu(within(n, 576, 11_982), False),
    "shutdown": lambda: st.Shutdown(True),
    "no_shutdown": lambda *_: st.Shutdown(False),
    "speed": lambda n: st.Speed(within(n, 10, 100_000) * 1_000_000),
    "speed_auto": lambda: st.Speed(None),
    "channel": lambda n: st.Channel(within(n, 1, 4096)),
    "group": lambda number, share, pfc: st.Group(_share(number, share), pfc == "on"),
    "strict_group": lambda number, pfc: st.Group(within(number, 0, 7), pfc == "on"),
    "groups": lambda *numbers: st.Groups(tuple(within(n, 0, 7) for n in numbers)),
    "thresholds": _thresholds,
}


def _share(number: Any, share: Any) -> int:
    within(share, 1, 100)
    return within(number, 0, 7)
