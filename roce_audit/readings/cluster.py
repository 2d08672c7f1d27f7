"""Workers of a Dask cluster as a pool that reads batches.

What goes there are the names of files, what comes back are tables of plain data. A task is the same whoever does it and however often,
so Dask may give it to another worker where one dies. Judging needs all devices, and stays here.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from roce_audit.readings import remote
from roce_audit.readings.store import Hire, may_be_kept
from roce_audit.readings.workers import Pool, PoolLost, tables
from roce_audit.sources.batches import Plan

if TYPE_CHECKING:
    from distributed import Client, Future

SCHEMES = {"dask": "tcp", "tls": "tls"}
"""How a scheduler is named here -> the same in Dask's words."""
_CONNECT_SECONDS = 10
_NO_WORKER_SECONDS = 30
"""So long nobody may be there to work."""
_LOOK_SECONDS = 1.0
_LOUD = ("distributed", "tornado", "asyncio")
"""Packages that log what goes wrong at length."""
_AHEAD = 2
"""Tasks for each thread of the workers: one that is done, and the next is there."""
Reply = tuple[str, bytes, bytes, bytes]
"""The address of a worker, and the head and both tables of its answer."""
_log = logging.getLogger("roce_audit")


class ClusterError(ValueError):
    """The cluster cannot be used; the message says what to do."""


def address_of(executor: str) -> str:
    """The address of a scheduler as Dask writes it. Raises ClusterError."""
    scheme, _, place = executor.partition("://")
    host, _, port = place.rpartition(":")
    if scheme not in SCHEMES or not host or not port.isdecimal():
        raise ClusterError(f"--executor {executor}: one of local, dask://HOST:PORT and tls://HOST:PORT")
    return f"{SCHEMES[scheme]}://{place}"


def hired(address: str) -> Hire:
    """Workers behind a scheduler's address, asked for when there is something to read."""
    return lambda plan, names: _Cluster(address, plan, names)


class _Cluster(Pool):
    most_bytes = 32 * 2**20  # each piece is worth the start of a process

    def __init__(self, address: str, plan: Plan, names: Mapping[int, str]) -> None:
        self._address, self._plan, self._names = address, plan, names
        self._done: SimpleQueue[Future[Reply]] = SimpleQueue()
        self._pieces: dict[object, tuple[Future[Reply], list[int]]] = {}
        self._told: set[str] = set()
        self._alone = 0.0
        self._client = _client(address)
        try:
            self._threads = self._checked()
        except BaseException:
            self.close()
            raise

    @property
    def room(self) -> int:
        return max(1, self._threads) * _AHEAD

    @property
    def busy(self) -> Mapping[object, object]:
        return self._pieces

    def give(self, piece: list[int]) -> None:
        task = remote.task_of(piece, self._plan, self._names)
        future = self._client.submit(_tell, task, pure=False)
        self._pieces[future.key] = future, piece
        future.add_done_callback(self._done.put)

    def finished(self) -> Iterator[tuple[list[int], tuple[bytes, bytes] | None, str]]:
        while True:
            try:
                future = self._done.get(timeout=_LOOK_SECONDS)
            except Empty:
                self._look()
                continue
            self._alone = 0.0
            _, piece = self._pieces.pop(future.key)
            yield from self._settled(future, piece)
            return

    def _settled(
        self, future: Future[Reply], piece: list[int]
    ) -> Iterator[tuple[list[int], tuple[bytes, bytes] | None, str]]:
        """What became of a piece; what its worker does not see is read here."""
        who, found = self._answer(future)
        if found.other is not None:
            raise ClusterError(_differs(who, found.other))
        if found.ended:
            yield piece, None, found.ended
            return
        there = [number for number in piece if number not in found.elsewhere]
        if there:
            yield there, (found.public, found.private), ""
        here = {number: self._plan.batches[number] for number in piece if number in found.elsewhere}
        if here:
            self._tell(who, found.where, len(here))
            yield list(here), tables(here, self._plan, may_be_kept), ""

    def _answer(self, future: Future[Reply]) -> tuple[str, remote.Answer]:
        """Who answered, and what. Raises PoolLost and ClusterError."""
        from distributed import KilledWorker

        if future.cancelled():
            raise self._lost("is gone")
        try:
            who, *parts = future.result()
            return who, remote.answer(*parts)
        except KilledWorker as error:
            return "", remote.Answer(ended=f"died, and so did others that tried it ({error.last_worker.address})")
        except (OSError, TimeoutError) as error:  # Dask's CommClosedError among them
            raise self._lost(f"does not answer ({error})") from None
        except Exception as error:
            raise ClusterError(f"a worker cannot do what it is asked ({type(error).__name__}: {error})") from None

    def _look(self) -> None:
        """While nothing comes: whether there is still anybody to wait for. Raises PoolLost."""
        try:
            threads = sum(self._client.nthreads().values())
        except (OSError, TimeoutError) as error:
            raise self._lost(f"does not answer ({error})") from None
        self._threads = threads or self._threads
        self._alone = 0.0 if threads else self._alone + _LOOK_SECONDS
        if self._alone >= _NO_WORKER_SECONDS:
            raise self._lost(f"has had no worker for {_NO_WORKER_SECONDS} s")

    def _lost(self, what: str) -> PoolLost:
        return PoolLost(f"the scheduler {self._address} {what}. What was read is kept: the next run goes on from it")

    def _checked(self) -> int:
        """How many threads there are. Raises ClusterError where there are none, or where one is of another program."""
        try:
            self._client.wait_for_workers(1, timeout=_NO_WORKER_SECONDS)
        except TimeoutError:
            raise ClusterError(f"the scheduler {self._address} has no worker") from None
        for who, what in self._client.run(remote.identity, on_error="return").items():
            if isinstance(what, BaseException):
                raise ClusterError(f"worker {who} has no roce-audit that could be asked ({what}): install it there")
            if tuple(what) != remote.identity():
                raise ClusterError(_differs(who, what))
        return sum(self._client.nthreads().values())

    def _tell(self, who: str, where: str, number: int) -> None:
        if who not in self._told:
            self._told.add(who)
            _log.warning(
                "roce-audit: worker %s does not see %s as it is here: what it cannot read (%d batches of files so far) is read here. "
                "Workers need the same files at the same paths",
                who,
                where,
                number,
            )

    def close(self) -> None:
        with suppress(Exception):  # it may be gone already
            self._client.cancel([future for future, _ in self._pieces.values()])
        with suppress(Exception):
            self._client.close(timeout=_CONNECT_SECONDS)


def _client(address: str) -> Client:
    from distributed import Client

    for name in logging.root.manager.loggerDict:  # what matters is said here, once
        if name.partition(".")[0] in _LOUD:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        return Client(address, timeout=_CONNECT_SECONDS, set_as_default=False, name="roce-audit")
    except (OSError, TimeoutError, TypeError, ValueError) as error:
        raise ClusterError(f"no scheduler answers at {address} ({error})") from None


def _tell(task: bytes) -> Reply:
    """On a worker: who it is, and its answer."""
    from distributed import get_worker

    return get_worker().address, *remote.run(task)


def _differs(who: str, what: tuple[str, str]) -> str:
    version, digest = what
    own, ours = remote.identity()
    if version == own:
        return f"worker {who} has other code of roce-audit {version} ({digest[:12]}, here {ours[:12]}): install the same there"
    return f"worker {who} has roce-audit {version}, here is {own}: install the same there"
