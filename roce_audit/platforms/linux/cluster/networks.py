"""Networks of Kubernetes for RDMA: policies for virtual functions, networks of containers, and interfaces of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roce_audit.platforms.linux.boot.calls import Kind, PlacedCall
from roce_audit.platforms.linux.boot.netplan import of_nmstate
from roce_audit.platforms.linux.env import place
from roce_audit.platforms.linux.setups.files import begin
from roce_audit.platforms.linux.setups.networkcalls import is_for_roce
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.boot import REJECTED
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.structured.jsontext import JsonError
from roce_audit.text.structured.jsontext import parse as parse_json
from roce_audit.text.structured.yamltext import YamlText

_NODES = "NodeNetworkConfigurationPolicy"
_NETWORKS = ("MacvlanNetwork", "NetworkAttachmentDefinition")
KINDS = (*_NETWORKS, _NODES, "HostDeviceNetwork")
"""Kinds of objects that this module reads besides those of the SR-IOV operator."""
_MTU = re.compile(r"\"mtu\"\s{0,9}:\s{0,9}([0-9]{2,5})")


def read(answer: Answer, document: YamlText) -> None:
    """What one object sets up."""
    kind = document.value.get("kind") if isinstance(document.value, dict) else None
    if kind == "SriovNetworkNodePolicy":
        _node_policy(answer, document)
    elif kind == "SriovNetwork":
        _tagged_network(answer, document)
    elif kind in _NETWORKS:
        _container_network(answer, document)
    elif kind == _NODES:
        _node_network(answer, document)


def compare(answer: Answer, documents: Sequence[YamlText]) -> None:
    """Say where objects of one file name each other and one of the names is another's."""
    _resources(answer, documents)
    _plugins(answer, documents)
    _parents(answer, documents)
    _overlaps(answer, documents)


def _specs(documents: Sequence[YamlText], *kinds: str) -> Iterator[tuple[YamlText, Mapping[str, Any]]]:
    for document in documents:
        value = document.value
        if isinstance(value, dict) and value.get("kind") in kinds and isinstance(value.get("spec"), dict):
            yield document, value["spec"]


def _resources(answer: Answer, documents: Sequence[YamlText]) -> None:
    """A network takes its functions from the resource that a policy makes: told where one of each is left over."""
    makes = {
        name: document
        for document, spec in _specs(documents, "SriovNetworkNodePolicy")
        if isinstance(name := spec.get("resourceName"), str)
    }
    for document, spec in _specs(documents, "NicClusterPolicy"):
        makes |= dict.fromkeys(_of_plugin(spec), document)
    takes = {
        str(spec.get("resourceName", "")).rpartition("/")[2]: document
        for document, spec in _specs(documents, "SriovNetwork", "HostDeviceNetwork")
    }
    idle = [name for name in makes if name not in takes]
    strange = [name for name in takes if name not in makes]
    if len(idle) != len(strange):  # a part of them may be in other files
        return
    for name, other in zip(strange, idle, strict=True):
        meaning = f"no policy of this file makes such a resource, and no network takes {other}, which one of them makes"
        at = place(answer, takes[name].nearest_line_of(("spec", "resourceName")))
        answer.collector.seen.append(noticed("conflict", at, f"resourceName: {name}", meaning))


_RDMA_PLUGIN = re.compile(r"\"type\"\s{0,9}:\s{0,9}\"rdma\"")


def _plugins(answer: Answer, documents: Sequence[YamlText]) -> None:
    """The plugin that moves a function's RDMA device into a container needs functions that have one (RDMA CNI plugin, isRdma)."""
    networks = {
        str(spec.get("resourceName")): document
        for document, spec in _specs(documents, "SriovNetwork")
        if _RDMA_PLUGIN.search(str(spec.get("metaPlugins", ""))) is not None
    }
    for document, spec in _specs(documents, "SriovNetworkNodePolicy"):
        network = networks.get(str(spec.get("resourceName")))
        if network is not None and not spec.get("isRdma"):
            line = network.nearest_line_of(("spec", "metaPlugins"))
            meaning = f"line {line} of this file moves the RDMA devices of its functions into containers, and so they get none"
            said = f"isRdma: {str(spec.get('isRdma', False)).lower()}"
            at = place(answer, document.nearest_line_of(("spec", "isRdma")))
            answer.collector.seen.append(noticed("conflict", at, said, meaning))


