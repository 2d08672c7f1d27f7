"""The PCIe tree of a host: which NICs share a PCIe switch with a GPU."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.document import Document

_GPU_VENDORS = {
    "0x10de": ("0x0300", "0x0302"),
    "0x1002": ("0x0300", "0x0302", "0x0380", "0x1200"),
    "0x8086": ("0x0302", "0x0380"),
    "0x1da3": ("0x1200",),
}
"""PCI vendor -> classes of its GPUs and accelerators (pci.ids; PCI Code and ID Assignment: 0300 VGA, 0302 3D controller,
0380 display controller, 1200 processing accelerator). The graphics of a board's management chip are none of them."""

_ADDRESS = lazy(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")


@dataclass(frozen=True, slots=True)
class Function:
    """A PCI function: the bridges above it, from the root port on, and how many lines into its document that was said."""

    bridges: tuple[str, ...]
    offset: int


@dataclass
class PcieTree:
    """What was said of the PCI functions of a host."""

    functions: dict[str, Function] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    """Address -> the document that tells of the function."""
    classes: dict[str, str] = field(default_factory=dict)
    vendors: dict[str, str] = field(default_factory=dict)
    unclear: tuple[Document, int] | None = None
    """A line about the tree that was not understood: it may be about a GPU."""

    def add(self, path: str, document: Document, line: int) -> bool:
        """A function by its path below /sys/devices; False when it is none.

        `pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:00.0/0000:18:00.0`: host bridge, root port, switch, function.
        """
        steps = path.split("/")
        if not steps[0].startswith("pci") or not all(map(_ADDRESS.fullmatch, steps[1:])) or len(steps) < 2:
            return False
        self.functions[steps[-1]] = Function(tuple(steps[1:-1]), line - document.first_line)
        self.documents[steps[-1]] = document
        return True

    @property
    def is_told(self) -> bool:
        """Whether anything was said."""
        return bool(self.functions or self.classes or self.vendors)

    def take(self, told: PcieTree, document: Document) -> None:
        """Everything that another tree was told of a document with the same text as this one."""
        self.functions.update(told.functions)
        self.documents.update(dict.fromkeys(told.functions, document))
        self.classes.update(told.classes)
        self.vendors.update(told.vendors)

    def place(self, address: str) -> tuple[Document, int]:
        """The document and line that tell of a function."""
        document = self.documents[address]
        return document, document.first_line + self.functions[address].offset

    @property
    def gpus(self) -> tuple[str, ...]:
        """Addresses of the GPUs."""
        return tuple(
            address
            for address, code in self.classes.items()
            if code[:6] in _GPU_VENDORS.get(self.vendors.get(address, ""), ())
        )

    def gpu_near(self, address: str, gpus: Iterable[str]) -> str | None:
        """The first of these GPUs behind the same root port; "" where there is none, None where the function was not seen.

        One root port leads to two devices only over a switch.
        """
        mine = self.functions.get(address)
        if mine is None:
            return None
        for gpu in gpus:
            other = self.functions.get(gpu)
            if other is not None and mine.bridges and other.bridges and mine.bridges[0] == other.bridges[0]:
                return gpu
        return ""
