"""How platforms write a change: edits of text, commands and the way back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import roce_audit
from roce_audit.audit import Request, check
from roce_audit.fixing.planning import plan
from roce_audit.platforms import repairs
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.repair import Edit, applied
from roce_audit.policy import Policy, load_text
from roce_audit.values import Place

EOS = """! Command: show running-config
hostname leaf1
interface Ethernet1/1
   mtu 9214
   qos trust dscp
   uc-tx-queue 3
      bandwidth percent 40
interface Ethernet1/2
   mtu 1500
interface Ethernet1/3
!
end
"""


def ports(folder: Path, text: str, name: str) -> tuple[dict[str, PortReading], dict[str, list[str]]]:
    (folder / name).write_text(text)
    checked = check(Request((name,), Policy.empty()))
    (device,) = checked.devices
    return {port.name: port for port in device.ports}, {name: text.split("\n")}


@pytest.fixture
def eos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, PortReading], dict[str, list[str]]]:
    monkeypatch.chdir(tmp_path)
    return ports(tmp_path, EOS, "leaf1.cfg")


def test_a_statement_is_added_at_the_end_of_its_stanza(eos) -> None:  # type: ignore[no-untyped-def]
    found, texts = eos
    (change,) = repairs("eos").say("port.ip_mtu_bytes", 9000, (), found["Ethernet1/3"], texts)
    assert applied(texts["leaf1.cfg"], change.edits)[9:11] == ["interface Ethernet1/3", "   mtu 9000"]
    assert (change.do, change.undo) == (
        ("interface Ethernet1/3", "mtu 9000"),
        ("interface Ethernet1/3", "no mtu 9000"),
    )


def test_a_statement_replaces_the_one_that_says_it(eos) -> None:  # type: ignore[no-untyped-def]
    found, texts = eos
    port = found["Ethernet1/2"]
    place = next(
        p.block.place(n) for p in port.parts for n, s in enumerate(p.block.texts.statements) if s == "mtu 1500"
    )
    (change,) = repairs("eos").say("port.ip_mtu_bytes", 9000, (place,), port, texts)
    assert change.edits == (Edit("leaf1.cfg", 9, "   mtu 1500", "   mtu 9000"),)
    assert change.undo == ("interface Ethernet1/2", "mtu 1500")


def test_inner_stanzas_come_with_their_header(eos) -> None:  # type: ignore[no-untyped-def]
    found, texts = eos
    like_it = found["Ethernet1/1"]
    wanted = next(
        p.block.place(n)
        for p in like_it.parts
        for n, s in enumerate(p.block.texts.statements)
        if s.endswith("percent 40")
    )
    (change,) = repairs("eos").like(found["Ethernet1/3"], like_it, (), (wanted,), texts)
    assert applied(texts["leaf1.cfg"], change.edits)[9:12] == [
        "interface Ethernet1/3",
        "   uc-tx-queue 3",
        "      bandwidth percent 40",
    ]
    assert change.undo == ("interface Ethernet1/3", "no uc-tx-queue 3")


def test_what_a_range_says_is_not_changed_for_one_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = EOS.replace("interface Ethernet1/3", "interface Ethernet1/3-4")
    found, texts = ports(tmp_path, text, "leaf1.cfg")
    assert repairs("eos").say("port.ip_mtu_bytes", 9000, (), found["Ethernet1/3"], texts) == []


def test_edits_refuse_a_line_that_is_not_what_it_was() -> None:
    with pytest.raises(ValueError, match="is not what it was"):
        applied(["a", "b"], [Edit("x", 1, "z", "y")])
    with pytest.raises(ValueError, match="changed twice"):
        applied(["a", "b"], [Edit("x", 1, "a", "y"), Edit("x", 1, "a", None)])


def test_lines_added_behind_one_line_keep_their_order() -> None:
    edits = [Edit("x", 1, None, "b"), Edit("x", 1, None, "c"), Edit("x", 1, "a", "A"), Edit("x", 2, "d", None)]
    assert applied(["a", "d", "e"], edits) == ["A", "b", "c", "e"]


OS10 = """! Version 10.5.4.5
hostname tor1
policy-map type queuing ECN
policy-map type queuing SHARES
interface ethernet1/1/1
 no shutdown
 service-policy output type queuing SHARES
