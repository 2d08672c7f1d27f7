"""The pages below `platforms/generated/`: from each statement of a platform to the model, to the rules, to the sources."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from roce_audit import platforms
from roce_audit.engine.conditions.kinds import kind_of
from roce_audit.engine.rules import rulepack
from roce_audit.model import Device, Host, Port, joined
from roce_audit.model.base import doc, documentation, element_of, fact_types, inside_cell, model
from roce_audit.model.device import Observation
from roce_audit.model.flowcontrol import Dcbx, Pfc, Watchdog
from roce_audit.model.nic import Dcqcn
from roce_audit.model.port import Nic
from roce_audit.model.queueing import Ecn, Pool, Priority, PriorityGroup, Queue, TrafficClass
from roce_audit.platforms.shared.host import facts as hostfacts
from roce_audit.platforms.statement_docs import Statement
from roce_audit.text.fill import Default
from roce_audit.values import Cell

Field = tuple[type, str]


@model
class _OfHost:
    """A host as paths write it: what belongs to no NIC is below `host`."""

    host: Cell[Host] = doc("the host itself")


@model
class _OfDevice:
    """A device as paths write it: what is no port's is below `device`."""

    device: Cell[Device] = doc("the device itself")


_ROOTS: Mapping[type, str] = {
    Port: "",
    Queue: "queues.*.",
    PriorityGroup: "groups.*.",
    Ecn: "queues.*.ecn.",
    TrafficClass: "classes.*.",
    Priority: "priorities.*.",
    Pfc: "pfc.",
    Watchdog: "pfc.watchdog.",
    Pool: "groups.*.pool.",
    _OfHost: "",
    _OfDevice: "",
}
"""Where a path may begin, and what stands before it: tables of blocks that stand for one queue or group leave that out."""
_NOTES = {
    "pause": ("groups.*.lossless", "groups.*.headroom_bytes", "groups.*.xoff_at_bytes", "pfc.priorities"),
    "limit": ("groups.*.headroom_bytes",),
    "mtu": ("classes.*.mtu_bytes",),
}
"""Words that a reader keeps between a block and the model."""
_OWN_NAMES = re.compile(r"(\.vendor)\..*")
"""Parameters that a vendor calls by names of its own are one row of the model."""
_CLASSIFIED = ((Port, "dscp"), (Port, "pcp"), (Port, "trust"))
_FROM: Mapping[Field, tuple[Field, ...]] = {
    (joined.Hop, "traffic_class"): _CLASSIFIED,
    (joined.Hop, "dscp_classes"): _CLASSIFIED,
    (joined.Hop, "mapped_instead"): _CLASSIFIED,
    (joined.Hop, "mapped_to_it"): _CLASSIFIED,
    (joined.Hop, "queue"): (*_CLASSIFIED, (TrafficClass, "queue")),
    (joined.Hop, "group"): (*_CLASSIFIED, (TrafficClass, "group")),
    (joined.Hop, "pfc_on"): ((Pfc, "priorities"), (Pfc, "mode"), (Pfc, "receive_only")),
    (joined.Hop, "group_priorities"): ((Pfc, "priorities"), (Priority, "group")),
    (joined.Hop, "sharers"): ((TrafficClass, "queue"), (TrafficClass, "group")),
    (joined.Joined, "assumed_length_m"): ((Port, "cable_m"),),
    (joined.Joined, "stated_length_m"): ((Port, "cable_m"),),
    (joined.Joined, "strange_channel"): ((Port, "shared_channel"),),
    (joined.Joined, "peer_shut"): ((Port, "admin_up"),),
    (joined.Joined, "next_lossy_dscps"): (*_CLASSIFIED, (TrafficClass, "group")),
    (joined.Joined, "peer_lossy_dscps"): (*_CLASSIFIED, (TrafficClass, "group")),
    (joined.Joined, "peer_speaks_dcbx"): ((Dcbx, "mode"),),
    (joined.Joined, "odd_congestion_control"): tuple((Dcqcn, name) for name in fact_types(Dcqcn)),
    (joined.Application, "forced_tos"): ((Nic, "forced_traffic_class"),),
    (joined.Application, "nccl_tos"): ((Host, "nccl_traffic_class"), (Host, "nccl_hca")),
    (joined.Application, "ucx_tos"): ((Host, "ucx_traffic_class"), (Host, "ucx_devices")),
    (joined.Application, "gid_index"): ((Host, "nccl_gid_index"),),
    (joined.Application, "ucx_gid_index"): ((Host, "ucx_gid_index"),),
    (joined.Application, "nccl_sl"): ((Host, "nccl_sl"),),
    (joined.Application, "ucx_sl"): ((Host, "ucx_sl"),),
    (joined.Application, "perftest_tos"): ((Host, "perftest_traffic_class"),),
    (joined.Application, "named"): ((Host, "nccl_hca"), (Host, "ucx_devices")),
    (joined.Fabric, "disagreed_mtus"): ((Port, "ip_mtu_bytes"),),
    (joined.Fabric, "rdma_mtus"): ((Nic, "rdma_mtu_bytes"),),
    (joined.Fabric, "largest_sent_bytes"): ((Port, "ip_mtu_bytes"),),
    (joined.Fabric, "cnp_dscps"): ((Nic, "cnp_dscp"),),
    (joined.Fabric, "cnp_dscps_unmapped"): ((Nic, "cnp_dscp"), (Port, "dscp")),
    (joined.Fabric, "dcqcn_priorities"): ((Dcqcn, "rp_priorities"),),
    (joined.Fabric, "priority_votes"): ((Pfc, "priorities"),),
}
"""What the fabric works out -> the facts it works it out from."""


