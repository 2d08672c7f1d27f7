"""NicConfigurationTemplate and NicDevice of NVIDIA's NIC configuration operator: how it sets NICs up, again after each boot.

Source: Mellanox/nic-configuration-operator, API reference and README. A template names NICs by their type and, if it likes, by
PCI address, part or serial number; a NicDevice is one card of one node with the names of its ports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.platforms.linux.boot.calls import Kind, PlacedCall
from roce_audit.platforms.linux.boot.scripts import Scripts
from roce_audit.platforms.linux.env import place
from roce_audit.platforms.linux.setups.files import begin, unclear
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.boot import REJECTED, misspelt
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.platforms.shared.host.tools import programs
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.structured.yamltext import YamlText

KINDS = ("NicConfigurationTemplate", "NicDevice")
_GROUP = "configuration.net.nvidia.com/"
_OTHERS = frozenset({"NicFirmwareSource", "NicFirmwareTemplate", "NicInterfaceNameTemplate"})
"""What else the operator knows: nothing of it sets QoS up."""
_SOME_BITS = re.compile(r"[0-9,]{1,99}")
_EIGHT_BITS = re.compile(r"[01](?:,[01]){7}")
_NOT_EIGHT = "it takes eight values of 0 or 1, one for each priority"
_DEFAULT_PFC, _DEFAULT_TRUST = "0,0,0,1,0,0,0,0", "dscp"
_WORD = re.compile(r"[a-z]{1,12}")
_SLOT = re.compile(r"([0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2})\.[0-7]")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")
_PARAMETER = re.compile(r"[A-Z][A-Z0-9_]{1,60}=[A-Za-z0-9_().]{1,40}")
_MODES = {True: "on", False: "off"}
Way = tuple[str | int, ...]
_SWITCHED_OFF = (
    "roceOptimized is switched off, so the operator sets nothing up of what stands below qos: neither PFC nor trust"
)
_KEYS: tuple[tuple[Way, Mapping[str, tuple[str, ...]]], ...] = (
    ((), {"roceOptimized": ("pfc", "trust", "cable"), "spectrumXOptimized": ("pfc",), "linkType": ()}),
    (("roceOptimized",), {"enabled": ("pfc", "trust", "cable"), "qos": ("pfc", "trust", "cable")}),
    (
        ("roceOptimized", "qos"),
        {"pfc": ("pfc",), "trust": ("trust",), "tos": ("traffic_class",), "cableLen": ("cable",)},
    ),
)
"""Keys of a template, and the statements of boot files that follow from them."""


def read(answer: Answer, document: YamlText) -> None:
    """What a document, or each document of a list, has set up."""
    value = document.value
    if isinstance(value, dict) and value.get("kind") == "List" and isinstance(value.get("items"), list):
        for index, one in enumerate(value["items"]):
            _one(answer, document, one, ("items", index))
    else:
        _one(answer, document, value, ())


def kind_of(value: Any) -> str:
    """The kind of a document; of a list, that of its first item."""
    found = _below(value, "kind")
    items = _below(value, "items") if found == "List" else None
    return kind_of(items[0]) if isinstance(items, list) and items else str(found)


def _one(answer: Answer, document: YamlText, value: Any, way: Way) -> None:
    if not isinstance(value, dict) or value.get("kind") not in KINDS:
        if (
            isinstance(value, dict)
            and str(value.get("apiVersion")).startswith(_GROUP)
            and value.get("kind") not in _OTHERS
        ):
            unclear(answer, document.nearest_line_of((*way, "kind")), f"kind: {value.get('kind')}")
        return
    scripts = begin(answer)
    label = value.get("metadata", {}).get("name") if isinstance(value.get("metadata"), dict) else None
    label = label if isinstance(label, str) and _NAME.fullmatch(label) else ""
    if value["kind"] == "NicDevice":
        template = _below(value, "spec", "configuration", "template")
        ports = _below(value, "status", "ports")
        named = [p.get("networkInterface") for p in ports if isinstance(p, dict)] if isinstance(ports, list) else []
        names = [name for name in named if isinstance(name, str) and _NAME.fullmatch(name)]
        kind, device = ("net", " ".join(names)) if names else ("card", "")
        _say(answer, document, scripts, template, (*way, "spec", "configuration", "template"), kind, device, label)  # type: ignore[arg-type]
    elif _below(value, "spec", "resetToDefault") is not True:
        selector = _below(value, "spec", "nicSelector")
        template = _below(value, "spec", "template")
        chosen, device = _selected(selector if isinstance(selector, dict) else {})
        _say(answer, document, scripts, template, (*way, "spec", "template"), chosen, device, label)


def _below(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _selected(selector: dict[str, Any]) -> tuple[Kind, str]:
    """Which NICs: by the slots of these addresses, or by the type; by part or serial number nobody here can tell."""
    if selector.get("partNumbers") or selector.get("serialNumbers"):
        return "card", ""
    addresses = selector.get("pciAddresses")
    if isinstance(addresses, list) and addresses:
        found = [_SLOT.fullmatch(str(address).strip("“”\"' ")) for address in addresses]
        return "slot", " ".join(match.group(1).lower() for match in found if match is not None)
    return "type", str(selector.get("nicType", "")).lower()


def _say(
    answer: Answer, document: YamlText, scripts: Scripts, template: Any, way: Way, kind: Kind, device: str, label: str
) -> None:
    if _below(template, "roceOptimized", "enabled") is False and _below(template, "roceOptimized", "qos"):
        line = document.nearest_line_of((*way, "roceOptimized", "enabled"))
        answer.collector.seen.append(noticed("conflict", place(answer, line), "enabled: false", _SWITCHED_OFF))
    for statement, path in _settings(template):
        line = document.nearest_line_of((*way, *path))
        scripts.calls.append(PlacedCall(line, kind, device, statement, label=label, answer=answer))


def _firmware(given: Any) -> Iterator[tuple[str, Way]]:
    """Parameters of the firmware by their names, as mlxconfig takes them."""
    for index, one in enumerate(given if isinstance(given, list) else ()):
        text = f"{one.get('name')}={one.get('value')}" if isinstance(one, dict) else ""
        if _PARAMETER.fullmatch(text) is not None:
            for statement in programs()["mlxconfig"].settings(f"set {text}"):
                yield statement, ("rawNvConfig", index, "value")


def _trust(given: str) -> Iterator[str]:
    """What a NIC goes by: `pfc` means the tag, which releases that called mlnx_qos knew as `pcp`; of any other word the operator
    makes an error and sets nothing of `qos` up (pkg/dms/client.go, SetQoSSettings)."""
    if given in ("pfc", "pcp"):
        yield "trust pcp"
    elif given == "dscp":
        yield from ("trust dscp", "eighths")
    elif _WORD.fullmatch(given) is not None:
        yield f"{REJECTED} trust {given}: it trusts dscp, or pfc, by which it means the tag"
    else:
        yield from (f"trust {given}", "elsewhere mapped")


def _settings(template: Any) -> Iterator[tuple[str, Way]]:
    """(statement, where it stands): PFC of priority 3 and trust in DSCP unless the template says otherwise."""
    if not isinstance(template, dict):
        return
    for way, keys in _KEYS:
        there = _below(template, *map(str, way))
        for key in there if isinstance(there, dict) else ():
            wanted = meant(str(key), keys)
            if wanted is not None:
                yield misspelt(keys[wanted], f"{key}: {there[key]}"), (*way, key)
            elif key not in keys and (other := next((those for _, those in _KEYS if key in those), None)) is not None:
                yield (
                    misspelt(other[key], f"{key}: {there[key]}"),
                    (*way, key),
                )  # of another level: set in too far, or not enough
    yield from _firmware(template.get("rawNvConfig"))
    if _below(template, "spectrumXOptimized", "enabled") is True:
        yield "elsewhere pfc", ("spectrumXOptimized",)  # by the profile of the version it names
    enabled = _below(template, "roceOptimized", "enabled")
    if enabled not in (True, False, None):
        yield f"unclear enabled {enabled}", ("roceOptimized", "enabled")
    if enabled is not True:
        return
    qos = _below(template, "roceOptimized", "qos")
    here: Way = ("roceOptimized", "qos")
    said = qos if isinstance(qos, dict) else {}
    pfc = str(said.get("pfc", _DEFAULT_PFC))
    is_refused = _SOME_BITS.fullmatch(pfc) is not None and _EIGHT_BITS.fullmatch(pfc) is None
    # the schema of the resource has a pattern for it (configuration.net.nvidia.com, nicconfigurationtemplates)
    yield f"{REJECTED} pfc {pfc}: {_NOT_EIGHT}" if is_refused else f"pfc {pfc}", (*here, "pfc")
    yield from ((statement, (*here, "trust")) for statement in _trust(str(said.get("trust", _DEFAULT_TRUST))))
    tos = said.get("tos")
    if tos not in (None, 0):
        # no source says whether all packets get it, or those of rdma_cm; 0 leaves it to the applications
        yield f"cma_tos {tos}", (*here, "tos")
    if str(template.get("linkType", "")).lower() == "infiniband":
        yield "firmware-link IB", ("linkType",)
    if "cableLen" in said:
        yield f"cable {said['cableLen']}", (*here, "cableLen")
    pause = _below(said, "pauseFrames", "enabled")
    if isinstance(pause, bool):
        for side in ("Rx", "Tx"):
            yield f"{side}FlowControl {_MODES[pause]}", (*here, "pauseFrames", "enabled")
