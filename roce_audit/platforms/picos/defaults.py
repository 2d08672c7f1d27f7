"""What PicOS has of itself, and who says so."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import SWITCH_DEFAULTS
from roce_audit.text.fill import Default

_PFC = "PicOS 4.4.5 documentation, PFC Configuration Example (pica8-fs.atlassian.net/wiki/spaces/PicOS445/pages/153006333)"
_PRIORITY = "PicOS 4.3.3 documentation, class-of-service interface default-priority (pica8-fs.atlassian.net/wiki/spaces/PicOS433sp/pages/4066451)"
_BUFFER = "PicOS 4.5 documentation, Configuring PFC Buffer (pica8-fs.atlassian.net/wiki/spaces/PicOS45/pages/258624430)"
_PAUSE = "PicOS 4.4.3 documentation, ether-options flow-control (pica8-fs.atlassian.net/wiki/spaces/PicOS443sp/pages/10466060)"
_SETUP = "a published QoS guide for PicOS core switches, of its forwarding classes and PFC profile"

EIGHT_QUEUES = f"{_PFC}: each port has eight queues, 0 to 7; {_SETUP}: the local priority is the queue"
SAME_PRIORITY = f"{_PFC}: PFC works by code point, which is the priority; {_SETUP}: it is the local priority of the class"
NOT_DROPPED = f"{_PFC}: drop is false unless said, and false turns PFC on"
BUFFERED = f"{_BUFFER}: with PFC on there is a default buffer for the queue"
PFC_FIRST = f"{_PFC}: where flow control and PFC are both configured, PFC takes precedence"
UNTRUSTED = f"{_PRIORITY}: packets that are not trusted take the default priority, ieee-802.1 0"
DROPPED_EARLY = "PicOS 4.4.5 documentation, WRED Configuration Tasks (pica8-fs.atlassian.net/wiki/spaces/PicOS445/pages/153006174): between the thresholds packets are dropped by probability"
EASY_ECN = "PicOS 4.5 documentation, set class-of-service easy-ecn mode: the thresholds follow the mode"

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
    "pfc.overrides_link_pause": Default(True, PFC_FIRST),
    "groups.*.lossless": Default(False, f"{_PFC}: PFC is on where a profile is applied"),
    "classes.*.mtu_bytes": Default(None, "PicOS has one MTU a port"),
}
