"""Storage that goes over RDMA: the ToS byte that Lustre, BeeGFS and 3FS are told to send with.

Sources: Whamcloud, Setting Type of Service (ToS) from o2iblnd (module parameter and tunable tos, handed to rdma_set_service_type);
BeeGFS, beegfs-client.conf (connRDMATypeOfService; 0 leaves it alone); deepseek-ai/3FS, src/common/net/ib/IBSocket.h and
IBConnect.cc (traffic_class, handed to the queue pair as it stands), configs/storage_main.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_audit.platforms.linux.env import JOB, place
from roce_audit.platforms.linux.variables import LIKE_DSCPS, STORAGE_BYTE
from roce_audit.platforms.shared.host.answers import Answer, Tool
from roce_audit.platforms.shared.host.collector import noticed

_BYTE = re.compile(
    r"[ \t]{0,40}(?:(?:default_)?traffic_class[ \t]{0,20}=[ \t]{0,20}([0-9]{1,3})"
    r"|connRDMATypeOfService[ \t]{0,40}=[ \t]{0,20}([1-9][0-9]{0,2})"
    r"|options[ \t]{1,9}ko2iblnd[ \t][^\n#]{0,400}?\btos=([0-9]{1,3})"
    r"|tos:[ \t]{1,9}([0-9]{1,3}))(?=[\s#]|$)"
)
_GROUP = re.compile(r"[ \t]{0,9}\[\[server\.base\.groups\]\]")
_TYPE = re.compile(r"[ \t]{0,9}network_type[ \t]{0,9}=[ \t]{0,9}[\"'](\w{1,20})[\"']")
_OF_DATA = re.compile(r"[ \t]{0,9}services[ \t]{0,9}=[ \t]{0,9}\[[^\]\n]{0,200}[\"'](?:StorageSerde|MetaSerde)[\"']")
_OVER_TCP = "this service of 3FS listens on TCP alone, so its clients do not use RDMA, for whose packets the file sets a traffic class"
_SWITCHED_OFF = re.compile(r"connUseRDMA[ \t]{0,40}=[ \t]{0,20}false\b", re.IGNORECASE)
_IN_VAIN = "RDMA is switched off, so this client sends over TCP, and the ToS byte of its RDMA packets (connRDMATypeOfService) says nothing"


def _read(answer: Answer) -> None:
    answer.collector.launched = answer.collector.launched or place(answer, answer.document.first_line)
    said = list(answer.lines())
    has_class = False
    for number, text in said:
        found = _BYTE.match(text)
        if found is None:
            continue
        has_class = True
        byte = next(value for value in found.groups() if value is not None)
        answer.collector.variable(STORAGE_BYTE, byte, place(answer, number), JOB)
        if int(byte) in LIKE_DSCPS:
            meaning = f"it is a ToS byte: {byte} is DSCP {int(byte) // 4}; four times the DSCP was meant"
            answer.collector.seen.append(noticed("conflict", place(answer, number), text.strip(), meaning))
    over_tcp = [(index, _OVER_TCP) for index in _over_tcp([text for _, text in said])]
    over_tcp += [
        (index, _IN_VAIN) for index, (_, text) in enumerate(said) if _SWITCHED_OFF.match(text.strip()) is not None
    ]
    for index, meaning in over_tcp if has_class else ():
        number, text = said[index]
        answer.collector.seen.append(noticed("conflict", place(answer, number), text.strip(), meaning))


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
    r"|^[ \t]*-[ \t]+net type:[ \t]+o2ib",
    words=("ibsocket]", "ib_devices]", "connRDMATypeOfService", "ko2iblnd", "net type:"),
    anywhere=True,
)
