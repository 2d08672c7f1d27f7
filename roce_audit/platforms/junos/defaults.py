"""Documented defaults of Junos and Junos Evolved on QFX switches, and the chips of their models."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import PAIRED_DEFAULTS
from roce_audit.text.fill import Default

CLI = "Juniper Junos CLI Reference"
QFX = "Juniper Traffic Management User Guide (QFX Series)"
_CLASSES = f"{QFX}, Understanding Default CoS Settings: default forwarding classes and queue mapping"
_CLASSIFIED = f"{QFX}, Understanding Default CoS Scheduling and Classification"
_PROFILE = f"{CLI}, congestion-notification-profile"
_WATCHDOG = f"{QFX}, PFC Watchdog: polled every 100 ms, detection after 2 intervals, recovery 200 ms"
_MEDIA_MTU = "Juniper Network Interfaces, Configuring the Media MTU"
_PAUSED = f"{QFX}, PFC output: without an output stanza queues 3 and 4 obey priorities 3 and 4"
_NO_LENGTH = f"{CLI}, cable-length: default 100 m"

LOSSY_GROUP = 8
"""The number of the group that stands for "never paused". Groups 0 to 7 are those of the priorities."""
CLASS_QUEUES = {"best-effort": 0, "be": 0, "fcoe": 3, "no-loss": 4, "network-control": 7, "nc": 7, "mcast": 8}
"""Queues of the classes that a QFX has without configuration."""
TAG_CLASSES = (*["best-effort"] * 3, "fcoe", "no-loss", "best-effort", "network-control", "network-control")
"""The class of each 802.1p priority by the default classifier of tags."""
ALPHAS = tuple(2.0 ** (n - 7) for n in range(11))

DEFAULTS: dict[str, Default] = PAIRED_DEFAULTS | {
    "admin_up": Default(True, f"{CLI}, disable (interfaces): an interface is enabled unless it is disabled"),
    "speed_bps": Default(None, "no speed statement: chosen by the transceiver"),
    "fec": Default(None, "no fec statement: chosen by the transceiver"),
    "autoneg": Default(None, "no auto-negotiation statement"),
    "mtu": Default(1514, f"{_MEDIA_MTU}: Ethernet 1514 bytes, header included, frame check sequence not"),
    "cable_m": Default(100, _NO_LENGTH),
    "trust": Default("none", f"{_CLASSIFIED}: without a classifier the default one applies"),
    "policed": Default(False, "no filter or policer is bound to the interface"),
    "rewrites_dscp": Default(
        frozenset(), f"{QFX}, Understanding CoS Rewrite Rules: no rewrite rule is applied by default"
    ),
    "pfc.mode": Default("off", f"{_PROFILE}: PFC is sent only where a profile with an input stanza is applied"),
    "pfc.priorities": Default(frozenset(), f"{_PROFILE}: no profile is applied"),
    "pfc.receive_only": Default(frozenset(), f"{_PROFILE}: no profile is applied"),
    "pfc.send_only": Default(frozenset(), f"{_PROFILE}: no profile is applied"),
    "pfc.overrides_link_pause": Default(
        False, f"{QFX}, Understanding CoS Flow Control: link pause and PFC exclude each other on an interface"
    ),
    "pfc.watchdog.on": Default(False, f"{_PROFILE}: pfc-watchdog is not configured"),
    "pfc.watchdog.priorities": Default(None, _WATCHDOG),
    "pfc.watchdog.poll_ms": Default(100, _WATCHDOG),
    "pfc.watchdog.detect_ms": Default(200, _WATCHDOG),
    "pfc.watchdog.restore_ms": Default(200, _WATCHDOG),
    "pfc.watchdog.action": Default(
        "drop", "Juniper AI-ML Data Center Guide (Junos Evolved), PFC Watchdog: default drop"
    ),
    "link_pause_rx": Default(False, f"{CLI}, flow-control: disabled by default on QFX (source: unverified)"),
    "link_pause_tx": Default(False, f"{CLI}, flow-control: disabled by default on QFX (source: unverified)"),
    "queues.*.ecn": Default(None, f"{CLI}, explicit-congestion-notification: disabled by default"),
    "queues.*.share_kind": Default("percent_at_most", f"{CLI}, transmit-rate: percentages of a map add to at most 100"),
    "queues.*.limit_bytes": Default(None, "the limit of a queue is dynamic (buffer-dynamic-threshold)"),
    "queues.*.max_rate_bps": Default(None, f"{CLI}, shaping-rate: none is configured"),
    "classes.*.mtu_bytes": Default(None, "Junos has one MTU an interface"),
    "classes.*.new_dscp": Default(None, "no rewrite rule is applied"),
    "classes.*.group": Default(LOSSY_GROUP, f"{_PROFILE}: no input stanza pauses the class"),
    **{f"classes.{i}.queue": Default(i, "a traffic class is named by its queue", unless_said=True) for i in range(9)},
    "priorities.*.group": Default(None, f"{_PROFILE}: no input stanza sends pause for the priority"),
    "priorities.*.queue": Default(None, _PAUSED),
    f"groups.{LOSSY_GROUP}.lossless": Default(False, f"{_PROFILE}: what no input stanza names is never paused"),
    "groups.*.lossless": Default(False, "no no-loss class has the priority"),
    "groups.*.sized_for_bytes": Default(None, "no mru is given; what the system takes instead depends on the chip"),
    "groups.*.xoff_at_bytes": Default(None, "the limit of a group is dynamic (dynamic-threshold)"),
    "dcbx.willing": Default(False, f"{QFX}, Understanding DCBX: the switch does not take PFC or ETS from its peer"),
    # what an object that is there leaves open
    **{f"forwarding-class {name}": Default(queue, _CLASSES) for name, queue in CLASS_QUEUES.items()},
    "classifier default": Default(
        0, f"{_CLASSIFIED}: the default classifiers lead all but network control to best-effort"
    ),
    "classifier default tags": Default(
        0, f"{_CLASSIFIED}: default 802.1p classifier, 3 to fcoe, 4 to no-loss, 6 and 7 to network-control"
    ),
    "classifier unlisted": Default(
        0,
        f"{CLI}, classifiers: only import leads a code point that a classifier does not list to one of its classes",
        unless_said=True,
    ),
    "output default": Default((3, 4), _PAUSED),
    "scheduler-map unlisted": Default(
        None, f"{QFX}, Understanding CoS Output Queue Schedulers: a queue without a scheduler is guaranteed nothing"
    ),
    "schedulers priority": Default("weighted", f"{CLI}, priority (schedulers): default low"),
}

CHIP_OF_MODEL = (
    ("qfx5110", "trident2+", "shared_on_chip"),
    ("qfx5120", "trident3", "shared_on_chip"),
    ("qfx5130", "trident4", "shared_on_chip"),
    ("qfx5200", "tomahawk", "shared_on_chip"),
    ("qfx5210", "tomahawk2", "shared_on_chip"),
    ("qfx5220", "tomahawk3", "shared_on_chip"),
    ("qfx5230", "tomahawk4", "shared_on_chip"),
    ("qfx5240", "tomahawk5", "shared_on_chip"),
    ("qfx5241", "tomahawk5", "shared_on_chip"),
    ("qfx5700", "trident4", "shared_on_chip"),
    ("qfx10", "q5", "voq"),
    ("ptx10", "express", "voq"),
)
"""Beginning of a model's name, chip family, buffer architecture. source: unverified; for reports, and to leave rules unasked."""
