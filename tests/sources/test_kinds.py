"""The clear word for texts that no platform reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.sources.detect import choose
from roce_audit.sources.devices import load
from roce_audit.sources.kinds import SCRIPT, by_name, by_text, unfinished
from roce_audit.text.document import Document

FOREIGN = {
    "Extreme NetIron": 'lag "UPLINK" dynamic id 1\n ports ethernet 2/8 ethernet 2/21\n primary-port 2/8\n deploy\n',
    "FSOS": "! show version\n! Fiberstore Co., Limited Internetwork Operating System Software\nhostname leaf\n",
    "EXOS": "enable flow-control tx-pause priority 3 port 1\nconfigure qosprofile QP4 minbw 40 maxbw 100 ports 1\n",
    "Ruijie RGOS": "Building configuration...\nCurrent configuration : 138 bytes\n\n!\nversion S6580_RGOS 12.5(2)B0605\nhostname leaf7\n!\n"
    "priority-flow-control enable\ninterface HundredGigabitEthernet 0/1\n no switchport\n mtu 9216\n!\nend\n",
    "Ruckus FastIron": "interface ethernet 1/1/1\n port-name gpu1\n speed-duplex 10G-full\n!\ninterface lag 11\n flow-control\n!\n",
    "Extreme VOSS": "#\n# box type             : VSP-7400-32C\n# cli mode             : VOSS CLI\n#\nconfig terminal\n"
    "interface GigabitEthernet 1/1\nqos 802.1p-override enable\nmtu 9600\nexit\n",
    "VyOS": "set system host-name r1\nset interfaces ethernet eth0 address 192.0.2.1/30\nset interfaces ethernet eth0 mtu 9000\n",
    "Cisco IOS": "Building configuration...\n!\nhostname core\ninterface GigabitEthernet0/1\n mtu 1500\n",
}


@pytest.mark.parametrize("syntax", FOREIGN)
def test_a_syntax_that_nothing_reads_is_named_and_not_claimed(syntax: str) -> None:
    text = FOREIGN[syntax]
    assert choose((Document("leaf.cfg", text),)).platform == ""
    assert by_text(text) == f"a configuration of {syntax}, which nothing here reads"


def test_a_configuration_in_another_form_names_the_form_to_give() -> None:
    xml = '<?xml version="1.0"?>\n<nf:rpc-reply xmlns:nf="x" xmlns="http://www.cisco.com/nxos:10.3:qos"><nf:data/></nf:rpc-reply>'
    assert "text form" in by_text(xml)
    assert by_text('{"header": 1, "cmds": {}}') == "JSON that is not a device's"
    manifest = "apiVersion: aifabrics.eda.nokia.com/v1alpha1\nkind: Backend\nspec:\n  rocev2QoS:\n    ecnSlopeMinThresholdPercent: 5\n"
    assert by_text(manifest).startswith("a manifest of EDA with settings of PFC or QoS")
    intents = '{"intentList": [{"qosPolicyOverrides": {"priorityValue8021Action_SMB": "3"}}]}'
    assert by_text(intents).startswith("intents of Network ATC")
    assert by_text(manifest.replace("  rocev2QoS:\n  ", "")) == "YAML that is not a device's"


def test_a_spanning_tree_mode_alone_is_no_arista() -> None:
    text = "hostname access1\nspanning-tree mode mstp\ninterface GigaEthernet0/1\n switchport mode trunk\n"
    assert choose((Document("access1.cfg", text),)).platform == ""


@pytest.mark.parametrize(
    "head", ["", "From 0a1b Mon Sep 17\nSubject: x\n", "diff --git a/leaf.cfg b/leaf.cfg\nindex 1..2 100644\n"]
)
def test_a_diff_is_no_configuration(head: str) -> None:
    text = f"{head}--- a/leaf.cfg\n+++ b/leaf.cfg\n@@ -1,3 +1,3 @@\n interface Ethernet1/1\n-  mtu 1500\n+  mtu 9216\n"
    assert unfinished(text).startswith("a diff")
    assert unfinished(text.replace("@@ ", "")) == ""


def test_a_system_that_names_itself_at_once_is_believed_before_what_stands_below() -> None:
    text = "! Command: show running-config\n! device: leaf1 (DCS-7060X6-64PE, EOS-4.33.1F)\nhostname leaf1\n"
    below = "banner login\n!Version ArubaOS-CX FL.10.13\nEOF\n"
    filler = "".join(f"interface Ethernet{n}\n   mtu 9214\n" for n in range(1, 200))
    assert choose((Document("leaf1.cfg", text + filler + below),)).platform == "eos"


def test_a_release_of_ios_is_no_router_of_the_same_words() -> None:
    text = (
        "Current configuration : 10051 bytes\n!\nversion 17.15\nhostname sw1\n!\n"
        "class-map match-any system-cpp-police-topology-control\n description Topology control\npolicy-map system-cpp-policy\n!\n"
        "interface TwentyFiveGigE1/0/1\n no switchport\n!\ncontrol-plane\n service-policy input system-cpp-policy\n!\nend\n"
    )
    assert choose((Document("sw1.cfg", text),)).platform == ""
    assert choose((Document("sw1.cfg", text.replace("version 17.15\n", "")),)).platform


@pytest.mark.parametrize(
    "text",
    [
        (
            '<?xml version="1.0"?>\n<topology xmlns="http://www.cisco.com/VIRL">\n<entry key="config">\nversion 7.3(0)D1(1)\n'
            "hostname nx1\nfeature lldp\nvdc nx1 id 1\ninterface Ethernet2/1\n mtu 9216\n</entry>\n</topology>\n"
        ),
        "Linux version 4.18.0-240.el8.x86_64 (mockbuild@builder) (gcc version 8.3.1 20191121) #1 SMP Thu Apr 8 19:01:30 UTC 2021\n",
    ],
    ids=["a laboratory with all of its devices", "/proc/version"],
)
def test_what_looks_like_an_answer_in_part_is_none(text: str) -> None:
    assert choose((Document("lab.txt", text),)).platform == ""


def test_a_program_that_fills_templates_in_is_a_program(tmp_path: Path) -> None:
    (tmp_path / "deploy.py").write_text(
        'import jinja2\nT = "interface {{ name }}\\n{% for x in y %}{{ x }}{% endfor %}"\n'
    )
    (tmp_path / "leaf.j2").write_text("interface {{ name }}\n")
    assert dict(load([str(tmp_path)]).unrecognised) == {
        f"{tmp_path}/deploy.py": "Python source",
        f"{tmp_path}/leaf.j2": "a template with open placeholders: check what it renders",
    }


@pytest.mark.parametrize(
    "line",
    [
        "docker inspect --format '{{ .State.Pid }}' job",
        "kubectl get nodes -o go-template='{{range .items}}{{.metadata.name}}{{end}}'",
        'sudo podman ps --format "{{json .}}" | jq .',
    ],
)
def test_how_a_tool_is_to_print_is_no_placeholder(line: str) -> None:
    assert not unfinished(f"#!/bin/bash\n{line}\n")
    assert unfinished(f"#!/bin/bash\n{line}\nmlnx_qos -i {{{{ nic }}}}\n")


@pytest.mark.parametrize("name", ["Setup.ps1", "Setup.psm1", "Nodes.psd1"])
def test_modules_of_powershell_are_scripts(name: str) -> None:
    assert by_name(name) == SCRIPT


def test_variables_of_designs_that_name_profiles_of_ports(tmp_path: Path) -> None:
    text = "servers:\n  - name: gpu1\n    adapters:\n      - switch_ports: [Ethernet5]\n        qos_profile: ROCE\n"
    (tmp_path / "SERVERS.yml").write_text(text, encoding="utf-8")
    (tmp_path / "OTHERS.yml").write_text(text.replace("qos_profile: ROCE", "vlans: 110"), encoding="utf-8")
    found = {Path(path).name: words for path, words in load([str(tmp_path)]).unrecognised}
    assert "AVD" in found["SERVERS.yml"]
    assert "AVD" not in found["OTHERS.yml"]
