"""The control lines of templates: what Jinja, the templates of Go (Helm) and ERB decide when they are rendered."""

from __future__ import annotations

from roce_audit.patterns import lazy

_JINJA = lazy(r"\{%[-+]?\s{0,8}(\w{1,20})\b[^\n]*%\}")
_GO = lazy(r"\{\{-?\s{0,8}(if|else if|else|end|range|with|define|block|template|include|toYaml|tpl|/\*|\$)[^\n]*\}\}")
_ERB = lazy(r"<%-?\s{0,8}(if|unless|elsif|else|end|[\w.@]{1,60}\.each)\b[^\n]*%>")
_ASKS = frozenset({"if", "unless", "with"})
_OPENS = frozenset({"range", "define", "block", "do", "for", "macro", "call", "filter", "raw"})
_OTHERWISE = frozenset({"elif", "elsif", "else if"})
_CONDITION = "$CONDITION"


def control(line: str, stack: list[str]) -> str | None:
    """What a line that only controls a template is to a shell, which may be nothing; None for any other line.

    `stack` holds the blocks that are open, and is kept by this function.
    """
    if "{%" not in line and "{{" not in line and "<%" not in line:
        return None
    bare = line.strip()
    jinja, go, erb = _JINJA.fullmatch(bare), _GO.fullmatch(bare), _ERB.fullmatch(bare)
    found = jinja or go or erb
    if found is None or bare.count("%}") > 1:
        return None
    word = "do" if found[1].endswith(".each") else found[1]
    if word in _ASKS and not (jinja is not None and word == "with"):
        stack.append("if")
        return f"if {_CONDITION}; then"
    if word in _OPENS and not (jinja is not None and word == "block"):
        stack.append("loop")
        return ""
    if word in _OTHERWISE:
        return f"elif {_CONDITION}; then" if stack[-1:] == ["if"] else ""
    if word == "else":
        return "else" if stack[-1:] == ["if"] else ""
    if word == "end" or (word.startswith("end") and word not in ("endset", "endblock", "endwith")):
        return "fi" if stack and stack.pop() == "if" else ""
    return ""


def is_conditional(stack: list[str]) -> bool:
    """Whether a line stands in a block that may be left out."""
    return "if" in stack
