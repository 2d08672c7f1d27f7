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
    """A class of traffic: how its packets are told, and the priority that PFC pauses for it."""

    dscp: Dscp | None = Field(default=None, description="code points of its packets, one or a list")
    pcp: Priority | None = Field(default=None, description="802.1p priorities of its packets where a tag tells them")
    priority: Priority | None = Field(
        default=None, description="802.1p number in the PFC frame: no queue, traffic class or qos-group of a switch"
    )


class ClassForm(ShortClassForm):
    """One of several classes."""

    name: Text = Field(description="what reports call it")
    role: Literal["roce", "cnp"] | None = Field(
        default=None,
        description="what it carries: data or the CNPs of DCQCN; default: `cnp` for a class of that name, else `roce`",
    )
    lossless: bool | None = Field(default=None, description="whether PFC keeps it; default: as the file or fabric says")
    mtu: Mtu | None = Field(default=None, description="RDMA path MTU, bytes of payload")


class MtuForm(_Form):
    """Sizes of packets."""

    roce: Mtu = Field(description="RDMA path MTU of the classes that give none, bytes of payload: 256 to 4096")


class _ClassesForm(_Form):
    profile: Text | None = Field(
        default=None, description="the published guide whose numbers hold; `roce-audit check --help` lists them"
    )
    cnp: ShortClassForm | None = Field(default=None, description="the class of CNPs")
    mtu: MtuForm | None = Field(default=None, description="the RDMA path MTU")
    lossless: bool | None = Field(default=None, description="`false`: meant to run without PFC")
    classes: list[ClassForm] = Field(default=[], description="the classes, where there are several")


class FabricForm(_ClassesForm):
    """A fabric by its devices; what it does not say is as in the whole file."""

    devices: Annotated[list[Glob], BeforeValidator(_listed), Field(min_length=1)] = Field(
        description="names of its devices, with `*` and `?`; of two fabrics that name a device the first has it"
    )
    roce: Annotated[ShortClassForm | None, BeforeValidator(_carries_none)] = Field(
        default=None, description="its class, where it has one of its own; `none`: it carries no RoCE"
    )


class PortForm(_Form):
    """Says of ports whether they carry RoCE; the last entry that matches decides."""

    match: DevicePort | None = Field(default=None, description="device:port, both with `*`, `?` and ranges of ports")
    description: Glob | None = Field(default=None, description="description of the port, with `*` and `?`")
    roce: bool = Field(description="whether they carry it")
    because: str = Field(default="", description="for readers of the report")

    @model_validator(mode="after")
    def _speaks_of_something(self) -> PortForm:
        if self.match is None and self.description is None:
            raise ValueError("needs `match:` (device:port) or `description:`")
        return self


class CableForm(_Form):
    """How long the cables between two kinds of devices are; the first entry that matches decides."""

    between: Annotated[list[Glob], Field(min_length=2, max_length=2)] = Field(
        description="the two ends: names of devices with `*` and `?`, or roles: host, leaf, spine"
    )
    length_m: Annotated[float, Field(gt=0, le=100_000, allow_inf_nan=False)] = Field(description="metres")


FarEndText = Annotated[str, AfterValidator(farends.checked)]


class PathForm(_Form):
    """What is known of files and cannot be seen in them."""

    platform: Text | None = Field(
        default=None, description="whose syntax it is, where recognition is wrong or in doubt"
    )
    device: Text | None = Field(default=None, description="the device that it is of")
    complete: bool | None = Field(
        default=None, description="`true`: what it does not say is the documented default; `false`: it is a part"
    )
    state: Literal["running", "startup", "intended", "candidate"] | None = Field(
        default=None, description="which configuration of the device it is"
    )
    rendered_from: Text | None = Field(default=None, description="the template to change instead of the file")


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
    """Another severity or other numbers for one rule."""

    severity: Literal["error", "warning", "info"] | None = Field(default=None, description="how loud it is here")
    params: dict[Text, bool | int | float | str] = Field(
        default={}, description="its parameters, by name; `roce-audit explain RULE` lists them"
    )


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
    """A suppression: it covers what every selector in it matches. Selectors may hold `*` and `?`."""

    reason: Annotated[str, AfterValidator(_reason)] = Field(description="why; it stands in the report")
    rule: Glob | None = Field(default=None, description="rule id, such as `ecn/*`")
    device: Glob | None = Field(default=None, description="name of the device")
    port: PortGlob | None = Field(default=None, description="port, ranges as well")
    fabric: Glob | None = Field(default=None, description="name of the fabric")
    class_name: Annotated[Glob | None, Field(alias="class")] = Field(default=None, description="name of the class")
    tag: Glob | None = Field(default=None, description="tag of rules")
    until: Annotated[date | None, BeforeValidator(_day)] = Field(
        default=None, description="last day on which it holds, as 2027-01-31; without one it is refused"
    )

    @model_validator(mode="after")
    def _speaks_of_something(self) -> IgnoreForm:
        if not any((self.rule, self.device, self.port, self.fabric, self.class_name, self.tag)):
            raise ValueError("says not what to ignore: needs rule, device, port, fabric, class or tag")
        return self


class PolicyForm(_ClassesForm):
    roce: ShortClassForm | None = Field(default=None, description="the class of RoCE, where there is one")
    fabrics: dict[Text, FabricForm] = Field(
        default={}, description="fabrics by name; left out, devices that are connected form one"
    )
    ports: list[PortForm] = Field(
        default=[], description="which ports carry RoCE, where the configuration cannot say it"
    )
    cables: list[CableForm] = Field(default=[], description="lengths of cables, by which headroom is judged")
    far_ends: Annotated[list[FarEndText], BeforeValidator(_listed)] = Field(
        default=[], description="how descriptions of ports name what is at their far end, such as `{device} {port}`"
    )
    exclude: list[PathGlob] = Field(default=[], description="files that are never opened, from this file's folder")
    maintenance: list[Glob] = Field(
        default=[], description="devices being worked on: judged, without a vote and without a say in the exit code"
    )
    paths: dict[PathGlob, PathForm] = Field(default={}, description="what is known of files, by their paths")
    rules: dict[Annotated[str, AfterValidator(_rule_id)], RuleForm] = Field(
        default={}, description="another severity or other numbers, by rule id"
    )
    ignore: list[IgnoreForm] = Field(default=[], description="accepted findings, each with its reason")
    rules_path: Annotated[list[Text], BeforeValidator(_listed)] = Field(
        default=[], description="folders of rules of your own, from this file's folder"
    )
    path_file: Text | None = Field(
        default=None, description="the file that says which ways traffic takes, where no routing table is given"
    )
