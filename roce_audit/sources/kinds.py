"""The clear word for a file that is no device: what it is instead."""

from __future__ import annotations

import re

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.signature import compiled, literal_in
from roce_audit.sources import foreign
from roce_audit.text.memo import of_text

EMPTY, TEXT, MARKUP, ARCHIVE = "empty", "text", "XML or HTML", "an archive"
SHORT = "a few lines of text"
JSON, YAML = "JSON that is not a device's", "YAML that is not a device's"
POINTER = "a pointer of Git LFS: fetch the file itself with git lfs pull"
ENCRYPTED = "encrypted: decrypt it first"
FAILED = "what a failed download or login printed"
OPEN = "a template with open placeholders: check what it renders"
PART = "a template: only what it says plainly is judged, with one port for those of a loop; check what it renders"
"""Said of a template that is read as a part of a configuration."""
SCRIPT, PYTHON, TERRAFORM, SOURCE_CODE = "a script", "Python source", "Terraform", "source code"
"""Programs; a few set NICs up or launch jobs, and are read."""
NOTEBOOK = "a notebook or interface of Python"
_BY_EXTENSION = {
    PYTHON: ".py",
    NOTEBOOK: ".pyi .ipynb",
    "Markdown": ".md .markdown",
    "documentation": ".rst .adoc .html .htm .css .tex",
    "a picture": ".png .jpg .jpeg .gif .svg .webp .ico .drawio",
    SOURCE_CODE: ".c .h .cc .cpp .hpp .go .rs .js .ts .tsx .java .rb .pl .proto .sql",
    SCRIPT: ".lua .sh .bash .ps1 .psm1 .psd1 .bat .zsh",
    TERRAFORM: ".tf .tfvars .hcl",
    "an office document": ".pdf .doc .docx .xls .xlsx .ppt .pptx .odt",
    ARCHIVE: ".zip .tar .gz .tgz .xz .bz2 .zst .7z .rpm .deb .whl",
    "a certificate or key": ".pem .crt .cer .key .p12 .pub .gpg",
    "a packet capture": ".pcap .pcapng",
    "a lock file": ".lock",
    "the recipe of a package": ".spec",
    "a stylesheet or schema": ".xsd .xsl .yang",
    "a rulebook of annet": ".rul",
}
_EXTENSION = {ext: word for word, exts in _BY_EXTENSION.items() for ext in exts.split()}

PROSE = frozenset({"Markdown", "documentation"})
"""Texts that show pieces of configurations and are none, even where somebody names them, as a hook names changed files."""

_TEMPLATE_BLOCK = lazy(r"\{%[-+]? *(?:if|for|set|include|block|macro|raw|import|from|extends|endif|endfor|else|elif)\b")
_TEMPLATE_LINE = lazy(rf"^[ \t]*{_TEMPLATE_BLOCK.pattern}", re.M)
_TEMPLATE_VALUE = lazy(r"^(?![ \t]*[!#])[^\n]{0,400}?\{\{[-+]? *[A-Za-z_.$][^{}\n]{0,200}\}\}", re.M)
_GO_FORMAT = lazy(
    r"\b(?:docker|podman|nerdctl|crictl|kubectl|oc|skopeo) [^\n]{0,400}\{\{-? {0,4}(?:\.|(?:range|json|index|if|println)\b)"
)
"""How a tool of containers is told what to print: `docker ps --format '{{.Names}}'`."""
_PYTHON = lazy(r"^(?:import [a-z_.]+$|from [a-z_.]+ import |def \w+\(|class \w+[(:])", re.M)
_YAML_KEY = lazy(r"^(?:- )?[A-Za-z_\"'][\w .\"'/-]{0,60}:(?: |$)", re.M)
_DIFF = lazy(r"^(?:diff --git [^\n]*|--- \S[^\n]*\n\+\+\+ \S[^\n]*)\n(?:[^\n]*\n){0,6}?@@ -\d", re.M)
_SECTION = lazy(r"\[{1,2}[A-Za-z][\w.\" -]{0,80}\]{1,2}[ \t]*$", re.M)
_STAND_IN = {
    POINTER: r"version https://git-lfs\.github\.com/spec/",
    ENCRYPTED: r"\$ANSIBLE_VAULT;|-----BEGIN (?:AGE ENCRYPTED FILE|PGP MESSAGE)-----|age-encryption\.org/v1\b|\x00?GITCRYPT",
    FAILED: r"(?:ssh: connect to host |ssh_exchange_identification: |kex_exchange_identification: |scp: |curl: \([0-9]{1,3}\) |wget: )"
    r"|Host key verification failed|Permission denied[, (]|(?:Error:? )?40[134][: ]|(?:Error:? )?50[0234][: ]"
    r"|[^\n]{0,100}: Permission denied \([^\n()]{1,80}\)\.",
}
"""How a text begins that stands in the place of another."""
_STANDS_IN = {word: lazy(pattern) for word, pattern in _STAND_IN.items()}
_SHORT = 2_000
"""What failed prints a few lines; a session that begins with an error goes on."""
_HEAD = 4_000
_FEW_LINES = 10
"""What refuses or excuses itself is no longer: a configuration, of whatever system, is."""
_FORM_HEAD = 200_000


_PLAYBOOK = lazy(
    r"^ {0,40}(?:- )?(?:ansible\.(?:builtin|legacy)\.)?(?:command|shell|raw|copy|blockinfile|lineinfile|environment):",
    re.M,
)


