"""Inventories in the forms that people have; errors with file and line; no credential is ever taken from a file."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from roce_audit.sources import inventory
from roce_audit.sources.inventory import Options
from roce_audit.sources.live.targets import InventoryError, Reference, Target
from roce_audit.text.structured.yamltext import MAX_CHARACTERS


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def load(*sources: Path | str, only: tuple[str, ...] = ()) -> dict[str, Target]:
    return {t.name: t for t in inventory.load([str(s) for s in sources], Options(only=only)).targets}


def refused(source: Path | str) -> tuple[str, ...]:
    with pytest.raises(InventoryError) as caught:
        inventory.load([str(source)])
    return caught.value.problems


OWN = """\
defaults: {user: audit, password: "env:AUDIT"}
groups:
  leaves: {platform: arista_eos, jump: "ops@bastion:2222"}
  gpus:   {platform: linux, become: sudo -n, password: agent, key: ~/.ssh/gpu}
devices:
  leaf[1-3]:    {groups: leaves, address: "10.0.0.[11-13]"}
  spine1:       {groups: [leaves], platform: nxos, user: admin, port: 2022, enable: "keyring:lab/enable"}
  gpu[001-200]: {groups: gpus}
"""


def test_own_yaml(tmp_path: Path) -> None:
    found = load(write(tmp_path, {"i.yaml": OWN}) / "i.yaml")
    assert len(found) == 204
    leaf = found["leaf3"]
    assert (leaf.platform, leaf.address, leaf.user, leaf.jump) == ("eos", "10.0.0.13", "audit", "ops@bastion:2222")
    assert (leaf.password, leaf.groups, leaf.place.line) == (Reference("env:AUDIT"), ("leaves",), 6)
    spine = found["spine1"]
    assert (spine.platform, spine.port, spine.user, spine.enable) == ("nxos", 2022, "admin", True)
    assert spine.enable_password == Reference("keyring:lab/enable")
    gpu = found["gpu042"]
    assert (gpu.become, gpu.password, gpu.key, gpu.address) == ("sudo -n", None, "~/.ssh/gpu", "")
    assert set(load(tmp_path / "i.yaml", only=("gpus",))) == {f"gpu{n:03d}" for n in range(1, 201)}
    assert set(load(tmp_path / "i.yaml", only=("leaf[12]",))) == {"leaf1", "leaf2"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "devices:\n  a: {platform: eos, pasword: x}\n",
            "i.yaml:2: devices.a.pasword: unknown key; did you mean 'password'?",
        ),
        (
            "devices:\n  a: {platform: eos, password: hunter22}\n",
            "i.yaml:2: devices.a.password: write where the secret",
        ),
        ("devices:\n  a: {platform: toaster}\n", "i.yaml:2: devices.a.platform: no platform is called 'toaster'"),
        ("devices:\n  a: {}\n", "i.yaml:2: a: nobody says its platform"),
        ("devices:\n  a: {platform: eos, groups: [leafs]}\ngroups:\n  leaves: {}\n", "did you mean 'leaves'?"),
        ("devices:\n  ../a: {platform: eos}\n", "i.yaml:2: ../a: a device's name is the name of its folder"),
        ("devices:\n  a: {platform: eos}\n  A: {platform: eos}\n", "i.yaml:3: A stands here again (first"),
        ("devices:\n  'a[1-3]': {platform: eos, address: '10.0.0.[1-2]'}\n", "3 names and 2 addresses"),
        ("devices:\n  'a[1-999999999]': {platform: eos}\n", "more than"),
        ("devices:\n  a: {platform: eos, become: su}\n", "i.yaml:2: devices.a.become"),
        ("devices:\n  a: {platform: eos, port: 99999}\n", "i.yaml:2: devices.a.port: must be at most 65535"),
        ("devices: !!python/object:os.system {}\n", "i.yaml:1: tags are not read"),
        ("devices:\n  a: [\n", "i.yaml:3:"),
    ],
)
def test_own_yaml_says_what_is_wrong(text: str, problem: str, tmp_path: Path) -> None:
    (only,) = refused(write(tmp_path, {"i.yaml": text}) / "i.yaml")
    assert problem in only
    assert "hunter22" not in only


def test_csv(tmp_path: Path) -> None:
    text = "name,address,platform,groups,user,password\nleaf1,10.0.0.1,nxos,leaves rack1,audit,env:P\n\ngpu[1-2],,linux,,,\n"
    found = load(write(tmp_path, {"i.csv": text}) / "i.csv")
    assert set(found) == {"leaf1", "gpu1", "gpu2"}
    assert (found["leaf1"].groups, found["leaf1"].password) == (("leaves", "rack1"), Reference("env:P"))
    assert refused(write(tmp_path, {"j.csv": "name,adress\n"}) / "j.csv")[0].startswith(
        f"{tmp_path}/j.csv:1: unknown column"
    )
    bad = refused(write(tmp_path, {"k.csv": "name,platform,password\na,eos,secret123\nb,eos,\nc,x,\n"}) / "k.csv")
    assert [line.partition("k.csv")[2][:3] for line in bad] == [":2:", ":4:"]
    assert "secret123" not in "".join(bad)


def test_nornir(tmp_path: Path) -> None:
    files = {
        "hosts.yaml": "leaf1: {hostname: 10.0.0.1, groups: [leaves]}\ngpu1: {platform: linux, password: plain}\nx: {platform: ios}\n",
        "groups.yaml": "leaves: {platform: eos, groups: [dc1]}\ndc1: {username: dc, port: 2200}\n",
        "defaults.yaml": "username: audit\npassword: env:P\n",
    }
    listed = inventory.load([str(write(tmp_path, files))])
    found = {t.name: t for t in listed.targets}
    leaf = found["leaf1"]
    assert (leaf.platform, leaf.address, leaf.user, leaf.port) == ("eos", "10.0.0.1", "dc", 2200)
    assert (leaf.groups, leaf.password) == (("leaves", "dc1"), Reference("env:P"))
    assert (found["gpu1"].user, found["gpu1"].password) == ("audit", None)
    assert any("platform ios" in note for note in listed.notes)
    assert any("--password env:NAME" in note for note in listed.notes)
    assert "plain" not in " ".join(listed.notes)


INI = """\
[leaves]
leaf[01:03].dc1 ansible_host=10.0.1.1 rack=7
[spines]
spine1 mgmt=10.0.2.1
[gpus]
gpu1 ansible_become=true ansible_ssh_private_key_file=~/.ssh/gpu
local ansible_connection=local
[switches:children]
leaves
spines
[switches:vars]
ansible_network_os=arista.eos.eos
ansible_user=switches
ansible_ssh_common_args='-o ProxyJump=ops@bastion -o ServerAliveInterval=30'
"""


def test_ansible_ini(tmp_path: Path) -> None:
    files = {
        "hosts": INI,
        "group_vars/all.yml": "ansible_user: everyone\nansible_password: \"{{ lookup('env', 'P') }}\"\n",
        "group_vars/spines/net.yml": "ansible_network_os: cisco.nxos.nxos\nansible_host: '{{ mgmt }}'\n",
        "group_vars/gpus.yml": "ansible_password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6162\n",
        "host_vars/leaf02.dc1.yaml": "ansible_port: 2022\nansible_become: yes\n",
    }
    listed = inventory.load([str(write(tmp_path, files))])
    found = {t.name: t for t in listed.targets}
    assert set(found) == {"leaf01.dc1", "leaf02.dc1", "leaf03.dc1", "spine1", "gpu1"}
    leaf = found["leaf02.dc1"]
    assert (leaf.platform, leaf.address, leaf.user, leaf.port) == ("eos", "10.0.1.1", "switches", 2022)
    assert (leaf.jump, leaf.password, leaf.groups) == ("ops@bastion", Reference("env:P"), ("leaves", "switches"))
    assert (found["spine1"].platform, found["spine1"].address) == ("nxos", "10.0.2.1")
    gpu = found["gpu1"]
    assert (gpu.platform, gpu.user, gpu.become, gpu.password) == ("linux", "everyone", "sudo -n", None)
    assert any("connection local" in note for note in listed.notes)


def test_ansible_yaml(tmp_path: Path) -> None:
    text = """\
