"""One configuration in every form in which Junos shows it: the same facts, the lines of the form, and no silence on damage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.counting import counts_of
from roce_audit.platforms.junos import PLATFORM
from roce_audit.platforms.junos.texts import of_document
from roce_audit.platforms.junos.trees import of_tree
from roce_audit.platforms.portreading import PortReading
from roce_audit.sources.detect import choose
from roce_audit.text.block import resolve
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place

FIXTURES = Path(__file__).parents[3] / "fixtures" / "junos"
FORMS = {"json": FIXTURES / "json" / "leaf5.json", "xml": FIXTURES / "xml" / "leaf5.xml"}
BLOCKS = FIXTURES / "whole" / "leaf5.conf"


def _nested(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    names = st.sampled_from(
        [
            "@",
            "@mtu",
            "interfaces",
            "interface",
            "name",
            "mtu",
            "class-of-service",
            "schedulers",
            "rate",
            "data",
            "groups",
            "a b",
            "",
        ]
    )
    return st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4)


def read(text: str, command: str | None = None) -> DeviceReading:
    return PLATFORM.read(DeviceInput("leaf5", "junos", (Document("leaf5", text, command),)))


def told(reading: DeviceReading) -> list[str]:
    return [one.observation.kind for one in reading.seen]


def ports(reading: DeviceReading) -> dict[str, PortReading]:
    return {one.name: one for one in reading.ports}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_recognised_and_names_its_host(form: str) -> None:
    document = Document("a.txt", FORMS[form].read_text(encoding="utf-8"))
    assert PLATFORM.recognise(document) >= 90
    assert PLATFORM.hostname(document) == "leaf5"


@pytest.mark.parametrize(
    "around",
    [
        "<config>{}</config>",
        "<edit-config><target><candidate/></target><config>{}</config></edit-config>",
        '<rpc message-id="1" xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"><edit-config><config>{}</config></edit-config></rpc>',
        "<rpc><load-configuration action='merge'>{}</load-configuration></rpc>",
        "<nc:rpc xmlns:nc='urn:a'><nc:edit-config><nc:config>{}</nc:config></nc:edit-config></nc:rpc>",
    ],
)
def test_what_a_session_loads_is_read(around: str) -> None:
    text = "<configuration><interfaces><interface><name>et-0/0/1</name><mtu>9000</mtu></interface></interfaces></configuration>"
    found = of_tree(Document("a.xml", around.format(text)))
    assert found is not None
    assert ("interfaces", "et-0/0/1", "mtu", "9000") in {line.words for line in found.lines}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_the_same(form: str) -> None:
    blocks, found = read(BLOCKS.read_text(encoding="utf-8")), read(FORMS[form].read_text(encoding="utf-8"))
    assert found.complete_because
    assert not found.seen
    assert found.device.os_version == blocks.device.os_version
    assert ports(found).keys() == ports(blocks).keys()
    for name, port in ports(blocks).items():
        assert ports(found)[name].facts == port.facts
        assert ports(found)[name].labels == port.labels


@pytest.mark.parametrize("form", FORMS)
def test_a_value_is_shown_with_its_line(form: str) -> None:
    text = FORMS[form].read_text(encoding="utf-8")
    port = ports(read(text))["xe-0/0/2"]
    places = [resolve(at, port.parts) for at in port.facts.ip_mtu_bytes.at]
    lines = [text.split("\n")[place.line - 1].strip() for place in places if isinstance(place, Place)]
    assert lines[0] in ('"mtu" : 9000', "<mtu>9000</mtu>")


INACTIVE = {
    "json": (
        '"mtu" : 9000',
        '"mtu" : 9000, "@mtu" : {"inactive" : true}',
    ),
    "xml": ("<mtu>9000</mtu>", '<mtu inactive="inactive">9000</mtu>'),
}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_inactive_does_not_hold(form: str) -> None:
    text = FORMS[form].read_text(encoding="utf-8")
    assert "xe-0/0/3" not in ports(read(text))
    changed = text.replace(*INACTIVE[form])
    assert changed != text
    assert ports(read(changed))["xe-0/0/2"].facts.ip_mtu_bytes.value == 9192 - 14 - 4  # its group's


@pytest.mark.parametrize(
    "said", ['"@no-loss" : {"inactive" : true}', '"@no-loss" : [ {"inactive" : true} ]', '"@" : {"inactive" : true}']
)
def test_a_leaf_without_a_value_may_be_inactive(said: str) -> None:
    leaf = '{"name" : "FAST", "queue-num" : 4, "no-loss" : [null]'
    text = f'{{"configuration" : {{"class-of-service" : {{"forwarding-classes" : {{"class" : [{leaf}, {said}}}]}}}}}}}}'
    found = of_tree(Document("a.json", text))
    assert found is not None
    assert "deactivate" in {line.verb for line in found.lines}


@pytest.mark.parametrize(
    ("form", "line", "garbled"),
    [
        ("json", '"dynamic-threshold"', ""),
        ("json", '"queue-num" : 3', '"queue-num" : "three"'),
        ("xml", "<queue-num>3</queue-num>", "<queue-num>three</queue-num>"),
        ("json", '"no-loss" : [null]', '"no-los" : [null]'),
        ("xml", "<no-loss/>", "<no-los/>"),
        (
            "xml",
            "<transmit-rate>\n                    <percent>50",
            "<transmit-rate>\n                    <percentage>50",
        ),
    ],
)
def test_an_element_that_nobody_knows_is_told(form: str, line: str, garbled: str) -> None:
    text = FORMS[form].read_text(encoding="utf-8")
    if not garbled:
        garbled, line = '"percent" : 40, "dynamic-treshold" : 3', '"percent" : 40'
    changed = text.replace(line, garbled, 1)
    if "percentage" in garbled:
        changed = changed.replace("<percentage>50</percent>", "<percentage>50</percentage>")
    assert changed != text
    assert told(read(changed)) == ["unread-line"]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_that_is_cut_off_is_unreadable_and_whole_for_nothing(form: str) -> None:
    found = read(FORMS[form].read_text(encoding="utf-8")[:-400])
    assert told(found) == ["unreadable"]
    assert not found.complete_because


def test_a_key_that_stands_twice_is_told() -> None:
    found = read(FORMS["json"].read_text(encoding="utf-8").replace('"mtu" : 9000', '"mtu" : 1500, "mtu" : 9000'))
    assert told(found) == ["unreadable"]


def test_the_order_of_keys_says_nothing() -> None:
    """A tool that sorts keys writes `class-name` before the `name` of its queue."""
    text = FORMS["json"].read_text(encoding="utf-8")
    assert told(read(json.dumps(json.loads(text), sort_keys=True, indent=1))) == told(read(text))


BOMB = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbb">]><configuration><version>&b;</version></configuration>'


@pytest.mark.parametrize("text", [BOMB, "<configuration>" + "<a>" * 100 + "</a>" * 100 + "</configuration>"])
def test_hostile_xml_is_refused(text: str) -> None:
    assert told(read(text)) == ["unreadable"]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=9), _nested, max_leaves=30))
def test_nothing_that_json_can_say_breaks_the_reader(value: object) -> None:
    text = json.dumps({"configuration": value})
    assert all(one.place.line == 1 for one in read(text).seen), "the text has one line"


VERBOSE = """\
{
    "configuration" : [
    {
        "attributes" : {"xmlns" : "http://xml.juniper.net/xnm/1.1/xnm"},
        "version" : [ { "data" : "15.1R7" } ],
        "system" : [ { "host-name" : [ { "data" : "leaf9" } ] } ],
        "interfaces" : [ { "interface" : [
            { "name" : { "data" : "et-0/0/1" },
              "mtu" : [ { "data" : "9100", "attributes" : {"inactive" : "inactive"} } ] },
            { "name" : [ { "data" : "et-0/0/2" } ], "mtu" : [ { "data" : "9100" } ] }
        ] } ]
    } ]
}
"""


def test_the_verbose_form_of_older_releases_is_read() -> None:
    found = ports(read(VERBOSE))
    assert {name: port.facts.ip_mtu_bytes.value for name, port in found.items()} == {
        "et-0/0/1": 1500,
        "et-0/0/2": 9086,
    }


COMMENTED = {
    "json": ("/* to be cabled */", "/* roce-audit: ignore[mtu/below-roce] reason='spare' */"),
    "xml": ("/* to be cabled */", "/* roce-audit: ignore[mtu/below-roce] reason='spare' */"),
}


@pytest.mark.parametrize("form", FORMS)
def test_an_annotation_that_speaks_to_us_is_bound_to_its_element(form: str) -> None:
    text = FORMS[form].read_text(encoding="utf-8").replace(*COMMENTED[form])
    (comment,) = read(text).inline_suppressions
    assert comment.text == "ignore[mtu/below-roce] reason='spare'"
    inside = text.split("\n")[comment.first - 1 : comment.last]
    assert any("xe-0/0/3" in line for line in inside)
    assert not any("xe-0/0/46" in line for line in inside)


INHERITED = """\
## Last commit: 2026-10-19 06:02:51 UTC by netops
version 23.4R2;
apply-groups JUMBO;
system {
    host-name leaf1;
}
interfaces {
    et-0/0/0 {
        ##
        ## '9216' was inherited from group 'JUMBO'
        ##
        mtu 9216;
    }
}
"""


def test_groups_that_display_inheritance_wrote_out_need_no_definition() -> None:
    found = read(INHERITED)
    assert not found.seen
    assert ports(found)["et-0/0/0"].facts.ip_mtu_bytes.value == 9202
    bare = "".join(line for line in INHERITED.splitlines(keepends=True) if "##" not in line or "Last" in line)
    assert told(read(bare)) == ["undefined"]
    assert not read(bare, "show configuration | display inheritance no-comments").seen


@pytest.mark.parametrize(
    ("command", "is_read"),
    [
        ("show running-config", True),
        ("show run", True),
        ("display current-configuration", True),
        ("show configuration | no-more", True),
        ("show configuration | compare rollback 1", False),
        ("show version", False),
    ],
)
def test_a_collector_may_name_the_configuration_of_every_device_alike(command: str, is_read: bool) -> None:
    assert bool(read(BLOCKS.read_text(), command).ports) is is_read


@pytest.mark.parametrize(("protocol", "lost"), [("lldpp", True), ("ldp", False), ("bgp", False)])
def test_a_protocol_that_exists_is_no_misspelling_of_another(protocol: str, lost: bool) -> None:
    text = "set system host-name leaf5\nset interfaces et-0/0/1 mtu 9216\n"
    reading = read(f"{text}set protocols {protocol} interface et-0/0/1\n")
    assert told(reading) == ["unread-line"] * lost


@pytest.mark.parametrize("code_points", ["ieee-802.1 code-point 011", "dscp code-point 011010"])
def test_the_receive_size_stands_beside_pfc(code_points: str) -> None:
    size = f"set class-of-service congestion-notification-profile P input {code_points} mru 2240\n"
    assert "unread-line" not in told(read(f"{size}set system host-name leaf1\n"))


SHOWN = """\
Physical interface: et-0/0/1, Enabled, Physical link is Up
  Interface index: 649, SNMP ifIndex: 550, Generation: 140
  Link-level type: Ethernet, MTU: 9216, LAN-PHY mode, Speed: 400Gbps, BPDU Error: None, Loopback: Disabled, Flow control: Disabled
  Statistics last cleared: Never
  Queue counters:       Queued packets  Transmitted packets      Dropped packets
    0                               10                   10                    0
    4                               90                   80                   10
  Queue number:         Mapped forwarding classes
    4                   no-loss
  Ethernet FEC Mode  :                 FEC119
    FEC Uncorrected Errors                  3
  MAC statistics:                      Receive         Transmit
    MAC control frames                     102                9
    MAC pause frames                        21                9
  MAC Priority Flow Control Statistics:
    Priority :  3                            17               18
  Logical interface et-0/0/1.0 (Index 74) (SNMP ifIndex 535)
    Protocol inet, MTU: 9000
