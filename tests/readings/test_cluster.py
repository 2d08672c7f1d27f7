"""Files read by the workers of a Dask cluster: the same report byte for byte, whoever dies; another program, or other files, are told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
import synthetic

from roce_audit.cli.main import main
from roce_audit.readings import remote, store
from roce_audit.readings.cluster import ClusterError, address_of
from roce_audit.sources.planning import planned

ROOT = Path(__file__).parents[2]
SLOW = """
import sys, time
from roce_audit.readings import parcel
whole = parcel.gathered
def gathered(*words):
    found = whole(*words)
    time.sleep({seconds})
"""
SLOWLY = SLOW.format(seconds=0.5) + "    return found\nparcel.gathered = gathered\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for name, text in synthetic.fleet(12, 4, diverse=True).items():
        (folder / f"{name}.cfg").write_text(
            text if name != "leaf3" else text.replace("   mtu 9214\n", "   mtu 1500\n", 1)
        )
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(store, "_WORTH_BYTES", 0)
    monkeypatch.chdir(folder)
    return folder


def task(folder: Path) -> bytes:
    """All files of a folder as a task."""
    plan = planned([str(folder)])
    names = {n: store.key_of(batch, plan, store.Stamps({})) or "" for n, batch in enumerate(plan.batches)}
    return remote.task_of(range(len(plan.batches)), plan, names)


def test_a_task_is_done_by_a_process_of_its_own(site: Path) -> None:
    found = remote.answer(*remote.run(task(site)))
    assert (found.ended, found.elsewhere, found.other) == ("", (), None)
    assert len(store.Reader(store.Parcel).read(found.public)) == 12


def test_a_file_that_is_another_one_there_is_not_read(site: Path) -> None:
    asked = task(site)
    (site / "leaf3.cfg").write_text("hostname other\n")
    (site / "leaf4.cfg").unlink()
    found = remote.answer(*remote.run(asked))
    assert len(found.elsewhere) == 2
    assert found.where == str(site / "leaf3.cfg")
    assert len(store.Reader(store.Parcel).read(found.public)) == 10


def test_another_program_reads_nothing(site: Path) -> None:
    asked = task(site).replace(remote.identity()[1].encode(), b"0" * 64)
    assert remote.answer(*remote.run(asked)).other == remote.identity()


def test_a_process_that_dies_is_told(site: Path) -> None:
    identity, _, _ = task(site).partition(b"\n")
    assert remote.answer(*remote.run(identity + b"\nno table")).ended.startswith("ended with exit code 1: ")


@pytest.mark.parametrize("head", [b"[]", b"no", b'{"elsewhere": ["1"], "where": ""}', b"null"])
def test_what_is_no_answer(head: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        remote.answer(head, b"", b"")


@pytest.mark.parametrize(
    "text", ["", "dask", "dask://", "dask://host", "dask://:1", "dask://host:port", "tcp://host:1"]
)
def test_what_is_no_executor(text: str) -> None:
    with pytest.raises(ClusterError, match="one of local, dask://HOST:PORT"):
        address_of(text)


def test_the_address_of_a_scheduler() -> None:
    assert (address_of("dask://[::1]:8786"), address_of("tls://host:8786")) == ("tcp://[::1]:8786", "tls://host:8786")


class Cluster:
    """A scheduler and workers of our own on loopback, with processes that can be killed."""

    def __init__(self, folder: Path, *more: str, scheme: str = "tcp") -> None:
        self.folder, self.scheme, self._more = folder, scheme, more
        self.file = folder / "scheduler.json"
        self.scheduler = self._start(
            "dask_scheduler", "--host", f"{scheme}://127.0.0.1", "--port", "0", "--scheduler-file", str(self.file)
        )
        self.workers: list[subprocess.Popen[bytes]] = []
        _until(lambda: self.file.exists() and bool(self.file.read_text()))
        self.address = json.loads(self.file.read_text())["address"]

    @property
    def executor(self) -> str:
        return self.address.replace("tcp://", "dask://")

    def worker(self, prelude: str = "", cwd: Path | None = None) -> None:
        """One more; `prelude` is what happens first in every process of Python there."""
        number = len(self.workers)
        place = self.folder / f"site{number}"
        place.mkdir()
        (place / "sitecustomize.py").write_text(prelude)
        words = (
            "--nthreads",
            "1",
            "--no-nanny",
            "--local-directory",
            str(self.folder / f"w{number}"),
            "--name",
            f"w{number}",
        )
        path = f"{place}{os.pathsep}{ROOT}"
        self.workers.append(self._start("dask_worker", self.address, *words, PYTHONPATH=path, cwd=cwd))

    def _start(self, what: str, *words: str, cwd: Path | None = None, **env: str) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{what}{time.time_ns()}.log").open("wb")
        command = [sys.executable, "-m", f"distributed.cli.{what}", "--no-dashboard", *words, *self._more]
        return subprocess.Popen(command, stdout=log, stderr=log, cwd=cwd, env={**os.environ, **env})

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def _until(there: object, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not there():  # type: ignore[operator]
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    found = Cluster(folder)
    yield found
    found.close()


def run(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-P", "-m", "roce_audit", "check", ".", "-f", "json", *words]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def serial() -> tuple[int, str, str]:
    return ended(run("-j", "1", "--no-cache"))


@pytest.mark.cluster
def test_two_workers_make_the_same_report(site: Path, cluster: Cluster) -> None:
    cluster.worker()
    cluster.worker()
    assert ended(run("--no-cache", "--executor", cluster.executor)) == serial()


@pytest.mark.cluster
def test_a_worker_that_is_killed_costs_no_result(site: Path, cluster: Cluster) -> None:
    cluster.worker(SLOWLY)
    cluster.worker(SLOWLY)
    running = run("--no-cache", "--executor", cluster.executor)
    _until(lambda: _busy(cluster.workers[0].pid))
    cluster.workers[0].send_signal(signal.SIGKILL)
    assert ended(running) == serial()


def _busy(process: int) -> bool:
    """Whether a worker has a process that reads."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    return any(
        b"readings.remote" in Path(f"/proc/{child}/cmdline").read_bytes() for task in tasks for child in _of(task)
    )


