"""Reserved names of forwarding classes whose place a class of another name has taken."""

from __future__ import annotations

from collections.abc import Iterable

from roce_audit.platforms.shared.references import Name
from roce_audit.platforms.srlinux.table import BUILTIN, TABLE
from roce_audit.text.statements.rows import Leaf

_CLASS = "forwarding-class"


def replaced(statements: Iterable[str]) -> dict[Name, str]:
    """fc0 to fc7 that no statement may name any more, and why, from the statements below `qos`.

    Nokia SR Linux Quality of Service Guide 24.10, Named queues and forwarding classes: once a class of another name has the
    queue index 3, configuration that refers to fc3 fails.
    """
    indices = {f"unicast-{number}": number for number in range(8)}
    queues: dict[str, str] = {}
    for text in statements:
        leaf = TABLE.parse("qos", text).value
        if isinstance(leaf, Leaf) and leaf.name == "queues queue * queue-index" and isinstance(leaf.value, int):
            indices[str(leaf.keys[0])] = leaf.value
        elif isinstance(leaf, Leaf) and leaf.name == "forwarding-classes forwarding-class * output unicast-queue":
            queues[str(leaf.keys[0])] = str(leaf.value)
    found: dict[Name, str] = {}
    for name, queue in queues.items():
        reserved = f"fc{indices.get(queue)}"
        if (_CLASS, reserved) in BUILTIN and reserved not in queues:
            text = f"forwarding class {reserved} is used here, but the class of queue {queue}, of the same index, is {name}"
            found.setdefault((_CLASS, reserved), text)
    return found
