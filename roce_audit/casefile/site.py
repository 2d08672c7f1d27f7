"""The files of a case: the devices' own, masked; a policy that fixes what the whole site had decided; the cables."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from roce_audit.audit import Checked, hints
from roce_audit.drafting.yamltext import key, literal, numbers, text
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import FabricView
from roce_audit.model import Class
from roce_audit.policy import FILE_NAME
from roce_audit.policy.values import Policy
from roce_audit.records import dataclass
from roce_audit.sources.hints import Hints
from roce_audit.sources.lines import text_of
from roce_audit.sources.splitting.bundle import is_bundle, recounted
from roce_audit.text.globs import matches
from roce_audit.text.secrets.mask import Masker

Tree = dict[str, str]
"""Path in the bundle -> text."""
FOLDER = "site"
RULES = "rules"
PATHS = "paths.yaml"


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the devices of a run were read: device -> its files, and the folder that paths in the bundle start from."""

    files: Mapping[str, tuple[str, ...]]
    root: str

    @staticmethod
    def of(files: Mapping[str, tuple[str, ...]]) -> Sources:
        """The folder above the one that holds all files, so that the folder's own name is kept: it may name a device."""
        folders = [os.path.dirname(os.path.abspath(path)) for paths in files.values() for path in paths]
        return Sources(files, os.path.dirname(os.path.commonpath(folders)))

    def inside(self, path: str) -> str:
        """A path of the run as a path below the bundle's site folder."""
        return os.path.relpath(os.path.abspath(path), self.root).replace(os.sep, "/")


def tree(
    checked: Checked, policy: Policy, sources: Sources, devices: frozenset[str], pinned: bool, masker: Masker
) -> Tree:
    """The site folder with these devices; `pinned` also fixes which of their ports carry RoCE."""
    paths = dict.fromkeys(path for name in devices for path in sources.files[name])
    done = {f"{FOLDER}/{sources.inside(path)}": _masked(text_of(path), masker) for path in sorted(paths)}
    own_rules = list(_own_rules(policy))
    done.update({f"{RULES}/{name}": content for name, content in own_rules})
    lines = [*_policy(checked, policy, sources, devices, pinned), *(["rules_path: ['../rules']"] if own_rules else [])]
    given = list(_given_paths(policy, devices))
    if given:
        done[f"{FOLDER}/{PATHS}"] = "\n".join(["paths:", *given]) + "\n"
        lines.append(f"path_file: {PATHS}")
    done[f"{FOLDER}/{FILE_NAME}"] = "\n".join(lines) + "\n"
    links = list(_links(checked, devices))
    if links:
        done[f"{FOLDER}/topology.yaml"] = "\n".join(["links:", *links]) + "\n"
    return done


def _masked(text: str, masker: Masker) -> str:
    masked = masker.text(text)
    return recounted(text, masked) if masked != text and is_bundle(text) else masked


def _own_rules(policy: Policy) -> Iterator[tuple[str, str]]:
    for entry in policy.rules_paths:
        folder = os.path.join(policy.folder or ".", entry.text)
        for where, _, names in os.walk(folder):
            for name in sorted(names):
                if name.endswith(".yaml"):
                    path = os.path.join(where, name)
                    yield os.path.relpath(path, folder).replace(os.sep, "/"), text_of(path)


def _policy(checked: Checked, policy: Policy, sources: Sources, devices: frozenset[str], pinned: bool) -> Iterator[str]:
    yield "# What the whole site had decided, fixed for the devices of this case."
    yield f"profile: {key(policy.profile.or_else('base'))}"
    yield "fabrics:"
    for fabric in checked.site.fabrics:
        mine = [device.name for device in fabric.devices if device.name in devices]
        if mine:
            yield from _fabric(fabric, policy, mine)
    pins = list(_pins(checked, devices)) if pinned else []
    yield from ["ports:", *pins] if pins else []
    hints = list(_hints(policy, sources, devices))
    yield from ["paths:", *hints] if hints else []
    kept = [name for name in sorted(devices) if policy.in_maintenance(name) is not None]
    yield from [f"maintenance: [{', '.join(text(literal(name)) for name in kept)}]"] if kept else []
    yield from _rules(policy)


