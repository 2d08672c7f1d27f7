"""The store and the processes change nothing but the time: the same report, whatever is kept, damaged, or dies."""

from __future__ import annotations

import gc
import json
import os
import signal
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
import synthetic

from roce_audit import audit
from roce_audit.audit import Request, check
from roce_audit.cli.main import main
from roce_audit.engine.findings import Report
from roce_audit.policy.values import Policy
from roce_audit.readings import parcel, store, workers
from roce_audit.readings.workers import read_by
from roce_audit.report.registry import render
from roce_audit.sources.planning import planned
from roce_audit.text import memo

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(store, "_WORTH_BYTES", 0)
    return tmp_path / "cache" / "roce-audit"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for name, text in synthetic.fleet(6, 4, diverse=True).items():
        file = folder / f"{name}.cfg"
        file.write_text(text if name != "leaf3" else text.replace("   mtu 9214\n", "   mtu 1500\n", 1))
        old(file)
    monkeypatch.chdir(folder)
    return folder


def old(file: Path, seconds: int = 1_700_000_000) -> None:
    os.utime(file, (seconds, seconds))


def report(*paths: str, jobs: int = 1, use_store: bool = True) -> Report:
    return check(Request(paths or (".",), Policy.empty(), readers=store.readers(jobs, use_store))).report


def plain(one: Report) -> str:
    return "".join(render("json", one))