Physical interface: fti0, Enabled, Physical link is Up
  Type: FTI, Link-level type: FTI, MTU: Unlimited, Speed: Unlimited
"""
PLAIN = "set interfaces et-0/0/1 description a\n"


def shown(text: str, command: str = "show interfaces extensive | no-more") -> DeviceInput:
    return DeviceInput("leaf", "junos", (Document("a.set", PLAIN), Document("b.txt", text, command)))


def test_the_mtu_of_a_family_is_not_that_of_the_port() -> None:
    rows = (
        ("name", "et-0/0/1"),
        ("oper-status", "up"),
        ("mtu", "9216"),
        ("name", "et-0/0/1.0"),
        ("mtu", "1488"),
        ("mtu", "Unlimited"),
    )
    told = "".join(f'"{name}" : [\n{{\n"data" : "{value}"\n}}\n],\n' for name, value in rows)
    reading = PLATFORM.read(
        shown(f'{{\n"interface-information" : [{{\n{told}}}]}}\n', "show interfaces | display json")
    )
    assert not reading.seen
    assert reading.ports[0].facts.ip_mtu_bytes.value == 9202


def test_what_interfaces_show_holds_where_nothing_is_configured() -> None:
    facts = PLATFORM.read(shown(SHOWN)).ports[0].facts
    assert (facts.speed_bps.value, facts.fec.value, facts.ip_mtu_bytes.value) == (400 * 10**9, "rs", 9202)
    assert (facts.link_pause_rx.value, facts.link_pause_tx.value) == (False, False)
    unknown = PLATFORM.read(shown(SHOWN, "show interfaces terse")).ports[0].facts
    assert unknown.speed_bps.is_unknown


def test_what_the_ends_of_a_link_offer_each_other_is_no_pause_of_the_port() -> None:
    offers = (
        "  Autonegotiation information:\n    Link partner:\n        Link mode: Full-duplex, Flow control: Symmetric/Asymmetric,"
        " Remote fault: OK\n    Local resolution:\n        Flow control: None, Remote fault: Link OK\n"
    )
    reading = PLATFORM.read(shown(SHOWN.replace("  Statistics last", f"{offers}  Statistics last")))
    assert told(reading) == []
    assert reading.ports[0].facts.link_pause_rx.value is False
    padded = PLATFORM.read(shown(SHOWN.replace("Flow control: Disabled\n", "Flow control: Enabled\t\n")))
    assert padded.ports[0].facts.link_pause_rx.value is True


def test_what_is_configured_wins() -> None:
    text = f"{PLAIN}set interfaces et-0/0/1 speed 100g\nset interfaces et-0/0/1 mtu 9000\n"
    device = DeviceInput("leaf", "junos", (Document("a.set", text), Document("b.txt", SHOWN, "show interfaces")))
    facts = PLATFORM.read(device).ports[0].facts
    assert (facts.speed_bps.value, facts.ip_mtu_bytes.value) == (100 * 10**9, 8986)


def test_a_shown_word_that_nobody_knows_is_told() -> None:
    reading = PLATFORM.read(shown(SHOWN.replace("FEC119", "MAGIC")))
    assert reading.ports[0].facts.fec.is_unknown
    assert told(reading) == ["unread-line"]


def test_counters_of_interfaces() -> None:
    counts = counts_of(shown(SHOWN)).by_port["et-0/0/1"]
    assert {count.name: count.value for count in counts.values()} == {
        "priorities.3.pause_received": 17,
        "priorities.3.pause_sent": 18,
        "queues.0.drops": 0,
        "queues.4.drops": 10,
        "fec_uncorrectable": 3,
        "link_pause_received": 21,
    }
    assert {count.epoch for count in counts.values()} == {"Never"}


@pytest.mark.parametrize(
    ("last", "texts"),
    [
        ("deactivate class-of-service interfaces et-0/0/1\n", ["et-0/0/1"]),
        ("deactivate class-of-service interfaces et-0/0/1 congestion-notification-profile\n", ["et-0/0/1"]),
        ("deactivate class-of-service interfaces et-0/0/1\nset interfaces et-0/0/1 disable\n", []),
        ("deactivate class-of-service interfaces et-0/0/1\nactivate class-of-service interfaces et-0/0/1\n", []),
        ("deactivate interfaces et-0/0/1\ndeactivate class-of-service interfaces et-0/0/1\n", []),
    ],
)
def test_a_profile_that_was_deactivated_at_a_port_in_use(last: str, texts: list[str]) -> None:
    text = (
        "set system host-name leaf5\nset interfaces et-0/0/1 mtu 9216\n"
        "set class-of-service congestion-notification-profile P input dscp code-point 011010 pfc\n"
        "set class-of-service interfaces et-0/0/0 congestion-notification-profile P\n"
        "set class-of-service interfaces et-0/0/1 congestion-notification-profile P\n"
    )
    told = [one for one in read(text + last).seen if "deactivated" in one.observation.text]
    assert [one.observation.name for one in told] == texts
    assert all(one.quote.startswith("class-of-service interfaces et-0/0/1") for one in told)


@pytest.mark.parametrize(
    ("said", "ports"),
    [
        ("", ("et-0/0/1", "et-0/0/2")),
        ("set class-of-service interfaces et-0/0/2 congestion-notification-profile Q\n", ("et-0/0/1",)),
    ],
)
def test_a_profile_that_was_deactivated_for_ports_by_a_wildcard(said: str, ports: tuple[str, ...]) -> None:
    text = (
        "set system host-name leaf5\nset interfaces et-0/0/1 mtu 9216\nset interfaces et-0/0/2 mtu 9216\n"
        "set interfaces xe-0/0/3 mtu 9216\n"
        "set class-of-service congestion-notification-profile P input dscp code-point 011010 pfc\n"
        "set class-of-service congestion-notification-profile Q input dscp code-point 011010 pfc\n"
        "set class-of-service interfaces et-* congestion-notification-profile P\n"
        "deactivate class-of-service interfaces et-*\n"
    )
    (told,) = [one for one in read(text + said).seen if "deactivated" in one.observation.text]
    assert (told.observation.name, told.ports, told.place.line) == ("et-*", ports, 8)


def test_a_stanza_of_an_interface_that_is_none_is_told_once() -> None:
    text = (
        "interfaces {\n    $GPU_PORT {\n        mtu 9216;\n        unit 0 {\n            family inet6;\n        }\n    }\n"
        "    $UPLINK {\n        mtu 9216;\n    }\n}\n"
    )
    told = [(one.observation.name, one.place.line) for one in read(text).seen if one.observation.kind == "unread-line"]
    assert told == [("$GPU_PORT", 2), ("$UPLINK", 8)]


SECTION = "schedulers {\n    S {\n        transmit-rate percent 80;\n    }\n}\nforwarding-classes {\n    class R queue-num 3;\n}\n"


@pytest.mark.parametrize("text", [SECTION, f"class-of-service {{\n{SECTION}}}\n"], ids=["as shown", "with its root"])
def test_a_section_is_read_below_the_words_that_ask_for_it(text: str) -> None:
    document = Document("x", text, "show configuration class-of-service | no-more")
    assert PLATFORM.recognise(document) > 50
    ways = [line.words for line in of_document(document).lines]
    assert ("class-of-service", "forwarding-classes", "class", "R", "queue-num", "3") in ways
    assert all(len(line.words) == len(line.lines) for line in of_document(document).lines)


def test_a_classifier_in_xml_goes_by_the_marks_that_it_knows() -> None:
    inner = "<classifiers><dscp><classifier-dscp-name>CL</classifier-dscp-name></dscp></classifiers>"
    unit = f"<interfaces><interface><name>et-0/0/1</name><unit><name>0</name>{inner}</unit></interface></interfaces>"
    text = f"<configuration><class-of-service>{unit}</class-of-service></configuration>"
    found = of_tree(Document("x", text))
    assert found is not None
    assert found.lines[-1].words[-3:] == ("classifiers", "dscp", "CL")


TYPED = "set version 23.4R1.10\nset interfaces et-0/0/1 description &quot;to rack 7&quot;\nset interfaces et-0/0/1 mtu 9216\n"


@pytest.mark.parametrize("around", ["configuration-set", "configuration-text", "configuration-output"])
def test_a_reply_may_hold_the_statements_as_text(around: str) -> None:
    inside = TYPED if around == "configuration-set" else "interfaces {\n    et-0/0/1 {\n        mtu 9216;\n    }\n}\n"
    text = f'<rpc-reply message-id="101">\n<{around}>\n{inside}</{around}>\n</rpc-reply>\n'
    reading = read(text)
    assert told(reading) == []
    port = ports(reading)["et-0/0/1"]
    place = resolve(port.facts.ip_mtu_bytes.at[0], port.parts)
    assert isinstance(place, Place)
    assert text.split("\n")[place.line - 1].strip().rstrip(";").endswith("mtu 9216")


@pytest.mark.parametrize("end", ["", "</rpc-reply>"])
def test_a_reply_without_its_statements_is_told(end: str) -> None:
    assert told(read(f'<rpc-reply message-id="101">\n<configuration-set>\nset system host-name leaf5\n{end}')) == [
        "unreadable"
    ]
    assert told(read(f"<rpc-reply xmlns:junos='x'>\n<data>\n</data>\n{end}")) == ["unreadable"]


def test_a_reply_to_another_question_is_no_damaged_configuration() -> None:
    text = (
        '<rpc-reply xmlns:junos="http://xml.juniper.net/junos/23.4R1/junos">\n<multi-routing-engine-results>\n'
        "<software-information>\n<host-name>leaf5</host-name>\n</software-information>\n</multi-routing-engine-results>\n</rpc-reply>\n"
    )
    reading = read(text)
    assert told(reading) == []
    assert reading.unrecognised


def test_a_part_of_a_configuration_in_a_reply_is_recognised() -> None:
    for head in ('<rpc-reply message-id="101">\n  <configuration>', '<configuration changed-seconds="1590139550">'):
        text = f"{head}\n<snmp><location>row 3</location></snmp></configuration>"
        assert choose((Document("page.xml", text),)).platform == "junos"
    assert (
        choose(
            (Document("page.xml", "<configuration>\n<snmp><location>row 3</location></snmp></configuration>"),)
        ).platform
        != "junos"
    )
