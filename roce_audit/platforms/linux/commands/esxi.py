"""ESXi: `esxcli network nic dcb status get -n vmnicN`, what DCB runs on an adapter, and the parameters of a NIC's module.

Source: Broadcom knowledge base 326624 (vSAN, RDMA configuration health), and what administrators show of it; VMware, esxcli reference,
system module parameters list (columns Name, Type, Value, Description).
"""

from __future__ import annotations

import re

from roce_audit.platforms.linux.boot.calls import PlacedCall, settings
from roce_audit.platforms.linux.boot.files import Boot, boot_of
from roce_audit.platforms.linux.setups.files import in_force
from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.words import choice, integer, one_of, shape
from roce_audit.values import At

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_BITS = {"0": False, "1": True}
_READ = ("Nic Name", "PFC Enabled", "PFC Configuration", "Willing Bit In ETS Config TLV")


def _split(answer: Answer) -> None:
    """`   PFC Configuration: 0 0 0 1 0 0 0 0` below `   Nic Name: vmnic4`; where PFC is off, its priorities are none."""
    is_on, about = True, answer.subject
    for number, line in answer.lines():
        key, _, value = line.strip().partition(": ")
        if key not in _READ:
            continue
        if key == "Nic Name":
            about = ("net", value) if _NAME.fullmatch(value) else None
            continue
        if key == "PFC Enabled":
            is_on = value != "false"
            continue
        if key == "PFC Configuration" and not is_on:
            value = " ".join("0" * 8)
        answer.say(f"{key.replace(' ', '_')} {value}", number, about)


def _priorities(nic: NicSettings, text: str, at: At) -> None:
    bits = [one_of(word, _BITS) for word in text.split(" ")]
    if len(bits) != len(_BITS) * 4:
        raise ValueError(text)
    nic.set("pfc.priorities", frozenset(number for number, bit in enumerate(bits) if bit), at)


def _willing(nic: NicSettings, text: str, at: At) -> None:
    nic.set("dcbx.willing", one_of(text, _BITS), at)


DCB = Tool(
    name="esxcli dcb",
    split=_split,
    commands=r"esxcli network nic dcb status get (?:-n|--nic-name)[ =]?(?P<net>\S+)",
    signature=r"^ *Nic Name: \S{1,64}\n(?:[^\n]{0,80}\n){1,12}? *PFC Configuration: ",
    words=("PFC Configuration: ",),
    lines=(
        Line("PFC_Configuration", ("pfc.priorities",), _priorities),
        Line("Willing_Bit_In_ETS_Config_TLV", ("dcbx.willing",), _willing),
    ),
    covers=("pfc.priorities",),
)

_RDMA_ROW = re.compile(
    r"(vmrdma[0-9]{1,3})[ \t]+([\w-]{1,40})[ \t]+(Active|Down)[ \t]+([0-9]{3,4})[ \t]+[0-9]{1,4} [KMGT]bps"
    r"[ \t]+(vmnic[0-9]{1,3})(?:[ \t]|$)"
)
_PAUSE_ROW = re.compile(
    r"(vmnic[0-9]{1,3})[ \t]+(?:true|false)[ \t]+(true|false)[ \t]+(true|false)[ \t]+(?:true|false)(?:[ \t]|$)"
)


def _hear(answer: Answer) -> Boot:
    """What is known of the host's modules; what one of them forces holds for the adapters below its RDMA devices."""
    boot = boot_of(answer)
    if not boot.forced and not boot.uplinks:
        answer.collector.at_end.append(lambda: _say_forced(boot))
    return boot


def _say_forced(boot: Boot) -> None:
    for uplink, module in boot.uplinks.items():
        if module in boot.forced:
            answer, number, code = boot.forced[module]
            answer.say(f"traffic_class {code * 4}", number, ("net", uplink), RDMA_DEVICES.name)


