"""Files of netplan, nmstate, cloud-init, systemd-networkd, udev links and NetworkManager in a repository, without the host they are for.

A file that says of a NIC what matters here is a setup, as a script is. That RDMA is to run over it is known by PFC in the same
file, or by the NIC's name.
"""

from __future__ import annotations

import re

from roce_audit import platforms
from roce_audit.platforms.linux.boot import conf as bootconf
from roce_audit.platforms.linux.boot import vlanlinks
from roce_audit.platforms.linux.boot.calls import PlacedCall
from roce_audit.platforms.linux.boot.files import (
    BootFile,
    Reader,
    is_comment,
    read_ifcfg,
    read_netplan,
    read_sections,
    stanzas,
)
from roce_audit.platforms.linux.setups.files import FAMILY_FILES, begin, unclear
from roce_audit.platforms.linux.setups.networkcalls import calls
from roce_audit.platforms.shared.host.answers import Answer, Tool
from roce_audit.platforms.shared.host.tools import family_files

_SECTION = r"^\[(?:Match|Link|NetDev|Network|connection|ethernet|dcb|ethtool)\]"
_SETS = (
    r"^(?:(?:MTUBytes|[RT]xFlowControl|mtu|pause-[rt]x|priority-flow-control|egress-priority-map|parent)[ \t]{0,9}="
    r"|Kind[ \t]{0,9}=[ \t]{0,9}vlan[ \t]{0,9}$)"
)
_NETPLAN = (
    r"(?:network:|\{?[ \t]{0,9}[\"']?(?:network|version)[\"']?:)(?=[\s\S]{0,19000}?\bmtu[\"']?:[ \t]{0,9}[\"'0-9*&])"
    r"(?=[\s\S]{0,4000}?(?:[\s{,\"'](?:ethernets|bonds|vlans)[\"']?:|^[ \t]{0,9}config:[ \t]{0,9}\r?\n[ \t]{0,9}- ))"
)
"""netplan, and the network configuration of cloud-init, which has its second form."""
_NMSTATE = (
    r"interfaces:[ \t]{0,9}\r?\n(?=[\s\S]{0,4000}?^[ \t-]{0,20}type:[ \t]{0,9}(?:ethernet|bond|vlan)\b)"
    r"(?=[\s\S]{0,19000}?(?:\bmtu:[ \t]{0,9}\d|\bpause:))"
)
_VARIABLE = re.compile(r"[A-Z_]{2,40}=")
_IFCFG = r"(?=[A-Z_]{2,40}=)(?=[\s\S]{0,4000}?^DEVICE=)(?=[\s\S]{0,4000}?^(?:MTU|VLAN_EGRESS_PRIORITY_MAP)=)"
_ABOVE = r"\A(?:[ \t]{0,20}(?:[#;][^\n]{0,300}|---)?\r?\n){0,40}"


def _split(answer: Answer) -> None:
    scripts = begin(answer)
    file = BootFile()
    said = [(number, text) for number, text in answer.lines() if not is_comment(text)]
    first = said[0][1] if said else ""
    read: Reader = read_sections if first.startswith("[") else read_netplan
    if _VARIABLE.match(first):
        read = read_ifcfg
    if read is read_netplan:
        vlanlinks.tell(answer)
    for number, text in said:
        read(answer, file, f"/{answer.document.path}", number, text)
    for key, stanza in stanzas(file).items():
        for call in calls(key, stanza):  # of several files of netplan the last one counts, for each setting
            scripts.calls = [one for one in scripts.calls if one.answer is call.answer or one.sets != call.sets]
            scripts.calls.append(call)


NETWORK_FILE = Tool(
    name="network file",
    split=_split,
    signature=rf"{_ABOVE}(?:{_NETPLAN}|{_NMSTATE}|{_IFCFG}|(?={_SECTION})(?=[\s\S]{{0,19000}}?{_SETS}))",
)


def _of_family(answer: Answer) -> None:
    """A file that sets all NICs of a family up."""
    scripts = begin(answer)
    said = [(number, text) for number, text in answer.lines() if not is_comment(text)]
    text = "\n".join(line for _, line in said)
    names = {one.name for one in platforms.every() if one.nics.begins and re.match(one.nics.begins, text)}
    for file in family_files():
        if (file.of_platform or file.family) in names:
            try:
                found = list(file.settings([text for _, text in said]))
            except ValueError as error:
                number = next((number for number, text in said if text == str(error)), said[0][0])
                unclear(answer, number, str(error))
                return
            for index, statement in [*found, *((index, "rdma") for index, _ in found[:1])]:
                call = PlacedCall(said[index][0], "family", file.family, statement, label="every NIC", answer=answer)
                scripts.calls.append(call)


FAMILY_FILE = Tool(name="nic family file", split=_of_family, signature=rf"{_ABOVE}{FAMILY_FILES}")


def _of_lldpad(answer: Answer) -> None:
    """The store of lldpad, which sets an interface up where it runs."""
    scripts = begin(answer)
    lines = [(answer, number, text) for number, text in answer.lines() if not is_comment(text)]
    for _, number, name, statement in bootconf.stored_settings(lines):
        scripts.calls.append(PlacedCall(number, "net", name, statement, answer=answer))


STORE = Tool(
    name="lldpad store",
    split=_of_lldpad,
    signature=rf"{_ABOVE}[ \t]{{0,20}}\"?(?:lldp|dcbx)\"?[ \t]{{0,9}}[:=](?=[\s\S]{{0,19000}}?\btlvid0080c20[bc]\b)",
)

TOOLS = (NETWORK_FILE, FAMILY_FILE, STORE)
