"""Configurations of SPDK: the ToS byte that its initiators send with over RDMA, and paths and listeners that miss RDMA.

Source: spdk/spdk, schema/schema.yaml and doc/jsonrpc.md (bdev_nvme_set_options: transport_tos, 0 leaves it alone;
bdev_nvme_attach_controller, nvmf_create_transport, nvmf_subsystem_add_listener: trtype).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from roce_audit.platforms.linux.env import JOB, place
from roce_audit.platforms.linux.jobs.variables import STORAGE_BYTE
from roce_audit.platforms.shared.host.answers import Answer, Tool
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.text.structured.jsontext import JsonError, parse
from roce_audit.text.structured.nested import text_at, value_at

_ATTACHES = "bdev_nvme_attach_controller"
_CREATES = "nvmf_create_transport"
_LISTENS = "nvmf_subsystem_add_listener"


class _Call(NamedTuple):
    method: str
    params: Any
    way: tuple[str | int, ...]
    """Where its parameters stand."""


def _calls(document: Any) -> Iterator[_Call]:
    subsystems = value_at(document, "subsystems")
    for number, subsystem in enumerate(subsystems if isinstance(subsystems, list) else ()):
        listed = value_at(subsystem, "config")
        for index, call in enumerate(listed if isinstance(listed, list) else ()):
            way = ("subsystems", number, "config", index, "params")
            yield _Call(text_at(call, "method"), value_at(call, "params"), way)


def _read(answer: Answer) -> None:
    try:
        document = parse(answer.document.text)
    except JsonError:
        return
    answer.collector.launched = answer.collector.launched or place(answer, answer.document.first_line)
    calls = list(_calls(document.value))

    def tell(call: _Call, key: str, quote: str, meaning: str) -> None:
        at = place(answer, document.nearest_line_of((*call.way, *key.split("."))))
        answer.collector.seen.append(noticed("conflict", at, quote, meaning))

    for call in calls:
        byte = value_at(call.params, "transport_tos")
        if type(byte) is int and 0 < byte < 256:
            at = place(answer, document.nearest_line_of((*call.way, "transport_tos")))
            answer.collector.variable(STORAGE_BYTE, str(byte), at, JOB)
    attached = [call for call in calls if call.method == _ATTACHES]
    by_rdma = {text_at(call.params, "subnqn"): text_at(call.params, "traddr") for call in attached if _is(call, "RDMA")}
    for call in attached:
        address = by_rdma.get(text_at(call.params, "subnqn"))
        if address and _is(call, "TCP"):
            meaning = f"the same subsystem is reached by RDMA at another address ({address[:60]}), and here by TCP"
            tell(call, "trtype", '"trtype": "TCP"', meaning)
    made = {text_at(call.params, "trtype").upper() for call in calls if call.method == _CREATES}
    for call in calls:
        kind = text_at(call.params, "listen_address", "trtype").upper()
        if call.method == _LISTENS and kind and made and kind not in made:
            meaning = f"no transport {kind[:20]} is made here, as {min(made)[:20]} is: nothing listens at this address"
            tell(call, "listen_address.trtype", f'"trtype": "{kind[:20]}"', meaning)


def _is(call: _Call, kind: str) -> bool:
    return text_at(call.params, "trtype").upper() == kind


SPDK = Tool(
    name="spdk",
    split=_read,
    signature=r"\A\s{0,40}\{(?=[\s\S]{0,9000}?\"method\"\s{0,9}:\s{0,9}\"(?:bdev_nvme_(?:set_options|attach_controller)|nvmf_create_transport)\")"
    r"(?=[\s\S]{0,90000}?(?:\"transport_tos\"\s{0,9}:|\"trtype\"\s{0,9}:\s{0,9}\"(?i:rdma)\"))",
    words=('"subsystems"',),
    anywhere=True,
)
