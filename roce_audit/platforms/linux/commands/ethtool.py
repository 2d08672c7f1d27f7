"""`ethtool DEV`, `ethtool -i`, `-a`, `--show-fec`: link, driver, 802.3x pause and FEC of one network device."""

from __future__ import annotations

import re

from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import ACTIVE_FEC, HAS_NO_SPEED
from roce_audit.platforms.shared.host.own import Own
from roce_audit.platforms.shared.host.words import FILTERED, ON_OFF, choice, matched, shape
from roce_audit.text.document import Document
from roce_audit.values import At

_DEV = r"(?P<net>[^\s/-][^\s/]*)"


def _colon_lines(answer: Answer) -> None:
    """`Key:   value` lines become `Key: value`; the line that names the device is left out."""
    for number, text in answer.lines():
        key, colon, value = text.strip().partition(":")
        if re.match(r"(?:Pause parameters|Settings|FEC parameters|EEE [Ss]ettings) for ", key):
            if answer.subject is None and value.strip() == "":
                answer.subject = ("net", key.rpartition(" ")[2])
        elif colon:
            answer.say(f"{key}: {value.strip()}".rstrip(), number)


def _driver_lines(answer: Answer) -> None:
    for number, text in answer.lines():
        key, _, value = text.partition(":")
        value = value.strip()
        if key == "bus-info":
            if answer.subject is not None and re.fullmatch(
                r"[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]", value
            ):
                answer.collector.at_pci(answer.subject[1], value)
        elif key in ("driver", "version", "firmware-version"):
            answer.say(f"{key}: {value}", number)


def _driver(nic: NicSettings, text: str, at: At) -> None:
    """`mlx5_core`; `mlx5_core[ib_ipoib]` for the network device of an InfiniBand port."""
    found = matched(r"([A-Za-z0-9_-]{1,40})(\[ib_ipoib\])?", text)
    nic.set("nic.driver", found.group(1), at)
    if found.group(2):
        nic.set("kind", "infiniband", at)


_FIRMWARE = shape(r"([A-Za-z0-9][A-Za-z0-9 ._/,:+\[\]-]{0,80}?)(?: \([A-Za-z0-9_]{1,40}\))?")
"""`28.42.1000 (MT_0000000838)`, `233.0.152.2/pkg 233.1.135.7`, `4.40 0x8001c967 1.3534.0`, ...: as vendors write it."""
DRIVER = Tool(
    name="ethtool -i",
    split=_driver_lines,
    commands=rf"ethtool (?:-i|--driver) {_DEV}",
    lines=(
        Line("driver:", ("nic.driver", "kind"), _driver),
        sets("version:", "nic.driver_version", shape(r"[A-Za-z0-9][A-Za-z0-9._+~-]{0,100}"), nothing=("", "N/A")),
        sets("firmware-version:", "nic.firmware", _FIRMWARE, nothing=("", "N/A")),
    ),
    covers=("nic.driver", "nic.driver_version", "nic.firmware"),
)


PAUSE = Tool(
    name="ethtool -a",
    ethernet=True,
    split=_colon_lines,
    commands=rf"ethtool (?:-a|--show-pause) {_DEV}",
    signature=r"\A\s*Pause parameters for \S+:",
    lines=(sets("RX:", "link_pause_rx", ON_OFF), sets("TX:", "link_pause_tx", ON_OFF)),
    covers=("link_pause_rx", "link_pause_tx"),
    ignored=r"(?:Autonegotiate|RX negotiated|TX negotiated):.*",
)


def _speed(nic: NicSettings, text: str, at: At) -> None:
    if text.startswith("Unknown!"):
        nic.set(HAS_NO_SPEED, True, at)
        return
    found = matched(r"([0-9]{1,8})Mb/s", text)
    nic.set("speed_bps", int(found.group(1)) * 1_000_000, at)


SETTINGS = Tool(
    name="ethtool",
    split=lambda answer: _link_lines(answer),
    commands=rf"ethtool {_DEV}",
    signature=r"\A\s*Settings for \S+:",
    lines=(Line("Speed:", ("speed_bps",), _speed), sets("Auto-negotiation:", "autoneg", ON_OFF)),
    covers=("speed_bps", "autoneg"),
    ignored=r".*",
)