def fresh(*paths: str) -> str:
    return plain(check(Request(paths or (".",), Policy.empty())).report)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths of the files that are loaded in this process."""
    opened: list[str] = []
    real: Callable[..., Any] = parcel.gathered
    monkeypatch.setattr(parcel, "gathered", lambda b, plan: opened.extend(f.path for f in b.files) or real(b, plan))
    return opened


SITES = [FIXTURES / name for name in ("onyx", "os9", "picos", "srlinux", "windows")]
"""Platforms that are in no fabric of the fixtures."""
SITES += [FIXTURES / name for name in ("fabric", "mixed", "mixed-lldp", "mixed-vendors")]


@pytest.mark.parametrize("folder", SITES, ids=lambda p: p.name)
def test_the_report_of_every_fixture_is_the_same(folder: Path) -> None:
    expected = fresh(str(folder))
    assert plain(report(str(folder), jobs=2)) == expected
    assert plain(report(str(folder))) == expected  # from the store


def test_only_what_changed_is_read_again(site: Path, read: list[str]) -> None:
    report()
    read.clear()
    changed = site / "leaf5.cfg"
    changed.write_text(changed.read_text().replace("priority 3 no-drop", "priority 4 no-drop"))
    found = plain(report())
    assert read == ["leaf5.cfg"]
    assert found == fresh()


def test_a_file_of_the_same_size_and_time_is_told_by_its_time_of_change(site: Path) -> None:
    report()
    file = site / "leaf5.cfg"
    file.write_text(file.read_text().replace("priority 3 no-drop", "priority 4 no-drop"))
    old(file)
    assert plain(report()) == fresh()


def test_what_is_gone_and_what_is_new(site: Path) -> None:
    report()
    (site / "leaf1.cfg").unlink()
    (site / "leaf9.cfg").write_text(synthetic.leaf("leaf9", 4, filler=20))
    assert plain(report()) == fresh()


def test_two_files_that_claim_one_device(site: Path) -> None:
    (site / "copy.cfg").write_text((site / "leaf1.cfg").read_text())
    expected = fresh()
    assert plain(report(jobs=2)) == expected
    assert plain(report()) == expected


def test_without_the_store_nothing_is_written(site: Path, cache: Path) -> None:
    report(jobs=2, use_store=False)
    assert list(cache.glob("*.readings")) == []


def test_nobody_else_can_read_it(site: Path, cache: Path) -> None:
    report()
    (file,) = cache.glob("*.readings")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700


def test_a_file_that_others_can_write_is_not_believed(site: Path, cache: Path, read: list[str]) -> None:
    report()
    (file,) = cache.glob("*.readings")
    file.chmod(0o666)
    read.clear()
    report()
    assert len(read) == 6


@pytest.mark.parametrize("cut", [0, 1, 40, 70, 300, 5000, -1, -40])
def test_a_truncated_store(site: Path, cache: Path, cut: int) -> None:
    expected = plain(report())
    (file,) = cache.glob("*.readings")
    file.write_bytes(file.read_bytes()[:cut])
    assert plain(report()) == expected
    assert plain(report()) == expected


@pytest.mark.parametrize("part", range(12))
def test_a_flipped_byte(site: Path, cache: Path, part: int, caplog: pytest.LogCaptureFixture) -> None:
    expected = plain(report())
    (file,) = cache.glob("*.readings")
    content = bytearray(file.read_bytes())
    content[len(content) * part // 12] ^= 0x15
    file.write_bytes(bytes(content))
    assert plain(report()) == expected
    assert "damaged" in caplog.text


def test_another_program_wrote_it(site: Path, cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    report()
    monkeypatch.setattr(store, "program", lambda: "another")
    read.clear()
    assert plain(report()) == fresh()
    assert len(read) >= 6


def test_hostile_tables_with_true_digests(site: Path, cache: Path) -> None:
    expected = plain(report())
    (file,) = cache.glob("*.readings")
    head, stamps, table, *others = file.read_bytes().splitlines()
    names, _, data = table.partition(b" table ")[2].partition(b" ")
    for hostile in (
        b"{}",
        b"[[1]]",
        b"null",
        data.replace(b'"groups":[[', b'"groups":[[-1,'),
        data.replace(b'"roots":[', b'"roots":[["x",-7],'),
        b'{"strings":[],"values":[],"groups":[' + b"[0,false,[0],[]]," * 50 + b'[0,false,[1],[-1]]],"roots":[["0",1]]}',
        b'{"strings":["x"],"values":[],"groups":[[0,false,1000000000000,0]],"roots":[["0",1]]}',
        b'{"strings":["x"],"values":[],"groups":[[0,false,{"runs":[[0,1000000000000,0]]}]],"roots":[["0",1]]}',
        b'{"strings":["x"],"values":[],"groups":[[0,false,[1],{"runs":[[-1,1,1]]}]],"roots":[["0",1]]}',
        data.replace(b",true,", b",true,[],", 1),
    ):
        line = b"".join(store._line(b"table ", names, b" ", hostile)).rstrip()
        file.write_bytes(b"\n".join([head, stamps, line, *others, b""]))
        assert plain(report()) == expected


def test_many_writers_at_once(site: Path, cache: Path) -> None:
    expected = fresh()
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(plain(report()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
    assert [file.name for file in cache.iterdir() if file.name.startswith(".")] == []
    assert plain(report()) == expected


def test_damage_while_others_read_and_write(site: Path, cache: Path) -> None:
    """Two checks at once, one after the other, while somebody damages, cuts, locks up and takes away what they keep."""
    expected = plain(report())
    (file,) = cache.glob("*.readings")
    whole = file.read_bytes()
    found: list[str] = []
    done = threading.Event()

    def checking() -> None:
        for round_ in range(3):
            (site / "leaf1.cfg").touch()  # so that something is written each time
            found.append(plain(report(jobs=1 + round_ % 2)))

    def damaging() -> None:
        flipped = bytearray(whole)
        flipped[len(whole) // 2] ^= 0x15
        turn = 0
        while not done.is_set():
            turn += 1
            with suppress(OSError):
                if turn % 5 == 0:
                    file.unlink()
                elif turn % 5 == 1:
                    file.write_bytes(whole[: len(whole) * (turn % 7) // 7])
                elif turn % 5 == 2:
                    file.write_bytes(flipped)
                elif turn % 5 == 3:
                    file.write_bytes(b"\n" * 40)
                else:
                    file.chmod(0o666)
            done.wait(0.003)

    checks = [threading.Thread(target=checking) for _ in range(2)]
    damage = threading.Thread(target=damaging)
    for thread in (damage, *checks):
        thread.start()
    for thread in checks:
        thread.join()
    done.set()
    damage.join()
    assert found == [expected] * 6
    assert plain(report()) == expected
    assert [one.name for one in cache.iterdir() if one.name.startswith(".")] == []


def test_it_does_not_grow_without_end(site: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report()
    (first,) = cache.glob("*.readings")
    old(first)
    monkeypatch.setattr(store, "MOST_BYTES", first.stat().st_size + 10)
    report("leaf1.cfg", "leaf2.cfg")
    (left,) = cache.glob("*.readings")
    assert left != first


def test_what_looks_like_a_secret_is_not_kept(
    site: Path,
    cache: Path,
    read: list[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "_CHUNKS_A_WORKER", 1)  # it is read with others
    file = site / "leaf2.cfg"
    file.write_text(file.read_text().replace("description host1 port 1", "description password hunter2-hunter2"))
    old(file)
    assert plain(report()) == fresh()
    (kept,) = cache.glob("*.readings")
    assert b"hunter2" not in kept.read_bytes()
    read.clear()
    found = plain(report())
    assert read == ["leaf2.cfg"]  # what was read with it is there
    assert found == fresh()
    assert not caplog.records
    for name in ("leaf1.cfg", "leaf3.cfg", "leaf4.cfg", "leaf5.cfg", "leaf6.cfg"):
        (site / name).write_text((site / name).read_text().replace("mtu 9214", "mtu 9000"))
        old(site / name)
    assert plain(report()) == fresh()
    assert b"hunter2" not in kept.read_bytes()  # written anew


@pytest.mark.parametrize("how", ["killed", "exits", "crashes"])
def test_a_poisonous_file_takes_down_only_itself(site: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = parcel.gathered
    here = os.getpid()

    def poisoned(batch: Any, plan: Any) -> Any:
        if batch.files[0].path == "leaf4.cfg" and os.getpid() != here:
            if how == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if how == "exits":
                os._exit(3)
            raise MemoryError("too much")
        return real(batch, plan)

    monkeypatch.setattr(parcel, "gathered", poisoned)
    found = report(jobs=2)
    assert found.coverage.devices == 5
    assert len(found.problems) == 1
    assert "leaf4.cfg" in found.problems[0]
    assert any(at.path == "leaf4.cfg" for finding in found.findings for at in finding.locations)
    monkeypatch.setattr(parcel, "gathered", real)
    assert plain(report()) == fresh()


def shard(*words: str) -> int:
    return main(["check", ".", "--no-cache", *words])


def test_parts_make_the_same_report(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", ".", "-f", "json", "--no-cache"])
    expected = capsys.readouterr().out
    parts = [str(tmp_path / f"part{n}") for n in (1, 2, 3)]
    assert [shard("--shard", f"{n}/3={file}") for n, file in enumerate(parts, 1)] == [0, 0, 0]
    assert stat.S_IMODE(os.stat(parts[0]).st_mode) == 0o600
    capsys.readouterr()
    code = main(["merge", *reversed(parts), "-f", "json"])
    assert capsys.readouterr() == (expected, "")
    assert code == main(["check", ".", "-f", "json", "--no-cache"])


def test_a_file_that_changed_behind_its_part_is_read_again(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    shard("--shard", f"1/1={tmp_path / 'part'}")
    file = site / "leaf5.cfg"
    file.write_text(file.read_text().replace("priority 3 no-drop", "priority 4 no-drop"))
    main(["check", ".", "-f", "json", "--no-cache"])
    expected = capsys.readouterr().out
    main(["merge", str(tmp_path / "part"), "-f", "json"])
    assert expected.endswith(capsys.readouterr().out)
    assert "1 batches" in caplog.text


def test_parts_of_other_files_are_refused(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shard("--shard", f"1/1={tmp_path / 'part'}")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "other.cfg").write_text((site / "leaf5.cfg").read_text().replace("leaf5", "other"))
    monkeypatch.chdir(elsewhere)  # the parts were read from `.`, which is another folder now
    capsys.readouterr()
    assert main(["merge", str(tmp_path / "part")]) == 2
    assert "none of the files that the parts hold is here" in capsys.readouterr().err


def test_parts_that_are_no_whole_are_refused(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, other = (str(tmp_path / name) for name in ("a", "b", "c"))
    shard("--shard", f"1/3={first}")
    shard("--shard", f"2/3={second}")
    shard("--shard", f"3/4={other}")
    for given, words in (
        ([first, second], "missing of 3 parts: 3"),
        ([first, first], "part 1 was given before"),
        ([first, second, other], "not of one whole"),
        ([str(site / "leaf1.cfg")], "no readings"),
        ([str(tmp_path / "nothing")], "no such file"),
    ):
        assert main(["merge", *given]) == 2
        assert words in capsys.readouterr().err
    monkeypatch.setattr(store, "program", lambda: "another")
    assert main(["merge", first, second]) == 2
    assert "another version" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["0/3=x", "4/3=x", "a/b=x", "1/3", "1=x", "1/3="])
def test_what_is_no_part_is_refused(site: Path, text: str) -> None:
    assert shard("--shard", text) == 2
    assert not (site / "x").exists()


def test_no_worker_is_left_behind(site: Path) -> None:
    assert plain(report(jobs=2, use_store=False)) == fresh()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_small_inputs_are_read_by_one_process() -> None:
    assert workers.fitting_jobs(0, [1000] * 5) == 1
    assert workers.fitting_jobs(0, [10**6] * 50) == min(50, workers.usable_cores())
    assert workers.fitting_jobs(3, [1000] * 5) == 3


def test_a_process_that_reads_much_holds_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one piece leaves behind in cycles is gone before the next one; and a piece holds few texts."""
    plan = planned([str(FIXTURES / "fabric")])
    pieces = [[n] for n, batch in enumerate(plan.batches) if batch.kind == "device"] * 5
    left: list[int] = []

    class Wire:
        def recv_bytes(self) -> bytes:
            left.append(len(gc.get_objects()))
            if not pieces:
                raise EOFError
            return json.dumps(pieces.pop()).encode()

        def send_bytes(self, data: bytes) -> None:
            assert data is not None

        def close(self) -> None:
            pass

    monkeypatch.setattr(signal, "signal", lambda number, what: None)
    gc.collect()
    gc.freeze()  # what the tests hold is none of it, and as much again to look at
    try:
        workers._work(Wire(), Wire(), plan, store.may_be_kept)  # type: ignore[arg-type]
    finally:
        gc.unfreeze()
        gc.enable()
    half = len(left) // 2
    assert left[-1] - left[half] < 20 * (len(left) - half)
    assert max(map(len, workers.chunks(range(len(plan.batches)), plan, 1, most_bytes=1))) == 1


