"""Networks and devices that pods of a repository ask for, held against the objects of its files that make them.

Told where the files make others that the same pod asks for: then they are the files by which the cluster gets its networks.

Sources: Kubernetes Network Plumbing Working Group, Multus (annotation `k8s.v1.cni.cncf.io/networks`; a network is of the pod's
namespace unless it says another); SR-IOV network operator (SriovNetwork: networkNamespace, resourceName); NVIDIA network operator
(MacvlanNetwork, HostDeviceNetwork: networkNamespace, `default` without one; NicClusterPolicy).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.sources.loaded import Problem
from roce_audit.sources.repository.cluster.files import ASKS, ClusterFiles, Pod
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.structured.nested import text_at, value_at
from roce_audit.text.structured.yamltext import YamlText

_DEFINITION = "NetworkAttachmentDefinition"
_OF_OPERATORS = ("SriovNetwork", "SriovIBNetwork", "OVSNetwork", "MacvlanNetwork", "HostDeviceNetwork", "IPoIBNetwork")
_POLICY = "NicClusterPolicy"
_MAKES = (_DEFINITION, _POLICY, "SriovNetworkNodePolicy", *_OF_OPERATORS)
_RENAMES = lazy(r"^(?:namePrefix|nameSuffix):", re.MULTILINE)
_MOVES = lazy(r"^namespace:", re.MULTILINE)
_OPEN = ("{{", "${")
_RESOURCE = lazy(r"\"resourceName\"\s{0,9}:\s{0,9}\"([\w./-]{1,100})\"")
_NETWORK = lazy(r"(?:(?P<space>[a-z0-9-]{1,63})/)?(?P<name>[a-z0-9.-]{1,100})(?:@[\w-]{1,15})?")
_MOVES_RDMA = lazy(r"\"type\"\s{0,9}:\s{0,9}\"rdma\"")
_GPU = lazy(r"gpu|gpu[.-][\w.-]{1,40}|mig-[\w.-]{1,40}")
_DEPTH = 40
_TAKES = "k8s.v1.cni.cncf.io/resourceName"


@dataclass(slots=True)
class _Made:
    """What the files make."""

    networks: dict[str, set[str]] = field(default_factory=dict)
    """Name -> the namespaces that it is made in; "" for one that whoever applies the file says."""
    takes: dict[str, str] = field(default_factory=dict)
    """Network -> the resource that it takes its device from."""
    resources: set[str] = field(default_factory=set)
    """All without what stands before the `/`."""
    masters: dict[str, str] = field(default_factory=dict)
    """Network above an interface of the node -> that interface; "" where two files say two."""
    selects: dict[str, frozenset[str]] = field(default_factory=dict)
    """Resource of a plugin that shares devices -> the interfaces whose RDMA devices it hands out; none where it does not name them, or two
    files say two."""


def problems(files: ClusterFiles) -> Iterator[Problem]:
    """Networks and devices that pods of these files ask for, and that none of the files makes."""
    asking = files.with_any(ASKS)
    if not asking or any(_RENAMES.search(text) for text in files.texts.values()):
        return
    making = files.with_any(ASKS, *_MAKES)
    if any(sign in files.texts[path] for path in making for sign in _OPEN):  # what a template makes is not seen
        return
    made = _made([files.documents(path) for path in making])
    may_move = any(_MOVES.search(files.texts[path]) for path in files.texts if "kustomization" in path)
    told: set[str] = set()
    for pod in (one for path in asking for one in files.pods(path)):
        missing = [*_networks(pod, made, may_move=may_move), *_resources(pod, made)]
        for what, problem in missing or _interfaces(pod, made):
            if what not in told:
                told.add(what)
                yield problem
    yield from _of_networks(files, making, made)


def _made(files: Sequence[Sequence[YamlText]]) -> _Made:
    made = _Made()
    with_policy = [those for those in files if any(text_at(one.value, "kind") == _POLICY for one in those)]
    for value, is_compared in ((one.value, those in with_policy) for those in files for one in those):
        kind, name = text_at(value, "kind"), text_at(value, "metadata", "name")
        resource = text_at(value, "spec", "resourceName") or text_at(value, "metadata", "annotations", _TAKES)
        if kind == "SriovNetworkNodePolicy":
            made.resources.add(resource)
            continue
        if kind != _DEFINITION and kind not in _OF_OPERATORS:
            made.resources |= {one.rpartition("/")[2] for text in _texts(value, 0) for one in _RESOURCE.findall(text)}
            for shared, selected in _shared(text_at(value, "spec", "rdmaSharedDevicePlugin", "config")).items():
                made.selects[shared] = selected if made.selects.get(shared, selected) == selected else frozenset()
            continue
        master = text_at(value, "spec", "master")
        if master and not is_compared:  # with the policy of its file it is compared where that is read
            above = master.partition(".")[0]
            made.masters[name] = above if made.masters.get(name, above) == above else ""
        own = (
            "default"
            if kind != _DEFINITION and not kind.startswith("Sriov")
            else text_at(value, "metadata", "namespace")
        )
        made.networks.setdefault(name, set()).add(text_at(value, "spec", "networkNamespace") or own)
        if resource:
            made.takes[name] = resource.rpartition("/")[2]
    return made


def _shared(config: str) -> dict[str, frozenset[str]]:
    """Resource -> the interfaces by whose names it is selected (Mellanox/k8s-rdma-shared-dev-plugin, configList)."""
    try:
        listed = value_at(json.loads(config), "configList") if config else None
    except (ValueError, RecursionError):
        return {}
    found = {}
    for entry in listed if isinstance(listed, list) else ():
        names = value_at(entry, "selectors", "ifNames")
        is_named = isinstance(names, list) and all(isinstance(one, str) for one in names)
        found[text_at(entry, "resourceName")] = frozenset(names) if is_named else frozenset()
    return found


def _texts(value: Any, depth: int) -> Iterator[str]:
    """All texts of a document that may configure a plugin of devices."""
    if isinstance(value, str) and "resourceName" in value:
        yield value
    elif isinstance(value, dict | list) and depth < _DEPTH:
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner, depth + 1)


def _asked(pod: Pod) -> Sequence[tuple[str, str]]:
    """(namespace, name) of the networks that a pod asks for; none where it cannot be told."""
    written = text_at(pod.document.value, *pod.at, "metadata", "annotations", ASKS)
    if written.lstrip().startswith("["):
        try:
            listed = json.loads(written)
        except (ValueError, RecursionError):
            return ()
        given = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        return [(text_at(one, "namespace") or pod.space, text_at(one, "name")) for one in given]
    found = [_NETWORK.fullmatch(part.strip()) for part in written.split(",")]
    return [(one["space"] or pod.space, one["name"]) for one in found if one is not None] if all(found) else ()


def _networks(pod: Pod, made: _Made, *, may_move: bool) -> Iterator[tuple[str, Problem]]:
    """A network that no file makes, or makes for another namespace, beside others of the pod that they do."""

    def is_there(space: str, name: str) -> bool:
        return not space or bool(made.networks.get(name, set()) & {space, ""})

    asked = _asked(pod)
    sound = [name for space, name in asked if name in made.networks and is_there(space, name)]
    line = pod.line_of("metadata", "annotations", ASKS)
    limits = str([value_at(one, "resources", "limits") for _, one in pod.containers])
    for space, name in asked:
        is_asked_for = bool(sound) or made.takes.get(name, "/") in limits  # the pod takes its device
        if name not in made.networks and sound:
            words = f"no file here makes the network {name}, as one does {sound[0]}: the pod does not start"
            yield f"network {name}", Problem(pod.path, line, words, "conflict")
        elif name in made.networks and not is_there(space, name) and is_asked_for and not may_move:
            others = ", ".join(sorted(made.networks[name]))
            beside = f", where {sound[0]} is" if sound else ""
            words = f"the network {name} is made in the namespace {others}, and asked for in {space}{beside}: the pod does not start"
            yield f"network {name}", Problem(pod.path, line, words, "conflict")


def _resources(pod: Pod, made: _Made) -> Iterator[tuple[str, Problem]]:
    """A device that no policy makes, beside another one of the same container that one does; and one that none of the pod's networks
    takes, while they take another that it does not ask for."""
    is_here = any(name in made.networks for _, name in _asked(pod))
    needed = Counter(made.takes[name] for _, name in _asked(pod) if name in made.takes)
    for path, container in pod.containers:
        limits = value_at(container, "resources", "limits")
        asked = [str(one).rpartition("/") for one in limits] if isinstance(limits, dict) else []
        own = {prefix for prefix, _, name in asked if name in needed}
        sound = {prefix: name for prefix, _, name in asked if prefix and name in made.resources}
        of_networks: Counter[str] = Counter()
        for prefix, sign, name in asked:
            line = pod.document.nearest_line_of((*path, "resources", "limits", f"{prefix}{sign}{name}"))
            near = meant(name, made.resources & needed.keys())
            other = sound.get(prefix, near) if prefix and name not in made.resources else None
            if is_here and other is not None and _GPU.fullmatch(name) is None:
                words = f"no policy here makes the resource {name}, as one does {other}: the pod is scheduled nowhere"
                yield f"resource {name}", Problem(pod.path, line, words, "conflict")
            elif prefix in own and _GPU.fullmatch(name) is None:
                number = str(limits[f"{prefix}{sign}{name}"])
                of_networks[name] += int(number) if number.isdecimal() and len(number) < 4 else 1
        more, fewer = of_networks - needed, needed - of_networks
        is_told = any(made.resources and name not in made.resources for name in fewer)
        if needed.keys() & of_networks.keys() and more and fewer and not is_told:
            many, few = next(iter(more)), next(iter(fewer))
            words = (
                f"a container asks for {of_networks[many]} of {many} and {of_networks[few]} of {few}, and the networks of its pod take "
                f"{needed[many]} and {needed[few]}: a network finds no device"
            )
            line = pod.document.nearest_line_of((*path, "resources", "limits"))
            yield f"devices {many} {few}", Problem(pod.path, line, words, "conflict")


def _interfaces(pod: Pod, made: _Made) -> Iterator[tuple[str, Problem]]:
    """A pod whose networks are above other interfaces than those whose RDMA devices it gets, or that gets none."""
    masters = {made.masters[name] for _, name in _asked(pod) if name in made.masters}
    limits = [value_at(one, "resources", "limits") for _, one in pod.containers]
    asked = {str(name).rpartition("/")[2] for one in limits if isinstance(one, dict) for name in one}
    selected = [made.selects[name] for name in asked if name in made.selects]
    is_known = all(masters) and all(selected or made.selects.values())
    if not masters or not is_known or not made.selects or "privileged" in str(pod.containers):
        return
    line = pod.line_of("metadata", "annotations", ASKS)
    interfaces = frozenset().union(*selected)
    if not selected and not asked & made.resources and any(_GPU.fullmatch(one) for one in asked):
        words = f"the pod has networks above {', '.join(sorted(masters))}, and asks for no RDMA device, as {min(made.selects)} is one"
    elif selected and masters - interfaces:
        theirs = ", ".join(sorted(interfaces))
        words = f"a network of the pod is above {min(masters - interfaces)}, and the RDMA devices that it gets are those of {theirs}"
    elif (
        selected and interfaces - masters and all(len(one) == 1 for one in selected)
    ):  # a resource of many may give more than is used
        words = f"the pod gets the RDMA device of {min(interfaces - masters)}, and none of its networks is above that: it has no address"
    else:
        return
    yield f"interfaces {words}", Problem(pod.path, line, words, "conflict")


def _of_networks(files: ClusterFiles, making: Sequence[str], made: _Made) -> Iterator[Problem]:
    """A network that takes its device from a resource which no policy of another file makes, as those of other networks are."""
    found = [(path, document) for path in making for document in files.documents(path)]
    taking = [
        (path, document, name.rpartition("/")[2])
        for path, document in found
        if text_at(document.value, "kind") in _OF_OPERATORS
        and (name := text_at(document.value, "spec", "resourceName"))
    ]
    yield from _without_rdma(found)
    sound = [name for _, _, name in taking if name in made.resources]
    own = {path for path, document in found if text_at(document.value, "kind").endswith("Policy")}
    for path, document, name in taking if sound else ():
        if name not in made.resources and path not in own:  # of one file it is told where that is read
            words = f"no policy here makes the resource {name}, as one does {sound[0]}: the network has no device to hand out"
            yield Problem(path, document.nearest_line_of(("spec", "resourceName")), words, "conflict")


def _without_rdma(found: Sequence[tuple[str, YamlText]]) -> Iterator[Problem]:
    """A policy whose functions have no RDMA device, and a network of another file that is to move it into containers (RDMA CNI plugin)."""
    moved = {
        text_at(document.value, "spec", "resourceName"): path
        for path, document in found
        if text_at(document.value, "kind") == "SriovNetwork"
        and _MOVES_RDMA.search(text_at(document.value, "spec", "metaPlugins"))
    }
    for path, document in found:
        name = text_at(document.value, "spec", "resourceName")
        is_policy = text_at(document.value, "kind") == "SriovNetworkNodePolicy"
        if is_policy and moved.get(name, path) != path and value_at(document.value, "spec", "isRdma") is not True:
            words = f"the network of {name} moves the RDMA devices of its functions into containers, and these have none (isRdma)"
            yield Problem(path, document.nearest_line_of(("spec", "isRdma")), words, "conflict")