SOME_SETTINGS = Tool(
    name="ethtool filtered",
    split=lambda answer: _link_lines(answer),
    commands=rf"ethtool {_DEV}{FILTERED}",
    lines=SETTINGS.lines,
    complete=False,
    ignored=r".*",
)


def _link_lines(answer: Answer) -> None:
    for number, text in answer.lines():
        key, _, value = text.strip().partition(":")
        if key.startswith("Settings for "):
            if answer.subject is None:
                answer.subject = ("net", key.removeprefix("Settings for "))
        elif key == "Link detected" and value.strip() == "no" and answer.subject is not None:
            answer.collector.has_no_link(answer.subject, answer.document, number)
        elif key in ("Speed", "Auto-negotiation"):
            answer.say(f"{key}: {value.strip()}", number)


_FEC = {"RS": "rs", "BaseR": "fc", "Off": "none", "None": "none", "Auto": "auto", "LLRS": "rs"}


def _fec(nic: NicSettings, text: str, at: At) -> None:
    """What is configured; newer releases print it together with what the driver supports."""
    words = text.split()
    if not words or any(word not in _FEC for word in words):
        raise ValueError(text)
    nic.set("fec", "auto" if len(words) > 1 else _FEC[words[0]], at)


def _active_fec(nic: NicSettings, text: str, at: At) -> None:
    """What runs; `None` is what a driver says that does not know."""
    if text in ("None", "Auto"):
        return
    if text not in _FEC:
        raise ValueError(text)
    nic.set(ACTIVE_FEC, _FEC[text], at)


_RUNS = ("fec", "nic.fec_running", "nic.fec_unused")
FEC = Tool(
    name="ethtool --show-fec",
    split=_colon_lines,
    commands=rf"ethtool (?:(?:-I|--include-statistics) )?--show-fec {_DEV}",
    signature=r"\A\s*FEC parameters for \S+:",
    lines=(
        Line("Configured FEC encodings:", ("fec",), _fec),
        Line("Supported/Configured FEC encodings:", ("fec",), _fec),
        Line("Active FEC encoding:", _RUNS, _active_fec),
        Line("Active FEC encodings:", _RUNS, _active_fec),
    ),
    covers=("fec",),
    ignored=r"Statistics:|(?:un)?correct(?:ed|able)_(?:blocks|bits):.*|[Ll]ane [0-9]{1,2}:.*",
)

EEE = Tool(
    name="ethtool --show-eee",
    split=_colon_lines,
    commands=rf"ethtool --show-eee {_DEV}",
    signature=r"\A\s*EEE [Ss]ettings for \S+:",
    lines=(
        sets(
            "EEE status:",
            "eee",
            choice(
                {
                    "enabled - active": True,
                    "enabled - inactive": True,
                    "disabled": False,
                    "not supported": False,
                }
            ),
        ),
    ),
    covers=("eee",),
    ignored=r"(?:Tx LPI|Supported EEE link modes|Advertised EEE link modes|Link partner advertised EEE link modes):.*",
)


def _permanent_address(answer: Answer) -> None:
    """The burnt-in address is by what the far end's LLDP knows a port, though a bond gave it another one."""
    for _, text in answer.lines():
        key, _, value = text.strip().partition(": ")
        if key.lower() == "permanent address" and answer.subject is not None:
            answer.collector.has_mac(answer.subject[1], value.strip())


def _plain(document: Document, own: Own) -> str:
    return _PERMANENT.sub(lambda found: found.group(1) + own.mac(found.group(2)), document.text)


_PERMANENT = re.compile(r"\A(Permanent address: )([0-9a-f]{2}(?::[0-9a-f]{2}){5})$", re.M)
ADDRESS = Tool(
    name="ethtool -P",
    split=_permanent_address,
    asks=True,
    plain=_plain,
    commands=rf"ethtool (?:-P|--show-permaddr) {_DEV}",
)