def pages() -> Iterator[tuple[str, str]]:
    """(path below docs/, text) of each platform's page."""
    used = _rules_by_field()
    for platform in platforms.names():
        yield f"platforms/generated/{platform}.md", "".join(_page(platform, used))


def _rules_by_field() -> Mapping[Field, frozenset[str]]:
    found: dict[Field, set[str]] = defaultdict(set)
    for rule in rulepack.load([rulepack.builtin_folder()], use_cache=False):
        for field in rule.fields:
            for source in (field, *_FROM.get(field, ())):
                found[source].add(rule.id)
    return {field: frozenset(ids) for field, ids in found.items()}


def _page(platform: str, used: Mapping[Field, frozenset[str]]) -> Iterator[str]:
    statements, defaults = platforms.platform(platform).load().documentation()
    if platforms.platform(platform).kind == "host":
        defaults = {**hostfacts.DEFAULTS, **defaults}
    yield f"# {platform}: statements, model, rules\n\nMade from the tables by `python docs/generate.py`; "
    yield f"[the platform's page](../{platform}.md) says what it means.\n"
    yield "\n## Statements\n\nA dash: understood or told, and its effect goes through the names and blocks it stands in.\n"
    yield "\n| in | statement | model |\n|---|---|---|\n"
    for statement in statements:
        yield _statement(statement)
    yield "\n## Model\n\nMeaning, and the rules whose condition reads it ([reference](../../reference/rules.md)). Every"
    yield " setting of a port is also compared with those of similar ports (`fleet/odd-port-out`), of a member with those of the"
    yield " other members of its channel (`link/channel-members-differ`; where they lead: `link/channel-leads-apart`).\n"
    yield "\n| model | is | rules |\n|---|---|---|\n"
    paths = {path for statement in statements for path in _known(statement.paths)}
    for path in sorted(paths | set(_known(path for path in defaults if _fields(path)))):
        yield _model(path, used)
    yield "\n## Defaults\n\nThey apply only where the whole block is visible.\n\n"
    if not defaults:
        yield "None: what no answer tells is unknown.\n"
        return
    yield "| where nothing is said | is | source |\n|---|---|---|\n"
    for name in sorted(defaults):
        yield _default(name, defaults[name])


def _statement(statement: Statement) -> str:
    model = ", ".join(f"`{path}`" for path in _known(statement.paths)) or "-"
    return f"| {_code(statement.where)} | {_code(statement.words)} | {model} |\n"


def _code(text: str) -> str:
    if "|" in text:  # ends a cell of a table, also inside backticks
        return f"<code>{html.escape(text).replace('|', '&#124;')}</code>"
    return f"`{text}`" if text else ""


def _known(paths: Iterable[str]) -> list[str]:
    """The paths as the model has them, from the port on."""
    written = [_OWN_NAMES.sub(r"\1", path.lstrip("/").removesuffix(".*")) for path in paths]
    return list(dict.fromkeys(_whole(path) for word in written for path in _NOTES.get(word, (word,))))


def _whole(path: str) -> str:
    root = _root_of(path)
    return path if root is None else _ROOTS[root] + path


def _model(path: str, used: Mapping[Field, frozenset[str]]) -> str:
    fields = _fields(path)
    rules = sorted({rule for field in fields for rule in used.get(field, ())})
    meaning = documentation(fields[0][0])[fields[0][1]] if fields else ""
    return f"| `{path}` | {_cell(meaning)} | {', '.join(rules) or '-'} |\n"


def _default(name: str, default: Default) -> str:
    value = "none" if default.value is None else _value(default.value)
    return f"| {_code(name)} | {_cell(value)} | {_cell(default.source)} |\n"


def _value(value: object) -> str:
    if isinstance(value, frozenset | set | tuple | list):
        return ", ".join(map(str, sorted(value) if isinstance(value, frozenset | set) else value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_value(one)}" for key, one in value.items())
    return re.sub(r"\s+", " ", str(value))


def _cell(text: str) -> str:
    return text.replace("|", "&#124;").replace("\n", " ")


def _fields(path: str) -> list[Field]:
    """The field at a path and every field below it; none for a path that the model does not have."""
    root = _root_of(path)
    if root is None:
        return []
    owner, name = _owner(root, path)
    return [(owner, name), *_below(_inside(owner, name), 3)]


def _root_of(path: str) -> type | None:
    """The first of the roots from which the path leads to a field."""
    return next((root for root in _ROOTS if _owner(root, path)[0] is not None), None)


def _owner(root: type, path: str) -> tuple[Any, str]:
    """The class that has the last step of a path, and that step; (None, "") where there is no such way."""
    steps = [step for step in path.split(".") if not (step == "*" or step.isdigit())]
    owner: Any = root
    for step in steps[:-1]:
        owner = _inside(owner, step)
    return (owner, steps[-1]) if steps and owner is not None and steps[-1] in fact_types(owner) else (None, "")


def _inside(owner: Any, step: str) -> Any:
    """The model class that a field holds, or a row of which it holds; None for a plain value."""
    if owner is None or step not in fact_types(owner):
        return None
    kind = inside_cell(fact_types(owner)[step])
    if kind_of(kind) == "tuple":
        kind = inside_cell(element_of(kind))
    return kind if kind_of(kind) == "model" else None


def _below(owner: Any, depth: int) -> Iterator[Field]:
    if owner is None or depth == 0 or owner in (Port, Observation):
        return
    for name in fact_types(owner):
        yield owner, name
        yield from _below(_inside(owner, name), depth - 1)
