"""`devlink dev param show`: whether a device offers RoCE or iWARP (generic parameters `enable_roce` and `enable_iwarp`)."""

from __future__ import annotations

import re
from typing import Any

from roce_audit.platforms.shared.host.answers import Answer, Line, Tool
from roce_audit.platforms.shared.host.collector import HOST, Subject, full_address
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import OFFERS_IWARP, OFFERS_ROCE
from roce_audit.platforms.shared.host.words import matched, not_understood, one_of
from roce_audit.values import At

_NAMES = {"enable_roce": OFFERS_ROCE, "enable_iwarp": OFFERS_IWARP}
_IN_FORCE = ("runtime", "driverinit")
"""A driverinit value takes hold with the next `devlink dev reload`; nobody shows whether that has happened."""
_DEVICE = re.compile(r"pci/([0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]):?")


def _split(answer: Answer) -> None:
    if answer.document.text.lstrip().startswith("{"):
        _json(answer)
        return
    about: Subject | None = None
    name = ""
    for number, raw in answer.lines():
        text = " ".join(raw.split())
        device = _DEVICE.fullmatch(text)
        if device is not None:
            about, name = ("pci", full_address(device.group(1))), ""
        elif text.startswith("pci/"):
            about, name = None, ""
            answer.say("not understood", number, HOST)
        elif text.startswith("name "):
            name = text.split(" ")[1] if about is not None else ""
        elif name in _NAMES and text.startswith("cmode ") and about is not None:
            answer.say(f"{name} {text.removeprefix('cmode ')}", number, about)


def _json(answer: Answer) -> None:
    found = answer.json()
    parameters = found.value.get("param") if found is not None and isinstance(found.value, dict) else None
    if found is None or not isinstance(parameters, dict):
        return
    for device, listed in parameters.items():
        address = _DEVICE.fullmatch(device)
        if address is None or not isinstance(listed, list):
            continue
        for index, one in enumerate(listed):
            if isinstance(one, dict) and not re.fullmatch(r"[A-Za-z0-9_-]{1,60}", str(one.get("name"))):
                line = found.line_of(("param", device, index))
                answer.say("not understood", line, ("pci", full_address(address.group(1))))
            if not isinstance(one, dict) or one.get("name") not in _NAMES or not isinstance(one.get("values"), list):
                continue
            for which, value in enumerate(one["values"]):
                path = ("param", device, index, "values", which, "value")
                if isinstance(value, dict) and "value" in value:
                    said = f"{one['name']} {value.get('cmode')} value {_word(value['value'])}"
                    answer.say(said, found.line_of(path), ("pci", full_address(address.group(1))))


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parameter(name: str) -> Line:
    def read(nic: NicSettings, text: str, at: At) -> None:
        found = matched(r"(\w{1,20}) value (\w{1,8})", text)
        on = one_of(found.group(2), {"true": True, "false": False})
        if found.group(1) in _IN_FORCE:
            nic.set(_NAMES[name], on, at)
            if name == "enable_roce":
                nic.set("nic.roce", on, at)

    return Line(name, (_NAMES[name], "kind", *(("nic.roce",) if name == "enable_roce" else ())), read)


PARAMETERS = Tool(
    name="devlink param",
    split=_split,
    commands=r"devlink (?:-\S+ )*dev param(?: show)?(?: .*)?",
    signature=r'\A\s*\{\s*"param":\s*\{\s*"pci/',
    lines=(
        *(_parameter(name) for name in _NAMES),
        Line("not understood", ("nic.roce", "kind", *_NAMES.values()), not_understood),
    ),
)

TOOLS = (PARAMETERS,)