def _of(task: Path) -> list[str]:
    return (task / "children").read_text().split()


@pytest.mark.cluster
def test_a_scheduler_that_dies_ends_in_70_and_the_next_run_goes_on(
    site: Path, cluster: Cluster, tmp_path: Path
) -> None:
    done = tmp_path / "done"
    cluster.worker(
        SLOW.format(seconds=0.3)
        + f"    open({str(done)!r}, 'a').write('.')\n    return found\nparcel.gathered = gathered\n"
    )
    for file in site.iterdir():  # what is below a megabyte is not kept
        file.write_text(file.read_text() + "! nothing that matters\n" * 5_000)
    running = run("--executor", cluster.executor)
    _until(lambda: done.exists() and done.stat().st_size >= 6)
    cluster.scheduler.kill()
    code, out, err = ended(running)
    assert code == 70, err
    # it depends on the moment whether an answer was under way: the scheduler then does not answer, else it is gone
    assert "What was read is kept: the next run goes on from it" in out + err
    assert json.loads(out)["coverage"]["devices"] < 12
    assert "Traceback" not in err
    kept = store.load(next((tmp_path / "cache" / "roce-audit").glob("*.readings")))
    assert 0 < len([name for table in kept.tables for name in table.names]) < 13
    assert ended(run()) == serial()


@pytest.mark.cluster
def test_a_file_that_kills_its_reader_takes_down_only_itself(site: Path, cluster: Cluster) -> None:
    cluster.worker(
        "import os\nfrom roce_audit.readings import parcel\nwhole = parcel.gathered\n"
        "def gathered(batch, plan):\n    if batch.files[0].name == 'leaf5.cfg':\n        os.kill(os.getpid(), 9)\n"
        "    return whole(batch, plan)\nparcel.gathered = gathered\n"
    )
    code, out, _ = ended(run("--no-cache", "--executor", cluster.executor))
    found = json.loads(out)
    assert (code, found["coverage"]["devices"]) == (70, 11)
    (told,) = (one for one in found["findings"] if one["rule"] == "input/unreadable")
    assert [one["path"] for one in told["members"]] == ["leaf5.cfg"]


@pytest.mark.cluster
def test_a_worker_of_another_version_is_named(site: Path, cluster: Cluster) -> None:
    cluster.worker()
    cluster.worker("import roce_audit\nroce_audit.__version__ = '0.0.9'\n")
    from distributed import Client

    with Client(cluster.address) as client:
        client.wait_for_workers(2, timeout=120)
    code, out, err = ended(run("--executor", cluster.executor))
    assert (code, out) == (2, "")
    assert "has roce-audit 0.0.9, here is" in err
    assert "worker tcp://127.0.0.1:" in err


@pytest.mark.cluster
def test_a_worker_without_the_files_is_told_and_they_are_read_here(site: Path, cluster: Cluster) -> None:
    cluster.worker(
        "import os\nfrom roce_audit.sources import files\nwhole = files.read_plain\n"
        "def read_plain(path, limit):\n    if path.endswith('leaf7.cfg'):\n        raise FileNotFoundError(2, 'no such file', path)\n"
        "    return whole(path, limit)\nfiles.read_plain = read_plain\n"
    )
    code, out, err = ended(run("--no-cache", "--executor", cluster.executor))
    assert (code, out) == serial()[:2]
    (line,) = err.splitlines()
    assert f"does not see {site}/leaf7.cfg as it is here" in line


@pytest.mark.cluster
def test_where_nobody_answers(site: Path) -> None:
    code, out, err = ended(run("--executor", "dask://127.0.0.1:1"))
    assert (code, out) == (2, "")
    assert "no scheduler answers at tcp://127.0.0.1:1" in err


@pytest.mark.cluster
def test_with_certificates(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*made, "-keyout", key, "-out", cert], check=True, capture_output=True)
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TLS__CA_FILE", str(cert))
    for who in ("SCHEDULER", "WORKER", "CLIENT"):
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{who}__CERT", str(cert))
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{who}__KEY", str(key))
    folder = tmp_path / "cluster"
    folder.mkdir()
    found = Cluster(folder, scheme="tls")
    try:
        found.worker()
        assert found.executor.startswith("tls://")
        assert ended(run("--no-cache", "--executor", found.executor)) == serial()
        assert ended(run("--executor", found.executor.replace("tls://", "dask://")))[0] == 2
    finally:
        found.close()


def test_parts_and_a_cluster_are_two_ways(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", ".", "--shard", f"1/2={tmp_path}/part", "--executor", "dask://host:1"]) == 2
    assert "one of them" in capsys.readouterr().err
