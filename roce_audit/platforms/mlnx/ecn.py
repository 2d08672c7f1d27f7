"""Congestion control: the `ecn` tree of the OFED driver (`/sys/class/net/X/ecn`) and `cc_params` of the inbox driver (debugfs).

OFED shows per priority whether the NIC answers marks (NP) and slows down (RP); debugfs does not, it only shows parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from roce_audit.platforms.shared.host.answers import Line, Tool, sets
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import SWITCHED
from roce_audit.platforms.shared.host.words import BIT, choice, integer
from roce_audit.values import Cell, Where, Why, known

_RATE = 2**32 - 1
_PARAMETERS = {
    "min_time_between_cnps": ("min_time_between_cnps_us", 131_071),
    "ai_rate": ("ai_rate_mbps", _RATE),
    "hai_rate": ("hai_rate_mbps", _RATE),
    "min_rate": ("min_rate_mbps", _RATE),
    "max_rate": ("max_rate_mbps", _RATE),
    "time_reset": ("time_reset_us", 131_071),
    "byte_reset": ("byte_reset_bytes", _RATE),
    "dce_tcp_g": ("g_over_1024", 1023),
    "rate_reduce_monitor_period": ("rate_reduce_period_us", 131_071),
    "dce_tcp_rtt": ("alpha_period_us", 131_071),
    "initial_alpha_value": ("initial_alpha_over_1024", 1023),
    "threshold": ("fast_recovery_stages", 31),
    "min_dec_fac": ("min_decrease_percent", 100),
    "rate_to_set_on_first_cnp": ("first_cnp_rate_mbps", _RATE),
}
FLAGS = {"clamp_tgt_rate": "clamps_target", "clamp_tgt_rate_ati": "clamps_target_after_timer"}
"""Switches of the reaction point: common name -> field of the model."""
VENDOR = {"gd": 15}
"""Parameters of the reaction point that the model holds in the vendor's own terms, and their largest values (mstflint)."""


def _line(lead: str, path: str, high: int) -> Line:
    return sets(lead, path, integer(0, high), refusable=True)


def _switch(side: str, priority: int) -> Line:
    path = SWITCHED[side][priority]
    return sets(f"roce_{side}/enable/{priority}", path, BIT, f"nic.dcqcn.{side}_priorities", refusable=True)


def _parameters(np: str, rp: str, names: dict[str, str]) -> list[Line]:
    """The parameters as one driver calls them; `names` holds what differs from the common name."""
    found = []
    for common, (field, high) in _PARAMETERS.items():
        side = np if common.startswith("min_time") else rp
        found.append(_line(side + names.get(common, common), f"nic.dcqcn.{field}", high))
    found.extend(
        sets(rp + names.get(name, name), f"nic.dcqcn.{field}", BIT, refusable=True) for name, field in FLAGS.items()
    )
    found.extend(
        _line(rp + names.get(name, name), f"nic.dcqcn.vendor.{name}.value", high) for name, high in VENDOR.items()
    )
    return found


_RPG = {
    n: f"rpg_{n}"
    for n in (
        "ai_rate",
        "hai_rate",
        "min_rate",
        "max_rate",
        "time_reset",
        "byte_reset",
        "gd",
        "threshold",
        "min_dec_fac",
    )
} | {"clamp_tgt_rate_ati": "clamp_tgt_rate_after_time_inc"}

OFED = Tool(
    name="ofed ecn",
    of_rdma_nic=True,
    files=r"/sys/class/net/(?P<net>[^/]+)/ecn/(?P<key>\S+)",
    lines=(
        *(_switch(side, priority) for side in ("np", "rp") for priority in range(8)),
        *_parameters("roce_np/", "roce_rp/", _RPG),
        _line("roce_np/cnp_dscp", "nic.cnp_dscp", 63),
        _line("roce_np/cnp_802p_prio", "nic.cnp_priority", 7),
    ),
)

DEBUGFS = Tool(
    name="mlx5 cc_params",
    files=r"/sys/kernel/debug/mlx5/(?P<pci>[0-9a-fA-F:.]{7,16})/cc_params/(?P<key>\S+)",
    lines=(
        *_parameters("np_", "rp_", {}),
        _line("np_cnp_dscp", "nic.cnp_dscp", 63),
        _line("np_cnp_prio", "nic.cnp_priority", 7),
    ),
    ignored=r"(?:np_cnp_prio_mode|rtt_resp_dscp).*",
)


