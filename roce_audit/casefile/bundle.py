"""The bundle: the smallest set of files on which the finding comes out again, proved by replaying it."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import platform
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from roce_audit import __version__
from roce_audit.audit import Checked, Request, check, read
from roce_audit.casefile.choosing import circles, members
from roce_audit.casefile.site import FOLDER, Sources, Tree, tree
from roce_audit.engine.findings import Finding, Member, Report
from roce_audit.policy import FILE_NAME, load
from roce_audit.records import dataclass
from roce_audit.report import registry
from roce_audit.report.formats.json import finding_dict
from roce_audit.report.prepare import prepare
from roce_audit.report.words import count, headline
from roce_audit.sources.files import STDIN
from roce_audit.text.secrets.mask import Masker, Numbered


@dataclass(frozen=True, slots=True)
class Case:
    """A bundle before it is written. `replayed` is the finding as it comes out of the bundle, None where it does not."""

    name: str
    tree: Tree
    devices: tuple[str, ...]
    replayed: Finding | None
    secrets: int


class NoFiles(ValueError):
    """The devices were not read from files."""


def build(checked: Checked, request: Request, finding: Finding, device: str) -> Case:
    """Take along more and more of the site until the finding comes out again. Raises NoFiles for standard input."""
    sources = _sources(request)
    about = members(finding, device)
    name = "-".join(["roce-audit", *finding.rule.split("/"), finding.fingerprint[:8]])
    case: Case | None = None
    for circle in circles(checked, finding, about):
        for pinned in (False, True):
            masks = Numbered()
            files = tree(checked, request.policy, sources, circle, pinned, Masker(masks))
            report, found = _replay(files, finding, about, request, checked, sources)
            case = Case(name, files, tuple(sorted(circle)), found, len(masks))
            if found is not None:
                return _complete(case, report, finding, about)
    assert case is not None  # there is always one circle: everything
    return _complete(case, report, finding, about)


def _sources(request: Request) -> Sources:
    loaded, readings, _, crashes = read(request)
    if crashes:
        raise NoFiles(crashes[0])
    files = {
        reading.name: tuple(dict.fromkeys(document.path for document in device.documents))
        for device, reading in zip(loaded.devices, readings, strict=True)
    }
    if any(path == STDIN for paths in files.values() for path in paths):
        raise NoFiles("a bundle needs files: standard input cannot be taken along")
    return Sources.of(files)


def _replay(
    files: Tree, finding: Finding, about: Sequence[Member], request: Request, checked: Checked, sources: Sources
) -> tuple[Report, Finding | None]:
    """Judge the bundle as its reader will: by this rule alone, from its own folder."""
    rules = tuple(rule for rule in checked.rules if rule.id == finding.rule)
    with tempfile.TemporaryDirectory(prefix="roce-audit-") as folder:
        for path, content in files.items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        with contextlib.chdir(folder):
            site = Request((FOLDER,), load(Path(FOLDER, FILE_NAME)), rules=rules, today=request.today)
            report = prepare(check(site).report)
    wanted = {(member.fingerprint, member.value) for member in about}
    places = {(f"{FOLDER}/{sources.inside(at.path)}", at.line) for at in finding.locations if at.role == "primary"}
    for found in report.findings:
        same = {(member.fingerprint, member.value) for member in found.members}
        there = {(at.path, at.line) for at in found.locations if at.role == "primary"}
        about_files = (
            finding.topic == "input" and finding.device is None
        )  # its subject is a path, which is another here
        if (found.rule, found.verdict, found.severity) == (finding.rule, "fails", finding.severity) and (
            wanted <= same or (about_files and places == there)
        ):
            return report, found
    return report, None


def _complete(case: Case, report: Report, finding: Finding, about: Sequence[Member]) -> Case:
    shown = case.replayed or finding
    files = dict(case.tree)
    files["finding.json"] = json.dumps(finding_dict(shown), indent=1) + "\n"
    files["finding.txt"] = "".join(registry.render("text", report))
    files["README.md"] = "\n".join(_readme(case, shown, about)) + "\n"
    return Case(case.name, files, case.devices, case.replayed, case.secrets)


def _readme(case: Case, finding: Finding, about: Sequence[Member]) -> Iterator[str]:
    yield f"# {finding.rule}: {finding.title}"
    yield ""
    yield headline(finding)
    yield ""
    if case.replayed is None:
        yield "**This finding does not come out again from the files here**: it depends on something that could not be taken along."
    else:
        yield "To see it, with file, line and reason, in this folder:"
        yield ""
        yield f"    roce-audit check --select {finding.rule} {FOLDER}"
        if len(about) == 1:
            yield f"    roce-audit explain {finding.rule} '{about[0].id}' {FOLDER}"
    yield ""
    yield f"- `finding.txt`, `finding.json`: what roce-audit {__version__} says of it (Python {platform.python_version()})."
    yield f"- `{FOLDER}/`: the files of {', '.join(case.devices)}, whole, every line in its place."
    yield f"- `{FOLDER}/{FILE_NAME}`: what the whole site had decided (classes, MTU), fixed for these devices."
    yield (
        f"- {count(case.secrets, 'secret')} masked as `<secret-1>` and so on: the same secret is the same mask everywhere. "
        "Names, addresses and descriptions are as they were: look through the files before you send them."
    )
    yield f"- fingerprints: {', '.join(member.fingerprint for member in about[:8])}"


def archive(case: Case) -> bytes:
    """The bundle as .tar.gz; equal cases give equal bytes."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for path, content in sorted(case.tree.items()):
            data = content.encode()
            entry = tarfile.TarInfo(f"{case.name}/{path}")
            entry.size = len(data)
            entry.mode = 0o644
            tar.addfile(entry, io.BytesIO(data))
    return gzip.compress(packed.getvalue(), mtime=0)