def test_a_bundle_is_one_file_however_many_answers_it_holds() -> None:
    bundle = str(FIXTURES / "linux" / "bundle" / "gpu05.txt")
    asked = Request((bundle,), Policy.empty())
    assert len(audit.read(asked)[0].devices[0].documents) > 5
    for _ in range(2):  # read, and from the store
        assert (check(asked).report.coverage.documents, report(bundle).coverage.documents) == (1, 1)


def test_what_is_written_in_pieces_is_what_is_loaded_and_no_table_is_copied() -> None:
    stamps = {"/a": ((1, 2, 3, 4, 5), "d")}
    whole = store.Content(stamps, (store.Table({"0": "name"}, b"{}"), store.Table({}, b"[1]")), {"part": 1})
    assert store.read(store.written(whole)) == whole
    parts = store.pieces(whole)
    assert all(any(part is table.data for part in parts) for table in whole.tables)


def test_a_process_that_reads_remembers_little_of_texts(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memo, "IN_ALL", 20_000_000)
    plan = planned([str(site)])

    def kept(keeps: Callable[[str], bool]) -> list[bytes]:
        return [one.public for one in read_by(range(len(plan.batches)), plan, 2, keeps, lambda *_: None)]

    assert all(kept(lambda _: memo.IN_ALL < 20_000_000))  # asked in the processes that read
    assert not any(kept(lambda _: memo.IN_ALL == 20_000_000))
    assert memo.IN_ALL == 20_000_000
