"""The shape of the policy file, as pydantic checks it. Imported only where there is a policy file to read."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from roce_audit.policy import farends
from roce_audit.text import globs, pathglobs

_RULE_ID = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")
MOST_STEPS = 8
"""Switches one after the other between two ends of a given path; five layers up and down make seven."""
MOST_PATHS = 1_000
"""Entries of a path file: each is held against each pair of ends, and globs say much in few."""
_MTUS = (256, 512, 1024, 2048, 4096)


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, int | float | str) else value


def _glob(value: str) -> str:
    globs.check(value)
    return value


def _port_glob(value: str) -> str:
    globs.check(value, port=True)
    return value


def _device_port(value: str) -> str:
    device, port = globs.split_port(value)
    globs.check(device)
    globs.check(port, port=True)
    return value


def _path_glob(value: str) -> str:
    pathglobs.check(value)
    return value


def _mtu(value: int) -> int:
    if value not in _MTUS:
        raise ValueError(f"an RDMA path MTU is one of {', '.join(map(str, _MTUS))} bytes, not {value}")
    return value


def _day(value: Any) -> Any:
    if type(value) is date:
        return value
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise ValueError(f"must be a day like 2027-01-31, not {value!r}")


def _rule_id(value: str) -> str:
    if not _RULE_ID.fullmatch(value):
        raise ValueError(f"'{value}' is no rule id like pfc/priority-off")
    return value


def _reason(value: str) -> str:
    if not value.strip():
        raise ValueError("a suppression needs a reason")
    return value.strip()


def _carries_none(value: Any) -> Any:
    if value is None:
        raise ValueError("write `roce: none` as a word, or give dscp and priority")
    return None if value == "none" else value


Text = Annotated[str, Field(min_length=1, max_length=1000)]
Glob = Annotated[str, AfterValidator(_glob)]
PortGlob = Annotated[str, AfterValidator(_port_glob)]
DevicePort = Annotated[str, AfterValidator(_device_port)]
PathGlob = Annotated[str, AfterValidator(_path_glob)]
Dscp = Annotated[list[Annotated[int, Field(ge=0, le=63)]], BeforeValidator(_listed), Field(min_length=1)]
Priority = Annotated[list[Annotated[int, Field(ge=0, le=7)]], BeforeValidator(_listed), Field(min_length=1)]
Mtu = Annotated[int, AfterValidator(_mtu)]
Step = Annotated[list[Glob], BeforeValidator(_listed), Field(min_length=1)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ShortClassForm(_Form):
    dscp: Dscp | None = None
    pcp: Priority | None = None
    priority: Priority | None = None


class ClassForm(ShortClassForm):
    name: Text
    role: Literal["roce", "cnp"] | None = None
    lossless: bool | None = None
    mtu: Mtu | None = None


class MtuForm(_Form):
    roce: Mtu


class _ClassesForm(_Form):
    profile: Text | None = None
    cnp: ShortClassForm | None = None
    mtu: MtuForm | None = None
    lossless: bool | None = None
    classes: list[ClassForm] = []


class FabricForm(_ClassesForm):
    devices: Annotated[list[Glob], BeforeValidator(_listed), Field(min_length=1)]
    roce: Annotated[ShortClassForm | None, BeforeValidator(_carries_none)] = None


class PortForm(_Form):
    match: DevicePort | None = None
    description: Glob | None = None
    roce: bool
    because: str = ""

    @model_validator(mode="after")
    def _speaks_of_something(self) -> PortForm:
        if self.match is None and self.description is None:
            raise ValueError("needs `match:` (device:port) or `description:`")
        return self


class CableForm(_Form):
    between: Annotated[list[Glob], Field(min_length=2, max_length=2)]
    length_m: Annotated[float, Field(gt=0, le=100_000, allow_inf_nan=False)]


FarEndText = Annotated[str, AfterValidator(farends.checked)]


class PathForm(_Form):
    platform: Text | None = None
    device: Text | None = None
    complete: bool | None = None
    state: Literal["running", "startup", "intended", "candidate"] | None = None
    rendered_from: Text | None = None


class GivenPathForm(_Form):
    """A way of traffic: from where, to where, and the switches of each step between them."""

    start: Annotated[Glob, Field(alias="from")]
    end: Annotated[Glob, Field(alias="to")]
    via: Annotated[list[Step], Field(max_length=MOST_STEPS)]
    one_way: bool = False


class PathFileForm(_Form):
    """The file that `path_file` names."""

    paths: Annotated[list[GivenPathForm], Field(max_length=MOST_PATHS)]


class RuleForm(_Form):
    severity: Literal["error", "warning", "info"] | None = None
    params: dict[Text, bool | int | float | str] = {}


class GuideForm(_Form):
    title: Text
    section: Text | None = None


class ProfileRuleForm(RuleForm):
    """What a profile says of a rule, and where its guide says so."""

    source: Text


class ProfileForm(_Form):
    """A published guide's numbers, with the guide; what it does not say is said by the profile it extends."""

    title: Text
    extends: Text | None = None
    source: Annotated[list[GuideForm], Field(min_length=1)]
    lossless: bool | None = None
    rules: dict[Annotated[str, AfterValidator(_rule_id)], ProfileRuleForm] = {}


class IgnoreForm(_Form):
    reason: Annotated[str, AfterValidator(_reason)]
    rule: Glob | None = None
    device: Glob | None = None
    port: PortGlob | None = None
    fabric: Glob | None = None
    class_name: Annotated[Glob | None, Field(alias="class")] = None
    tag: Glob | None = None
    until: Annotated[date | None, BeforeValidator(_day)] = None

    @model_validator(mode="after")
    def _speaks_of_something(self) -> IgnoreForm:
        if not any((self.rule, self.device, self.port, self.fabric, self.class_name, self.tag)):
            raise ValueError("says not what to ignore: needs rule, device, port, fabric, class or tag")
        return self


class PolicyForm(_ClassesForm):
    roce: ShortClassForm | None = None
    fabrics: dict[Text, FabricForm] = {}
    ports: list[PortForm] = []
    cables: list[CableForm] = []
    far_ends: Annotated[list[FarEndText], BeforeValidator(_listed)] = []
    exclude: list[PathGlob] = []
    maintenance: list[Glob] = []
    paths: dict[PathGlob, PathForm] = {}
    rules: dict[Annotated[str, AfterValidator(_rule_id)], RuleForm] = {}
    ignore: list[IgnoreForm] = []
    rules_path: Annotated[list[Text], BeforeValidator(_listed)] = []
    path_file: Text | None = None
