"""What a platform knows stands in its folder alone, and its record says all that the rest of the program asks for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.model import Port
from roce_audit.platforms.record import Platform
from roce_audit.platforms.signature import compiled

PACKAGE = Path(__file__).parents[2] / "roce_audit"
INSIDE = PACKAGE / "platforms"
FOLDERS = {name: INSIDE / name for name in platforms.names()}

ORDINARY = {
    "eos": {
        "proof/exampletext.py": "what the identity of an example looks like",
        "report/catalogue.py": "what a field of the report looks like",
        "views/rulefacts.py": "what a hint looks like",
    },
    "sysname": {"platforms/shared/neighbours/lldpd.py": "a field of LLDP, in any system"},
    "linux": {
        "platforms/shared/host/facts.py": "a path in the kernel's sources",
        "readings/workers.py": "the system that the program itself runs on",
    },
    "mellanox": {
        "calculator/vendorheadroom.py": "a path in the kernel's sources, and one in SONiC's",
        "formulas/sonicheadroom.py": "paths in SONiC's sources",
        "formulas/headroom.py": "a path in the kernel's sources",
    },
    "ios": {
        "sources/foreign.py": "what modules for a system that nothing here reads begin with",
        "sources/repository/python/pushes.py": "what napalm calls a system that nothing here reads",
    },
    "show running-config": {"cli/usage.py": "an example of a command line"},
    "show interfaces status": {"report/catalogue.py": "what a field of the report looks like"},
    "display version": {"sources/splitting/session.py": "an example of a command with its prompt"},
    "hostname": {"*": "the name of a host, in any system"},
    "uname -a": {"sources/tree.py": "a file that sosreport writes on any host"},
    "cat /proc/uptime": {"platforms/counting.py": "how long any host has been up"},
    "ibdev2netdev": {"platforms/shared/shell/values.py": "scripts of all kinds ask it which devices belong together"},
}
"""Word of a record -> where it may stand nevertheless, and why."""
SHARED_WORDS = {
    ("linux", "irdma"): "a folder of the kernel, which a hint names",
    ("esonic", "sonic"): "how the YANG modules begin that it shares",
}
"""(platform, name of another) -> why the name stands in its folder nevertheless."""


def words(one: Platform) -> Iterator[str]:
    """The words by which others could know a platform."""
    yield one.name
    yield from (*one.aliases, *one.factory_names, *one.commands)
    if one.live is not None:
        yield from (one.live.device_type, one.live.configuration, one.live.above_prompt)


def texts(folder: Path) -> Iterator[tuple[str, str]]:
    """(path below the package, text) of every source file."""
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.suffix not in (".pyc", ".gz"):
            yield file.relative_to(PACKAGE).as_posix(), file.read_text(encoding="utf-8", errors="replace")


def standing_in(text: str, wanted: set[str]) -> Iterator[tuple[int, str]]:
    """(line, word) of every word, whole and as it is written in the record."""
    listed = "|".join(map(re.escape, sorted(wanted, key=len, reverse=True)))
    for found in re.finditer(rf"(?<![\w.-])(?:{listed})(?![\w-])", text):
        yield text.count("\n", 0, found.start()) + 1, found.group()


def test_nobody_outside_its_folder_knows_a_platform() -> None:
    wanted = {word for one in platforms.every() for word in words(one) if word}
    hits = []
    for path, text in texts(PACKAGE):
        steps = path.split("/")
        if steps[0] == "_ready" or (steps[0] == "platforms" and steps[1] in FOLDERS):
            continue  # the first is made of the rules when the package is built
        for line, word in standing_in(text, wanted):
            allowed = ORDINARY.get(word, {})
            if path not in allowed and "*" not in allowed:
                hits.append(f"{path}:{line}: {word}")
    assert hits == []


@pytest.mark.parametrize("name", FOLDERS)
def test_no_platform_knows_another(name: str) -> None:
    others = {other for other in FOLDERS if other != name and (name, other) not in SHARED_WORDS}
    hits = [
        f"{path}:{line}: {word}"
        for path, text in texts(FOLDERS[name])
        if "/examples/" not in path
        for line, word in standing_in(text, others)
    ]
    assert hits == []


def test_what_is_excused_still_stands_there() -> None:
    everywhere = dict(texts(PACKAGE))
    for word, places in ORDINARY.items():
        assert all(any(standing_in(everywhere[path], {word})) for path in places if path != "*"), word


@pytest.mark.parametrize("name", FOLDERS)
def test_a_record_is_complete(name: str) -> None:
    one = platforms.platform(name)
    assert one.name == name
    assert one.signature
    assert one.commands
    assert one.needs
    patterns = [one.siblings, one.inside, one.underscored, *one.unread_forms]
    for form in one.signature:
        assert form.marks
        assert 0 < form.most <= 100
        assert all(0 < weight <= 100 for weight in form.marks.values())
        patterns += [form.start, *form.marks]
        if isinstance(form.commands, str):
            patterns.append(form.commands)
    for pattern in filter(None, patterns):
        compiled(pattern)
    for command in one.commands:
        assert re.fullmatch(r"[^()\n]+", command), "a command is typed as it stands"
    parts = one.load()
    statements, _ = parts.documentation()
    assert statements
    assert (parts.host is not None) == (one.kind == "host")
    assert one.kind == "host" or parts.repairs is not None


NO_DRIVER = {"picos"}
"""Switches for whose command line netmiko has no driver: they are read from files alone."""


def test_a_switch_without_a_driver_is_not_read_live() -> None:
    assert {one.name for one in platforms.every() if one.kind == "switch" and one.live is None} == NO_DRIVER


@pytest.mark.parametrize("name", [one.name for one in platforms.every() if one.kind == "switch" and one.live])
def test_a_switch_says_how_it_is_read_live(name: str) -> None:
    one = platforms.platform(name)
    live = one.live
    assert live is not None
    assert live.configuration in one.commands
    assert bool(live.device_type) == (live.access == "cli")
    for word in (
        "configure",
        "system-view",
        "set",
        "delete",
        "write",
        "copy",
        "reload",
        "clear",
        "no",
        "nv set",
        "config",
    ):
        assert not re.fullmatch(f"(?:{live.reads})", word), f"{word} does not only read"
    for prompt in ("leaf1(config)#", "[leaf1]", "[~leaf1]"):
        assert not re.fullmatch(live.prompt, prompt), f"{prompt} is one of a configuration mode"


def test_no_word_of_an_inventory_means_two_platforms() -> None:
    means = defaultdict(set)
    for one in platforms.every():
        for word in (one.name, *one.aliases):
            means[re.sub(r"[^a-z0-9]", "", word.lower())].add(one.name)
    assert {word: names for word, names in means.items() if len(names) > 1} == {}


def test_what_would_show_a_value_is_said_of_fields_of_the_model() -> None:
    fields = {*Port.__dataclass_fields__, "counters"}
    assert [
        (one.name, path) for one in platforms.every() for path in one.needs if path.split(".")[0] not in fields
    ] == []


@pytest.mark.parametrize("name", ["eos", "nxos", "onyx"])
def test_a_hint_names_an_answer_only_for_what_is_read_from_it(name: str) -> None:
    """What answers tell of ports is a mode of the table; other commands' answers are said to be not read."""
    modes = import_module(f"roce_audit.platforms.{name}.table").TABLE.modes
    blocks = [modes["state"], *(modes[mode] for mode in modes["state"].opens.values())]
    told = {path.replace("#", "*") for mode in blocks for row in mode.rows for path in row.paths}
    promised = {
        key: how
        for key, how in platforms.needs(name).items()
        if how.startswith("show ") and "running-config" not in how and "not read" not in how and key != "counters"
    }
    assert promised
    assert not {
        key: how for key, how in promised.items() if not any(path.startswith(key) for path in told - {"classes"})
    }
    in_the_file = [how for key, how in platforms.needs(name).items() if key == "pfc"]
    assert in_the_file == ["show running-config"]


def test_a_family_of_nics_is_asked_by_its_own_tools_and_those_of_its_system() -> None:
    families = [one for one in platforms.every() if one.is_nic_family]
    for one in families:
        asked = platforms.needs(one.name)
        assert {path: how for path, how in asked.items() if path in one.needs} == one.needs
        others = {how for other in families if other is not one for how in other.needs.values()}
        assert not {how for path, how in asked.items() if path not in one.needs} & (others - set(one.needs.values()))
        assert asked["nic.driver"]


def test_how_a_configuration_is_printed_is_no_part_of_its_command() -> None:
    commands = platforms.configurations()
    assert len(commands) > 10
    assert not [command for command in commands.values() if re.search(r"[|]| -", command)]
    of_whole_files = [one for one in platforms.every() if one.name in commands and one.kind == "switch"]
    for one in of_whole_files:
        assert one.live is not None
        assert one.live.configuration.startswith(commands[one.name])
