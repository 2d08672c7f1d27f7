"""Users, keys and communities of a switch are in no reading: nothing of them is kept, and what is kept of the rest can be."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from roce_audit.platforms import base, platform
from roce_audit.readings.portablewriter import Writer
from roce_audit.readings.store import may_be_kept
from roce_audit.text.document import DeviceInput, Document

EXAMPLES = Path(__file__).parents[2] / "roce_audit" / "platforms"
FIRST = re.compile("(?:leaf|tor)1")
SECRET = "Xy7hunter2"
LINES = {
    "eos": "username admin privilege 15 role network-admin secret sha512 {}\nsnmp-server community {} ro\ntacacs-server key 7 {}\n",
    "nxos": "username admin password 5 {} role network-admin\nsnmp-server community {} group network-operator\n",
    "junos": 'set system login user admin authentication encrypted-password "{}"\nset snmp community {} authorization read-only\n',
    "srlinux": "set / system aaa authentication admin-user password {}\nset / system snmp access-group a community-entry b community {}\n",
    "os10": "username admin password {} role sysadmin\nsnmp-server community {} ro\nradius-server host 192.0.2.1 key {}\n",
    "os9": "username admin password 7 {} privilege 15\nsnmp-server community {} ro\n",
    "vrp": "aaa\n local-user admin password irreversible-cipher {}\n#\nsnmp-agent community read cipher {}\n#\n",
    "comware": "local-user admin class manage\n password hash {}\n#\n snmp-agent community read {}\n#\n",
    "aoscx": "user admin group administrators password ciphertext {}\nsnmp-server community {}\n",
    "onyx": "username admin password 7 {}\nsnmp-server community {} ro\n",
    "cumulus": "nv set system aaa user admin hashed-password {}\nnv set system snmp-server readonly-community {} access any\n",
    "picos": 'set system login user admin authentication plain-text-password "{}"\nset protocols snmp community {}\n',
    "esonic": "username admin password {} role admin\nsnmp-server community {}\nradius-server key {}\n",
}


def reading(name: str, file: str, text: str) -> base.DeviceReading:
    return platform(name).read(DeviceInput("leaf1", name, (Document(file, text),)))


def strings(found: base.DeviceReading) -> list[str]:
    writer = Writer(base.DeviceReading)
    writer.add("0", found)
    return list(writer.strings())


@pytest.mark.parametrize("name", LINES)
def test_no_reading_holds_them(name: str) -> None:
    folder = EXAMPLES / name / "examples" / "base"
    files = [one for one in folder.rglob("*") if one.is_file() and FIRST.search(str(one.relative_to(folder)))]
    file = max(files, key=lambda one: one.stat().st_size)
    plain = file.read_text()
    head, _, rest = plain.partition("leaf1" if "leaf1" in plain else "tor1")
    named, _, below = rest.partition("\n")
    text = f"{head}leaf1{named}\n{LINES[name].format(*(SECRET,) * 3)}{below}"
    found = strings(reading(name, file.name, text))
    assert len(found) > 50
    assert not [one for one in found if SECRET in one]
    assert all(map(may_be_kept, found))


def test_nor_one_of_a_table_of_sonic() -> None:
    folder = EXAMPLES / "sonic" / "examples" / "base"
    file = next(folder.rglob("config_db.json"))
    tables = json.loads(file.read_text())
    tables |= {"TACPLUS": {"global": {"passkey": SECRET}}, "SNMP_COMMUNITY": {SECRET: {"TYPE": "RO"}}}
    found = strings(reading("sonic", "config_db.json", json.dumps(tables, indent=4)))
    assert len(found) > 50
    assert not [one for one in found if SECRET in one]
    assert all(map(may_be_kept, found))
