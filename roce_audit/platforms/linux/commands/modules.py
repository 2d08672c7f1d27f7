"""`modinfo DRIVER`: the driver that the next boot loads, which need not be the one that runs."""

from __future__ import annotations

import re

from roce_audit.platforms.shared.host.answers import Answer, Line, Tool
from roce_audit.platforms.shared.host.collector import HOST
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import DRIVER_ON_DISK
from roce_audit.platforms.shared.host.words import matched
from roce_audit.values import At

_VERSION = re.compile(r"version:\s{1,20}(\S.{0,99})")
_OF = re.compile(r"(?:filename:\s{1,20}/\S{0,200}/([\w-]{1,40})\.ko\S{0,8}|name:\s{1,20}(\w{1,40}))")


def _split(answer: Answer) -> None:
    """A driver of the kernel itself has no version of its own, and says nothing here. File names have blanks for `_`.

    What is asked about several drivers, as sosreport asks about all that are loaded, has the file or name of each above its version.
    """
    driver = "_".join((answer.document.command or "").split()[1:])
    for number, text in answer.lines():
        of, found = _OF.fullmatch(text.strip()), _VERSION.fullmatch(text)
        if of is not None:
            driver = (of[1] or of[2]).replace("-", "_")
        elif found is not None:
            answer.say(f"driver {driver} {found.group(1).strip()}", number, HOST)


def _driver(nic: NicSettings, text: str, at: At) -> None:
    found = matched(r"([A-Za-z0-9_-]{1,40}) ([A-Za-z0-9][A-Za-z0-9._+~-]{0,100})", text)
    nic.set(DRIVER_ON_DISK[found.group(1)], found.group(2), at)


MODINFO = Tool(
    name="modinfo",
    split=_split,
    commands=r"modinfo [A-Za-z0-9_ -]+",
    lines=(Line("driver", (DRIVER_ON_DISK, "nic.driver_on_disk"), _driver),),
)