def _given_paths(policy: Policy, devices: frozenset[str]) -> Iterator[str]:
    """The entries of the path file of which each name is that of a device in the case."""
    for entry in policy.given_paths:
        steps = ((entry.start,), (entry.end,), *entry.via)
        if all(any(matches(pattern, name) for pattern in step for name in devices) for step in steps):
            via = ", ".join(f"[{', '.join(map(text, step))}]" for step in entry.via)
            yield f"  - {{from: {text(entry.start)}, to: {text(entry.end)}, via: [{via}]{', one_way: true' if entry.one_way else ''}}}"


def _fabric(fabric: FabricView, policy: Policy, devices: list[str]) -> Iterator[str]:
    given = next((entry for entry in policy.fabrics if entry.name == fabric.name), None)
    yield f"  {key(fabric.name)}:"
    yield f"    devices: [{', '.join(text(literal(name)) for name in devices)}]"
    if given is not None and not given.carries_roce:
        yield "    roce: none"
        return
    lossless = given.lossless if given is not None else policy.lossless
    if lossless.is_known:
        yield f"    lossless: {str(lossless.get()).lower()}"
    classes = [*fabric.classes.roce, *([fabric.classes.cnp] if fabric.classes.cnp is not None else [])]
    if classes:
        yield "    classes:"
        yield from (f"      - {{{_class(cls, cls is fabric.classes.cnp)}}}" for cls in classes)


def _class(cls: Class, is_cnp: bool) -> str:
    words = [f"name: {text(cls.name)}", f"role: {'cnp' if is_cnp else 'roce'}"]
    for name, cell in (("dscp", cls.dscp), ("pcp", cls.pcp), ("priority", cls.priority)):
        words += [f"{name}: {numbers(cell.get())}"] if cell.is_known else []
    if not is_cnp:
        words += [f"lossless: {str(cls.lossless.get()).lower()}"] if cls.lossless.is_known else []
        words += [f"mtu: {cls.mtu_bytes.get()}"] if cls.mtu_bytes.is_known else []
    return ", ".join(words)


def _pins(checked: Checked, devices: frozenset[str]) -> Iterator[str]:
    for port in _seats(checked, devices):
        if port.roce.carries is not None and port.roce.rank != "not_data":
            answer = str(port.roce.carries).lower()
            yield f"  - {{match: {text(f'{literal(port.device.name)}:{literal(port.reading.name)}')}, roce: {answer}}}"


def _seats(checked: Checked, devices: frozenset[str]) -> Iterator[FabricPort]:
    for fabric in checked.site.fabrics:
        yield from (port for port in fabric.ports if port.device.name in devices)


def _hints(policy: Policy, sources: Sources, devices: frozenset[str]) -> Iterator[str]:
    """What the policy said of files, said of each by its name: its patterns need not fit in the bundle."""
    known = Hints(hints(policy))
    for path in sorted({path for name in devices for path in sources.files[name]}):
        below = os.path.relpath(os.path.abspath(path), policy.folder or ".").replace(os.sep, "/")
        said = known.of(dict.fromkeys((path, below)))
        words = [f"{name}: {text(value)}" for name in ("platform", "state") if (value := getattr(said, name))]
        if said.complete is not None:
            words.append(f"complete: {str(said.complete).lower()}")
        if words:
            yield f"  {text(literal(sources.inside(path)))}: {{{', '.join(words)}}}"


def _rules(policy: Policy) -> Iterator[str]:
    if policy.rules:
        yield "rules:"
    for entry in policy.rules:
        words = [f"severity: {entry.severity}"] if entry.severity else []
        if entry.params:
            params = ", ".join(f"{key(name)}: {_scalar(value)}" for name, value in entry.params.items())
            words.append(f"params: {{{params}}}")
        yield f"  {entry.rule}: {{{', '.join(words)}}}"


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return text(value) if isinstance(value, str) else str(value)


def _links(checked: Checked, devices: frozenset[str]) -> Iterator[str]:
    for link in checked.site.links:
        if link.a.device.name in devices or link.b.device.name in devices:
            length = f", length_m: {link.link.length_m.get():g}" if link.link.length_m.is_known else ""
            yield f"  - {{a: {text(link.a.id)}, b: {text(link.b.id)}{length}}}"
    for port in _seats(checked, devices):
        if port.peer is None and port.length is not None and port.length.is_known:
            yield f"  - {{a: {text(port.id)}, b: {text(f'unread:{port.id}')}, length_m: {port.length.get():g}}}"