def _of_plugin(spec: Mapping[str, Any]) -> Iterator[str]:
    """The resources that the plugin for host devices makes (sriov-network-device-plugin, resourceList)."""
    for entry in _listed_for_plugin(spec, "sriovDevicePlugin", "resourceList"):
        name = entry.get("resourceName") if isinstance(entry, dict) else None
        if isinstance(name, str):
            yield name


def _listed_for_plugin(spec: Mapping[str, Any], plugin: str, key: str) -> Sequence[Any]:
    """The entries of the list in the JSON that configures a plugin; none where there is no such list."""
    its = spec.get(plugin)
    text = its.get("config") if isinstance(its, dict) else None
    try:
        found = parse_json(text).value if isinstance(text, str) else None
    except JsonError:
        return ()
    listed = found.get(key) if isinstance(found, dict) else None
    return listed if isinstance(listed, list) else ()


_FUNCTIONS = re.compile(r"([A-Za-z0-9_.-]{1,15})(?:#(\d{1,4})-(\d{1,4}))?")
"""A NIC, and which of its functions."""


def _overlaps(answer: Answer, documents: Sequence[YamlText]) -> None:
    """The operator takes no second policy for functions of a NIC that another one has (sriov-network-operator, pkg/webhook/validate.go,
    validatePfNames, validateRootDevices)."""
    before: list[tuple[str, Any, str, range]] = []
    for document, spec in _specs(documents, "SriovNetworkNodePolicy"):
        metadata, selector = document.value.get("metadata"), spec.get("nicSelector")
        label = metadata.get("name") if isinstance(metadata, dict) else None
        if not isinstance(label, str) or not isinstance(selector, dict):
            continue
        own: list[tuple[str, Any, str, range]] = []
        for key in ("pfNames", "rootDevices"):
            for index, text in enumerate(selector[key] if isinstance(selector.get(key), list) else ()):
                found = _FUNCTIONS.fullmatch(str(text))
                functions = range(int(found[2]), int(found[3]) + 1) if found is not None and found[2] else range(-1, 0)
                name = found[1] if found is not None else str(text)
                own.append((label, spec.get("nodeSelector"), name, functions))
                other = next((one for one in before if one[1:3] == own[-1][1:3] and _meet(one[3], functions)), None)
                if other is not None and other[0] != label:
                    answer.unread(
                        document.nearest_line_of(("spec", "nicSelector", key, index)),
                        f"{REJECTED} {label}: policy {other[0]} of this file has these functions of {name} on the same nodes",
                    )
        before += own


