"""Manifests of Kubernetes, charts and other YAML that hand variables to the containers of a job, or set up the NICs of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roce_audit.platforms.linux.boot import cloudinit, ignition
from roce_audit.platforms.linux.boot.scripts import script_line
from roce_audit.platforms.linux.cluster import networks as clusternetworks
from roce_audit.platforms.linux.cluster import nictemplates, podcounts, podreferences
from roce_audit.platforms.linux.env import JOB, place
from roce_audit.platforms.linux.jobs import compose, containers
from roce_audit.platforms.linux.jobs.programs import MEMBER, stored
from roce_audit.platforms.linux.jobs.slips import (
    NO_OPTION,
    NOT_HANDED,
    behind_launcher,
    handed,
    taken_for_program,
    times_named,
)
from roce_audit.platforms.linux.jobs.variables import (
    DEVICE_OPTION,
    KEEPS_OFF,
    LIBRARY_WORDS,
    VARIABLE,
    assignments,
    exported_twice,
    unquoted,
)
from roce_audit.platforms.linux.setups import networkcalls
from roce_audit.platforms.linux.setups.files import CALL_WORDS, CALLED, CALLS, begin, read_script, unclear
from roce_audit.platforms.shared.host.answers import Answer, Tool
from roce_audit.platforms.shared.host.boot import REJECTED
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.platforms.shared.host.settings import NUMBERS, VARIABLES, meant_variable
from roce_audit.platforms.shared.shell.commands import commands
from roce_audit.platforms.shared.shell.values import constants
from roce_audit.text.structured.yamltext import YamlError, YamlText, documents
from roce_audit.values import known

_DEPTH = 40
_LONGEST = 200
"""Lines of a file that are looked through for one text."""
_LONGEST_NAME = 80
_NIC_KIND = rf"^[ -]{{0,6}}kind: [\"']?(?:{'|'.join(nictemplates.KINDS)})\b"
_CLASSES = frozenset(variable for field, variable in NUMBERS.items() if field.endswith("_class"))
_INDICES = frozenset(variable for field, variable in NUMBERS.items() if field.endswith("_gid_index"))
_ENTRY = re.compile(rf"[ \t-]{{0,80}}name:[ \t]{{1,8}}[\"']?({VARIABLE})[\"']?[ \t]{{0,8}}")
_ITS_VALUE = re.compile(r"[ \t]{0,80}value:[ \t]{1,8}([^\n]{1,500}?)[ \t]{0,8}")
"""A variable of a container, and its value on the next line."""
_HELD = re.compile(
    rf"[ \t]{{0,80}}[\"']?({VARIABLE})[\"']?:[ \t]{{1,8}}"
    rf"(\"[^\"\n]{{1,300}}\"|'[^'\n]{{1,300}}'|[\w.,:^=-]{{1,300}})[ \t]{{0,8}}(?:#.*)?"
)
"""A variable in a mapping."""
_OURS = re.compile(
    rf"\b(?:{'|'.join(sorted(VARIABLES))})\b"
    rf"|(?:kind: [\"']?)?\b(?:{'|'.join(nictemplates.KINDS)}|SriovNetworkNodePolicy)\b|{CALLS}"
)
"""What a manifest says about lossless traffic."""


def _manifest(answer: Answer) -> None:
    text = answer.document.text
    if text.startswith("#cloud-config") and re.search(CALLS, text) is not None:
        read_script(answer)
        return
    try:
        found = documents(
            _in_here_documents(text) if text.startswith("#!") else text,
            first_line=answer.document.first_line,
            own_tags=True,
        )
    except YamlError as error:
        _unreadable(answer, error)
        return
    if any(nictemplates.kind_of(document.value) not in nictemplates.KINDS for document in found):
        answer.collector.launched = place(answer, answer.document.first_line)
    aside = _without_devices(found)
    for document in found:
        if not any(document is one for one in aside):
            _walk(answer, document, document.value, (), {}, ignition.paths(document))
        clusternetworks.read(answer, document)
        nictemplates.read(answer, document)
        ignition.tell(answer, document)
    clusternetworks.compare(answer, found)
    compose.compare(answer, found)
    containers.compare(answer, found)
    podreferences.compare(answer, found)
    cloudinit.tell(answer)
    by_ignition = (line for document in found for line in ignition.written_lines(document))
    networks = list(networkcalls.of_files(answer, (*cloudinit.written_lines(answer), *by_ignition)))
    if networks:
        begin(answer).calls += networks


def _in_here_documents(text: str) -> str:
    """What a script writes into files, on the lines where it stands; each manifest is a document of its own."""
    lines = text.split("\n")
    data = {command.number for command in commands(lines) if command.is_data}
    kept = [line if number in data else "" for number, line in enumerate(lines)]
    for number in sorted(data):
        if lines[number].startswith("apiVersion:") and number - 1 not in data:
            kept[number - 1] = "---"
    return "\n".join(kept) if any(line.startswith("kind:") for line in kept) else text


def _unreadable(answer: Answer, error: YamlError) -> None:
    """A text that is no YAML, or not yet: only what is ours is told as unread."""
    text = answer.document.text
    ours = _OURS.search(text)
    if ours is None:
        answer.collector.launched = place(answer, answer.document.first_line)
        return
    wrong = text.split("\n")[error.line - answer.document.first_line :][:1]
    is_filled_in = any("${" in one for one in wrong)  # by envsubst
    if "{{" not in text and not is_filled_in:
        line, words = error.line, f"manifest: {error.message}"
    else:
        if all(found.group() in VARIABLES for found in _OURS.finditer(text)):
            _template(answer)
            return
        line = answer.document.first_line + text.count("\n", 0, ours.start())
        words = f"{ours.group()} in a template: check what it renders"
    if re.search(_NIC_KIND, text, re.M):
        unclear(answer, line, words)
    else:
        answer.unread(line, words)


def _template(answer: Answer) -> None:
    """The variables of a chart's template, which is no YAML yet: a value with a placeholder stands elsewhere."""
    answer.collector.launched = place(answer, answer.document.first_line)
    named = ""
    for number, text in answer.lines():
        entry = _ENTRY.fullmatch(text)
        given = _ITS_VALUE.fullmatch(text) if named else None
        told = [(named, given.group(1))] if given is not None else assignments(text)
        for name, value in told:
            is_open = "{{" in value or "$" in value or value.endswith("{")
            answer.collector.variable(name, f"${name}" if is_open else unquoted(value), place(answer, number), JOB)
        named = entry.group(1) if entry is not None else ""


