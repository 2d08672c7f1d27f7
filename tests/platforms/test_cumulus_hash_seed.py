"""The hash seed of Cumulus in the file of datapath settings, as it is written where NVUE is not used."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.text.block import resolve
from roce_audit.values import Place


def test_the_seed_of_the_file_is_read_at_its_line(tmp_path: Path) -> None:
    folder = tmp_path / "leaf1" / "etc" / "cumulus" / "datapath"
    folder.mkdir(parents=True)
    (folder / "traffic.conf").write_text(
        "traffic.packet_priority_source_set = [dscp]\ntraffic.port_default_priority = 0\n#ecmp_hash_seed = 42\necmp_hash_seed = 50\n"
    )
    (tmp_path / "leaf1" / "etc" / "network").mkdir()
    (tmp_path / "leaf1" / "etc" / "network" / "interfaces").write_text("auto swp1\niface swp1\n    mtu 9216\n")
    (device,) = check(Request((str(tmp_path),), Policy.empty(), rules=())).devices
    port = next(port for port in device.ports if port.name == "swp1")
    seed = port.facts.forwarding.get().hash_seed
    assert seed.get() == 50
    (place,) = (resolve(at, port.parts) for at in seed.at)
    assert isinstance(place, Place)
    assert place.line == 4