def _meet(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop


def _parents(answer: Answer, documents: Sequence[YamlText]) -> None:
    """Containers get the RDMA devices of the interfaces that the device plugin selects, and addresses on their network's parent."""
    shared = {name for _, spec in _specs(documents, "NicClusterPolicy") for name in _shared_interfaces(spec)}
    for document, spec in _specs(documents, "MacvlanNetwork"):
        parent = spec.get("master")
        if shared and isinstance(parent, str) and parent.partition(".")[0] not in shared:
            meaning = (
                f"the device plugin of this file gives containers the RDMA device of {', '.join(sorted(shared))} alone, so their "
                "addresses are on another NIC than their RDMA device"
            )
            at = place(answer, document.nearest_line_of(("spec", "master")))
            answer.collector.seen.append(noticed("conflict", at, f"master: {parent}", meaning))


def _shared_interfaces(spec: Mapping[str, Any]) -> Iterator[str]:
    """The interfaces whose RDMA devices the shared device plugin gives containers; none where it selects some otherwise
    (Mellanox/k8s-rdma-shared-dev-plugin, configList)."""
    names: list[str] = []
    for entry in _listed_for_plugin(spec, "rdmaSharedDevicePlugin", "configList"):
        selectors = entry.get("selectors") if isinstance(entry, dict) else None
        listed = selectors.get("ifNames") if isinstance(selectors, dict) else None
        if not (isinstance(listed, list) and listed and all(isinstance(name, str) for name in listed)):
            return
        names += listed
    yield from names


_ADDRESS = re.compile(r"(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]")
# fmt: off
_OF_POLICY = frozenset((
    "bridge", "deviceType", "eSwitchMode", "excludeTopology", "externallyManaged", "isRdma", "linkType", "mtu", "needVhostNet",
    "nicSelector", "nodeSelector", "numVfs", "priority", "resourceName", "vdpaType",
))
# fmt: on
_OF_SELECTOR = frozenset({"deviceID", "netFilter", "pfNames", "rootDevices", "vendor"})
"""k8snetworkplumbingwg/sriov-network-operator, api/v1/sriovnetworknodepolicy_types.go."""


def _node_policy(answer: Answer, document: YamlText) -> None:
    """The MTU that the SR-IOV operator sets at every start of the node, for the functions that the policy names."""
    scripts = begin(answer)
    spec = document.value.get("spec")
    label = document.value.get("metadata", {}).get("name") if isinstance(document.value.get("metadata"), dict) else ""
    if isinstance(spec, dict) and spec.get("isRdma") is True and spec.get("deviceType") == "vfio-pci":
        # its webhook takes no such policy (k8snetworkplumbingwg/sriov-network-operator, pkg/webhook)
        answer.unread(
            document.line_of(("spec", "deviceType")),
            f"{REJECTED} deviceType=vfio-pci: the operator takes no policy with isRdma: true and a device for user space",
        )
    if not isinstance(spec, dict):
        return
    names = [str(name) for name in (label, spec.get("resourceName")) if name]
    is_meant = any(map(_is_for_rdma, names)) or (spec.get("isRdma") is False and any(map(_is_rail, names)))
    if not spec.get("isRdma") and spec.get("deviceType", "netdevice") == "netdevice" and is_meant:
        meaning = "containers get its functions without their RDMA devices, though by its name RDMA is to run over them"
        at = place(answer, document.nearest_line_of(("spec", "isRdma")))
        said = f"isRdma: {str(spec.get('isRdma', False)).lower()}"
        answer.collector.seen.append(noticed("conflict", at, said, meaning))
    selector = spec.get("nicSelector")
    _misplaced(answer, document, ("spec",), _OF_POLICY, _OF_SELECTOR)
    _misplaced(answer, document, ("spec", "nicSelector"), _OF_SELECTOR, _OF_POLICY)
    if not isinstance(spec.get("mtu"), int):
        return
    for kind, device in _selected(selector if isinstance(selector, dict) else {}):
        line = document.line_of(("spec", "mtu"))
        scripts.calls.append(PlacedCall(line, kind, device, f"mtu {spec['mtu']}", label=str(label)[:63], answer=answer))
        if spec.get("isRdma") is True and str(spec.get("linkType", "eth")).lower() in ("eth", "ethernet"):
            line = document.line_of(("spec", "isRdma"))
            scripts.calls.append(PlacedCall(line, kind, device, "rdma", label=str(label)[:63], answer=answer))


_RDMA = re.compile(r"(?<![a-z])(?:rdma|roce)(?:v2)?(?![a-z])", re.IGNORECASE)


_RAIL = re.compile(r"(?<![a-z])rail(?![a-z])", re.IGNORECASE)


def _is_rail(name: str) -> bool:
    return _RAIL.search(name.replace("_", "-")) is not None


def _is_for_rdma(name: str) -> bool:
    return _RDMA.search(name.replace("_", "-")) is not None and "non-rdma" not in name and "no-rdma" not in name


def _selected(selector: Mapping[str, Any]) -> Iterator[tuple[Kind, str]]:
    """The NICs that a policy names: by their names, else by their PCI addresses, else by their type."""
    names, addresses, number = (selector.get(key) for key in ("pfNames", "rootDevices", "deviceID"))
    if isinstance(names, list) and names:
        for name in names:
            found = _FUNCTIONS.fullmatch(str(name))
            if found is not None:
                yield "net", found.group(1)
    elif isinstance(addresses, list) and addresses:
        yield from (("card", str(address)) for address in addresses if _ADDRESS.fullmatch(str(address)))
    elif isinstance(number, str):
        yield "type", number.lower()


def _misplaced(
    answer: Answer, document: YamlText, way: tuple[str, ...], known: frozenset[str], others: frozenset[str]
) -> None:
    """Keys of a policy that are misspelt, or of its other level: the operator passes them over, or refuses them."""
    value: Any = document.value
    for step in way:
        value = value.get(step) if isinstance(value, dict) else None
    for key in value if isinstance(value, dict) else ():
        name = str(key)
        is_slip = name not in known and any(name.lower() == one.lower() for one in known)
        if is_slip or meant(name, known) is not None or (name in others and name not in known):
            answer.unread(document.line_of((*way, key)), f"{'.'.join((*way, name))}: {value[key]}")


def _tagged_network(answer: Answer, document: YamlText) -> None:
    """The priority that a virtual function tags its packets with: three bits (IEEE 802.1Q); 0 where only its VLAN is given."""
    spec, metadata = document.value.get("spec"), document.value.get("metadata")
    if not isinstance(spec, dict):
        return
    priority, line = spec.get("vlanQoS", 0), document.nearest_line_of(("spec", "vlanQoS"))
    label = metadata.get("name") if isinstance(metadata, dict) else None
    names = [name for name in (label, spec.get("resourceName")) if isinstance(name, str)]
    if not isinstance(priority, int) or not 0 <= priority < 8:
        if isinstance(priority, int):
            answer.unread(line, f"{REJECTED} vlanQoS={priority}: a priority goes from 0 to 7")
    elif spec.get("vlan") and names and any(_is_rail(name) or _is_for_rdma(name) for name in names):
        for statement in (f"tags 0:{priority}", "rdma"):
            begin(answer).calls.append(PlacedCall(line, "net", names[0][:63], statement, answer=answer))


def _container_network(answer: Answer, document: YamlText) -> None:
    """The MTU of the containers' devices above a NIC: MacvlanNetwork of the NVIDIA network operator, or the configuration of a
    network plugin in a NetworkAttachmentDefinition. RDMA runs over them where their name says so."""
    spec, metadata = document.value.get("spec"), document.value.get("metadata")
    label = metadata.get("name") if isinstance(metadata, dict) else None
    if not (isinstance(spec, dict) and isinstance(label, str) and is_for_roce(label)):
        return
    mtu, line = spec.get("mtu"), document.nearest_line_of(("spec", "mtu"))
    if isinstance(spec.get("config"), str):
        lines = document.lines_of_text(("spec", "config"), spec["config"])
        line, mtu = next(
            ((number, int(found[1])) for number, text in lines if (found := _MTU.search(text)) is not None), (line, mtu)
        )
    if isinstance(mtu, int) and mtu:  # 0: that of the NIC
        for statement in (f"mtu {mtu}", "rdma"):
            begin(answer).calls.append(PlacedCall(line, "net", label[:63], statement, answer=answer))


def _node_network(answer: Answer, document: YamlText) -> None:
    """The MTU and link pause of the interfaces of a node, as the Kubernetes NMState operator sets them (`desiredState`)."""
    state = document.value.get("spec")
    state = state.get("desiredState") if isinstance(state, dict) else None
    listed = state.get("interfaces") if isinstance(state, dict) else None
    for index, one in enumerate(listed if isinstance(listed, list) else ()):
        name = one.get("name") if isinstance(one, dict) and one.get("state") not in ("absent", "ignore") else None
        if not isinstance(name, str):
            continue
        said = list(of_nmstate(one))
        for where, statement in (*said, *((where, "rdma") for where, _ in said[:1] if is_for_roce(name))):
            line = document.line_of(("spec", "desiredState", "interfaces", index, *where))
            begin(answer).calls.append(PlacedCall(line, "net", name[:15], statement, answer=answer))