def _compare(answer: Answer, number: int, name: str, value: str, seen: dict[str, tuple[str, int]]) -> None:
    """Say where containers of one manifest send in different classes: their ranks are one job."""
    if name not in (_CLASSES | _INDICES) or "$" in value or "{{" in value:
        return
    before, line = seen.setdefault(name, (value, number))
    # nodes may have their addresses at other places of the table, and none of them at its beginning
    if before != value and (name in _CLASSES or "0" in (before, value)):
        if name in _CLASSES:
            answer.collector.other(name, value, place(answer, number))
        meaning = f"line {line} of this manifest sets it to {before} for another container of the same job"
        answer.collector.seen.append(noticed("conflict", place(answer, number), f"{name}={value}", meaning))


def _without_option(answer: Answer, document: YamlText, value: list[Any], path: tuple[str | int, ...]) -> int | None:
    """Say which word of a launcher's command no option hands over, and give its index."""
    words = [str(word) for word in value]
    behind = behind_launcher(words)
    if not behind and path[-1:] == ("args",):  # the command is the launcher, and these are its words
        behind = words
    begins = len(words) - len(behind)
    lost = taken_for_program(behind) if handed(behind) else None
    if lost is None:
        return None
    at = place(answer, document.nearest_line_of((*path, begins + lost)))
    answer.collector.seen.append(noticed("conflict", at, behind[lost], NO_OPTION))
    return begins + lost


