"""The words of NVUE that concern lossless Ethernet: kind of block -> words -> value and the model paths they touch.

The older files are translated into the same words, so that there is one table and one meaning. In a row `#` stands for the
number that the statement is about and `=` for its value; a few rows exist for the older files alone and are marked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from roce_audit.platforms.cumulus.values import anything, listed, name, speed
from roce_audit.platforms.shared.leaves import Reader, number, word

UNSURE = "?"
"""First word of a statement that was given to a block without anybody knowing what it is."""

UNDEFINED = "undefined"
"""First word of a statement that stands for a name which nothing defines."""


@dataclass(frozen=True, slots=True)
class Row:
    """One form of a statement. `paths` are unknown when its value is not understood."""

    words: tuple[str, ...]
    read: Reader
    paths: tuple[str, ...]
    most: int

    @property
    def field(self) -> str:
        """The words that name the setting."""
        return " ".join(w for w in self.words if w not in "#=")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of block. `paths` are unknown when a statement of it is not understood at all; a lenient kind is told only of
    words that come close to its own."""

    rows: tuple[Row, ...]
    paths: tuple[str, ...]
    lenient: bool = False
    by_word: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What is unknown instead when the first word of the statement is understood."""


_ON = word(
    dict.fromkeys(("on", "enable", "enabled", "true"), True)
    | dict.fromkeys(("off", "disable", "disabled", "false"), False)
)
_BYTES = number(0, 2**32 - 1)
_METRES = number(1, 100_000)
_PERCENT = number(0, 100)
_PRIORITY = number(0, 7)
_RATE = number(0, 2**31 - 1)
ROCE_MODES = ("lossless", "lossy", "lossless-single-ipool", "lossy-multi-tc")
_TRUST = word({"l2": "pcp", "l3": "dscp", "both": "both", "port": "none"})
_REWRITE = word({w: w for w in ("l2", "l3", "both", "none")})
ALPHAS = {"alpha_0": 0.0, "alpha_infinity": float("inf")}
ALPHAS |= {f"alpha_1_{2**n}": 2.0**-n for n in range(1, 8)} | {f"alpha_{2**n}": 2.0**n for n in range(7)}
_FEC = word({"rs": "rs", "baser": "fc", "off": "none", "auto": "auto"})

EVERYTHING = "pfc groups queues classes dscp pcp trust cable_m priorities dcbx.mode"
"""What the RoCE switch sets."""
_QOS_OF_PORT = (*EVERYTHING.split(), "rewrites_dscp", "link_pause_tx", "link_pause_rx")
_LINK_OF_PORT = ("ip_mtu_bytes", "speed_bps", "fec", "autoneg", "admin_up")
_CURVE = "queues.#.ecn"


def _row(text: str, paths: str, read: Reader = anything, most: int = 7) -> Row:
    return Row(tuple(text.split()), read, tuple(paths.split()), most)


def _buffers(tx: str, rx: str, sizes: str) -> tuple[Row, ...]:
    return (
        _row("tx =", tx, _ON),
        _row("rx =", rx, _ON),
        _row("port-buffer =", sizes, _BYTES),
        _row("xoff-threshold =", sizes, _BYTES),
        _row("xon-threshold =", sizes, _BYTES),
    )


def _profiled(kind: str, paths: str) -> Row:
    return _row(f"qos {kind} profile =", paths, name)


KINDS: Mapping[str, Kind] = {
    "roce": Kind(
        (
            _row("enable =", EVERYTHING, _ON),
            _row("state =", EVERYTHING, _ON),
            _row("mode =", EVERYTHING, word({m: m for m in ROCE_MODES})),
            _row("cable-length =", "cable_m", _METRES),
        ),
        tuple(EVERYTHING.split()),
    ),
    "mapping": Kind(
        (
            _row("trust =", "trust dscp pcp", _TRUST),
            _row("port-default-sp =", "dscp pcp", _PRIORITY),
            _row("dscp # switch-priority =", "dscp.#", _PRIORITY, 63),
            _row("pcp # switch-priority =", "pcp.#", _PRIORITY),
            _row("dscp # cos =", "dscp", _PRIORITY, 63),  # older files
            _row("pcp # cos =", "pcp", _PRIORITY),  # older files
        ),
        ("trust", "dscp", "pcp"),
    ),
    "remark": Kind(
        (
            _row("rewrite =", "rewrites_dscp classes.*.new_dscp", _REWRITE),
            _row("switch-priority # dscp =", "rewrites_dscp classes.#.new_dscp", number(0, 63)),
            _row("switch-priority # pcp =", "", _PRIORITY),
        ),
        ("rewrites_dscp", "classes.*.new_dscp"),
    ),
    "egress-queue-mapping": Kind(
        (_row("switch-priority # traffic-class =", "classes.#.queue priorities.#.queue", _PRIORITY),),
        ("classes.*.queue", "priorities.*.queue"),
    ),
    "egress-scheduler": Kind(
        (
            _row(
                "traffic-class # mode =",
                "queues.#.scheduling queues.#.share queues.#.share_kind",
                word({"dwrr": "weighted", "strict": "strict"}),
            ),
            _row("traffic-class # bw-percent =", "queues.#.scheduling queues.#.share queues.#.share_kind", _PERCENT),
        ),
        ("queues.*.scheduling", "queues.*.share", "queues.*.share_kind"),
    ),
    "priority-group": Kind(  # traffic.conf before 5.0
        (
            _row("switch-priority #", "queues.#.scheduling queues.#.share queues.#.share_kind"),
            _row("weight =", "queues.*.scheduling queues.*.share queues.*.share_kind", number(0, 127)),
        ),
        ("queues.*.scheduling", "queues.*.share", "queues.*.share_kind"),
    ),
    "egress-shaper": Kind(
        (
            _row("port-max-rate =", "queues.*.max_rate_bps", _RATE),
            _row("traffic-class # max-rate =", "queues.#.max_rate_bps", _RATE),
            _row("traffic-class # min-rate =", "", _RATE),
        ),
        ("queues.*.max_rate_bps",),
    ),
    "congestion-control": Kind(
        (
            _row("traffic-class #", _CURVE),
            _row("traffic-class # ecn =", _CURVE, _ON),
            _row("traffic-class # red =", f"{_CURVE}.drops", _ON),
            _row("traffic-class # min-threshold =", f"{_CURVE}.min_bytes {_CURVE}.min_value", _BYTES),
            _row("traffic-class # max-threshold =", f"{_CURVE}.max_bytes {_CURVE}.max_value", _BYTES),
            _row("traffic-class # probability =", f"{_CURVE}.max_probability_percent", _PERCENT),
            _row("queue #", _CURVE),  # older files: one curve for a list of queues
            _row("ecn =", "queues.*.ecn", _ON),
            _row("red =", "queues.*.ecn.drops", _ON),
            _row("min-threshold =", "queues.*.ecn.min_bytes queues.*.ecn.min_value", _BYTES),
            _row("max-threshold =", "queues.*.ecn.max_bytes queues.*.ecn.max_value", _BYTES),
            _row("probability =", "queues.*.ecn.max_probability_percent", _PERCENT),
        ),
        ("queues.*.ecn",),
    ),
    "pfc": Kind(
        (
            _row("switch-priority #", "pfc.mode pfc.priorities pfc.receive_only groups"),
            _row("cable-length =", "cable_m", _METRES),
            *_buffers(
                "pfc.mode pfc.priorities pfc.receive_only groups", "pfc.mode pfc.priorities pfc.receive_only", "groups"
            ),
        ),
        ("pfc.mode", "pfc.priorities", "pfc.receive_only", "groups", "cable_m"),
    ),
    "link-pause": Kind(
        (_row("cable-length =", "", _METRES), *_buffers("link_pause_tx", "link_pause_rx", "")),
        ("link_pause_tx", "link_pause_rx"),
    ),
    "pfc-watchdog": Kind(
        (
            _row(
                "polling-interval =",
                "pfc.watchdog.poll_ms pfc.watchdog.detect_ms pfc.watchdog.restore_ms",
                number(1, 100_000),
            ),
            _row("robustness =", "pfc.watchdog.detect_ms", number(1, 1_000)),
            _row("allports", "pfc.watchdog"),  # older files
        ),
        ("pfc.watchdog",),
    ),
    "traffic-pool": Kind(
        (
            _row("memory-percent =", "groups", _PERCENT),
            _row("switch-priority #", "groups"),
        ),
        ("groups",),
    ),
    "advance-buffer-config": Kind(
        (
            _row("ingress-lossless-buffer shared-alpha =", "groups", word(ALPHAS)),
            _row("ingress-lossless-buffer shared-bytes =", "groups", _BYTES),
            _row("ingress-lossless-buffer service-pool =", "", _PRIORITY),
        ),
        ("groups",),
        lenient=True,
    ),
    "port": Kind(
        (
            _row("link mtu =", "ip_mtu_bytes", number(68, 10_240)),
            _row("link speed =", "speed_bps", speed),
            _row("link fec =", "fec", _FEC),
            _row("link auto-negotiate =", "autoneg", _ON),
            _row("link state =", "admin_up", word({"up": True, "down": False})),
            _profiled("mapping", "trust dscp pcp"),
            _profiled("remark", "rewrites_dscp classes.*.new_dscp"),
            _profiled("pfc", "pfc.mode pfc.priorities pfc.receive_only groups cable_m"),
            _profiled("link-pause", "link_pause_tx link_pause_rx"),
            _profiled("congestion-control", "queues.*.ecn"),
            _profiled("egress-scheduler", "queues.*.scheduling queues.*.share queues.*.share_kind"),
            _profiled("egress-shaper", "queues.*.max_rate_bps"),
            _row("qos pfc-watchdog", "pfc.watchdog"),
            _row("qos pfc-watchdog state =", "pfc.watchdog", _ON),
            _row("qos pfc-watchdog status", ""),
            _row("qos storage-optimized", EVERYTHING),  # NCLU
            _row("operational-pfc =", "pfc.operational", listed),  # nv show
            _row("acl =", "policed", name),
        ),
        (*_QOS_OF_PORT, *_LINK_OF_PORT),
        lenient=True,
        by_word={"qos": _QOS_OF_PORT, "link": _LINK_OF_PORT},
    ),
}

PROFILED = tuple(row.words[1] for row in KINDS["port"].rows if row.words[-2:] == ("profile", "="))
"""Kinds of blocks that an interface names."""
UNNAMED = frozenset({"roce", "pfc-watchdog"})
"""Kinds with but one block, which has no name."""
GLOBAL = "default-global"
"""The profile that holds for every port without one of its own."""
