"""The ToS byte of storage over RDMA, as `nvme connect` and its discovery.conf give it, and calls of SPDK and GPFS.

Sources: nvme-cli, nvme-connect(1): -t, --transport and -T, --tos; Linux, drivers/nvme/host/rdma.c: the byte goes to rdma_set_service_type;
spdk/spdk, rpc.py bdev_nvme_set_options (--transport-tos); IBM Storage Scale, mmchconfig (verbsRdmaRoCEToS).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_audit.platforms.linux.jobs.variables import LIKE_DSCPS
from roce_audit.platforms.shared.shell.commands import commands

CALLED = (
    r"(?:^[ \t]*(?:sudo )?nvme connect(?:-all)? (?:[^\n]{0,600}\\\n){0,10}"
    r"|\A(?:(?:#[^\n]{0,300})?\n){0,20}(?=(?:--transport=|-t[ =]?)\w)(?:[^\n]{0,600}\n){0,40}?(?:--transport=|-t[ =]?)rdma )"
    r"[^\n]{0,600}(?:--tos|-T)[ =]"
    r"|^[^#\n]{0,100}\bbdev_nvme_set_options (?:[^\n]{0,600}\\\n){0,10}[^\n]{0,600}--transport-tos[ =]"
    r"|^[^#\n]{0,100}\bmmchconfig [^#\n]{0,600}\bverbsRdmaRoCEToS=[0-9]"
)
"""Pattern of what may give one."""
WORDS = ("nvme connect", "=rdma", "-t rdma", "bdev_nvme_set_options", "mmchconfig ")
_CALL = re.compile(r"[^#\n]{0,100}\bnvme[ \t]+connect(?:-all)?[ \t]|[ \t]*(?:--transport=|-t[ =]?)rdma[ \t]")
_RDMA = re.compile(r"(?:--transport|-t)[= \t]{0,9}[\"']?rdma(?![\w-])")
_BYTE = re.compile(r"(?:--tos|(?<!\S)-T)[= \t]{0,9}[\"']?([0-9]{1,3})(?![\w.])")


_OF_SPDK = re.compile(
    r"[^#\n]{0,100}\bbdev_nvme_set_options[ \t](?:[^\n]{0,600}[ \t])?--transport-tos[= \t]{1,9}([0-9]{1,3})(?![\w.])"
)
_OF_GPFS = re.compile(r"[^#\n]{0,100}\bmmchconfig[ \t][^#\n]{0,600}?\bverbsRdmaRoCEToS=([0-9]{1,3})(?![\w.])")


def given(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(line, ToS byte) of the calls that connect by RDMA with one, and of SPDK's initiators."""
    for command in commands(texts):
        text = command.text
        connects = _CALL.match(text) is not None and _RDMA.search(text) is not None
        found = _BYTE.search(text) if connects else _OF_SPDK.match(text) or _OF_GPFS.match(text)
        if found is not None:
            yield command.number, int(found[1])


def slips(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """(line, what is wrong with it) of calls with another code point than an earlier one."""
    first: tuple[int, int] | None = None
    for number, byte in given(texts):
        if first is None:
            first = byte, number
        elif byte // 4 != first[0] // 4 and byte not in LIKE_DSCPS:  # those are told by a rule
            yield (
                number,
                f"it sends with DSCP {byte // 4}, and line {first[1] + 1} of this file with DSCP {first[0] // 4}",
            )
