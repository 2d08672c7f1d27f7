"""PicOS of Pica8 and FS: the `set` lines that `show | display set` prints, and the blocks of `show running-config`."""

from __future__ import annotations

from roce_audit.platforms.record import Parts, Platform
from roce_audit.platforms.signature import Form

_SET = r"^[ \t]*(?:[\w.@-]{1,80}[#>] ?)?(?:set|delete) "
_PORT = _SET + r"interface (?:gigabit-ethernet|aggregate-ethernet) \S"
_COS = _SET + (
    r"class-of-service (?:pfc-profile \S+ code-point|classifier \S+ (?:trust-mode|forwarding-class)|scheduler-profile \S"
    r"|scheduler \S+ (?:mode|weight)|forwarding-class \S|interface \S+ (?:pfc-profile|classifier|scheduler-profile)"
    r"|easy-ecn |pfc-watchdog )"
)
_PORT_BLOCK = r'^[ \t]+(?:gigabit|aggregate)-ethernet "?(?:[a-z]{2}-\d+/\d+/\d+|ae\d+)"? \{'
_COS_BLOCK = r'^[ \t]+(?:pfc-profile|classifier|scheduler-profile) "?[\w./-]{1,100}"? \{'
_SAVED = r"^/\*XORP Configuration File"
_HOST = _SET + r"system hostname \S"


def _load() -> Parts:
    from roce_audit.platforms.picos.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="picos",
    kind="switch",
    load=_load,
    comment="#",
    signature=(
        Form(start=r"[^\[{]", words=("set ", "delete "), marks={_PORT: 60, _COS: 60, _HOST: 25}),
        Form(
            start=r"[^\[{]",
            words=("-ethernet ", "class-of-service {"),
            marks={_PORT_BLOCK: 70, _COS_BLOCK: 60, _SAVED: 60},
        ),
    ),
    naming=("set system hostname ",),
    commands=("show | display set",),
    needs={
        "groups": "the statements of PFC buffers (not read: their words were not seen)",
        "queues.*.ecn": "what Easy ECN chose, or the unit of WRED thresholds (not read: no guide that was seen says it)",
        "queues": "class-of-service scheduler-profile of the port (no guide says what holds without one)",
        "dscp": "class-of-service classifier of the port (what it does not list follows default-priority, which is not read)",
        "pcp": "class-of-service classifier of the port",
        "pfc.watchdog": "the watchdog of the port (not read: what turns it on was not seen)",
        "pfc": "show | display set",
        "speed_bps": "speed of the port (its values are not read)",
        "admin_up": "disable of the port (its values are not read)",
        "dcbx": "protocols lldp (not read)",
        "cable_m": "policy cables:, or length_m in the topology file",
    },
    aliases=("pica8", "pica8_picos", "fs-picos", "fs_picos", "xorplus"),
    factory_names=("PICOS", "XorPlus", "picos"),
)
