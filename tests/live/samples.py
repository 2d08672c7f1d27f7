"""How each platform's command line looks from outside: prompt, words that netmiko needs to hear, a configuration."""

from __future__ import annotations

from roce_audit import platforms
from roce_audit.platforms.record import Live
from tests.live.fake_switch import Device, Faults

PROMPTS = {
    "aoscx": "leaf1#",
    "comware": "<leaf1>",
    "eos": "leaf1.dc1-pod(s1)#",
    "esonic": "leaf1#",
    "iosxr": "RP/0/RP0/CPU0:leaf1#",
    "junos": "audit@leaf1>",
    "nxos": "leaf1#",
    "onyx": "leaf1 [standalone: master] #",
    "os10": "leaf1#",
    "os9": "leaf1#",
    "srlinux": "A:leaf1#",
    "vrp": "<leaf1>",
}
SESSION = {
    "eos": {"terminal width 511": b"Width set to 511 columns.", "terminal length 0": b"Pagination disabled."},
    "nxos": {"terminal width 511": b"", "terminal length 0": b""},
    "iosxr": {"terminal width 511": b"", "terminal length 0": b""},
    "onyx": {"no cli session paging enable": b"", "terminal length 999": b""},
    "os10": {"terminal length 0": b""},
    "os9": {"terminal length 0": b""},
    "esonic": {"sonic-cli": b"", "terminal length 0": b""},
    "junos": {
        "set cli screen-width 511": b"Screen width set to 511",
        "set cli complete-on-space off": b"Disabling complete-on-space",
        "set cli screen-length 0": b"Screen length set to 0",
    },
    "srlinux": {"environment complete-on-space false": b"", "environment cli-engine type basic": b""},
    "vrp": {"screen-length 0 temporary": b"Info: The configuration takes effect on the current user terminal."},
    "comware": {"screen-length disable": b""},
    "aoscx": {"no page": b""},
}
"""What a session is prepared with, and nothing else may be typed beside the platform's commands and `exit`."""
BEFORE = {"junos": b"\n{master:0}\n", "srlinux": b"--{ running }--[  ]--\n"}
ENDS = {"eos": b"end\n", "iosxr": b"end\n", "vrp": b"return\n", "comware": b"return\n"}
CONFIG_DB = b'{"DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}}}'
BUNDLE = b"""@@ ROCE-AUDIT-BUNDLE 2
@@ M uid=0 date=2026-11-01T08:00:00Z budget=60 timeout=10
@@ B ethtool ens1 ethtool -a ens1
|Pause parameters for ens1:
|RX:\toff
@@ E 0 36
@@ END 1
"""


def live(platform: str) -> Live:
    """What a platform that is read over SSH says of it."""
    found = platforms.platform(platform).live
    assert found is not None
    return found


SPEAKING = tuple(one.name for one in platforms.every() if one.live is not None and one.live.access == "cli")
"""Platforms of this program that are read over their own command line."""


def configuration(platform: str, lines: int = 300) -> bytes:
    """A configuration that holds what could deceive a reader: its own prompt, within a line and as a line."""
    prompt = PROMPTS[platform].encode()
    body = b"".join(b"interface Ethernet%d\n   description to %s gpu\n" % (i, prompt) for i in range(1, lines // 2))
    return (
        b"! device: leaf1\nhostname leaf1\n"
        + body
        + prompt
        + b"\n"
        + prompt
        + b" not a prompt\n"
        + ENDS.get(platform, b"")
    )


def device(platform: str, faults: Faults | None = None, lines: int = 300) -> Device:
    """A fake of this platform that answers every command of it."""
    commands = platforms.platform(platform).commands
    main = live(platform).configuration
    answers = {command: f"answer of {command}\n".encode() for command in commands}
    answers[main] = configuration(platform, lines)
    return Device(
        PROMPTS[platform],
        answers,
        configuration=main,
        session_answers=SESSION[platform],
        before_prompt=BEFORE.get(platform, b""),
        faults=faults or Faults(),
    )


def shell(platform: str) -> Device:
    """A fake whose login is a Linux shell that runs this platform's commands."""
    commands = tuple(platforms.platform(platform).commands)
    main = live(platform).configuration
    answers = {command: (0, f"answer of {command}\n".encode()) for command in commands}
    return Device(exec_answers={**answers, main: (0, CONFIG_DB)}, configuration=main)


def host() -> Device:
    """A fake host that ran the script."""
    return Device(exec_answers={"sh -s": (0, BUNDLE)})
