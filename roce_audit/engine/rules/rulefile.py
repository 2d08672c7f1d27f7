"""Read one rule file: YAML of strangers, checked field by field, to plain data (JSON types) for `rule.from_plain`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from roce_audit.engine.findings import SEVERITIES
from roce_audit.engine.rules.rule import MAX_BYTES, TOPICS, Asks, Confidence, Owner, ParameterType, fits
from roce_audit.engine.rules.rulecompiler import RuleError
from roce_audit.engine.rules.scopes import ASKING, Scope
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.text.formerrors import problems
from roce_audit.text.structured.yamltext import YamlError, YamlText, parse

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


def _as_text(value: object) -> object:
    """YAML reads `True` and `5` as values; an expression wants their text."""
    return str(value) if isinstance(value, bool | int | float) else value


Text = Annotated[str, Field(min_length=1, max_length=4000)]
ExpressionText = Annotated[str, BeforeValidator(_as_text), Field(min_length=1)]
_NAME = r"^[a-z][a-z0-9_]{0,39}$"
_ADDRESS = r"^https://[a-z0-9.-]+/[A-Za-z0-9._~/#?=&%+-]*$"


def _address(text: str) -> str:
    """An address on the web; raises ValueError in words."""
    if re.match(_ADDRESS, text) is None:
        raise ValueError(f"must be an address like https://www.rfc-editor.org/rfc/rfc2474, not {text[:60]!r}")
    return text


def _name(text: str) -> str:
    """A name that expressions can use; raises ValueError in words."""
    if re.match(_NAME, text) is None:
        raise ValueError(f"must be lower-case letters, digits and '_', at most 40, not {text[:60]!r}")
    return text


Name = Annotated[str, AfterValidator(_name), Field(json_schema_extra={"pattern": _NAME})]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SourceForm(_Strict):
    """One entry of `source`."""

    kind: Literal["document", "definition", "unverified"] = Field(
        description="a document; true by what the words mean; or nobody saw it written, and the rule is no error"
    )
    title: Text = Field(description="of the document, or what is claimed")
    section: str = Field(default="", description="where in the document")
    url: (
        Annotated[str, AfterValidator(_address), Field(max_length=300, json_schema_extra={"pattern": _ADDRESS})] | None
    ) = Field(default=None, description="where it can be read; a DOI where there is one")


class ParameterForm(_Strict):
    """One entry of `params`; the type follows from the value, or is given where there is no value."""

    value: int | float | str | None = Field(default=None, description="what holds where policy and profile say nothing")
    type: ParameterType | None = Field(default=None, description="of a parameter without a value")
    doc: Text = Field(description="meaning and unit")
    least: int = Field(default=0, description="the smallest number that means something")


class FixForm(_Strict):
    """The field `fix`: a model path and its value, a note for a person, or both."""

    path: ExpressionText | None = Field(default=None, description="field of the model that is to be changed")
    value: ExpressionText | None = Field(default=None, description="what it is to be")
    swaps: bool = Field(
        default=False, description="whether the value is that of another path, which takes the old one in return"
    )
    note: str = Field(default="", description="what to do, in a sentence; may hold values in braces")


class RuleForm(_Strict):
    """The fields of a rule file."""

    title: Text = Field(description="what is wrong where the rule fails")
    asks: Asks | None = Field(
        default=None,
        description="`present`: a contradiction in what is written; `absent`: something should be there; `forbidden`: it should not",
    )
    scope: Scope = Field(description="what it is asked of, one by one")
    when: ExpressionText | None = Field(default=None, description="condition under which it is asked at all")
    let: dict[Name, ExpressionText] = Field(default={}, description="names for values, in order")
    require: ExpressionText = Field(description="condition that must hold")
    severity: Annotated[dict[str, ExpressionText], Field(min_length=1)] = Field(
        description="how loud a failure is; of several levels with conditions the first that holds"
    )
    message: Text = Field(
        description="the finding, with values in braces; what stands in [ ] falls away with an unknown value"
    )
    why: Text = Field(description="what happens on the wire, for who never heard of it")
    source: Annotated[list[SourceForm], Field(min_length=1)] = Field(description="how this is known")
    confidence: Confidence = Field(description="how far the sources agree")
    owner: Owner = Field(description="who fixes it")
    tags: list[Text] = Field(default=[], description="words to select and suppress by")
    params: dict[Name, ParameterForm] = Field(default={}, description="numbers that a policy or profile may set")
    after: list[Text] = Field(default=[], description="rules whose failure explains a failure of this one")
    points_at: Annotated[dict[ExpressionText, ExpressionText], Field(max_length=16)] = Field(
        default={}, description="value: condition; the finding stands at the line of the first whose condition holds"
    )
    worst_by: ExpressionText | None = Field(
        default=None, description="a number: of failures that share a line, the largest is told"
    )
    not_suppressible: bool = Field(default=False, description="whether no policy may silence it")
    fix: FixForm | None = Field(default=None, description="the change that fixes it, or what to do")
    examples: dict[Name, Text] = Field(
        default={},
        description="by platform: edits of its good network after which the rule fails, holds or is in doubt",
    )


def read(file: Path) -> dict[str, Any]:
    """The plain form of a rule file named `<topic>/<name>.yaml`; raises RuleError."""
    try:
        with file.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise RuleError(str(file), 1, 1, f"cannot be read: {error.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise RuleError(str(file), 1, 1, f"larger than {MAX_BYTES // 1024} KiB")
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise RuleError(str(file), raw.count(b"\n", 0, error.start) + 1, 1, "not UTF-8") from None
    return read_text(text, str(file), file.parent.name, file.stem)


def read_text(text: str, path: str, topic: str, name: str) -> dict[str, Any]:
    """The plain form of the rule `<topic>/<name>`; raises RuleError with `path`."""
    if topic not in TOPICS:
        raise RuleError(path, 1, 1, f"'{topic}' is no topic{did_you_mean(topic, TOPICS)} ({', '.join(TOPICS)})")
    if not _SLUG.match(name):
        raise RuleError(path, 1, 1, f"the file name '{name}' must be lower-case words joined by '-'")
    try:
        document = parse(text, max_characters=MAX_BYTES)
    except YamlError as error:
        raise RuleError(path, error.line, error.column, error.message) from None
    except RecursionError:
        raise RuleError(path, 1, 1, "nested too deeply") from None
    file = _File(path, text, document)
    if not isinstance(document.value, dict):
        empty = document.value is None
        raise file.error((), "the file is empty" if empty else "a rule is a mapping of fields (title: ..., scope: ...)")
    value = dict(document.value)
    if isinstance(value.get("severity"), str):
        value["severity"] = {value["severity"]: "True"}
    try:
        form = RuleForm.model_validate(value)
    except ValidationError as error:
        found = problems(error, RuleForm)
        where, message = next((one for one in found if "unknown key" in one[1]), found[0])  # it may be the missing one
        raise file.error(where, message) from None
    _check(form, file)
    return _plain(form, f"{topic}/{name}", topic, file)


class _File:
    """The text of a rule file, to say where its fields stand."""

    def __init__(self, path: str, text: str, document: YamlText) -> None:
        self.path = path
        self._lines = text.splitlines()
        self._document = document

    def error(self, where: tuple[str | int, ...], message: str) -> RuleError:
        line = self._document.nearest_line_of(where)
        source = self._lines[line - 1] if line <= len(self._lines) else ""
        found = source.find(str(where[-1])) if where else -1
        return RuleError(self.path, line, max(found, 0) + 1, message)

    def place(self, where: tuple[str | int, ...], text: str) -> tuple[int, int]:
        """Line and column where a text begins; column 0 when it is folded or quoted differently than it reads."""
        line = self._document.nearest_line_of(where)
        key = self._lines[line - 1].find(str(where[-1])) if line <= len(self._lines) else 0
        found = self._lines[line - 1].find(text, max(key, 0)) if line <= len(self._lines) else -1
        return line, found + 1


def _check(form: RuleForm, file: _File) -> None:
    """What no single field can tell."""
    if form.asks is None and form.scope in ASKING:
        raise file.error(("scope",), f"a rule of scope {form.scope} must say 'asks': present, absent or forbidden")
    levels = tuple(level for level in SEVERITIES if level != "none")
    for level in form.severity:
        if level not in levels:
            raise file.error(
                ("severity", level), f"'{level}' is no severity{did_you_mean(level, levels)} ({', '.join(levels)})"
            )
    if "error" in form.severity and all(source.kind == "unverified" for source in form.source):
        raise file.error(("source",), "a rule whose sources are all unverified cannot be an error")
    for name, parameter in form.params.items():
        if parameter.value is None and parameter.type is None:
            raise file.error(
                ("params", name), "a parameter without a value needs a type: integer, number, text or template"
            )
        if parameter.type is not None and not fits(parameter.value, parameter.type):
            raise file.error(("params", name, "value"), f"the value is not of type {parameter.type}")
    if form.fix is not None and (form.fix.path is None) != (form.fix.value is None):
        raise file.error(("fix",), "a fix names both the path and its value, or is only a note")
    for at, rule in enumerate(form.after):
        topic, _, name = rule.partition("/")
        if topic not in TOPICS or not _SLUG.match(name):
            raise file.error(("after", at), f"'{rule}' is no rule id (topic/name)")


def _plain(form: RuleForm, rule_id: str, topic: str, file: _File) -> dict[str, Any]:
    data = form.model_dump()
    severities = data.pop("severity")
    data["params"] = {
        name: {**entry, "type": entry["type"] or _type_of(entry["value"])} for name, entry in data["params"].items()
    }
    return {
        **data,
        "id": rule_id,
        "topic": topic,
        "path": file.path,
        "severities": [list(item) for item in severities.items()],
        "points_at": [list(item) for item in form.points_at.items()],
        "places": _places(form, file),
    }


def _type_of(value: object) -> ParameterType:
    return "text" if isinstance(value, str) else "integer" if isinstance(value, int) else "number"


def _places(form: RuleForm, file: _File) -> dict[str, tuple[int, int]]:
    texts: Mapping[str, str | None] = {
        "scope": form.scope,
        "after": form.after[0] if form.after else None,
        "when": form.when,
        "require": form.require,
        "worst_by": form.worst_by,
        "message": form.message,
        **{f"let.{name}": text for name, text in form.let.items()},
        **{f"severity.{level}": text for level, text in form.severity.items()},
        **({f"fix.{name}": text for name, text in form.fix.model_dump(exclude={"swaps"}).items()} if form.fix else {}),
    }
    return {field: file.place(tuple(field.split(".")), text) for field, text in texts.items() if text is not None}
