"""How a NIC is set up at boot: the programs that scripts call, and what follows for settings that nobody makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from roce_audit.platforms.shared.host.claims import Facts
from roce_audit.values import Cell, Where, Why, known

PFC = "nic.persisted.pfc.priorities"
BY_TOOLS = (PFC, "nic.persisted.trust", "nic.persisted.dscp", "nic.persisted.nic.forced_traffic_class")
"""What NIC tools set at boot."""
DSCP = "nic.persisted.dscp"
MTU = "nic.persisted.ip_mtu_bytes"
ROCE = "nic.persisted.nic.roce"
RDMA = "_boot_rdma"
"""Note: RDMA is to run over the NIC."""
SOMEWHERE = "_boot_somewhere"
"""Note: a call was seen whose NIC could not be told."""
PLACES = "_boot_places"
"""Note: every place of boot files was read whole."""
MANAGER = "_boot_manager"
"""Note: whether a service runs that may set up NICs after the boot files."""
SINGLE = "_boot_pfc"
"""Note: PFC of one priority, as tools set it that leave the others as they are."""
_OF_FAMILY = "_boot_of_"


@dataclass(frozen=True)
class Program:
    """A program that scripts call to set NICs up, and what its options mean."""

    name: str
    """Pattern of its name."""
    settings: Callable[[str], Iterable[str]]
    """(options without the one that names the NIC) -> statements of boot files, such as `pfc-bit 3 on`; raises ValueError.
    A value is handed over as written: whether it can be understood is the statement's business."""
    nic: str = r"(?:^|\s)-i\s*(?P<net>\S+)"
    """Pattern of the option that names the NIC, with a group net, rdma or card."""
    family: str = ""
    """A call that names none is for all NICs of this family."""
    only_for: str = ""
    """The family of the NICs that it can set up: where a script names every NIC, it is nothing to the others."""


@dataclass(frozen=True)
class FamilyFile:
    """A file that sets all NICs of a family up at boot."""

    path: str
    """Pattern of its path."""
    family: str
    settings: Callable[[Sequence[str]], Iterable[tuple[int, str]]]
    """(its lines) -> (which line, statement of boot files); raises ValueError for a file that nobody can make sense of."""


def options(words: list[str]) -> Iterator[tuple[str, str]]:
    """(option, value) of `--priority 3 --no-drop=enable`; a word that no option asks for is an option with an empty value."""
    index = 0
    while index < len(words):
        name, equals, value = words[index].partition("=")
        index += 1
        if not equals and name.startswith("-") and index < len(words) and not words[index].startswith("--"):
            value = words[index]
            index += 1
        yield name, value


def of_family(facts: Facts, family: str) -> Facts:
    """The facts that hold for a NIC if it is one of this family."""
    return _Branch(facts, f"{_OF_FAMILY}{family}.")


class _Branch(Facts):
    """Claims of a condition: kept as notes until the NIC's family is known."""

    def __init__(self, facts: Facts, prefix: str) -> None:
        super().__init__()
        self._whole, self._prefix = facts, prefix

    def claim(self, path: str, value: object, *at: Where) -> None:
        self._whole.claim(self._prefix + path, value, *at)

    def claim_absent(self, path: str, *at: Where) -> None:
        self._whole.claim_absent(self._prefix + path, *at)

    def doubt(self, path: str, why: Why, *at: Where) -> None:
        self._whole.doubt(self._prefix + path, why, *at)


def adopt(facts: Facts, family: str) -> None:
    """What was said of all NICs of a family is said of this one."""
    for path in (*facts.below(f"{_OF_FAMILY}{family}"), *facts.doubted_below(f"{_OF_FAMILY}{family}")):
        cell = facts.cell(path)
        own = path.removeprefix(f"{_OF_FAMILY}{family}.")
        if cell is None:
            continue
        if cell.is_known:
            facts.claim(own, cell.value, *cell.at)
        elif cell.is_absent:
            facts.claim_absent(own, *cell.at)
        else:
            facts.doubt(own, cell.why or Why.NOT_PARSED, *cell.at)


def conclude(facts: Facts, *, keeps: bool = False) -> None:
    """Settle what no boot file was seen to set; `keeps`: the NIC has a memory of its own for its settings.

    Without any sign of boot files all of it stays not visible. Else nobody was seen to set it, which is absent: rules do not
    ask. Only PFC is certain to be off where every place was read and no other service sets up NICs: without a setting a NIC
    comes up without PFC, while trust and MTU are its driver's choice, or DHCP's.
    """
    _single_priorities(facts)
    places, manager = facts.cell(PLACES), facts.cell(MANAGER)
    if places is None and not any(facts.below("nic.persisted")) and not facts.doubted_below("nic.persisted"):
        return
    mapped = any(facts.cell(f"{DSCP}.{code}") is not None for code in range(64))
    codes = [f"{DSCP}.{code}" for code in range(64)] if mapped else [DSCP]
    for path in (*(path for path in BY_TOOLS if path != DSCP), *codes, MTU, ROCE):
        if facts.cell(path) is not None:
            continue
        somewhere = facts.cell(f"{SOMEWHERE}.{DSCP if path in codes else path}")
        unclear = next((cell for cell in (places, manager) if cell is not None and cell.is_unknown), None)
        if unclear is not None and path == PFC:
            facts.put(path, unclear)
        elif somewhere is not None:
            facts.doubt(path, Why.NOT_VISIBLE, *somewhere.at)
        elif path == PFC and not keeps and places is not None and manager is not None and manager.value is False:
            facts.claim(path, frozenset(), *places.at)
        else:
            facts.claim_absent(path)


def _single_priorities(facts: Facts) -> None:
    """Priorities that were set one by one: the others come up as they are, without PFC."""
    bits = {int(path.rpartition(".")[2]): facts.cell(path) for path in facts.below(SINGLE)}
    bits |= {n: doubt for n in range(8) if (doubt := facts.cell(f"{SINGLE}.{n}")) is not None}
    if not bits:
        return
    whole = facts.cell(PFC)
    cells: list[Cell[bool]] = [cell for cell in bits.values() if cell is not None]
    cells.sort(key=lambda cell: not cell.or_else(False))  # what is on decides
    not_known = next((cell for cell in (*cells, whole) if cell is not None and cell.is_unknown), None)
    if not_known is not None:
        facts.put(PFC, not_known)
        return
    base = whole.get() if whole is not None and whole.is_known else frozenset()
    on = frozenset(n for n, cell in bits.items() if cell is not None and cell.get())
    off = frozenset(bits) - on
    at = tuple(where for cell in (*cells, *((whole,) if whole is not None else ())) for where in cell.at)
    facts.put(PFC, known((base | on) - off, *dict.fromkeys(at)))
