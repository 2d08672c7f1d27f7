"""The shape of our own inventories, as pydantic checks it. Imported only where there is one."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from roce_audit import platforms
from roce_audit.sources.live.targets import platform_named, readable, reference


def _platform(value: str) -> str:
    found = platform_named(value)
    if found is None:
        raise ValueError(f"no platform is called '{value}': there are {', '.join(platforms.names())}")
    why = readable(found)
    if why:
        raise ValueError(why)
    return found


def _secret(value: str) -> str:
    reference(value)
    return value


def _enable(value: Any) -> Any:
    return value if isinstance(value, bool) else _secret(str(value))


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _become(value: Any) -> Any:
    return "sudo -n" if value == "sudo" else value


Text = Annotated[str, Field(min_length=1, max_length=500)]
Secret = Annotated[str, AfterValidator(_secret)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


class LoginForm(_Form):
    """What a device, a group or the defaults say; the nearest that says something counts."""

    platform: Annotated[str, AfterValidator(_platform)] | None = None
    port: Annotated[int, Field(ge=1, le=65_535)] | None = None
    user: Text | None = None
    password: Secret | None = None
    key: Text | None = None
    passphrase: Secret | None = None
    jump: Text | None = None
    become: Annotated[Literal["none", "sudo -n"], BeforeValidator(_become)] | None = None
    enable: Annotated[bool | str, BeforeValidator(_enable)] | None = None


class DeviceForm(LoginForm):
    """One device, or several that a range names."""

    address: Text | None = None
    groups: Annotated[list[Text], BeforeValidator(_listed)] = []


class InventoryForm(_Form):
    """The whole file."""

    defaults: LoginForm = LoginForm()
    groups: dict[Text, LoginForm] = {}
    devices: dict[Text, DeviceForm]
