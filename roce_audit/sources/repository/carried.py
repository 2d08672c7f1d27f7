"""Files of a repository that hold what sets hosts up within another language, and which of them are read as a script."""

from __future__ import annotations

import re

from roce_audit.patterns import lazy
from roce_audit.sources import commands, detect, kinds
from roce_audit.sources.repository.linecalls import mentions
from roce_audit.sources.repository.outline import is_trace, outline
from roce_audit.sources.splitting import multihost
from roce_audit.text.document import Document

_NAMES = lazy(
    r"(?:.*/)?(?:(?:GNU)?[Mm]akefile|[Jj]ustfile|Vagrantfile|Jenkinsfile|Singularity|Apptainer)(?:\.[\w.-]{1,40})?"
    r"|.*\.(?:tf|tfvars|hcl|nomad|tftpl|pp|epp|erb|nix|ks|def|fish|csh|bu|sls|mk|ya?ml|json|j2|jinja2?|tmpl|tpl|gotmpl"
    r"|toml|groovy|service|preseed)"
    r"|(?:.*/)?(?:[\w.-]{1,60}[-_.])?(?:ks|kickstart)(?:[-_.][\w.-]{1,40})?\.cfg"
    r"|(?:.*/)?(?:recipes|templates)/(?:.*/)?[^/]+|(?:.*/)?(?:modulefiles?|modules|lmod)/(?:.*/)?[^/]+\.lua"
)
"""Names of files that are of a language in which people write what runs on hosts."""
_NEVER_A_SHELL = lazy(
    r"(?:.*/)?(?:(?:GNU)?[Mm]akefile|[Jj]ustfile|kustomization)(?:\.[\w.-]{1,40})?|.*\.(?:tf|tfvars|hcl|pp|epp|nix|rb|mk)"
)
"""Names of those that no tool of a host reads, though they begin like a script of a shell."""
_TRACES = lazy(r".*\.(?:log|txt|out|err|trace)|(?:.*/)?[^./]+")
_NOT = frozenset({*kinds.PROSE, kinds.PYTHON, kinds.NOTEBOOK})
_RECIPE = lazy(r"(?:.*/)?(?:recipes|cookbooks)/(?:.*/)?[^/]+\.rb")
_GO_BLOCK = lazy(r"\{\{-?\s*(?:if|with|range|include|define|end|toYaml|tpl|template)\b|\{\{-?\s*\.Values\.")
_SCHEMA = lazy(r"^\s{0,8}kind: CustomResourceDefinition|\"\$schema\"|^ {0,8}\"(?:properties|panels)\": ?[\[{]", re.M)
"""What describes variables, or draws them, gives them no value."""
_MANIFEST = lazy(r"^[ -]{0,6}kind: ", re.M)


def as_script(path: str, text: str, named: str) -> str:
    """The script that a file holds for hosts, line for line; empty where it is read as it stands, or not at all.

    `named` is what its name says of it.
    """
    is_one = _NAMES.fullmatch(path) is not None and (named != kinds.SOURCE_CODE or _RECIPE.fullmatch(path) is not None)
    may_trace = _TRACES.fullmatch(path) is not None and is_trace(text)
    if named in _NOT or not (is_one or may_trace) or commands.command_of(path.rpartition("/")[2]) is not None:
        return ""
    if not mentions(text) or _SCHEMA.search(text) is not None or detect.is_of_switch(path, text):
        return ""
    if may_trace or is_trace(text):
        return outline(text) if may_trace else ""
    is_chart = _GO_BLOCK.search(text) is not None and _MANIFEST.search(text) is not None
    is_own = is_chart or _NEVER_A_SHELL.fullmatch(path) is not None
    if not is_own and (_is_read(path, text, named) or is_of_many(text)):
        return ""
    return outline(text)


def may_be_read(word: str, document: Document) -> bool:
    """A script or playbook that sets NICs up or launches a job, variables for one, or a script of commands that are typed at a switch."""
    if word == kinds.SCRIPT and detect.is_typed_at_switch(document):
        return True
    if word == kinds.PYTHON:
        return kinds.hands_variables(document.text) and detect.is_of_host(document)
    is_playbook = kinds.is_playbook(document.text)
    is_whole = word == kinds.SCRIPT or is_playbook or kinds.is_variables(document.text)
    return is_whole and (detect.is_of_host(document) or (is_playbook and detect.is_typed_at_switch(document)))


def _is_read(path: str, text: str, named: str) -> bool:
    document = Document(path, text)
    word = kinds.unfinished(text) or named
    return may_be_read(word, document) if word else bool(detect.choose((document,)).platform)


def is_of_many(text: str) -> bool:
    """Whether it holds answers of several hosts."""
    try:
        return bool(multihost.texts(text) or multihost.answers(text))
    except ValueError:
        return True