interface ethernet1/1/2
 no shutdown
"""


def test_what_applies_a_definition_never_displaces_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found, texts = ports(tmp_path, OS10, "tor1.cfg")
    header = "policy-map type queuing ECN"
    assert repairs("os10").bind(found["ethernet1/1/1"], header, texts) == []
    (change,) = repairs("os10").bind(found["ethernet1/1/2"], header, texts)
    assert change.do == ("interface ethernet1/1/2", "service-policy output type queuing ECN")


@pytest.mark.parametrize(
    ("size", "after"),
    [("133120", "219456"), ("115000", "201336"), ("19456", None), ("1248", None)],
    ids=["xon and headroom", "headroom and a minimum", "xon: the headroom is a pool", "less than the headroom"],
)
def test_sonic_reserves_what_a_larger_headroom_takes(
    size: str, after: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    profile = {"pool": "pool", "xon": "19456", "xoff": "113664", "size": size, "dynamic_th": "0"}
    database = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf2", "hwsku": "any"}},
        "PORT": {"Ethernet0": {"lanes": "1", "speed": "400000", "mtu": "9100"}},
        "BUFFER_POOL": {"pool": {"type": "ingress", "mode": "dynamic", "size": "1000000"}},
        "BUFFER_PROFILE": {"lossless": profile},
        "BUFFER_PG": {"Ethernet0|3-4": {"profile": "lossless"}},
    }
    found, texts = ports(tmp_path, json.dumps(database, indent=2), "config_db.json")
    port = found["Ethernet0"]
    line = next(n for n, text in enumerate(texts["config_db.json"], 1) if '"xoff"' in text)
    (change,) = repairs("sonic").say("hop.group.headroom_bytes", 200_000, (Place("config_db.json", line),), port, texts)
    then = json.loads("\n".join(applied(texts["config_db.json"], change.edits)))["BUFFER_PROFILE"]["lossless"]
    assert then == profile | {"xoff": "200000", "size": after or size}
    assert len(change.do) == len(change.undo) == len(change.edits)


NXOS = """!Command: show running-config
version 10.3(5)
hostname leaf1
class-map type qos match-all RDMA
  match dscp 28
interface Ethernet1/1
  mtu 9216
"""
VRP = """!Software Version V200R022C10
#
sysname leaf1
#
interface 100GE1/0/1
 mtu 9000
 jumboframe enable 1518
#
interface 100GE1/0/2
 mtu 9000
