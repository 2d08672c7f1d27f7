"""What was asked of many hosts at once, pasted with the call above it."""

from __future__ import annotations

import pytest

from roce_audit.sources.splitting.multihost import answers

ONE, TWO = "Pause parameters for eth2:\nRX:\t\toff\nTX:\t\toff", "Pause parameters for eth2:\nRX:\t\ton\nTX:\t\toff"
FORMS = {
    "pdsh": (
        "$ pdsh -w gpu[1-2] ethtool -a eth2\n",
        "".join(f"{host}: {line}\n" for host, text in (("gpu1", ONE), ("gpu2", TWO)) for line in text.split("\n")),
    ),
    "ansible": (
        "[ops@mgmt ~]$ ansible gpu -b -a 'ethtool -a eth2'\n",
        f"gpu1 | CHANGED | rc=0 >>\n{ONE}\ngpu2 | CHANGED | rc=0 >>\n{TWO}\n",
    ),
    "ansible shell": (
        'root@mgmt:~# ansible gpu -m shell -a "ethtool -a eth2"\n',
        f"gpu1 | CHANGED | rc=0 >>\n{ONE}\ngpu2 | CHANGED | rc=0 >>\n{TWO}\n",
    ),
    "clush": (
        "# clush -bw gpu[1-2] ethtool -a eth2\n",
        f"---------------\ngpu1\n---------------\n{ONE}\n---------------\ngpu[2-2] (1)\n---------------\n{TWO}\n",
    ),
    "pssh": (
        "pssh -h hosts -i ethtool -a eth2\n",
        f"[1] 10:00:01 [SUCCESS] gpu1\n{ONE}\n[2] 10:00:02 [SUCCESS] gpu2\n{TWO}\n",
    ),
    "a loop": (
        "$ for h in gpu{1..2}; do echo == $h; ssh $h ethtool -a eth2; done\n",
        f"== gpu1\n{ONE}\n== gpu2\n{TWO}\n",
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_call_says_what_was_asked(form: str) -> None:
    call, text = FORMS[form]
    found = answers(call + text)
    assert [(host, command) for host, _, _, command in found] == [
        ("gpu1", "ethtool -a eth2"),
        ("gpu2", "ethtool -a eth2"),
    ]
    lines = (call + text).split("\n")
    for _, first, own, _ in found:
        at = next(number for number, line in enumerate(own.split("\n")) if line.strip() and line.strip() != ">>")
        assert own.split("\n")[at] in lines[first - 1 + at]


@pytest.mark.parametrize("form", FORMS)
def test_without_the_call_nobody_knows_the_command(form: str) -> None:
    assert [(host, command) for host, _, _, command in answers(FORMS[form][1])] == [("gpu1", None), ("gpu2", None)]


def test_a_host_that_was_not_reached_has_no_part_of_the_answer_above_it() -> None:
    _, text = FORMS["ansible"]
    lost = 'gpu3 | UNREACHABLE! => {\n    "changed": false,\n    "unreachable": true\n}\n'
    found = {host: own for host, _, own, _ in answers(text + lost)}
    assert [*found] == ["gpu1", "gpu2", "gpu3"]
    assert "unreachable" not in found["gpu2"]


def test_each_of_several_calls_has_its_own_answers() -> None:
    call, text = FORMS["ansible"]
    found = answers(call + text + call.replace("-a eth2", "-i eth2") + text)
    assert [command for _, _, _, command in found] == ["ethtool -a eth2"] * 2 + ["ethtool -i eth2"] * 2


@pytest.mark.parametrize(
    "call",
    [
        "$ for h in gpu1 gpu2; do echo == $h; ssh $h 'ethtool -i eth2; ethtool -a eth2'; done",
        "$ for h in a; do ethtool -a $h; done",
    ],
)
def test_a_loop_that_calls_several_or_fills_in_says_no_command(call: str) -> None:
    assert {command for _, _, _, command in answers(f"{call}\n{FORMS['a loop'][1]}")} == {None}


def test_text_before_the_call_is_no_paste_of_it() -> None:
    call, text = FORMS["clush"]
    assert not answers(f"interface Ethernet1\n{call}{text}")
