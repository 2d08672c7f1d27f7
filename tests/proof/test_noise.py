"""The noise budget: clean configurations raise no error and no warning, under `base` and under their own vendor's profile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from roce_audit.cli.main import main
from roce_audit.proof.examples import BASE, folder

REPOSITORY = Path(__file__).parents[2]
OWN_PROFILE = {
    "bnxt": ("broadcom-nic",),
    "comware": ("h3c",),
    "cumulus": ("nvidia-spectrum",),
    "eos": ("arista-ai",),
    "esonic": ("dell",),
    "ionic": ("amd-pollara", "amd-pollara-a", "amd-pollara-b"),
    "irdma": ("intel-e810",),
    "junos": ("juniper-jvd",),
    "linux": ("nvidia-spectrum",),
    "nxos": ("cisco-ai",),
    "onyx": ("nvidia-spectrum",),
    "os10": ("dell",),
    "os9": ("pfc-only",),
    "sonic": ("sonic-default",),
    "vrp": ("huawei-ai",),
    "windows": ("azure-local", "validate-dcb"),
}
"""Platform -> the profiles of its vendor, where there are any."""
CLEAN = (
    "bnxt/new-tool",
    "bnxt/old-tool",
    "eos/classes",
    "fabric",
    "ionic/json",
    "ionic/text",
    "irdma/dcb",
    "irdma/lldpad",
    "linux/playbook",
    "linux/probe",
    "linux/script",
    "linux/scripts",
    "linux/template",
    "mixed",
    "mixed-lldp",
    "mixed-vendors",
    "mlnx/dpu",
    "mlnx/next-boot",
    "os10/answers",
    "os9/leaf",
    "os9/script",
    "sonic/chassis",
    "sonic/two-asics",
    "windows/cim",
    "windows/host",
)
"""Fixtures in which nothing is wrong."""
OFFICIAL = next(
    (at for above in REPOSITORY.parents if (at := above / "shared/corpus/official").is_dir()), REPOSITORY / "none"
)
Loud = tuple[str, int, str, str]
"""Name of the file, line, rule, severity."""


class Defect(NamedTuple):
    """What is wrong in a published file: where, which rule tells it how loudly, and why it is true."""

    file: str
    lines: tuple[int, ...]
    rule: str
    severity: str
    why: str

    @property
    def told(self) -> set[Loud]:
        """One entry a line."""
        return {(self.file, line, self.rule, self.severity) for line in self.lines}


_UNDEFINED = "input/undefined-or-unapplied"
_PEER = (460,)
"""The channel of the peer link, which has neither."""
DEFECTS: dict[str, tuple[Defect, ...]] = {
    "amd-pollara": (
        Defect("vllm_guide_qos_pfc.sh", (18,), "input/unread-line", "warning", "`strict` is no priority of DSCP 46"),
    ),
    "azure-local": (
        Defect("azl_disaggregated_with_qos.cfg", (129,), _UNDEFINED, "error", "AZLocal_SERVICES is what is defined"),
        Defect("azl_fully_converged_with_qos.cfg", (75,), _UNDEFINED, "error", "AZLocal_SERVICES is what is defined"),
        *(
            Defect(
                f"azl_rack_aware_storage{n}.cfg", (124, 135), "input/conflict", "warning", "policies of members alone"
            )
            for n in range(1, 5)
        ),
        Defect("ms_gen_nxos_fc.cfg", _PEER, "marking/class-broken-in-box", "warning", "ports with PFC, unclassified"),
        Defect("ms_gen_nxos_fc.cfg", _PEER, "mtu/below-roce", "warning", "ports with PFC and the MTU of the factory"),
        Defect("ms_gen_os10_fc_full.cfg", (393,), _UNDEFINED, "error", "AZLOCAL_QOS_MAP is what is defined"),
        Defect("ms_gen_os10_fc_full.cfg", (123, 135), _UNDEFINED, "warning", "no port applies the map and the shares"),
        Defect(
            "ms_sdn_nexus3132_tor1.cfg", (116,), "ecn/off-on-lossless-queue", "warning", "a queue policy without ECN"
        ),
        Defect(
            "ms_sdn_nexus3132_tor2.cfg", (116,), "ecn/off-on-lossless-queue", "warning", "a queue policy without ECN"
        ),
    ),
    "broadcom-nic": (),
    "dell": (),
    "intel-e810": (),
    "juniper-jvd": (
        Defect("5stage_compute-leaf1_qfx5120-48ym.conf", (1854,), _UNDEFINED, "warning", "cnp is on no interface"),
        Defect("5stage_storage-leaf2_qfx5130-32cd.conf", (1919,), _UNDEFINED, "warning", "cnp is on no interface"),
    ),
    "lossy-roce": (),
    "nvidia-spectrum": (),
    "pfc-only": (),
    "sonic-default": (),
}
"""Profile -> what its vendor's own published files get wrong; each was read by eye."""
WITHOUT_PORTS = {"amd-pollara"}
"""Profiles whose vendor publishes scripts alone: no port is there to be judged."""


def judged(capsys: pytest.CaptureFixture[str], path: Path, *words: str) -> dict[str, Any]:
    """The report on a path; a text that is no configuration has an empty one."""
    main(["check", str(path), "--no-cache", "-f", "json", *words])
    report: dict[str, Any] = json.loads(capsys.readouterr().out or '{"findings": []}')
    return report


def loud(report: dict[str, Any]) -> set[Loud]:
    """Errors and warnings that follow from no other one: path, line, rule, severity."""
    return {
        (at["path"], at["line"], finding["rule"], finding["severity"])
        for finding in report["findings"]
        if finding["severity"] in ("error", "warning") and finding.get("because_of") is None
        for at in finding["locations"]
        if at["role"] == "primary"
    }


@pytest.mark.parametrize(
    ("platform", "profile"), [(platform, profile) for platform, own in OWN_PROFILE.items() for profile in own]
)
def test_a_good_network_is_quiet_under_its_vendors_profile(
    platform: str, profile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    report = judged(capsys, folder(platform) / BASE, "--profile", profile)
    assert report["coverage"]["ports_roce"]["yes"] > 0
    assert loud(report) == set()


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_fixture_is_quiet(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = judged(capsys, REPOSITORY / "fixtures" / name)
    assert report["coverage"]["documents"] > 0
    assert loud(report) == set()


@pytest.mark.skipif(not OFFICIAL.is_dir(), reason="NOT TESTED: no shared/corpus/official above this repository")
@pytest.mark.parametrize("profile", DEFECTS)
def test_official_files_show_their_own_defects_and_nothing_else(
    profile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    root = OFFICIAL / profile
    found: set[Loud] = set()
    ports = 0
    for entry in sorted(root.iterdir()):
        report = judged(capsys, entry, "--profile", profile)
        found |= {(Path(path).name, line, rule, severity) for path, line, rule, severity in loud(report)}
        ports += report["coverage"]["ports_roce"]["yes"] if "coverage" in report else 0
    assert found == {told for defect in DEFECTS[profile] for told in defect.told}
    assert (ports > 0) is (profile not in WITHOUT_PORTS)