TRUST = Tool(
    name="ofed qos",
    of_rdma_nic=True,
    files=r"/sys/class/net/(?P<net>[^/]+)/(?P<key>qos/trust)",
    lines=(
        sets(
            "qos/trust", "trust", choice({"dscp": "dscp", "pcp": "pcp", "both": "both"}), "dscp", "pcp", refusable=True
        ),
    ),
    covers=("trust",),
)


_LOWEST = {
    "g_over_1024": ("dce_tcp_g", 1),
    "rate_reduce_period_us": ("rate_reduce_monitor_period", 1),
    "min_decrease_percent": ("rpg_min_dec_fac", 1),
    "alpha_period_us": ("dce_tcp_rtt", 1),
}
"""Lower bounds of mlxconfig's own table of parameters (mstflint, mlxconfig_host.db); above the upper ones nothing is read."""


def _ranges(nic: NicSettings) -> None:
    """Which of the parameters that were seen have a value that the vendor's tool refuses."""
    seen = {name: (nic.cell(f"nic.dcqcn.{path}"), low) for path, (name, low) in _LOWEST.items()}
    floor, cap = (nic.cell(f"nic.dcqcn.{name}_rate_mbps") for name in ("min", "max"))
    there = [cell for cell in (*(cell for cell, _ in seen.values()), floor, cap) if cell is not None]
    not_known = next((cell for cell in there if cell.is_unknown), None)
    if not_known is not None:
        nic.conclude("nic.dcqcn.out_of_range", not_known)
    elif there:
        odd = {
            name: cell for name, (cell, low) in seen.items() if cell is not None and cell.is_known and cell.get() < low
        }
        if floor is not None and cap is not None and floor.is_known and cap.is_known and 0 < cap.get() < floor.get():
            odd["rpg_min_rate"] = floor
        nic.conclude("nic.dcqcn.out_of_range", known(frozenset(odd), *(at for cell in odd.values() for at in cell.at)))


def conclude(nic: NicSettings) -> None:
    """The sets of priorities from the eight switches; one that was not shown leaves the set unknown. What is off by those of single
    priorities is off whatever the others are.
    """
    _ranges(nic)
    pfc = nic.cell("pfc.priorities")
    paused = pfc.get() if pfc is not None and pfc.is_known else frozenset()
    of_side = {side: [nic.or_unknown(SWITCHED[side][priority]) for priority in range(8)] for side in ("np", "rp")}
    seen: dict[str, tuple[Where, ...]] = {}
    for side, switches in of_side.items():
        path = f"nic.dcqcn.{side}_priorities"
        if all(cell.why is Why.NOT_VISIBLE for cell in switches):
            continue
        hidden = next((cell for cell in switches if cell.is_unknown), None)
        if hidden is not None:
            nic.conclude(path, hidden)
            continue
        on = frozenset(priority for priority, cell in enumerate(switches) if cell.get())
        rarer = len(on) * 2 <= len(switches)
        # the switches of the paused priorities come first, then those that stand out: they are what a reader has to look at
        ordered = sorted(enumerate(switches), key=lambda item: (item[0] not in paused, item[1].get() is not rarer))
        at = tuple(where for _, cell in ordered for where in cell.at)
        nic.set(path, on, *at)
        seen[side] = at
    is_whole = len(seen) == len(of_side)
    places = [where for at in seen.values() for where in at] if is_whole else list(_of_single_priorities(nic, of_side))
    if places and nic.cell("nic.dcqcn.algorithm") is None:
        # these are the switches of DCQCN; only the firmware settings could say that another algorithm is in its place
        nic.set_fallback("nic.dcqcn.algorithm", "dcqcn", *places)


def _of_single_priorities(nic: NicSettings, of_side: Mapping[str, Sequence[Cell[bool]]]) -> Iterator[Where]:
    """Say for which priorities both switches were shown and are not both on, where no line is misunderstood; gives where they stand."""
    if any(cell.is_unknown and cell.why is not Why.NOT_VISIBLE for cells in of_side.values() for cell in cells):
        return
    found: dict[str, dict[int, tuple[Where, ...]]] = {"off_alone": {}, "half_on_alone": {}}
    for priority, (np, rp) in enumerate(zip(of_side["np"], of_side["rp"], strict=True)):
        if np.is_known and rp.is_known and not (np.get() and rp.get()):
            off = [where for cell in (np, rp) if not cell.get() for where in cell.at]
            found["half_on_alone" if np.get() or rp.get() else "off_alone"][priority] = tuple(off)
    for name, places in found.items():
        at = [where for one in places.values() for where in one]
        if places:
            nic.set(f"nic.dcqcn.{name}", frozenset(places), *at)
        yield from at


TOOLS = (OFED, DEBUGFS, TRUST)