def _not_handed(answer: Answer, document: YamlText, container: Mapping[str, Any], path: tuple[str | int, ...]) -> None:
    """Say which variables of a container that launches the ranks of an MPIJob stay with it."""
    words = [str(word) for key in ("command", "args") for word in _listed(container.get(key))]
    if len(words) == 1 or any("\n" in word for word in words):
        words = " ".join(words).split()
    passed = handed(behind_launcher(words))
    if not passed or any("mca_base_env_list" in word for word in words):
        return
    for index, one in enumerate(_listed(container.get("env"))):
        name = one.get("name") if isinstance(one, dict) else None
        if not isinstance(name, str) or name not in VARIABLES or name in passed:
            continue
        if times_named(answer.document.text)[name] == 1:
            at = place(answer, document.nearest_line_of((*path, "env", index, "name")))
            answer.collector.seen.append(noticed("conflict", at, f"name: {name}", NOT_HANDED))


def _refused(answer: Answer, document: YamlText, entry: Mapping[str, Any], path: tuple[str | int, ...]) -> None:
    """Say where a container's variable is a number or a truth value, which the cluster takes none of (Kubernetes API, EnvVar)."""
    value = document.value
    is_object = isinstance(value, dict) and "apiVersion" in value and "kind" in value
    if is_object and "env" in path and isinstance(entry["value"], int):
        said = str(entry["value"]).lower() if isinstance(entry["value"], bool) else str(entry["value"])
        answer.unread(
            document.line_of((*path, "value")),
            f"{REJECTED} {entry['name']}: {said}: the value of a variable is a text, in quotes",
        )


def _mpi_of_others(document: YamlText) -> bool:
    """Whether a manifest is a job that Open MPI launches over SSH (kubeflow/mpi-operator: mpiImplementation, if it names none)."""
    value = document.value
    spec = value.get("spec") if isinstance(value, dict) and value.get("kind") == "MPIJob" else None
    return isinstance(spec, dict) and spec.get("mpiImplementation", "OpenMPI") == "OpenMPI"


_RESOURCE = re.compile(r"rdma/[\w.-]{1,60}|[\w.-]{1,60}/[\w.-]{0,60}(?:rdma|roce)[\w.-]{0,60}")
"""Devices that a container asks its cluster for: `rdma/ib` (k8s-rdma-shared-dev-plugin), `nvidia.com/sriov-rdma-vf`."""


def _resource(answer: Answer, document: YamlText, value: Mapping[Any, Any], path: tuple[str | int, ...]) -> None:
    """The RDMA device that a container asks for, in its limits or requests."""
    for key, given in value.items():
        if isinstance(key, str) and _RESOURCE.fullmatch(key) is not None and str(given) not in ("0", ""):
            at = place(answer, document.nearest_line_of((*path, key)))
            answer.collector.host.values.setdefault("rdma_resource", known(key, at))


def _given_device(answer: Answer, document: YamlText, inner: str, path: tuple[str | int, ...]) -> None:
    """The RDMA devices that a service of Compose is given (`devices: ["/dev/infiniband:/dev/infiniband"]`)."""
    if path[:1] == ("services",) and path[-2:-1] == ("devices",) and inner.startswith(_RDMA_DEVICES):
        at = place(answer, document.nearest_line_of(path))
        answer.collector.host.values.setdefault("rdma_resource", known(inner.partition(":")[0], at))


_RDMA_DEVICES = "/dev/infiniband"


def _without_helpers(containers: list[Any]) -> list[Any]:
    """The containers of a pod, without the variables of those that ask for no GPU and no RDMA device where another one does: they
    watch the job, and are no part of it.
    """
    asking = [isinstance(one, dict) and _DEVICES.search(str(one.get("resources"))) is not None for one in containers]
    if not any(asking):
        return containers
    return [
        {key: inner for key, inner in one.items() if key != "env"} if isinstance(one, dict) and not asks else one
        for one, asks in zip(containers, asking, strict=True)
    ]


