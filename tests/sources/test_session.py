"""Session logs and `show tech-support`."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.sources.devices import load
from roce_audit.sources.splitting.session import begins, split


@pytest.mark.parametrize(
    ("prompt", "host"),
    [
        ("leaf1# ", "leaf1"),
        ("leaf1>", "leaf1"),
        ("leaf1(config)#", "leaf1"),
        ("admin@leaf1:~$ ", "leaf1"),
        ("cumulus@leaf1:mgmt:~$ ", "leaf1"),
        ("user@leaf1> ", "leaf1"),
        ("leaf1 [standalone: master] # ", "leaf1"),
        ("A:leaf1# ", "leaf1"),
        ("RP/0/RP0/CPU0:leaf1#", "leaf1"),
    ],
)
def test_prompts(prompt: str, host: str) -> None:
    text = f"Last login: today\n{prompt}show version\nVersion 1\nuptime 2\n{prompt}\n{prompt}sh run\nhostname leaf1\n{prompt}exit\nbye\n"
    (found,) = split(text, "x.log")
    assert found.host == host
    assert [(d.command, d.text, d.first_line) for d in found.documents] == [
        ("show version", "Version 1\nuptime 2", 3),
        ("show running-config", "hostname leaf1", 7),
    ]


@pytest.mark.parametrize(
    ("prompt", "host"), [("PS C:\\Users\\admin> ", ""), ("[NODE1]: PS C:\\Users\\admin\\Documents> ", "NODE1")]
)
def test_prompts_of_powershell(prompt: str, host: str) -> None:
    text = f"{prompt}get-netqosflowcontrol\nPriority Enabled\n{prompt}Get-NetAdapterQos\nName : a\n{prompt}"
    (found,) = split(text, "x.log")
    assert found.host == host
    assert [(d.command, d.text) for d in found.documents] == [
        ("Get-NetQosFlowControl", "Priority Enabled"),
        ("Get-NetAdapterQos", "Name : a"),
    ]


@pytest.mark.parametrize("prompt", ["<leaf1>", "[leaf1]", "[~leaf1]"])
def test_prompts_in_brackets(prompt: str) -> None:
    (found,) = split(f"{prompt}display current-configuration\n#\nsysname leaf1\n{prompt}", "x.log")
    assert (found.host, found.documents[0].text) == ("leaf1", "#\nsysname leaf1")


def test_two_devices_in_one_log() -> None:
    text = "leaf1# show version\nV1\nleaf2# show version\nV2\nleaf1# show lldp\nL\n"
    one, two = split(text, "x.log")
    assert (one.host, [d.text for d in one.documents]) == ("leaf1", ["V1", "L"])
    assert (two.host, [d.text for d in two.documents]) == ("leaf2", ["V2"])


def test_sections_of_show_tech_support() -> None:
    text = (
        "------------------ show version ------------------\n\nV1\n"
        "`show running-config`\nhostname leaf1\n"
        "------------- show lldp neighbors -------------\nN\n"
    )
    (found,) = split(text, "x.log")
    assert [(d.command, d.text, d.first_line) for d in found.documents] == [
        ("show version", "\nV1", 2),
        ("show running-config", "hostname leaf1", 5),
        ("show lldp neighbors", "N", 7),
    ]


def test_sections_of_show_tech_of_ios_xr() -> None:
    plus = "+" * 23
    text = (
        f"{plus} show version [09:00:01.123 UTC Tue Jun 11 2024] {plus}\nV1\n"
        f"{plus} show running-config [09:00:04.500 UTC Tue Jun 11 2024] {plus}\nhostname leaf1\nend\n"
        f"{plus} show lldp neighbors {plus}\nN\n"
    )
    (found,) = split(text, "x.txt")
    assert [(d.command, d.text, d.first_line) for d in found.documents] == [
        ("show version", "V1", 2),
        ("show running-config", "hostname leaf1\nend", 4),
        ("show lldp neighbors", "N", 7),
    ]


def test_sections_of_display_diagnostic_information() -> None:
    rule = "=" * 49
    text = (
        f"{rule}\n  ===============display clock===============\n14:03:55 UTC\n{rule}\n"
        f"  ===============display current-configuration===============\n#\nsysname leaf1\n#\nreturn\n\n{rule}\n"
        "  ===============display device===============\nSlot 1\n"
    )
    (found,) = split(text, "x.txt")
    assert [(d.command, d.text, d.first_line) for d in found.documents] == [
        ("display clock", "14:03:55 UTC", 3),
        ("display current-configuration", "#\nsysname leaf1\n#\nreturn", 6),
        ("display device", "Slot 1", 13),
    ]


def test_sections_of_show_tech_of_aos_cx() -> None:
    stars, rule = "*" * 33, "=" * 52
    text = (
        f"{rule}\nShow Tech executed on Wed Nov  4\n{rule}\n{rule}\n[Begin] Feature basic\n{rule}\n\n"
        f"{stars}\nCommand : show version\n{stars}\nArubaOS-CX\n{stars}\nCommand : show running-config\n{stars}\nhostname leaf1\n"
        f"{rule}\n[End] Feature basic\n{rule}\n{rule}\n[Begin] Feature qos\n{rule}\n"
    )
    (found,) = split(text, "x.txt")
    assert [(d.command, d.text, d.first_line) for d in found.documents] == [
        ("show version", "ArubaOS-CX", 11),
        ("show running-config", "hostname leaf1", 15),
    ]


def test_what_is_printed_for_support_is_split_whatever_the_file_is_called(tmp_path: Path) -> None:
    sections = {
        "show version": "NXOS: version 10.4(3)\n",
        "show running-config": "!Command: show running-config\nversion 10.4(3)\nhostname leaf7\nfeature lldp\n"
        "interface Ethernet1/1\n  priority-flow-control mode on\n  mtu 9216\n",
        "show interface priority-flow-control": "Port  Mode Oper(VL bmap)  RxPPP  TxPPP\nEthernet1/1  On  On  (8)  0  0\n",
    }
    text = "".join(f"`{command}`\n{answer}" for command, answer in sections.items())
    for name in ("leaf7/show_tech-support.txt", "leaf7/show_tech.log", "leaf7.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
        (device,) = load([str(tmp_path)]).devices
        assert [document.command for document in device.documents] == list(sections)
        (tmp_path / name).unlink()


def test_what_stands_before_the_first_prompt_is_not_lost() -> None:
    config = "".join(f"interface Ethernet{n}\n" for n in range(20))
    (found,) = split(config + "leaf1# show version\nV\nleaf1# show lldp\nL\n", "x.log")
    assert [(d.command, d.first_line) for d in found.documents] == [(None, 1), ("show version", 22), ("show lldp", 24)]
    assert found.documents[0].text == config


@pytest.mark.parametrize(
    "text",
    [
        "hostname leaf1\n!Command: show running-config\ninterface Ethernet1\n",
        "".join(f"interface Ethernet{n}\n" for n in range(20)) + "leaf1# show version\n",
        "! Command: show running-config\n! device: leaf1 (X, EOS-4.29)\n",
        "interface Ethernet1\n description a# show b\n",
        "",
    ],
)
def test_a_configuration_is_no_log(text: str) -> None:
    assert split(text, "x.cfg") == ()


def test_words_of_the_configuration_mode_are_no_commands_of_a_host() -> None:
    typed = "sw (config) # dcb priority-flow-control enable force\nsw (config) # ip routing\n"
    (found,) = split(typed, "x")
    assert [(d.command, d.text) for d in found.documents] == [(None, typed)]


def test_what_was_typed_to_configure_stands_on_its_line() -> None:
    log = (
        "switch# configure terminal\nEnter configuration commands, one per line. End with CNTL/Z.\n"
        "switch(config)# hostname leaf1\nleaf1(config)# interface ethernet 1/1\nleaf1(config-if)# mtu 99999\n"
        "                                   ^\n% Invalid number, range is (576:9216)\n"
        "leaf1(config-if)# mtu 9216\nleaf1(config-if)# mtu ?\n  <576-9216>  Enter MTU\nleaf1(config-if)# end\nleaf1# copy r s\n"
    )
    (found,) = split(log, "x")
    assert found.host == "switch"
    assert [(d.command, d.first_line) for d in found.documents] == [(None, 1)]
    said = {n: line for n, line in enumerate(found.documents[0].text.split("\n"), 1) if line}
    assert said == {3: "hostname leaf1", 4: "interface ethernet 1/1", 8: "mtu 9216", 11: "end"}


def test_what_was_typed_yields_to_the_configuration_that_is_shown() -> None:
    log = (
        "leaf1(config)# interface Ethernet1\nleaf1(config-if-Et1)# mtu 1500\nleaf1(config-if-Et1)# show run\n"
        "interface Ethernet1\n   mtu 9214\nleaf1#\n"
    )
    (found,) = split(log, "x")
    assert [d.command for d in found.documents] == ["show running-config"]


def test_candidates_of_sr_linux_are_typed_below_their_mode() -> None:
    log = (
        "--{ running }--[  ]--\nA:leaf1# enter candidate\n--{ * candidate shared default }--[  ]--\n"
        "A:leaf1# set / interface ethernet-1/1 mtu 9412\n--{ * candidate shared default }--[  ]--\n"
        "A:leaf1# set / interface ethernet-1/2 mtu 9412\n--{ running }--[  ]--\nA:leaf1# set / ignored\n"
    )
    (found,) = split(log, "x")
    text = "set / interface ethernet-1/1 mtu 9412\n\nset / interface ethernet-1/2 mtu 9412\n"
    assert found.documents[0].text.lstrip("\n") == text


def test_one_line_behind_a_prompt_is_no_log() -> None:
    assert split("leaf1(config)# mtu 9214\n", "x") == ()


def test_junos_routing_engine_lines_are_no_configuration() -> None:
    text = "{master:0}\nu@leaf1> show configuration\nsystem {\n}\n\n{master:0}\nu@leaf1> show version\nV\n"
    (found,) = split(text, "x.log")
    assert found.documents[0].text.strip() == "system {\n}"


def test_lines_of_sr_linux_above_its_prompts_are_no_answer() -> None:
    above = "--{ running }--[  ]--\n"
    text = f'{above}A:leaf1# info from state / qos | as json\n{{"qos": {{}}}}\n{above}A:leaf1# \n'
    (found,) = split(text, "x.log")
    assert [(d.command, d.text.strip()) for d in found.documents] == [
        ("info from state / qos | as json", '{"qos": {}}')
    ]


@pytest.mark.parametrize(
    ("text", "is_log"),
    [
        ("leaf1# show interface brief\nEth1/1\n", True),
        ("\n\nleaf1> show interfaces | no-more\net-0/0/0\n", True),
        ("--{ running }--[  ]--\nA:leaf1# info from state / qos\n", True),
        ("Eth1/1\nEth1/2\nEth1/3\nEth1/4\nleaf1# show version\n", False),
        ("Ethernet1/1 is up\n", False),
    ],
)
def test_a_log_begins_with_a_command(text: str, is_log: bool) -> None:
    assert begins(text) is is_log


@pytest.mark.parametrize(
    "prompt",
    [
        "[root@gpu01 ~]# ",
        "[ops@gpu01 tmp]$ ",
        "(base) root@gpu01:~# ",
        "(venv-3.11) [root@gpu01 ~]# ",
        "[10:01:22] root@gpu01:~# ",
        "gpu01:~ # ",
        "root@gpu01 ~ # ",
        "root@gpu01 /etc/nccl.conf.d # ",
    ],
)
def test_prompts_of_hosts(prompt: str) -> None:
    text = f"{prompt}hostname\ngpu01\n{prompt}ethtool -a ens1f0np0\nPause parameters for ens1f0np0:\nRX:\t\toff\n{prompt}\n"
    (found,) = split(text, "paste.txt")
    assert found.host == "gpu01"
    assert [d.command for d in found.documents] == ["hostname", "ethtool -a ens1f0np0"]


@pytest.mark.parametrize("line", ["see [root@gpu01 ~] for ethtool", "(base) means ethtool", "[1:2] ethtool -a eth0"])
def test_what_only_looks_like_a_prompt_of_a_host(line: str) -> None:
    assert split(f"{line}\n{line}\n", "notes.txt") == ()


def test_an_answer_ends_with_the_fence_around_it() -> None:
    block = "```\nroot@{0}:~# ethtool -a eth2\nRX:\t\toff\n```\n"
    text = "# Ticket\n\n## gpu1\n" + block.format("gpu1") + "\nand on the other\n" + block.format("gpu2")
    assert [(s.host, [d.text for d in s.documents]) for s in split(text, "ticket.txt")] == [
        ("gpu1", ["RX:\t\toff"]),
        ("gpu2", ["RX:\t\toff"]),
    ]


def test_an_answer_in_a_fence_below_its_prompt_is_kept() -> None:
    text = "root@gpu1:~# ethtool -a eth2\n```\nRX:\t\toff\n```\nroot@gpu1:~# ethtool -i eth2\n"
    (found,) = split(text, "ticket.txt")
    assert "RX:\t\toff" in found.documents[0].text


def test_full_paths_of_junos_need_no_line_above_each_prompt() -> None:
    lines = [
        "set class-of-service interfaces et-0/0/1 unit 0 classifiers dscp roce",
        "set interfaces et-0/0/1 mtu 9216",
    ]
    text = "[edit]\n" + "".join(f"user@leaf1# {line}\n" for line in lines)
    (found,) = split(text, "page.txt")
    assert (found.host, found.documents[0].text.split()) == ("leaf1", " ".join(lines).split())


def test_lines_below_a_level_of_junos_get_its_path() -> None:
    text = (
        "[edit class-of-service]\n"
        "user@leaf1# set forwarding-classes class rdma queue-num 3 no-loss\n"
        "user@leaf1# set interfaces et-0/0/1 congestion-notification-profile cnp\n"
        "user@leaf1# set class-of-service classifiers dscp roce import default\n"
        "[edit]\n"
        "user@leaf1# set interfaces et-0/0/1 mtu 9216\n"
    )
    (found,) = split(text, "page.txt")
    assert found.documents[0].text.split("\n")[1:-1] == [
        "set class-of-service forwarding-classes class rdma queue-num 3 no-loss",
        "set class-of-service interfaces et-0/0/1 congestion-notification-profile cnp",
        "set class-of-service classifiers dscp roce import default",
        "",
        "set interfaces et-0/0/1 mtu 9216",
    ]


@pytest.mark.parametrize(
    ("above", "typed", "command"),
    [
        ("[edit]", "show class-of-service", "show configuration class-of-service"),
        ("[edit class-of-service]", "show", "show configuration class-of-service"),
        ("[edit class-of-service]", "show interfaces", "show configuration class-of-service interfaces"),
    ],
)
def test_show_below_a_level_of_junos_shows_the_configuration(above: str, typed: str, command: str) -> None:
    text = f"{above}\nuser@leaf1# {typed}\nclassifiers {{\n}}\n"
    (found,) = split(text, "page.txt")
    assert [d.command for d in found.documents] == [command]


def test_a_mode_behind_a_blank_is_a_prompt_like_any_other() -> None:
    text = "OS10 (config)# class-map type network-qos c\nOS10 (config-cmap-nqos)# match qos-group 3\n"
    (found,) = split(text, "page.txt")
    assert (found.host, found.documents[0].text) == ("OS10", "class-map type network-qos c\nmatch qos-group 3\n")


@pytest.mark.parametrize("prompt", ["switch (config) # ", "switch (config interface ethernet 1/1)# "])
def test_a_mode_that_names_the_open_block_is_kept(prompt: str) -> None:
    (found,) = split(f"{prompt}qos trust L3\n{prompt}dcb priority-flow-control mode on\n", "page.txt")
    assert found.documents[0].text.startswith(prompt)


def test_a_log_that_is_set_in_is_a_log() -> None:
    text = "    leaf1(config)# interface Ethernet1\n    leaf1(config-if-Et1)# mtu 9214\n    leaf1# show version\n      V1\n"
    (found,) = split(text, "page.txt")
    assert [(d.command, d.text) for d in found.documents] == [
        (None, "interface Ethernet1\nmtu 9214\n"),
        ("show version", "  V1"),
    ]
