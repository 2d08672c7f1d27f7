"""Storage that goes over RDMA: the ToS byte that Lustre, BeeGFS, Ceph, GPFS, 3FS and Mayastor are told to send with, and paths that miss
RDMA.

Sources: Whamcloud, Setting Type of Service (ToS) from o2iblnd (module parameter and tunable tos, handed to rdma_set_service_type);
BeeGFS, beegfs-client.conf (connRDMATypeOfService; 0 leaves it alone); deepseek-ai/3FS, src/common/net/ib/IBSocket.h and
IBConnect.cc (traffic_class, handed to the queue pair as it stands), configs/storage_main.toml; ceph/ceph, RDMAConnectedSocketImpl.cc
(ms_async_rdma_dscp, handed over as traffic class), Infiniband.cc (ms_async_rdma_gid_idx), legacy_config_opts.h (ms_async_rdma_roce_ver, 0:
RoCEv1), ms_type; IBM Storage Scale, mmchconfig (verbsRdma, verbsRdmaRoCEToS, verbsPorts: device/port/fabric; over Ethernet connections are
made by the RDMA connection manager alone, verbsRdmaCm); nvme-cli, config.json (subsystems, ports, transport); openebs/mayastor-extensions,
chart/values.yaml (io_engine.nvme.transportTos, handed to the io-engine as NVME_TRANSPORT_TOS).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_audit.platforms.linux.env import JOB, place
from roce_audit.platforms.linux.jobs.variables import LIKE_DSCPS, STORAGE_BYTE, STORAGE_DEVICES, STORAGE_GIDS
from roce_audit.platforms.shared.host.answers import Answer, Tool
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.text.structured.jsontext import JsonError, parse
from roce_audit.text.structured.nested import text_at, value_at

_CEPH = r"ms[_ -]async[_ -]rdma[_ -]{}[ \t]{{0,40}}=[ \t]{{0,20}}"
_BYTE = re.compile(
    r"[ \t]{0,40}(?:(?:default_)?traffic_class[ \t]{0,20}=[ \t]{0,20}([0-9]{1,3})"
    rf"|{_CEPH.format('dscp')}([0-9]{{1,3}})"
    r"|connRDMATypeOfService[ \t]{0,40}=[ \t]{0,20}([1-9][0-9]{0,2})"
    r"|options[ \t]{1,9}ko2iblnd[ \t][^\n#]{0,400}?\btos=([0-9]{1,3})"
    r"|tos:[ \t]{1,9}([0-9]{1,3})"
    r"|transportTos:[ \t]{1,9}[\"']?([1-9][0-9]{0,2})[\"']?"
    r"|verbsRdmaRoCEToS[ \t]{1,40}([0-9]{1,3}))(?=[\s#]|$)"
)
_GID_INDEX = re.compile(rf"[ \t]{{0,40}}{_CEPH.format('gid[_ -]idx')}([0-9]{{1,3}})(?=[\s#;]|$)")
_LOCAL_GID = re.compile(_CEPH.format("local[_ -]gid") + r"[^\s#;]")
"""Older releases look for this address in the table instead."""
_DEVICE = re.compile(
    rf"[ \t]{{0,40}}(?:{_CEPH.format('device[_ -]name')}([A-Za-z]\w{{0,40}})(?=[\s#;]|$)"
    r"|verbsPorts[ \t]{1,40}([A-Za-z]\w{0,40}(?:/[0-9]{1,3}){0,2}(?:[ \t]{1,9}[A-Za-z]\w{0,40}(?:/[0-9]{1,3}){0,2}){0,31})[ \t]*$)"
)
_GROUP = re.compile(r"[ \t]{0,9}\[\[server\.base\.groups\]\]")
_TYPE = re.compile(r"[ \t]{0,9}network_type[ \t]{0,9}=[ \t]{0,9}[\"'](\w{1,20})[\"']")
_OF_DATA = re.compile(r"[ \t]{0,9}services[ \t]{0,9}=[ \t]{0,9}\[[^\]\n]{0,200}[\"'](?:StorageSerde|MetaSerde)[\"']")
_OVER_TCP = "this service of 3FS listens on TCP alone, so its clients do not use RDMA, for whose packets the file sets a traffic class"
_SWITCHED_OFF = re.compile(
    r"connUseRDMA[ \t]{0,40}=[ \t]{0,20}false\b|verbsRdma(?:Cm)?[ \t]{1,40}disable\b"
    r"|ms[_ -](?:cluster[_ -])?type[ \t]{0,40}=[ \t]{0,20}async\+posix\b",
    re.IGNORECASE,
)
_CEPH_BY_RDMA = re.compile(
    r"^[ \t]{0,40}ms[_ -](?:(?:cluster|public)[_ -])?type[ \t]{0,40}=[ \t]{0,20}async\+rdma\b", re.MULTILINE
)
_IN_VAIN = "RDMA is switched off, so this client sends over TCP, and the ToS byte that the file gives its RDMA packets says nothing"
_CEPH_UNROUTED = (
    (
        re.compile(_CEPH.format("roce[_ -]ver") + r"0(?!\d)"),
        "0 is RoCEv1 here: its packets have no IP header, so no DSCP, and no router forwards them (RoCEv2 is 1)",
    ),
    (
        re.compile(_CEPH.format("local[_ -]gid") + r"fe80:", re.IGNORECASE),
        "it is a link-local address: good on one link only, and another one on each NIC",
    ),
)


def _read(answer: Answer) -> None:
    answer.collector.launched = answer.collector.launched or place(answer, answer.document.first_line)
    said = list(answer.lines())
    first = ""
    for number, text in said:
        byte = hear_byte(answer, number, text)
        if not byte:
            continue
        if int(byte) in LIKE_DSCPS and byte != (first or byte):  # the first one is told by what it is
            meaning = f"it is a ToS byte: {byte} is DSCP {int(byte) // 4}; four times the DSCP was meant"
            answer.collector.seen.append(noticed("conflict", place(answer, number), text.strip(), meaning))
        first = first or byte
    _devices(answer, said)
    over_tcp = [(index, _OVER_TCP) for index in _over_tcp([text for _, text in said])]
    is_ceph_by_rdma = _CEPH_BY_RDMA.search(answer.document.text) is not None
    over_tcp += [
        (index, _IN_VAIN)
        for index, (_, text) in enumerate(said)
        if _SWITCHED_OFF.match(text.strip()) is not None and not is_ceph_by_rdma
    ]
    unrouted = [
        (index, meaning)
        for index, (_, text) in enumerate(said)
        for pattern, meaning in _CEPH_UNROUTED
        if pattern.match(text.strip()) is not None
    ]
    for index, meaning in (*(over_tcp if first else ()), *(unrouted if first or is_ceph_by_rdma else ())):
        number, text = said[index]
        answer.collector.seen.append(noticed("conflict", place(answer, number), text.strip(), meaning))


def hear_byte(answer: Answer, number: int, text: str) -> str:
    """The ToS byte that a line gives a storage client, if it gives one."""
    found = _BYTE.match(text)
    byte = next((value for value in found.groups() if value is not None), "") if found is not None else ""
    if byte:
        answer.collector.variable(STORAGE_BYTE, byte, place(answer, number), JOB)
    return byte


_LNET = re.compile(r"[ \t]{0,20}options[ \t]{1,9}lnet[ \t]")
_BY_RDMA = re.compile(r"\bo2ib[0-9]{0,4}\(([\w., \[\]-]{1,200})\)")
_WITHOUT_RDMA = "LNet is to use RDMA over {}, and no RDMA device of this host is that of {}: this network of Lustre does not come up"


def hear_lustre(answer: Answer, number: int, text: str) -> None:
    """What a line of modprobe.d tells Lustre on this host: its ToS byte, or the network devices that LNet uses RDMA over."""
    hear_byte(answer, number, text)
    if _LNET.match(text) is None:
        return
    listed = [name.partition("[")[0].strip() for found in _BY_RDMA.findall(text) for name in found.split(",")]

    def say() -> None:
        """The same by the names of the RDMA devices, which all answers together give; bonds and VLANs have those of others."""
        collector = answer.collector
        rdma = {netdev: device for device, netdev in collector.rdma_netdev.items()}
        for name in listed:
            nic = collector.nics.get(name)
            if rdma and nic is not None and nic.pci and name not in rdma:
                meaning = _WITHOUT_RDMA.format(name, name)
                collector.seen.append(noticed("conflict", place(answer, number), text.strip(), meaning))
        named = [rdma[name] for name in listed if name in rdma]
        if named and len(named) == len(listed):
            collector.variable(STORAGE_DEVICES, f"={','.join(named)}", place(answer, number), JOB)

    answer.collector.at_end.append(say)


def _devices(answer: Answer, said: Sequence[tuple[int, str]]) -> None:
    """The RDMA devices that are to be used, and the entry of their GID tables; of sections that differ nobody knows whose they are."""
    by_index = not any(_LOCAL_GID.match(text.strip()) for _, text in said)
    for name, pattern in ((STORAGE_GIDS, _GID_INDEX), (STORAGE_DEVICES, _DEVICE)):
        found = [(number, match) for number, text in said if (match := pattern.match(text)) is not None]
        if len({match.groups() for _, match in found}) == 1 and (by_index or pattern is _DEVICE):
            number, match = found[0]
            value = next(group for group in match.groups() if group is not None)
            ports = ",".join(":".join(one.split("/")[:2]) for one in value.split())
            answer.collector.variable(name, ports if pattern is _GID_INDEX else f"={ports}", place(answer, number), JOB)


def _over_tcp(texts: Sequence[str]) -> Iterator[int]:
    """Lines by which a group of services that carries data of 3FS listens on TCP."""
    kind: tuple[str, int] | None = None
    carries_data = False
    for index, text in enumerate((*texts, "[[server.base.groups]]")):
        if _GROUP.match(text) is not None:
            if kind is not None and kind[0] == "TCP" and carries_data:
                yield kind[1]
            kind, carries_data = None, False
        elif (found := _TYPE.match(text)) is not None:
            kind = found[1], index
        elif _OF_DATA.match(text) is not None:
            carries_data = True


STORAGE = Tool(
    name="storage client",
    split=_read,
    signature=r"^\[{1,2}[\w.]{1,100}\.(?:ibsocket|ib_devices)\]|^connRDMATypeOfService[ \t]*=|^options[ \t]+ko2iblnd[ \t]"
    r"|^[ \t]*-[ \t]+net type:[ \t]+o2ib|^[ \t]*ms[_ -]async[_ -]rdma[_ -](?:dscp|gid[_ -]idx|device[_ -]name)[ \t]*="
    r"|^verbs(?:RdmaRoCEToS|Ports)[ \t]|^[ \t]+transportTos:[ \t]{1,9}[\"']?[1-9]",
    words=(
        "ibsocket]",
        "ib_devices]",
        "connRDMATypeOfService",
        "ko2iblnd",
        "net type:",
        "rdma_dscp",
        "rdma dscp",
        "RoCEToS",
        "rdma_gid",
        "rdma gid",
        "rdma_device",
        "rdma device",
        "verbsPorts",
        "transportTos:",
    ),
    commands=r"(?:/usr/lpp/mmfs/bin/)?mmlsconfig(?: [\w.-]{1,40})?",
    anywhere=True,
)


def _paths(answer: Answer) -> None:
    """Say where a subsystem of NVMe is reached by RDMA on one path and by TCP on another: multipath takes both."""
    try:
        document = parse(answer.document.text)
    except JsonError:
        return
    several = isinstance(document.value, list)
    for number, host in enumerate(document.value if several else [document.value]):
        its = value_at(host, "subsystems")
        for index, subsystem in enumerate(its if isinstance(its, list) else ()):
            listed = value_at(subsystem, "ports")
            kinds = [text_at(one, "transport") for one in listed] if isinstance(listed, list) else []
            if "rdma" in kinds and "tcp" in kinds:
                way = (*((number,) if several else ()), "subsystems", index, "ports", kinds.index("tcp"), "transport")
                address = text_at(listed, kinds.index("rdma"), "traddr")[:60]
                meaning = f"the same subsystem is reached by RDMA at another address ({address}), and here by TCP: multipath takes both"
                at = place(answer, document.nearest_line_of(way))
                answer.collector.seen.append(noticed("conflict", at, '"transport": "tcp"', meaning))


NVME = Tool(
    name="nvme paths",
    split=_paths,
    signature=r"\A\s{0,40}[\[{](?=[\s\S]{0,9000}?\"subsystems\"\s{0,9}:)(?=[\s\S]{0,9000}?\"transport\"\s{0,9}:\s{0,9}\"rdma\")",
    words=('"subsystems"',),
)