def _without_devices(found: Sequence[YamlText]) -> list[YamlText]:
    """Services that name no device, beside a document that names one: they are no part of the job that it describes."""
    services = [one for one in found if isinstance(one.value, dict) and one.value.get("kind") == "Deployment"]
    if not services or len(found) == 1:
        return []
    without = [one for one in services if _DEVICES.search(str(one.value)) is None]
    others = [one for one in found if not any(one is service for service in without)]
    return without if any(_DEVICES.search(str(one.value)) for one in others) else []


_DEVICES = re.compile(r"gpu|/npu|ascend|gaudi|rdma|roce", re.I)
"""In what a container asks its cluster for: `nvidia.com/gpu`, `huawei.com/Ascend910`, `habana.ai/gaudi`, an RDMA device."""


def _of_jobs(services: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """The services of Compose that are given devices, where one of them is: the others are no part of its job."""
    given = {name: one for name, one in services.items() if _GIVEN.search(str(one)) is not None}
    return given or services


_GIVEN = re.compile(r"gpu|nvidia|npu|infiniband|rdma|roce|privileged", re.I)
"""In a service of Compose: devices, a runtime, a reservation."""


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _walk(
    answer: Answer,
    document: YamlText,
    value: Any,
    path: tuple[str | int, ...],
    seen: dict[str, tuple[str, int]],
    files: Mapping[tuple[str | int, ...], str],
) -> None:
    """Variables of containers (`name`, `value`), and what commands and configuration texts hand over."""
    if len(path) > _DEPTH:
        return
    if isinstance(value, dict):
        if "env" in value and _mpi_of_others(document):
            _not_handed(answer, document, value, path)
        _resource(answer, document, value, path)
        name, given = value.get("name"), value.get("value")
        if isinstance(name, str) and isinstance(given, str | int) and len(name) <= _LONGEST_NAME:
            if re.fullmatch(VARIABLE, name):
                _refused(answer, document, value, path)
                _compare(answer, document.line_of((*path, "value")), name, str(given), seen)
                _hand(answer, document, name, _filled_in(name, given), document.line_of((*path, "value")))
            elif meant_variable(name) is not None:  # `NCCL_IB_TC#`
                answer.collector.variable(name, str(given), place(answer, document.line_of((*path, "name"))), JOB)
        for key, inner in (_of_jobs(value) if path == ("services",) else value).items():
            if (
                isinstance(key, str)
                and re.fullmatch(VARIABLE, key)
                and "\n" not in str(inner)
                and isinstance(inner, str | int)
            ):
                _hand(answer, document, key, _filled_in(key, inner), document.line_of((*path, key)))
            _walk(answer, document, inner, (*path, key), seen, files)
    elif isinstance(value, list):
        lost = _without_option(answer, document, value, path)
        for index, inner in enumerate(_without_helpers(value) if path[-1:] == ("containers",) else value):
            if index != lost:
                _walk(answer, document, inner, (*path, index), seen, files)
            if inner == DEVICE_OPTION:  # its value is the next word of the command
                for option, given in assignments(f"{inner} {value[index + 1]}" if index + 1 < len(value) else ""):
                    line = document.nearest_line_of((*path, index + 1))
                    answer.collector.variable(option, given, place(answer, line), JOB)
    elif isinstance(value, str):
        _given_device(answer, document, value, path)
        is_block = "\n" in value
        lines = list(document.lines_of_text(path, value))
        for number, name, given in _told(lines, is_block):
            if is_block:
                answer.collector.variable(name, _left_open(document, name, given), place(answer, number), JOB)
            else:
                _hand(answer, document, name, given, _written(answer, number, name))
        for number, text in lines if path in files or re.search(CALLS, value) is not None else ():
            if not text.lstrip().startswith("#"):
                script_line(answer, begin(answer), files.get(path, f"/manifest/{path}"), number, text)


def _told(lines: Sequence[tuple[int, str]], is_block: bool) -> Iterator[tuple[int, str, str]]:
    """(number, variable, value) of what the lines of a text hand over: as a shell or a program of Python sets it,
    or as YAML does that stands in the text."""
    program = stored("\n".join(text for _, text in lines)) if is_block else None
    if program is not None:
        yield from ((lines[line - 1][0], name, value) for name, value, line in program)
        return
    values = constants(text for _, text in lines)
    replaced = {earlier for earlier, _ in exported_twice([text for _, text in lines])}
    named = ""
    for index, (number, text) in enumerate(lines):
        if index not in replaced:
            yield from ((number, *pair) for pair in assignments(values.filled(text, {})))
        held = _HELD.fullmatch(text) if is_block else None
        given = _ITS_VALUE.fullmatch(text) if named else None
        if held is not None:
            yield number, held[1], unquoted(held[2])
        if given is not None:
            yield number, named, unquoted(given[1])
        entry = _ENTRY.fullmatch(text) if is_block else None
        named = entry[1] if entry is not None else ""


def _hand(answer: Answer, document: YamlText, name: str, value: str, number: int) -> None:
    """A variable that a manifest hands a job; objects of one file are for one cluster, so that each value of theirs counts."""
    is_object = isinstance(document.value, dict) and "apiVersion" in document.value
    if is_object and name in _CLASSES:
        answer.collector.other(name, value, place(answer, number))
    answer.collector.variable(name, _left_open(document, name, value), place(answer, number), JOB)


def _left_open(document: YamlText, name: str, value: str) -> str:
    """The value of a variable; `$NAME` of one that keeps a job off RDMA which runs on one node and has no use for it."""
    return f"${name}" if name in KEEPS_OFF and podcounts.is_on_one_node(document) else value


def _filled_in(name: str, value: str | int) -> str:
    """The value of a variable, its default where Compose takes it from elsewhere (`${NAME:-3}`); `$NAME` where a template or a tag
    (`!Ref`) fills it in, and it stands elsewhere."""
    text = constants(()).filled(str(value), {}) if "${" in str(value) else str(value)
    return f"${name}" if text.startswith("{{") and text.endswith("}}") else text


def _written(answer: Answer, number: int, name: str) -> int:
    """The line of a variable in a text that goes over several lines of the file and is one to YAML."""
    following = enumerate(answer.document.text.split("\n")[number - answer.document.first_line :][:_LONGEST], number)
    return next((line for line, text in following if f"{name}=" in text), number)


MANIFEST = Tool(
    name="kubernetes",
    split=_manifest,
    signature=r"\A(?![\s\S]{0,4000}?^kind: CustomResourceDefinition)(?:(?=[\s\S]{0,4000}?^apiVersion:)(?=[\s\S]{0,4000}?^kind:)"
    rf"(?=[\s\S]{{0,19000}}?(?:\b{VARIABLE}\b"
    rf"|^kind: (?:SriovNetwork(?:NodePolicy)?|{'|'.join(clusternetworks.KINDS)})\b|{_NIC_KIND}|{CALLS}))"
    # values of a chart, or a file of services: YAML that hands variables to containers
    rf"|(?:(?:#[^\n]{{0,300}}|---[^\n]{{0,40}}|)\n){{0,40}}[A-Za-z_][\w.-]{{0,60}}:[ \n]"
    rf"(?=[\s\S]{{0,19000}}?^[ ]{{1,40}}(?:- )?(?:name: [\"']?{VARIABLE}[\"']?$|{VARIABLE}: |[\"']?{VARIABLE}=))"
    # what runs commands on nodes: Butane, states of Salt, services
    rf"|(?!#cloud-config)(?:(?:#[^\n]{{0,300}}|---[^\n]{{0,40}}|)\n){{0,40}}[A-Za-z_][\w.-]{{0,60}}:[ \n](?={CALLED})"
    # the same as JSON, which is YAML as well
    rf"|\s{{0,40}}\{{(?=[\s\S]{{0,40000}}?{MEMBER}))",
    words=(*LIBRARY_WORDS, *CALL_WORDS, "SriovNetwork", *clusternetworks.KINDS, *nictemplates.KINDS),
)