_LOOPS = lazy(r"^[ \t]{2,60}\{%[-+]? {0,9}(?:for [^\n{}%]{1,200}|endfor) {0,9}[-+]?%\}[ \t]{0,20}$", re.M)
_HANDS = lazy(
    r"(?:\b|_)env(?:iron|ironment|_vars|s)?(?:\[|\.setdefault\()[\"'](?:NCCL|RCCL|UCX|NVSHMEM)_"
    r"|[\"'](?:export )?(?:NCCL|RCCL|UCX|NVSHMEM)_[A-Z0-9_]{1,60}(?:=|[\"'][ \t]{0,8}:)"
    r"|\benv(?:iron)?\.update\([^)]{0,600}?\b(?:NCCL|RCCL|UCX|NVSHMEM)_[A-Z0-9_]{1,60}="
)
_TESTS = lazy(r"^[ \t]{0,20}(?:import (?:pytest|unittest)\b|from (?:pytest|unittest)\b|(?:async )?def test_\w)", re.M)
"""In the tests of a program."""
_LIBRARIES = ("NCCL_", "RCCL_", "UCX_", "NVSHMEM_")
_VARIABLES = lazy(r"(?:[ \t]*+(?:#[^\n]*+|(?:export )?[A-Za-z_]\w*+=[^\n]*+)?(?:\n|\Z))+")


@of_text
def is_playbook(text: str) -> bool:
    """Whether it may be a playbook: its placeholders are its own language, and loops in the files that it writes."""
    return _PLAYBOOK.search(text[:20_000]) is not None and ("{%" not in text or _loops_alone(text))


def _loops_alone(text: str) -> bool:
    """Whether nothing stands in `{% %}` but loops, on lines of their own within values."""
    from roce_audit.text.structured import yamltext

    if text.count("{%") != len(_LOOPS.findall(text)):
        return False
    try:
        return bool(yamltext.documents(text, own_tags=True))
    except yamltext.YamlError:
        return False


@of_text
def is_variables(text: str) -> bool:
    """Whether it holds nothing but variables, a line each: of a template of those only single values stand elsewhere."""
    return "{%" not in text and _VARIABLES.fullmatch(text[:20_000]) is not None


def is_template(word: str) -> bool:
    """Whether this is what is said of a template."""
    return word.startswith(("a template", "a Jinja template"))


def hands_variables(text: str) -> bool:
    """Whether a program sets variables of a library that moves data."""
    return (
        any(word in text for word in _LIBRARIES)
        and _TESTS.search(text[:20_000]) is None
        and _HANDS.search(text[:20_000]) is not None
    )


def by_name(name: str) -> str:
    """What a file of this name surely is, without opening it; empty when the name leaves it open."""
    return _EXTENSION.get(name[name.rfind(".") :].lower(), "") if "." in name else ""


@of_text
def template(text: str) -> str:
    """The word for a text with placeholders that are still to be filled in; empty for any other text.

    Placeholders within the strings of a JSON text are its values.
    """
    if text[:100].lstrip().startswith(("{", "[")) and not text.lstrip().startswith(("{%", "{{")):
        is_template = "%" in text and "{%" in text and _TEMPLATE_LINE.search(text) is not None
        return "a Jinja template: check what it renders" if is_template else ""
    # one character is looked for at the speed of memory
    if "%" in text and "{%" in text and _TEMPLATE_BLOCK.search(text) is not None:
        return "a Jinja template: check what it renders"
    if "{" in text and "{{" in text and any(_is_open(found[0]) for found in _TEMPLATE_VALUE.finditer(text)):
        return OPEN
    return ""


def _is_open(line: str) -> bool:
    """Whether the placeholder at the end of it is to be filled in before anybody runs it."""
    return _GO_FORMAT.search(line) is None


@of_text
def unfinished(text: str) -> str:
    """The word for a text that only leads to a configuration: a template, a diff. Empty for any other text."""
    head = text[:_HEAD]
    if "@@ -" in head and _DIFF.search(head):
        return "a diff: check the file that it changes"
    return template(text)


def by_text(text: str) -> str:
    """What a text that no platform recognised seems to be."""
    head = text[:_HEAD].lstrip()
    if not head:
        return EMPTY
    stands_in = next((word for word, begins in _STANDS_IN.items() if begins.match(head)), "")
    if stands_in and (stands_in != FAILED or len(text) < _SHORT):
        return stands_in
    if head.startswith("#!"):
        return "a script"
    unread = _unread_form(text)
    if unread:
        return unread
    if _SECTION.match(head):
        return "settings (INI or TOML)"
    if head.startswith(("{", "[")) and text.rstrip().endswith(("}", "]")):
        return JSON
    if head.startswith("<"):
        return MARKUP
    if head.startswith("---") or len(_YAML_KEY.findall(head)) * 3 > head.count("\n") + 1:
        return YAML
    if _PYTHON.search(head):
        return PYTHON
    syntax = foreign.syntax_of(head)
    if syntax:
        return f"a configuration of {syntax}, which nothing here reads"
    if "```" in head or "](http" in head:
        return "Markdown"
    return SHORT if head.rstrip().count("\n") < _FEW_LINES else TEXT


def _unread_form(text: str) -> str:
    """What a platform says of a form of its configurations that it does not read; empty for any other text."""
    forms = (form for one in platforms.every() for form in one.unread_forms.items())
    return next((word for pattern, word in forms if _has_form(pattern, text)), "")


def _has_form(pattern: str, text: str) -> bool:
    return literal_in(pattern) in text and compiled(pattern).search(text, 0, _FORM_HEAD) is not None
