"""The leaves of the REST trees and of the Ansible collection that concern lossless Ethernet: how each is written, what it sets.

A leaf is the keys that lead to it from its object (in the form of `trees.plain`; an element of a list by its key) and its value.
Names as the Ansible collection dellemc.enterprise_sonic has them, and as it asks for them in the trees openconfig-qos with its
extensions, openconfig-interfaces and sonic-switch.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.kinds import EVERYTHING, MAPS, POLICING, ROCE, SCHEDULED
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, NOTHING, Row, row, sets, unread

TYPES = {
    "action": st.identity({"DROP": "drop", "FORWARD": "forward", "ALERT": "alert"}),
    "channel": st.channel,
    "marked": st.marked,
    "meter": st.identity({"PACKETS": "packets", "BYTES": "bytes"}),
    "portfec": st.port_fec,
    "portspeed": st.port_speed,
    "priority": st.alone(7),
    "scheduling": st.identity({"STRICT": "strict", "DWRR": "weighted", "WRR": "weighted"}),
    "sequence": st.sequence,
    "switched": st.identity({"ENABLE": True, "DISABLE": False}),
    "truth": st.identity({"TRUE": True, "FALSE": False}),
}

_SCHEDULING = "scheduling share share_kind"

_strict = partial(Mode, strict=True, ignored=frozenset({"description"}))
"""An object that is ours as a whole: a leaf that no row begins with touches all that any row sets."""
_nothing = partial(row, no=None)
"""A leaf that is understood and says nothing to the model."""


def _thresholds(colour: str, before: str, enable: str) -> tuple[Row, ...]:
    """The curve of a colour; only green packets carry data, unless something colours them."""
    curve = partial(st.Curve, colour, unit="bytes")
    paths = colour == "green"
    return (
        row(f"{enable} <on:truth>", curve, "marks drops" * paths),
        row(f"{before}min-threshold <low:count>", curve, "min_bytes min_value min_unit marks drops" * paths),
        row(f"{before}max-threshold <high:count>", curve, "max_bytes max_value max_unit marks drops" * paths),
        row(f"{before}drop-probability <percent:0..100>", curve, "max_probability_percent" * paths),
    )


_PROFILE = _strict(
    base="groups.#",
    rows=(
        row("[config] pool <pool>", st.BufferProfile, "pool headroom_is_shared"),
        row("[config] size <size:count>", st.BufferProfile, "reserved_bytes"),
        row("[config] static-threshold <static:count>", st.BufferProfile, "xoff_at_bytes alpha"),
        row("[config] dynamic-threshold <dynamic:alpha>", st.BufferProfile, "xoff_at_bytes alpha"),
        row(
            "[config] pause-threshold <pause:bytes>",
            st.BufferProfile,
            "lossless headroom_bytes headroom_is_shared pool",
        ),
        row("[config] resume-threshold <resume:count>", st.BufferProfile, "xon_at_bytes"),
        row("[config] resume-offset-threshold <offset:count>", st.BufferProfile, "xon_offset_bytes"),
    ),
)

_OPENCONFIG_PORT = Mode(
    strict=True,
    rows=(
        *(
            row(f"interface-maps config {its.rest_bound} <name>", partial(st.Bind, its.mode), its.bound or its.path)
            for its in MAPS.values()
        ),
        row("output scheduler-policy config name <name>", partial(st.Bind, "scheduler"), SCHEDULED),
        row("cable-length config length <value:cable>", sets("cable_m")),
        row("pfc config asymmetric <on:truth>", st.Asymmetric, "pfc.receive_only"),
        row("pfc pfc-priorities pfc-priority <priorities:priority> [config] enable <on:truth>", st.Pfc, "pfc"),
        _nothing("pfc pfc-priorities pfc-priority <_:priority>"),
        row("pfc watchdog config action <value:action>", sets("pfc.watchdog.action")),
        row("pfc watchdog config detection-time <detect:100..5000>", st.Watchdog, "pfc.watchdog"),
        row("pfc watchdog config restoration-time <value:100..60000>", sets("pfc.watchdog.restore_ms")),
        unread("config interface-id", EVERYTHING),  # it names another interface, else it is left out
        unread("input", POLICING),
        unread("buffer", "groups"),
    ),
    guess=lambda words, depth: ("groups",),
    # which interface this is, once more
    ignored=frozenset({"interface-ref"}),
)

_OPENCONFIG_INTERFACE = Mode(
    lenient=True,
    rows=(
        row("config mtu <68..9416>", sets("ip_mtu_bytes")),
        row("config enabled <value:truth>", sets("admin_up")),
        row("ethernet config port-speed <value:portspeed>", sets("speed_bps"), "speed_bps autoneg"),
        row("ethernet config port-fec <value:portfec>", sets("fec")),
        row("ethernet config auto-negotiate <value:truth>", sets("autoneg")),
        row("ethernet config aggregate-id <number:channel>", st.ChannelGroup, "ip_mtu_bytes admin_up"),
    ),
)

_OPENCONFIG_SCHEDULER = _strict(
    base="queues.#",
    rows=(
        row("config priority <value:scheduling>", sets("scheduling"), _SCHEDULING),
        row("config weight <1..100>", sets("share")),
        row("config meter-type <unit:meter>", st.MeterType, "max_rate_bps"),
        row("two-rate-three-color config pir <rate:count>", st.PeakRate, "max_rate_bps"),
        _nothing("two-rate-three-color config cir|bc|be <_:count>"),
    ),
    # which queue it serves follows from its number
    ignored=frozenset({"inputs", "output"}),
)

_OPENCONFIG: Mapping[tuple[str, str], Mode] = {
    ("port", "openconfig-qos"): _OPENCONFIG_PORT,
    ("port", "openconfig-qos-queues"): Mode(
        (
            row("<numbers:queue> wred config wred-profile <name>", partial(st.Bind, "wred"), "queues.#.ecn"),
            unread("<> buffer|buffer-profile", "queues.#.limit_bytes"),
            unread("<> config name"),  # it differs from the name of the element, else it is left out
        ),
        lenient=True,
        guess=lambda words, depth: ("queues.#.ecn", "queues.#.limit_bytes") if depth > 1 else None,
    ),
    ("port", "openconfig-interfaces"): _OPENCONFIG_INTERFACE,
    ("wred", "openconfig-qos"): _strict(
        base="queues.#.ecn",
        rows=(
            row("[config] ecn <colours:marked>", st.Ecn, "marks drops"),
            *(
                one
                for colour in ("green", "yellow", "red")
                for one in _thresholds(colour, f"[config] {colour}-", f"[config] wred-{colour}-enable")
            ),
        ),
    ),
    ("scheduler", "openconfig-qos"): _strict(
        (row("schedulers scheduler <number:sequence>", st.QueueHeader),),
        opens={"schedulers scheduler": "queue of openconfig-qos"},
    ),
    ("bufprofile", "openconfig-qos"): _PROFILE,
    ("top", "buffer-pool"): Mode(
        (row("<name> [config] xoff <headroom:count>", st.BufferPool, "groups"),), lenient=True
    ),
    ("top", "pfc-watchdog"): _strict(
        (
            row("[poll] [config] poll-interval <100..3000>", sets("pfc.watchdog.poll_ms")),
            row("[flex] [config] counter-poll <on:switched>", st.CounterPoll, "pfc.watchdog"),
        )
    ),
    ("top", "sonic-switch"): Mode(
        (
            row("roce-enable <on:truth>", st.Roce, ROCE),
            row("roce-pfc-priority <priorities:priorities>", st.Roce, ROCE),
            row("buffer-mode-lossless <on:truth>", st.BufferInit, "groups"),
        ),
        lenient=True,
    ),
} | {
    (its.mode, "openconfig-qos"): _strict(
        (row(f"{its.rest}-entries {its.rest}-entry {its.entry}", st.Entry, its.path),)
    )
    for its in MAPS.values()
}

_ANSIBLE_PORT = Mode(
    rows=(
        *(
            row(
                f"qos-maps {its.ansible_bound} <name>",
                partial(st.Bind, its.mode),
                its.bound or its.path,
                no=st.Bind(its.mode),
            )
            for its in MAPS.values()
        ),
        row("scheduler-policy <name>", partial(st.Bind, "scheduler"), SCHEDULED, no=st.Bind("scheduler")),
        row("cable-length <value:cable>", sets("cable_m")),
        row("pfc asymmetric <on:truth>", st.Asymmetric, "pfc.receive_only", no=st.Asymmetric(False)),
        row("pfc watchdog-action <value:action>", sets("pfc.watchdog.action")),
        row("pfc watchdog-detect-time <detect:100..5000>", st.Watchdog, "pfc.watchdog", no=st.Watchdog(on=False)),
        row("pfc watchdog-restore-time <value:100..60000>", sets("pfc.watchdog.restore_ms")),
        row(
            "pfc priorities <priorities:priority> [enable <on:truth>]",
            st.pfc_if_enabled,
            "pfc",
            no=partial(st.Pfc, on=False),
            no_form="pfc priorities <priorities:priority> [enable <_:truth>]",
        ),
        row(
            "queues <numbers:queue> wred-profile <name>",
            partial(st.Bind, "wred"),
            "queues.#.ecn",
            no=partial(st.Bind, "wred"),
            no_form="queues <numbers:queue> [wred-profile <>]",
        ),
        _nothing("queues <_:queue>"),
    ),
    guess=lambda words, depth: tuple(EVERYTHING.split()),
)

_ANSIBLE_INTERFACE = Mode(
    rows=(
        row("mtu <68..9416>", sets("ip_mtu_bytes")),
        row("enabled <value:truth>", sets("admin_up")),
        row("speed <value:portspeed>", sets("speed_bps"), "speed_bps autoneg", no=ABSENT),
        row("fec <value:portfec>", sets("fec"), no=ABSENT),
        row("auto-negotiate <value:truth>", sets("autoneg")),
        row("advertised-speed|description|unreliable-los|autoneg-mode [<...>]"),
    ),
    guess=lambda words, depth: tuple(EVERYTHING.split()),
)

_ANSIBLE: Mapping[tuple[str, str], Mode] = {
    ("port", "sonic_qos_interfaces"): _ANSIBLE_PORT,
    ("port", "sonic_interfaces"): _ANSIBLE_INTERFACE,
    ("port", "sonic_lag_interfaces"): _strict(
        (
            row(
                "name <number:channel>",
                st.ChannelGroup,
                "ip_mtu_bytes admin_up",
                no=st.ChannelGroup(None),
            ),
        )
    ),
    ("wred", "sonic_qos_wred"): _strict(
        base="queues.#.ecn",
        rows=(
            row("ecn <colours:marked>", st.Ecn, "marks drops"),
            *(one for c in ("green", "yellow", "red") for one in _thresholds(c, f"{c} ", f"{c} enable")),
        ),
    ),
    ("scheduler", "sonic_qos_scheduler"): _strict(
        (row("schedulers <number:sequence>", st.QueueHeader),),
        opens={"schedulers": "queue of sonic_qos_scheduler"},
    ),
    ("bufprofile", "sonic_qos_buffer"): _PROFILE,
    ("top", "sonic_qos_buffer"): _strict(
        (
            row("buffer-init <on:truth>", st.BufferInit, "groups", no=NOTHING),
            row(
                "buffer-pools <name> xoff <headroom:count>",
                st.BufferPool,
                "groups",
                no=st.BufferPool,
                no_form="buffer-pools <name> [xoff <_:count>]",
            ),
            _nothing("buffer-pools <>"),
        )
    ),
    ("top", "sonic_qos_pfc"): _strict(
        (
            row("poll-interval <100..3000>", sets("pfc.watchdog.poll_ms")),
            row("counter-poll <on:truth>", st.CounterPoll, "pfc.watchdog", no=st.CounterPoll(True)),
        )
    ),
    ("top", "sonic_roce"): _strict(
        (
            row("roce-enable <on:truth>", st.Roce, ROCE),
            row("pfc-priority <priorities:priorities>", st.Roce, ROCE),
        )
    ),
    # a task that may not run, runs many times or on another switch says nothing certain
    ("top", "task"): Mode((unread("hosts|loop|module|state|when|with-dict|with-items", ROCE),)),
} | {(its.mode, "sonic_qos_maps"): _strict((row(f"entries {its.entry}", st.Entry, its.path),)) for its in MAPS.values()}

OBJECTS: Mapping[tuple[str, str], Mode] = {**_OPENCONFIG, **_ANSIBLE}
"""(mode of what an object describes, tree or module that the object is of) -> its leaves."""
INNER = {
    "queue of openconfig-qos": _OPENCONFIG_SCHEDULER,
    "queue of sonic_qos_scheduler": _strict(
        base="queues.#",
        rows=(
            row("scheduler-type <value:scheduling>", sets("scheduling"), _SCHEDULING),
            row("weight <1..100>", sets("share")),
            row("meter-type <unit:meter>", st.MeterType, "max_rate_bps"),
            row("pir <rate:count>", st.PeakRate, "max_rate_bps"),
            _nothing("cir|cbs|pbs <_:count>"),
        ),
    ),
}
"""Elements of objects that are blocks of their own."""
LISTS = (
    {f"{its.rest}-entry": its.key for its in MAPS.values()}
    | {"pfc-priority": "dot1p", "scheduler": "sequence"}
    | {"priorities": "dot1p", "queues": "id", "schedulers": "sequence", "buffer-pools": "name"}
)
"""List -> the leaf that tells its elements apart; `entries` of Ansible: by the kind of map."""
BLOCKS = frozenset({"scheduler", "schedulers"})
"""Lists whose elements are blocks of their own."""
