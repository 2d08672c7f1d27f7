"""Programs of Python that hand configurations to switches."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.sources.repository.python.pushes import Pushed, pushed
from roce_audit.sources.repository.templates.fragments import in_program

NETMIKO = """from netmiko import ConnectHandler

PORTS = [f"Ethernet1/{n}" for n in range(1, 4)]
QOS = [
    "class-map type qos match-all ROCE",
    "match dscp 26",
    "policy-map type qos MARK-IN",
    "class ROCE",
    "set qos-group 3",
    "policy-map type network-qos LOSSLESS",
    "class type network-qos c-8q-nq3",
    "pause pfc-cos 3",
    "mtu 9216",
    "system qos",
    "service-policy type network-qos LOSSLESS",
]


def port(name):
    return [
        f"interface {name}",
        "mtu 1500",
        "priority-flow-control mode on",
        "service-policy type qos input MARK-IN",
    ]


if __name__ == "__main__":
    with ConnectHandler(device_type="cisco_nxos", host="leaf1") as session:
        session.send_config_set(QOS)
        for name in PORTS:
            session.send_config_set(port(name))
        session.send_command("show queuing interface")
"""


def one(text: str) -> Pushed:
    """The only switch that a program speaks to."""
    (found,) = pushed(text)
    return found


def told(folder: Path, text: str) -> list[tuple[str, int | None]]:
    """(rule, line) of what is wrong with a program."""
    (folder / "push.py").write_text(text, encoding="utf-8")
    found = check(Request((str(folder),), Policy.empty())).report.findings
    failing = [one for one in found if one.verdict == "fails" and one.severity in ("error", "warning")]
    return [(one.rule, one.locations[0].line) for one in failing if not one.because_of]


def test_lists_functions_and_loops_are_the_switches_configuration(tmp_path: Path) -> None:
    found = one(NETMIKO)
    assert found.platform == "nxos"
    assert found.statements[10:14] == [
        "service-policy type network-qos LOSSLESS",
        "interface Ethernet1/1",
        "mtu 1500",
        "priority-flow-control mode on",
    ]
    assert (found.lines[0], found.lines[11], found.lines[12]) == (5, 21, 22)
    assert found.statements[-4] == "interface Ethernet1/3"
    assert found.left_out == {}
    sound = NETMIKO.replace('"mtu 1500"', '"mtu 9216"')
    assert told(tmp_path, sound) == []
    assert told(tmp_path, NETMIKO) == [("mtu/no-jumbo-frames", 22)]
    assert told(tmp_path, sound.replace("pause pfc-cos 3", "pause pfc-cos 4")) == [("pfc/pauses-other-number", 12)]


def test_a_list_that_nobody_is_given_says_nothing() -> None:
    rollback = 'ROLLBACK = ["system qos", "no service-policy type network-qos LOSSLESS"]\n'
    assert one(rollback + NETMIKO).statements == one(NETMIKO).statements


def test_values_from_elsewhere() -> None:
    text = NETMIKO.replace('"pause pfc-cos 3"', 'f"pause pfc-cos {prio}"').replace(
        "for name in PORTS", "for name in ports()"
    )
    (part,) = in_program("push.py", text)
    assert "interface Ethernet1/1\nmtu 1500" in part.text
    assert "pfc-cos" not in part.text
    assert part.left_out == ((12, "a value in it is made elsewhere, and it is not judged"),)


def test_each_way_of_a_condition_is_a_switch_of_its_own() -> None:
    text = NETMIKO.replace(
        "            session.send_config_set(port(name))\n",
        """            if deep:
                session.send_config_set([f"interface {name}", "mtu 9216"])
            else:
                session.send_config_set([f"interface {name}", "mtu 1500"])
""",
    )
    first, second = pushed(text)
    assert ("mtu 9216" in first.statements[9:], second.statements[-1]) == (True, "mtu 1500")
    assert (33, "it stands under a condition, which is not known here: judged as if it holds") in first.left_out


def test_commands_of_each_kind_of_switch_in_a_table() -> None:
    text = """