#
return
"""


def place_of(port: PortReading, words: str) -> Place:
    return next(p.block.place(n) for p in port.parts for n, s in enumerate(p.block.texts.statements) if s == words)


@pytest.mark.parametrize(
    ("platform", "old", "new", "cleared"),
    [
        ("nxos", "match dscp 28", "match dscp 26", ("no match dscp 28",)),
        ("nxos", "set qos-group 4", "set qos-group 3", ()),
        ("eos", "priority-flow-control priority 4 no-drop", "priority-flow-control priority 3 no-drop",
         ("no priority-flow-control priority 4 no-drop",)),
        ("eos", "priority-flow-control priority 3 drop", "priority-flow-control priority 3 no-drop", ()),
        ("eos", "no priority-flow-control", "priority-flow-control on", ()),
        ("eos", "qos map dscp 26 to traffic-class 4", "qos map dscp 26 to traffic-class 3", ()),
        ("eos", "qos map dscp 36 to traffic-class 3", "qos map dscp 34 to traffic-class 3",
         ("no qos map dscp 36 to traffic-class 3",)),
        ("vrp", "priority 4", "priority 3", ("undo priority 4",)),
        ("vrp", "qos queue 3 drr weight 1", "qos queue 3 drr weight 60", ()),
        ("vrp", "jumboframe enable 1518", "mtu 9000", ("undo jumboframe enable",)),
    ],
)  # fmt: skip
def test_what_would_stay_beside_the_new_statement_is_taken_back(
    platform: str, old: str, new: str, cleared: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first = {"nxos": NXOS, "vrp": VRP, "eos": EOS}[platform]
    end = {"nxos": "", "vrp": "#\nreturn\n", "eos": "!\nend\n"}[platform]
    text = f"{first.removesuffix(end)}profile x\n {old}\n{end}"
    found, texts = ports(tmp_path, text, "leaf1.cfg")
    line = text.split("\n").index(f" {old}") + 1
    (change,) = repairs(platform)._replaced(next(iter(found.values())), Place("leaf1.cfg", line), new, texts)
    assert change.do[1:] == (*cleared, new)


def test_a_line_in_the_way_of_one_that_stands_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found, texts = ports(tmp_path, VRP, "leaf1.cfg")
    here, there = found["100GE1/0/1"], found["100GE1/0/2"]
    short, wanted = place_of(here, "jumboframe enable 1518"), place_of(there, "mtu 9000")
    (change,) = repairs("vrp").like(here, there, (short,), (wanted,), texts)
    assert change.do == ("interface 100GE1/0/1", "undo jumboframe enable")
    assert applied(texts["leaf1.cfg"], change.edits).count(" mtu 9000") == 2


SONIC = Path(roce_audit.__file__).parent / "platforms" / "sonic" / "examples" / "base" / "leaf1" / "config_db.json"
ECN = '            "ecn": "ecn_all",\n'


@pytest.mark.parametrize("written", [ECN.replace("ecn_all", "ecn_none"), ""], ids=["ecn_none", "nothing of ecn"])
def test_a_profile_that_does_not_mark_is_made_to_mark(
    written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without WRED it would neither drop nor mark."""
    good = SONIC.read_text()
    assert good.count(ECN) == 1
    (tmp_path / "config_db.json").write_text(good.replace(ECN, written))
    monkeypatch.chdir(tmp_path)
    policy = load_text("roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n", "roce-audit.yaml")
    found = plan(Request((".",), policy, select=("ecn/wred-drops-lossless",)))
    assert not found.left
    assert found.after == {"config_db.json": good}


NXOS = """!Command: show running-config
version 10.4(3)
hostname leaf1
interface port-channel11
  vpc 11
interface Ethernet1/1
  channel-group 11 mode active
interface Ethernet1/2
  mtu 9216
  service-policy type qos input IN
  no shutdown
"""


def test_what_a_channel_says_is_added_to_the_channel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found, texts = ports(tmp_path, NXOS, "leaf1.cfg")
    member, similar = found["Ethernet1/1"], found["Ethernet1/2"]
    (change,) = repairs("nxos").say("port.ip_mtu_bytes", 9216, (), member, texts)
    assert applied(texts["leaf1.cfg"], change.edits)[3:6] == ["interface port-channel11", "  vpc 11", "  mtu 9216"]
    assert (change.do, change.undo) == (
        ("interface port-channel11", "mtu 9216"),
        ("interface port-channel11", "no mtu 9216"),
    )
    (bound,) = repairs("nxos").bind(member, "policy-map type qos IN", texts)
    assert bound.do == ("interface port-channel11", "service-policy type qos input IN")
    all_of_it = repairs("nxos").like(member, similar, (), (), texts)[-1].do
    said_below = {statement: all_of_it[index - 1] for index, statement in enumerate(all_of_it)}
    assert said_below["service-policy type qos input IN"] == "interface port-channel11"
    assert said_below["no shutdown"] == "interface Ethernet1/1"  # a member is shut by itself


PROFILE = "class-of-service interfaces et-* congestion-notification-profile"


