"""The script that `host-probe` prints: its frame is `host_probe.sh`, the commands are those that the host platforms name.

In a platform's `commands`, `DEV` stands for each network device, `RDMA-DEVICE` for each RDMA device and `PCI` for each PCI
address of the two; `15b3:DEV` means those of the PCI vendor 15b3 alone. `cat` with patterns of paths asks for files, which
the script prints as `path:line`. Other entries are single commands of plain words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from importlib.resources import files

from roce_audit import platforms
from roce_audit.patterns import lazy

BUDGET_SECONDS = 60
TIMEOUT_SECONDS = 10

_WORD = lazy(r"[A-Za-z0-9_./:,=+@%*?\[\]-]{1,300}")
_PROGRAM = lazy(r"[a-z][a-z0-9_.+-]{0,40}")
_PLACEHOLDER = lazy(r"(?:(?P<vendor>[0-9a-f]{4}):)?(?P<kind>DEV|RDMA-DEVICE|PCI)(?![A-Za-z0-9_])")
_VARIABLES = {"DEV": "DEV", "RDMA-DEVICE": "RDMA", "PCI": "PCI"}
_INDENT = "  "


def script(budget_seconds: int = BUDGET_SECONDS, timeout_seconds: int = TIMEOUT_SECONDS) -> str:
    """The script as one text for any POSIX shell."""
    filled: dict[str, list[str]] = defaultdict(list)
    for command in commands():
        place, line = _call(command)
        filled[place].append(_INDENT + line)
    text = (files("roce_audit.sources.live") / "host_probe.sh").read_text(encoding="utf-8")
    nics = [one.nics for one in platforms.every()]
    blanks = {
        "BUDGET": budget_seconds,
        "TIMEOUT": timeout_seconds,
        "FOLDERS": "".join(f":{folder}" for one in nics for folder in one.folders),
        "SCRIPTS": " | ".join(name for one in nics for name in one.scripts),
        "TOOLS": "|".join(one.tools for one in nics if one.tools),
        "MODULES": "|".join(name for one in nics for name in one.kernel_modules),
        "SETUP_FILES": " ".join(f'"$ROOT"{path}' for one in nics for path in one.files),
    }
    for word, value in blanks.items():
        text = text.replace(f"@{word}@", str(value))
    return re.sub(r"^@([A-Z_]+)@\n", lambda m: "".join(f"{line}\n" for line in filled[m.group(1)]), text, flags=re.M)


def commands() -> tuple[str, ...]:
    """What the host platforms ask for and a POSIX shell can run, each once. Commands of other shells are left out."""
    hosts = [one for one in platforms.every() if one.live is not None and one.live.access == "probe"]
    hosts.sort(key=lambda one: one.is_nic_family)  # what every host has comes first
    every = [command for one in hosts for command in one.commands]
    return tuple(dict.fromkeys(command for command in every if is_plain(command)))


def is_plain(command: str) -> bool:
    """Whether a command is one program with plain words: nothing that a shell would take for more than that."""
    program, *words = command.split(" ")
    return _PROGRAM.fullmatch(program) is not None and all(map(_WORD.fullmatch, words))


def _call(command: str) -> tuple[str, str]:
    """(where in the script, the line) of one command."""
    program, *words = command.split(" ")
    found = list(_PLACEHOLDER.finditer(command))
    kinds = {match["kind"] for match in found}
    vendors = {match["vendor"] for match in found if match["vendor"]}
    # the address of a network device is known where the device is: PCI alone has a loop of its own
    loop = next((kind for kind in ("DEV", "RDMA-DEVICE", "PCI") if kind in kinds), "")
    about = f'"${_VARIABLES[loop]}"' if loop else "-"
    if program == "cat":
        line = f"files sysfs {about} {' '.join(map(_path, words))}"
    else:
        line = f"run {program} {about} {' '.join([program, *map(_word, words)])}"
    for vendor in sorted(vendors):
        line = f'[ "$VENDOR" != {vendor} ] || {line}'
    place = {"DEV": "DEV", "RDMA-DEVICE": "RDMA", "PCI": "PCI", "": "HOST"}[loop]
    # tools that ask the firmware or open every device come last
    is_slow = any(re.fullmatch(one.nics.slow_programs, program) for one in platforms.every())
    return (f"SLOW_{place}" if is_slow else place), line


def _word(word: str) -> str:
    """A word of a command, quoted where the shell would change it; a path of the host is one below the root."""
    text = ("${ROOT}" if word.startswith(("/sys/", "/proc/", "/etc/")) else "") + _filled(word)
    return f'"{text}"' if text != word or re.search(r"[*?\[\]]", word) else word


def _path(path: str) -> str:
    """A pattern of paths below the root; the variables in it are quoted, so that only the pattern is expanded."""
    pieces: Iterable[str] = re.split(r"(\$\{\w+\})", "${ROOT}" + _filled(path))
    return "".join(f'"{piece}"' if piece.startswith("$") else piece for piece in pieces)


def _filled(word: str) -> str:
    return _PLACEHOLDER.sub(lambda match: f"${{{_VARIABLES[match['kind']]}}}", word)
