"""The FEC that runs on a link that is up, against the one that is configured."""

from __future__ import annotations

import pytest
from host_answers import answer, host


@pytest.mark.parametrize(
    ("speed", "configured", "active", "running", "unused"),
    [
        ("100000Mb/s", "RS", "RS", "rs", None),
        ("100000Mb/s", "RS", "LLRS", "rs", None),
        ("100000Mb/s", "RS", "BaseR", "fc", "rs"),
        ("100000Mb/s", "RS", "Off", "none", "rs"),
        ("100000Mb/s", "Off", "RS", "rs", "none"),
        ("100000Mb/s", "Auto", "BaseR", "fc", None),
        ("100000Mb/s", "Auto Off RS", "RS", "rs", None),
        ("100000Mb/s", "RS", "None", None, None),  # what a driver says that does not know
        ("Unknown!", "RS", "Off", None, None),
    ],
)
def test_what_runs_and_what_is_configured(
    speed: str, configured: str, active: str, running: str | None, unused: str | None
) -> None:
    fec = f"FEC parameters for ens1:\nSupported/Configured FEC encodings: {configured}\nActive FEC encoding: {active}\n"
    (port,) = host(
        answer("ethtool ens1", f"Settings for ens1:\n\tSpeed: {speed}\n"), answer("ethtool --show-fec ens1", fec)
    ).ports
    nic = port.facts.nic.get()
    assert (nic.fec_running.value, nic.fec_unused.value) == (running, unused)
    assert not nic.fec_running.is_unknown