def _rdma_devices(answer: Answer) -> None:
    """`vmrdma0  nmlx5_rdma  Active  4096  100 Gbps  vmnic4  MT28841 Family`: the device, its path MTU, and the uplink below it."""
    for number, text in answer.lines():
        row = _RDMA_ROW.match(text.strip())
        if row is not None:
            device, module, state, mtu, uplink = row.groups()
            _hear(answer).uplinks[uplink] = module
            answer.say(f"device {device}", number, ("net", uplink))
            if state == "Active":
                answer.say(f"mtu {mtu}", number, ("net", uplink))


RDMA_DEVICES = Tool(
    name="esxcli rdma",
    split=_rdma_devices,
    commands=r"esxcli rdma device list\b.*",
    lines=(
        sets("device", "nic.rdma_device", shape(r"vmrdma[0-9]{1,3}")),
        sets("traffic_class", "nic.forced_traffic_class", integer(0, 255)),
        sets("mtu", "nic.rdma_mtu_bytes", choice({str(size): size for size in (256, 512, 1024, 2048, 4096)})),
    ),
)


def _pauses(answer: Answer) -> None:
    """`vmnic4  true  false  false  true ...`: what is set for pause of the whole link, received and sent."""
    for number, text in answer.lines():
        row = _PAUSE_ROW.match(text.strip())
        if row is not None:
            answer.say(f"RX {row[2]}", number, ("net", row[1]))
            answer.say(f"TX {row[3]}", number, ("net", row[1]))


_TRUTH = choice({"true": True, "false": False})
PAUSES = Tool(
    name="esxcli pause",
    split=_pauses,
    commands=r"esxcli network nic pauseParams list\b.*",
    lines=(sets("RX", "link_pause_rx", _TRUTH), sets("TX", "link_pause_tx", _TRUTH)),
)

_MODULE = re.compile(r"\s(?:-m|--module)[ =]?([\w-]{1,40})")
_PARAMETER = re.compile(
    r"(pfc[rt]x|trust_state|dscp_force)[ \t]+(?:u?int|string)[ \t]+(0x[0-9a-fA-F]{1,8}|[0-9]{1,8})(?:[ \t]{2}|$)"
)
_LAST_DSCP = 63
_SAID_BY = {"pfc-sent": "pfctx", "pfc-obeyed": "pfcrx", "traffic_class": "dscp_force"}
"""Lead of a statement -> the parameter that says it; what is said of both directions stands at the first of the two."""


def _parameters(answer: Answer) -> None:
    """What the module of all NICs of a family is told: a script that set the same would be read alike."""
    module = _MODULE.search(answer.document.command or "")
    rows = {m[1]: (m[2], number) for number, text in answer.lines() if (m := _PARAMETER.match(text)) is not None}
    if module is None or not rows:
        return
    adds = "" if rows.keys() >= {"pfctx", "pfcrx"} else "-a "
    said = " ".join(f"{name}={value}" for name, (value, _) in rows.items())
    scripts = in_force(answer)
    code, line = rows.get("dscp_force", ("", 0))
    forced = int(code, 16 if code.startswith("0x") else 10) if code else _LAST_DSCP + 1
    if forced <= _LAST_DSCP:
        _hear(answer).forced[module[1]] = answer, line, forced
    for kind, device, statement, family in settings(
        f'esxcli system module parameters set {adds}-m {module[1]} -p "{said}"'
    ):
        lead = statement.partition(" ")[0]
        name = _SAID_BY.get(lead, "trust_state" if lead in ("trust", "eighths") else "pfctx")
        _, number = rows.get(name) or next(iter(rows.values()))
        scripts.calls.append(PlacedCall(number, kind, device, statement, family=family, answer=answer))


PARAMETERS = Tool(
    name="esxcli module parameters",
    split=_parameters,
    commands=r"esxcli system module parameters list\b.*",
)

TOOLS = (DCB, RDMA_DEVICES, PAUSES, PARAMETERS)
