"""Rules of udev that start a unit for each NIC, held against the netplan of the same host: the NIC that they leave out, and the one
that gets small packets.

Sources: udev(7) (`KERNEL==`, patterns with `|`), netplan reference (`ethernets`, `mtu`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import NamedTuple

from roce_audit.patterns import lazy
from roce_audit.sources.files import Candidate
from roce_audit.sources.loaded import Problem
from roce_audit.sources.repository.boot.callers import WANTS
from roce_audit.sources.repository.boot.hostfiles import HostFiles
from roce_audit.text.series import COUNTS, series
from roce_audit.text.structured.yamltext import YamlError, documents

_KERNEL = lazy(r"\b(?:KERNEL|NAME)==\"(?P<names>[^\"]{1,200})\"")
_ROOT = lazy(r"(?P<root>(?:.*/)?)(?:etc|usr/lib|lib)/udev/rules\.d/[^/]+\Z")
_NEEDED_BYTES = 4_192
"""The MTU of a network device with which its RDMA path MTU is 4,096 (Linux, include/rdma/ib_addr.h, iboe_get_mtu)."""


class _Network(NamedTuple):
    """What netplan says of one NIC."""

    path: str
    line: int
    mtu: int | None


def problems(rules: Candidate, here: HostFiles) -> Iterator[Problem]:
    """What a file of rules leaves out, or is undone by the network of the NICs that it is for."""
    root = _ROOT.match(rules.path)
    started = _started(rules, here) if root is not None else None
    if started is None or root is None:
        return
    line, unit, patterns = started
    texts = [here.text(one) for one in here.files if one.name == f"{unit}@.service"]
    sets_mtu = any("mtu" in text for text in (*texts, *(here.text(one) for text in texts for _, one in here.run(text))))
    networks = _networks(root["root"], here)
    for members in series(networks):
        of_rule = [name for name in members if any(fnmatchcase(name, pattern) for pattern in patterns)]
        if len(members) in COUNTS and len(members) - len(of_rule) == 1:
            lost = next(name for name in members if name not in of_rule)
            words = (
                f"{unit}@.service, which sets a NIC up, is started for {len(of_rule)} NICs such as {of_rule[0]}, not for {lost}, which "
                f"{networks[lost].path.rpartition('/')[2]}:{networks[lost].line} sets up as well"
            )
            yield Problem(rules.path, line, words, "conflict")
        if not sets_mtu:
            yield from _small(of_rule, networks, unit)


def _small(names: list[str], networks: dict[str, _Network], unit: str) -> Iterator[Problem]:
    """The one NIC of several whose network leaves RoCE small packets."""
    small = [name for name in names if (networks[name].mtu or 0) < _NEEDED_BYTES]
    if len(names) in COUNTS and len(small) == 1:
        its = networks[small[0]]
        said = "no MTU" if its.mtu is None else f"an MTU of {its.mtu:,} B"
        words = (
            f"{small[0]} gets {said}, and the other NICs that {unit}@.service is started for get {_NEEDED_BYTES:,} B or more, as a path "
            "MTU of 4,096 needs"
        )
        yield Problem(its.path, its.line, words, "conflict")


def _started(rules: Candidate, here: HostFiles) -> tuple[int, str, list[str]] | None:
    """(line, unit, patterns of names) of the only template that sets NICs up and is started; None where more decides than the name."""
    found: tuple[int, str, list[str]] | None = None
    for number, text in enumerate(here.text(rules).split("\n"), 1):
        wants = WANTS.search(text) if not text.lstrip().startswith("#") else None
        if wants is None:
            continue
        kernel = _KERNEL.search(text)
        template = next((one for one in here.files if one.name == f"{wants['unit']}@.service"), None)
        if kernel is None or template is None or not here.sets_up(here.text(template)):
            return None
        if found is not None and found[1] != wants["unit"]:
            return None
        found = found or (number, wants["unit"], [])
        found[2].extend(kernel["names"].split("|"))
    others = (one for one in here.files if one.name.endswith(".rules") and one.path != rules.path)
    is_alone = found is not None and not any(f"{found[1]}@" in here.text(one) for one in others)
    return found if is_alone else None


def _networks(root: str, here: HostFiles) -> dict[str, _Network]:
    """Name -> what the netplan of the host says of it."""
    found: dict[str, _Network] = {}
    for one in here.files:
        if not one.path.startswith(f"{root}etc/netplan/"):
            continue
        try:
            for document in documents(here.text(one), merge_keys=False):
                network = document.value.get("network") if isinstance(document.value, dict) else None
                listed = network.get("ethernets") if isinstance(network, dict) else None
                for name, its in listed.items() if isinstance(listed, dict) else ():
                    if isinstance(its, dict) and "match" not in its and re.fullmatch(r"[\w.-]{1,40}", str(name)):
                        mtu = its.get("mtu")
                        way = ("network", "ethernets", name, *(("mtu",) if mtu is not None else ()))
                        found[str(name)] = _Network(
                            one.path, document.line_of(way), mtu if isinstance(mtu, int) else None
                        )
        except YamlError:
            return {}
    return found