COMMANDS = {
    "cisco_nxos": ["policy-map type network-qos LOSSLESS", "class type network-qos c-8q-nq3", "pause pfc-cos 3"],
    "arista_eos": ["qos profile ROCE", "priority-flow-control on", "priority-flow-control priority 3 no-drop"],
}
for device in inventory:
    net = ConnectHandler(**device)
    net.send_config_set(COMMANDS[device["device_type"]])
"""
    assert [found.statements[0] for found in pushed(text)] == [
        "policy-map type network-qos LOSSLESS",
        "qos profile ROCE",
    ]


def test_nornir_napalm_eapi_and_subprocess() -> None:
    nornir = """
def roce(task):
    task.run(task=netmiko_send_config, config_commands=["interface Ethernet1", "priority-flow-control on", "mtu " + str(9214)])
nr.run(task=roce)
"""
    assert one(nornir).statements[-1] == "mtu 9214"
    napalm = """
device = get_network_driver("eos")("leaf1", "admin", "x")
device.load_merge_candidate(config='''
qos profile ROCE
   priority-flow-control priority %d no-drop
''' % 3)
"""
    assert (one(napalm).statements[-1], one(napalm).lines, one(napalm).platform) == (
        "   priority-flow-control priority 3 no-drop",
        [4, 5],
        "eos",
    )
    eapi = 'for n in (1, 2):\n    node.config(["interface Ethernet%d" % n, "qos trust dscp"])\n'
    assert one(eapi).statements == ["interface Ethernet1", "qos trust dscp", "interface Ethernet2", "qos trust dscp"]
    shell = 'import subprocess\nfor p in ["swp1"]:\n    subprocess.run(["sudo", "nv", "set", "interface", p, "link", "mtu", "1500"])\n'
    assert one(shell).statements == ["sudo nv set interface swp1 link mtu 1500"]


def test_a_configuration_that_is_written_as_json(tmp_path: Path) -> None:
    text = """import json
PORTS = ["Ethernet0", "Ethernet4"]
config = {"TC_TO_QUEUE_MAP": {"AZURE": {"3": "3"}}, "DSCP_TO_TC_MAP": {"AZURE": {"26": "3"}}}
config["WRED_PROFILE"] = {
    "ROCE": {"ecn": "ecn_all", "green_min_threshold": "4000000",
        "green_max_threshold": "2000000"},
}
config["QUEUE"] = {f"{name}|3": {"wred_profile": "ROCE"} for name in PORTS}
config["PORT"] = {name: {"mtu": "9100", "admin_status": "up"} for name in PORTS}
config["PORT_QOS_MAP"] = {
    name: {
        "dscp_to_tc_map": "AZURE",
        "tc_to_queue_map": "AZURE",
        "pfc_enable": "3",
    }
    for name in PORTS
}
json.dump(config, open("config_db.json", "w"))
"""
    assert told(tmp_path, text) == [("ecn/min-above-max", 5)]


_GIVEN = """import json
class Lab:
    def save(self, tables):
        with open("config_db.json", "w") as file:
            json.dump(tables, file)
    def run(self, port):
        self.save({"PORT": {port: {"mtu": "9100"}, "Ethernet4": {"mtu": "9100"}}, "PORT_QOS_MAP": {
            port: {"pfc_enable": "3"},
            "Ethernet4": {"pfc_enable": "3", "dscp_to_tc_map": port},
        }})
        self.save({"BUFFER_QUEUE": {"Ethernet4|3": {"profile": "one"}, f"{port}|3": {"profile": "two"}}})
"""


def test_members_of_json_that_stand_elsewhere_are_left_out_and_it_stays_json() -> None:
    parts = in_program("lab.py", _GIVEN)
    read = [json.loads(part.text) for part in parts if part.text.strip()]
    assert read == [
        {"PORT": {"Ethernet4": {"mtu": "9100"}}, "PORT_QOS_MAP": {"Ethernet4": {"pfc_enable": "3"}}},
        {"BUFFER_QUEUE": {"Ethernet4|3": {"profile": "one"}}},
    ]
    assert {"a value in it is made elsewhere, and it is not judged"} == {
        words for part in parts for _, words in part.left_out
    }


def test_a_text_of_which_a_brace_is_missing_is_told_and_is_no_damaged_file(tmp_path: Path) -> None:
    text = """lines = ["interfaces {", "    et-0/0/0 {", "        mtu 9216;"]
