"""What the far end offers by its ETS TLVs: the share of the bandwidth that each priority is to have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

STRICT = 100
"""The share of a priority that is served first: nothing keeps it from the whole link."""
_STRICT, _ETS = 0, 2


def by_priority(classes: Sequence[int], percents: Sequence[int], algorithms: Sequence[int]) -> tuple[int, ...] | None:
    """Percent of the traffic class that each of eight priorities is in; None where the TLV does not say all of it.

    Algorithms are numbered as IEEE 802.1Q-2018, table D-5, does: 0 strict priority, 2 ETS; of others nobody knows a share.
    """
    if not (len(classes) == len(percents) == len(algorithms) == 8) or any(not 0 <= number < 8 for number in classes):
        return None
    if any(algorithms[number] not in (_STRICT, _ETS) for number in classes):
        return None
    return tuple([STRICT if algorithms[number] == _STRICT else percents[number] for number in classes])


def of_octets(octets: Iterable[int]) -> tuple[int, ...] | None:
    """The same from the octets of an ETS configuration or recommendation TLV (annexes D.2.9 and D.2.10)."""
    found = list(octets)
    if len(found) != 21:
        return None
    classes = [number for octet in found[1:5] for number in (octet >> 4, octet & 15)]
    return by_priority(classes, found[5:13], found[13:21])