all:
  vars: {ansible_user: audit}
  children:
    leaves:
      hosts:
        leaf[1:2]: {ansible_network_os: nxos}
    gpus:
      hosts: {gpu1: , gpu2: }
      vars: {ansible_host: "{{ inventory_hostname }}.ib"}
"""
    found = load(write(tmp_path, {"inv.yml": text}) / "inv.yml")
    assert {n: t.platform for n, t in found.items()} == {
        "leaf1": "nxos",
        "leaf2": "nxos",
        "gpu1": "linux",
        "gpu2": "linux",
    }
    assert (found["gpu2"].address, found["gpu2"].user, found["leaf1"].place.line) == ("gpu2.ib", "audit", 6)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"hosts": "[a]\nx y\n"}, "hosts:2: behind a host stand variables"),
        ({"hosts": "[a\nx\n"}, "hosts:1: this is no section"),
        ({"hosts": "x ansible_host='{{ a | b }}'\n"}, "hosts:1: ansible_host is a template"),
        ({"hosts": "x\n", "host_vars/x.yml": "- a\n"}, "host_vars/x.yml:1: must be a mapping"),
        ({"hosts.yml": "all:\n  host: {a: }\n"}, "hosts.yml:1: group all: known are hosts, children and vars"),
        ({"hosts.yml": "all:\n  hosts: {a: {b: !!python/name:x }}\n"}, "hosts.yml:2: tags are not read"),
    ],
)
def test_ansible_says_what_is_wrong(files: dict[str, str], problem: str, tmp_path: Path) -> None:
    assert problem in refused(f"ansible:{write(tmp_path, files)}")[0]


class NetBox(BaseHTTPRequestHandler):
    """Two pages of devices, for whoever has the token."""

    asked: list[tuple[str, str | None]] = []

    def do_GET(self) -> None:
        NetBox.asked.append((self.path, self.headers["Authorization"]))
        parts = urlsplit(self.path)
        query = parse_qs(parts.query)
        if self.headers["Authorization"] != "Token 0123456789abcdef":
            self.send_error(403)
        elif "moved" in query:
            self.send_response(302)
            self.send_header("Location", "/api/elsewhere/")
            self.end_headers()
        else:
            first = "offset" not in query
            rows = (
                [("leaf1", "arista-eos", "10.0.0.1/24"), ("ap1", "ios", "10.0.0.9/24")]
                if first
                else [("gpu 1", "ubuntu", "")]
            )
            page = {
                "next": f"http://inside.example{parts.path}?limit=200&offset=200" if first else None,
                "results": [
                    {
                        "name": n,
                        "platform": {"slug": p},
                        "primary_ip": {"address": a} if a else None,
                        "role": {"slug": "r"},
                    }
                    for n, p, a in rows
                ],
            }
            raw = json.dumps(page).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(raw)

    def log_message(self, *arguments: object) -> None:
        """Quiet."""


@pytest.fixture
def netbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("NETBOX_TOKEN", "0123456789abcdef")
    NetBox.asked = []
    server = HTTPServer(("127.0.0.1", 0), NetBox)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_netbox(netbox: str) -> None:
    listed = inventory.load([f"netbox:{netbox}/?site=dc1"])
    found = {t.name: t for t in listed.targets}
    assert {n: (t.platform, t.address, t.groups) for n, t in found.items()} == {
        "leaf1": ("eos", "10.0.0.1", ("r",)),
        "gpu-1": ("linux", "", ("r",)),
    }
    assert any("platform ios" in note for note in listed.notes)
    assert len(NetBox.asked) == 2
    assert parse_qs(urlsplit(NetBox.asked[0][0]).query) == {"limit": ["200"], "status": ["active"], "site": ["dc1"]}


def test_netbox_keeps_its_token(netbox: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "HTTP status 302" in refused(f"{netbox}/?moved=1")[0]
    assert len(NetBox.asked) == 1, "no redirect is followed"
    monkeypatch.setenv("NETBOX_TOKEN", "fedcba9876543210")
    (words,) = refused(netbox)
    assert "the token was refused" in words
    assert "fedcba" not in words
    monkeypatch.delenv("NETBOX_TOKEN")
    assert "NETBOX_TOKEN" in refused(netbox)[0]


def test_a_large_inventory_is_read(tmp_path: Path) -> None:
    remark = "# " + "x" * 500
    lines = [f"  leaf{n}: {{groups: all}} {remark}" for n in range(2_500)]
    text = "groups: {all: {platform: eos}}\ndevices:\n" + "\n".join(lines) + "\n"
    assert len(text) > MAX_CHARACTERS
    assert len(load(write(tmp_path, {"i.yaml": text}) / "i.yaml")) == 2_500