for name in names:
    if name:
        lines.append("    }")
lines += ["    }", "}", "}", "class-of-service {", "    forwarding-classes {", "        class roce queue-num 3 no-loss;", "    }", "}"]
open("leaf.conf", "w").write("\\n".join(lines))
"""
    assert told(tmp_path, text) == []
    notes = [one.left_out for one in in_program("push.py", text)]
    assert [words for ((_, words),) in notes] == [
        "what is written here is not read: the program does more than is followed"
    ]


def test_a_system_that_nothing_here_reads() -> None:
    assert pushed(NETMIKO.replace("cisco_nxos", "cisco_ios")) == ()
    assert in_program(
        "push.py", 'session = connect("leaf1", platform="eos")\nsession.send_config_set(["hostname qos"])\n'
    )[0].text


def test_values_that_are_no_texts() -> None:
    text = """
x = {}
if [1] in x or {} in "a" or [] == {}:
    pass
s.send_config_set(["mtu 9216"] * 3, qos)
"".join(1)
"a".replace([], {})
"""
    assert list(one(text).left_out) == [(5, "what is given to a switch here is not read: it is made elsewhere")]


def test_what_is_too_little_to_know_the_system_is_told() -> None:
    parts = in_program("push.py", 'session.send_config_set(["interface Ethernet1/1", "mtu 1500"])\n')
    assert [part.text for part in parts] == [""]
    assert "not read" in parts[0].left_out[0][1]


@pytest.mark.parametrize(
    "text",
    [
        "x = 'qos'\n" + "x = x + x\n" * 200 + "s.send_config_set(x)\n",
        "x = ['qos']\n" + "x = [x, x]\n" * 200 + "s.send_config_set(x)\n",
        "x = '%s%s' % ('qos', 'qos')\n" + "x = '%s%s' % (x, x)\n" * 200 + "s.send_config_set(x)\n",
        "def f(x):\n    return f(x + 'qos')\ns.send_config_set(f(''))\n",
        "x = []\nx.append(x)\ns.send_config_set(x, 'qos')\n",
        "for a in range(100):\n    for b in range(100):\n        for c in range(100):\n            s.send_config_set(['qos'])\n",
        "s.send_config_set(" + "+".join(["'qos'"] * 20_000) + ")\n",
        "s.send_config_set(" + "-" * 50_000 + "1, 'qos')\n",
        "x = 'a' * 10**9\ny = 9**9**9\ns.send_config_set('qos')\n",
        "if a:\n    x = ['qos']\n"
        + "    x = [x, x]\n" * 90
        + "else:\n    x = ['qos']\n"
        + "    x = [x, x]\n" * 90
        + "s.config(x)\n",
    ],
)
def test_a_program_that_asks_for_too_much_is_left_soon(text: str) -> None:
    begun = time.process_time()
    pushed(text)
    assert time.process_time() - begun < 3


@pytest.mark.parametrize("ends", ["return", "break", "continue", "while True:\n    return", "yield 1"])
def test_a_snippet_that_is_no_whole_program(ends: str) -> None:
    text = 'ConnectHandler(device_type="cisco_nxos").send_config_set(["interface Ethernet1/1", "mtu 1500"])\n'
    assert one(text + ends + "\n").statements == ["interface Ethernet1/1", "mtu 1500"]


def test_a_module_of_ansible_gives_what_tasks_say() -> None:
    assert pushed(NETMIKO) != ()
    assert pushed(f"module = AnsibleModule(argument_spec={{}})\n{NETMIKO}") == ()


def test_a_test_bench_of_hardware_configures_no_switch() -> None:
    assert pushed(NETMIKO)
    assert not pushed(f"from myhdl import Signal\n{NETMIKO}")
    assert not pushed(f"import cocotb\n{NETMIKO}")