@pytest.mark.parametrize(
    ("name", "text", "line", "header", "before", "after"),
    [
        (
            "leaf.set",
            (
                "set system host-name leaf\nset interfaces et-0/0/1 mtu 9216\n"
                f"set {PROFILE} P\nset class-of-service congestion-notification-profile P input dscp code-point 011010 pfc\n"
                f"deactivate {PROFILE}\n"
            ),
            5,
            PROFILE,
            f"deactivate {PROFILE}",
            f"activate {PROFILE}",
        ),
        (
            "leaf.conf",
            (
                "system {\n    host-name leaf;\n}\ninterfaces {\n    et-0/0/1 {\n        mtu 9216;\n    }\n}\nclass-of-service {\n"
                "    interfaces {\n        et-* {\n            inactive: congestion-notification-profile P;\n        }\n    }\n}\n"
            ),
            12,
            f"{PROFILE} P",
            "            inactive: congestion-notification-profile P;",
            "            congestion-notification-profile P;",
        ),
    ],
)
def test_what_is_deactivated_is_activated_where_it_stands(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    text: str,
    line: int,
    header: str,
    before: str,
    after: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    found, texts = ports(tmp_path, text, name)
    (change,) = repairs("junos").bind(found["et-0/0/1"], header, texts)
    assert change.edits == (Edit(name, line, before, after),)
    assert (change.do, change.undo) == ((f"activate {PROFILE}",), (f"deactivate {PROFILE}",))
    assert repairs("junos").bind(found["et-0/0/1"], "class-of-service interfaces xe-*", texts) == []


@pytest.mark.parametrize(
    ("platform", "text", "line", "after", "do"),
    [
        (
            "nxos",
            (
                "!Command: show running-config\nversion 10.4(3)\nhostname leaf1\npolicy-map type queuing OUT\n"
                "  class type queuing c-out-8q-q3\n"
                "    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0\n"
                "system qos\n  service-policy type queuing output OUT\ninterface Ethernet1/1\n  mtu 9216\n"
            ),
            6,
            [
                "    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn"
            ],
            "random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn",
        ),
        (
            "os10",
            (
                "! Version 10.5.5.4\nhostname leaf1\nwred ECN\n"
                " random-detect color green minimum-threshold 150 maximum-threshold 1500 drop-probability 20\n"
                "!\ninterface ethernet1/1/1\n mtu 9216\n"
            ),
            4,
            [
                " random-detect color green minimum-threshold 150 maximum-threshold 1500 drop-probability 20",
                " random-detect ecn",
            ],
            "random-detect ecn",
        ),
    ],
)
def test_a_curve_that_drops_is_made_to_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, text: str, line: int, after: list[str], do: str
) -> None:
    monkeypatch.chdir(tmp_path)
    found, texts = ports(tmp_path, text, "leaf1.cfg")
    port = next(iter(found.values()))
    (change,) = repairs(platform).say("hop.queue.ecn.marks", True, (Place("leaf1.cfg", line),), port, texts)
    assert applied(texts["leaf1.cfg"], change.edits)[line - 1 : line - 1 + len(after)] == after
    assert change.do[-1] == do
    elsewhere = (Place("leaf1.cfg", line - 1),)  # no curve stands there
    assert repairs(platform).say("hop.queue.ecn.marks", True, elsewhere, port, texts) == []


@pytest.mark.parametrize(
    ("platform", "text", "member", "path", "header"),
    [
        (
            "eos",
            (
                "! Command: show running-config\nhostname leaf1\ninterface Port-Channel5\n   no switchport\n"
                "interface Ethernet1/1\n   channel-group 5 mode active\nend\n"
            ),
            "Ethernet1/1",
            "port.ip_mtu_bytes",
            "interface Port-Channel5",
        ),
        (
            "iosxr",
            (
                "!! IOS XR Configuration 24.2.1\nhostname leaf1\ninterface Bundle-Ether5\n ipv4 address 10.0.0.1 255.255.255.254\n!\n"
                "interface FourHundredGigE0/0/0/1\n bundle id 5 mode active\n!\nend\n"
            ),
            "FourHundredGigE0/0/0/1",
            "port.ip_mtu_bytes",
            "interface Bundle-Ether5",
        ),
        (
            "iosxr",  # PFC is said of the members
            (
                "!! IOS XR Configuration 24.2.1\nhostname leaf1\ninterface Bundle-Ether5\n ipv4 address 10.0.0.1 255.255.255.254\n!\n"
                "interface FourHundredGigE0/0/0/1\n bundle id 5 mode active\n!\nend\n"
            ),
            "FourHundredGigE0/0/0/1",
            "port.pfc.mode",
            "interface FourHundredGigE0/0/0/1",
        ),
    ],
)
def test_what_a_bundle_says_is_added_to_it_and_the_rest_to_the_member(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, text: str, member: str, path: str, header: str
) -> None:
    monkeypatch.chdir(tmp_path)
    found, texts = ports(tmp_path, text, "leaf1.cfg")
    value: object = "on" if path == "port.pfc.mode" else 9000
    (change,) = repairs(platform).say(path, value, (), found[member], texts)
    assert change.do[0] == header


