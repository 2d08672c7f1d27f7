"""The shape of a topology file, as pydantic checks it. Imported only when there is one."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from roce_audit.sources.topology.own import LONGEST_CABLE_M


def split_end(text: str) -> tuple[str, str]:
    """Device and port of `device:port`; the port name may hold colons. Raises ValueError."""
    device, _, port = (part.strip() for part in text.partition(":"))
    if not device or not port:
        raise ValueError("an end of a link is written device:port")
    return device, port


def _checked(text: str) -> str:
    split_end(text)
    return text


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


_EndText = Annotated[str, AfterValidator(_checked)]


class LinkForm(_Form):
    """`[a, b]` or `{a: ..., b: ..., length_m: ..., roce: ...}`."""

    a: _EndText
    b: _EndText
    length_m: Annotated[float, Field(gt=0, le=LONGEST_CABLE_M, allow_inf_nan=False)] | None = None
    roce: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_pair(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        if len(value) != 2:
            raise ValueError(f"a link has two ends, this one has {len(value)}")
        return {"a": value[0], "b": value[1]}

    @model_validator(mode="after")
    def _two_ends(self) -> Self:
        if split_end(self.a) == split_end(self.b):
            raise ValueError("both ends of the link are the same port")
        return self


class TopologyForm(_Form):
    """The whole file."""

    links: list[LinkForm] = []
    roles: dict[Annotated[str, Field(min_length=1)], Annotated[str, Field(min_length=1)]] = {}
