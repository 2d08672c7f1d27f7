"""Which documents count as whole, and what stands behind an answer in a log."""

from __future__ import annotations

import pytest

from roce_audit.text.document import Document
from roce_audit.text.whole import (
    BY_LOOKS,
    BY_POLICY,
    FEWEST_PORTS,
    Extent,
    kinds_at_margin,
    kinds_of_paths,
    why_whole,
    without_farewell,
)


@pytest.mark.parametrize(
    ("document", "proof", "looks", "why"),
    [
        (Document("a", "x\n"), "header", False, "header"),
        (Document("a", "x\n"), "", True, BY_LOOKS),
        (Document("a", "x\n"), "", False, ""),
        (Document("a", "x\n", declared_complete=True), "", False, BY_POLICY),
        (Document("a", "x\n", declared_complete=False), "header", True, ""),
        (Document("a", "x\n", truncated=True), "header", True, ""),
        (Document("a", "x\n", truncated=True, declared_complete=True), "header", True, ""),
        (Document("a", "x\n", "show running-config interface"), "", True, ""),
        (Document("a", "hostname {{ name }}\n"), "", True, ""),
        (Document("a", "hostname ${NAME}\n"), "", True, ""),
    ],
)
def test_proof_policy_and_looks(document: Document, proof: str, looks: bool, why: str) -> None:
    assert why_whole(document, proof, lambda: Extent(FEWEST_PORTS, frozenset) if looks else None) == why


@pytest.mark.parametrize(
    "tail",
    [
        "leaf1#",
        "leaf1# exit\n",
        "leaf1#exit\nlogout\n",
        "Connection to leaf1 closed.\n",
        "user@box:~/x$ \n",
        "leaf1(config)# end\n\n",
        "any ideas?\n\n",
        "Can anybody see what is wrong here? Thanks, in advance!\n",
        "We run EOS 4.30.4M on both switches (7050SX3).\nleaf1#\n",
    ],
)
def test_prompts_and_logouts_behind_the_answer_are_left_out(tail: str) -> None:
    assert without_farewell(f"hostname a\nend\n{tail}") == "hostname a\nend\n"


@pytest.mark.parametrize(
    "text",
    [
        "hostname a\nend\n",
        "hostname a\nend",
        "a\n   mtu 9214\n",
        "banner #\nhello\n#x\n",
        "a\n   description to the core.\n",
    ],
)
def test_a_configuration_keeps_its_end(text: str) -> None:
    assert without_farewell(text) == text


LAB = "aaa root\nusername admin\nntp server 192.0.2.1\nlogging host 192.0.2.2\nspanning-tree mode none\nrouter bgp 65001\n"


@pytest.mark.parametrize(
    ("ports", "text", "whole"),
    [
        (4, "", True),
        (3, "", False),
        (3, "aaa root\n", False),
        (3, "aaa root\nusername admin\n", True),
        (2, "aaa root\nusername admin\nntp server 192.0.2.1\n", False),
        (2, "aaa root\nusername admin\nntp server 192.0.2.1\nrouter bgp 65001\n", True),
        (1, LAB, True),
        (0, LAB, False),
        (1, LAB.replace("router bgp 65001\n", ""), False),
    ],
)
def test_few_ports_beside_settings_of_many_kinds_are_those_of_a_lab(ports: int, text: str, whole: bool) -> None:
    assert Extent(ports, lambda: kinds_at_margin(text)).is_whole is whole


def test_kinds_of_paths_are_counted_once_and_without_ports_classes_and_the_name() -> None:
    paths = [
        ("system", "host-name", "leaf1"),
        ("system", "ntp", "server", "192.0.2.1"),
        ("system", "ntp", "server", "192.0.2.2"),
        ("protocols", "bgp"),
        ("vlans", "v10"),
        ("vlans", "v11"),
        ("interfaces", "et-0/0/1"),
        ("class-of-service", "interfaces"),
        (),
    ]
    assert kinds_of_paths(paths) == {("system", "ntp"), ("protocols", "bgp"), ("vlans",)}
