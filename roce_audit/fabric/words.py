"""Words of labels and names, and which of them speak for or against RoCE."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from roce_audit.patterns import lazy

HINTS_AGAINST = frozenset(
    [
        "oob",
        "mgmt",
        "management",
        "bmc",
        "ipmi",
        "idrac",
        "ilo",
        "console",
        "kvm",
        "pdu",
        "jump",
        "jumphost",
        "bastion",
        "internet",
        "isp",
        "border",
        "wan",
        "firewall",
        "fw",
        "span",
        "monitor",
        "ptp",
        "uplink-customer",
    ]
)
HINTS_FOR = frozenset(["gpu", "rail", "rdma", "roce", "nvme", "storage", "dgx", "hgx"])
_OF_FCOE_TOO = frozenset(["storage"])
_NUMBER = lazy(r"\d+")
_TOKENS = lazy(r"[A-Za-z0-9-]+")
_LETTER = lazy(r"(?<![A-Za-z0-9])[C-Zc-z](?=\d\d)")
_WORDS = lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


class Label(NamedTuple):
    """What the words of a label say of a port."""

    kind: frozenset[str]
    """Its words without numbers and single letters, which tell one port of a kind from the next."""
    against: frozenset[str]
    """Those that speak against RoCE."""
    is_for: bool
    """Whether one speaks of RoCE, GPUs or storage."""
    is_for_rdma: bool
    """Whether one speaks of RoCE or GPUs; FCoE is storage as well."""
    is_fcoe: bool
    """Whether one speaks of Fibre Channel over Ethernet, which needs a lossless class without any RoCE."""


@lru_cache(65536)
def label(text: str) -> Label:
    """The words of a label, taken apart once; labels of the same words share them. One number in it is as good as another."""
    return _label(_NUMBER.sub("0", text[:256]))


@lru_cache(65536)
def _label(text: str) -> Label:
    pieces = [_piece(piece) for piece in text.split()]
    return Label(
        _shared(frozenset[str]().union(*[one.kind for one in pieces])),
        _shared(frozenset[str]().union(*[one.against for one in pieces])),
        any(one.is_for for one in pieces),
        any(one.is_for_rdma for one in pieces),
        any(one.is_fcoe for one in pieces),
    )


@lru_cache(65536)
def _piece(text: str) -> Label:
    """What stands between two blanks: names of devices and ports come in many labels."""
    words = words_of(text)
    kind = frozenset([word for word in words if len(word) > 1 and not word.isdigit()])
    against = (words | tokens_of(text)) & HINTS_AGAINST
    spoken_for = words & HINTS_FOR
    return Label(kind, against, bool(spoken_for), bool(spoken_for - _OF_FCOE_TOO), "fcoe" in text.lower())


@lru_cache(65536)
def _shared(words: frozenset[str]) -> frozenset[str]:
    return words


def role_letters(text: str) -> tuple[str, ...]:
    """Single letters before numbers of two digits or more (`ncn-m001` -> m), which tell what a machine is for; a and b are sides."""
    return tuple(letter.lower() for letter in _LETTER.findall(text[:256]))


def words_of(text: str) -> frozenset[str]:
    """The words of a label: camel case, underscores and digits separate (`BMCMgmt_Ethernet` -> bmc, mgmt, ethernet)."""
    return frozenset(word.lower() for word in _WORDS.findall(text[:256]))


def tokens_of(text: str) -> frozenset[str]:
    """The label cut at blanks and underscores only, in lower case: `iLO` and `uplink-customer` are one word each."""
    return frozenset(token.lower() for token in _TOKENS.findall(text[:256]))
