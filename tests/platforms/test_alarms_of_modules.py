"""Modules of switches that raise an alarm, as show commands tell it; warnings, and links that are down, are none."""

from __future__ import annotations

import pytest

from roce_audit import platforms
from roce_audit.model.counts import Gauge
from roce_audit.text.document import DeviceInput, Document

XR = """ Controller State: Up

         Alarm Status:
         -------------
         Detected Alarms:{}

         LOS/LOL/Fault Status:

         Alarm Statistics:
         HIGH-RX-PWR = 0            LOW-RX-PWR = 4
"""
EOS = """mA: milliamperes, dBm: decibels (milliwatts), NA or N/A: not applicable.
++ : high alarm, +  : high warning, -  : low warning, -- : low alarm.
                            High Alarm  High Warn  Low Alarm  Low Warn
         Rx Power           Threshold   Threshold  Threshold  Threshold
Port     (dBm)              (dBm)       (dBm)      (dBm)      (dBm)
-------  -----------------  ----------  ---------  ---------  ---------
Et6/1    {:<18} 4.50        3.50       -12.20     -8.21
Et7/1    N/A                N/A         N/A        N/A        N/A
"""
OS10 = (
    "PORT : Eth1/1/12\nQSFP28-DD1/1/12 RX Power Low Warning Flag = True\nQSFP28-DD1/1/12 RX Power Low Alarm Flag = {}\n"
)
SONIC = "Ethernet8: \n        Rx loss of signal flag on media lane 1: False\n        Rx power low alarm flag on lane 2: {}\n"


def gauges(platform: str, command: str, text: str) -> list[Gauge]:
    reader = platforms.platform(platform).load().gauges
    assert reader is not None
    return list(reader(DeviceInput("a", platform, (Document("a.txt", text, command),))))


@pytest.mark.parametrize(
    ("platform", "command", "form", "bad", "good", "port", "line"),
    [
        (
            "iosxr",
            "show controllers optics 0/0/0/5",
            XR,
            "\n              LOW-RX0-PWR",
            " None",
            "FourHundredGigE0/0/0/5",
            6,
        ),
        ("iosxr", "show controllers Optics0/0/0/5", XR, " HIGH-LBC", "", "HundredGigE0/0/0/5", 5),
        ("eos", "show interfaces transceiver detail", EOS, -14.22, -9.01, "Ethernet6/1", 7),
        ("eos", "show interfaces Et6/1 transceiver detail", EOS, 5.01, -30.0, "Ethernet6/1", 7),
        ("os10", "show interface phy-eth 1/1/12", OS10, True, False, "ethernet1/1/12", 3),
        ("sonic", "show interfaces transceiver status", SONIC, True, False, "Ethernet8", 3),
    ],
)
def test_an_alarm(platform: str, command: str, form: str, bad: object, good: object, port: str, line: int) -> None:
    assert not gauges(platform, command, form.format(good))
    found = [one for one in gauges(platform, command, form.format(bad)) if one.port == port]
    assert [(one.kind, one.place.line) for one in found] == [("module", line)]
    assert not gauges(platform, "show version", form.format(bad))


def test_the_order_of_thresholds_is_read() -> None:
    other = EOS.replace("Low Alarm  Low Warn", "Low Warn   Low Alarm").replace("-12.20     -8.21", "-8.21      -12.20")
    command = "show interfaces transceiver detail"
    assert not gauges("eos", command, other.format(-9.01))
    assert len(gauges("eos", command, other.format(-14.22))) == 1


def test_a_dump_of_state_db() -> None:
    text = """{
  "PORT_TABLE|Ethernet8": {"type": "hash", "value": {"mtu": "9100"}},
  "TRANSCEIVER_STATUS|Ethernet8": {
    "type": "hash",
    "value": {
      "rxpowerlowalarm_flag1": "False",
      "temphighalarm_flag": "True",
      "txpowerlowwarning_flag1": "True"
    }
  },
  "TRANSCEIVER_DOM_FLAG|Ethernet12": {
    "rxpowerlowalarm2": "True"
  }
}
"""
    reader = platforms.platform("sonic").load().gauges
    assert reader is not None
    found = list(reader(DeviceInput("a", "sonic", (Document("a/STATE_DB.json", text),))))
    assert [(one.port, one.place.line) for one in found] == [("Ethernet8", 7), ("Ethernet12", 12)]
    assert "temphighalarm" in found[0].said
