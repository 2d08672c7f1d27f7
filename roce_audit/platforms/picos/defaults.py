"""What PicOS has of itself, and who says so."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import SWITCH_DEFAULTS
from roce_audit.text.fill import Default

_WIKI = "pica8-fs.atlassian.net/wiki/spaces"
_PFC = f"PicOS documentation, PFC Configuration Example ({_WIKI}/PicOS445/pages/153006333)"
_PRIORITY = f"PicOS documentation, class-of-service interface default-priority ({_WIKI}/PicOS433sp/pages/4066451)"
_BUFFER = f"PicOS documentation, Configuring PFC Buffer ({_WIKI}/PicOS45/pages/258624430)"
_PAUSE = f"PicOS documentation, ether-options flow-control ({_WIKI}/PicOS443sp/pages/10466060)"
_WRED = f"PicOS documentation, WRED Configuration Tasks ({_WIKI}/PicOS445/pages/153006174)"
_EASY = f"PicOS documentation, set class-of-service easy-ecn mode ({_WIKI}/PicOS45/pages/258629563)"
_SETUP = "a published QoS guide for PicOS core switches, of its forwarding classes and PFC profile"

EIGHT_QUEUES = f"{_PFC}: each port has eight queues, 0 to 7; {_SETUP}: the local priority is the queue"
SAME_PRIORITY = (
    f"{_PFC}: PFC works by code point, which is the priority; {_SETUP}: it is the local priority of the class"
)
NOT_DROPPED = f"{_PFC}: drop is false unless said, and false turns PFC on"
BUFFERED = f"{_BUFFER}: with PFC on there is a default buffer for the queue"
PFC_FIRST = f"{_PFC}: where flow control and PFC are both configured, PFC takes precedence"
UNTRUSTED = f"{_PRIORITY}: packets that are not trusted take the default priority, ieee-802.1 0"
DROPPED_EARLY = f"{_WRED}: between the thresholds packets are dropped by probability"
EASY_ECN = f"{_EASY}: the thresholds follow the mode"

DEFAULTS: dict[str, Default] = SWITCH_DEFAULTS | {
    "trust": Default("none", f"{_PRIORITY}: the trust mode is no-trust without a classifier"),
    "untrusted": Default(0, UNTRUSTED),
    "not-dropped": Default(False, NOT_DROPPED),
    "local-priority": Default(0, f"{_SETUP}: a class without local-priority has 0"),
    "link_pause_rx": Default(False, f"{_PAUSE}: off by default"),
    "link_pause_tx": Default(False, f"{_PAUSE}: off by default"),
    "pfc.mode": Default("off", f"{_PFC}: PFC is on where a profile is applied"),
    "pfc.priorities": Default(frozenset(), f"{_PFC}: PFC is on where a profile is applied"),
    "pfc.receive_only": Default(frozenset(), f"{_PFC}: a profile has no directions"),
    "pfc.send_only": Default(frozenset(), f"{_PFC}: a profile has no directions"),
    "pfc.overrides_link_pause": Default(True, PFC_FIRST),
    "groups.*.lossless": Default(False, f"{_PFC}: PFC is on where a profile is applied"),
    "classes.*.mtu_bytes": Default(None, "PicOS has one MTU a port"),
}