CNP = "class-of-service congestion-notification-profile P"


@pytest.mark.parametrize(
    ("platform", "text", "port", "line", "do"),
    [
        (
            "aoscx",
            "hostname leaf\ninterface 1/1/1\n    mtu 9198\n",
            "1/1/1",
            0,
            ("interface 1/1/1", "flow-control watchdog"),
        ),
        (
            "comware",
            "#\n sysname leaf\n#\ninterface TwoHundredGigE1/0/1\n port link-mode route\n#\nreturn\n",
            "TwoHundredGigE1/0/1",
            0,
            ("interface TwoHundredGigE1/0/1", "priority-flow-control deadlock enable"),
        ),
        ("eos", EOS, "Ethernet1/3", 0, ("interface Ethernet1/3", "priority-flow-control pause watchdog")),
        (
            "onyx",
            "hostname leaf\ninterface ethernet 1/1 mtu 9216 force\n",
            "Eth1/1",
            0,
            ("interface ethernet 1/1 pfc-wd",),
        ),
        (
            "junos",
            f"set system host-name leaf\nset interfaces et-0/0/1 mtu 9216\nset {CNP} input dscp code-point 011010 pfc\n",
            "et-0/0/1",
            3,
            (f"set {CNP} pfc-watchdog",),
        ),
        (
            "junos",  # the profile is said by its block
            (
                "interfaces {\n    et-0/0/1 {\n        mtu 9216;\n    }\n}\nclass-of-service {\n    congestion-notification-profile {\n"
                "        P {\n            input {\n                dscp {\n                    code-point 011010 {\n"
                "                        pfc;\n                    }\n                }\n            }\n        }\n    }\n}\n"
            ),
            "et-0/0/1",
            8,
            (f"set {CNP} pfc-watchdog",),
        ),
    ],
)
def test_the_watchdog_is_turned_on_as_the_platform_says_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, text: str, port: str, line: int, do: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    found, texts = ports(tmp_path, text, "leaf.cfg")
    places = (Place("leaf.cfg", line),) if line else ()
    (change,) = repairs(platform).say("port.pfc.watchdog.on", True, places, found[port], texts)
    assert change.do == do


@pytest.mark.parametrize(("paused", "after"), [("3,4", "3,4"), ("", None)])
def test_sonic_watches_what_it_pauses(
    paused: str, after: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    database = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf2", "hwsku": "any"}},
        "PORT": {"Ethernet0": {"lanes": "1", "speed": "400000", "mtu": "9100"}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": paused, "pfcwd_sw_enable": ""}},
    }
    found, texts = ports(tmp_path, json.dumps(database, indent=2), "config_db.json")
    line = next(n for n, text in enumerate(texts["config_db.json"], 1) if '"pfcwd_sw_enable"' in text)
    places = (Place("config_db.json", line),)
    changes = repairs("sonic").say("port.pfc.watchdog.on", True, places, found["Ethernet0"], texts)
    then = [
        json.loads("\n".join(applied(texts["config_db.json"], change.edits)))["PORT_QOS_MAP"]["Ethernet0"]
        for change in changes
    ]
    assert [row["pfcwd_sw_enable"] for row in then] == ([] if after is None else [after])


def test_what_people_set_up_to_keep_others_out_is_theirs_to_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = NXOS.replace("hostname leaf1\n", "hostname leaf1\nip access-list GUARD\n  10 deny udp any any eq 4791\n")
    (tmp_path / "leaf1.cfg").write_text(text.replace("  mtu 9216\n", "  mtu 9216\n  ip port access-group GUARD in\n"))
    monkeypatch.chdir(tmp_path)
    policy = load_text("ports: [{match: 'leaf1:Ethernet1/2', roce: true}]\n", "roce-audit.yaml")
    found = plan(Request((".",), policy, select=("marking/filter-drops-roce",)))
    assert len(found.left) == 1
    assert not found.after
