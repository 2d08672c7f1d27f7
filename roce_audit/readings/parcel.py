"""A parcel: everything that a batch of files gives, loaded and read, without its texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from roce_audit import platforms, promises
from roce_audit.platforms import states
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.bounds import bounded
from roce_audit.platforms.portreading import kept_ports
from roce_audit.readings.sharing import SharedFacts
from roce_audit.records import dataclass
from roce_audit.sources.batches import Batch, Gathered, Plan
from roce_audit.sources.devices import settled
from roce_audit.sources.files import STDIN
from roce_audit.sources.gathering import gathered
from roce_audit.sources.loaded import Loaded, Problem
from roce_audit.sources.naming import device as device_of
from roce_audit.sources.naming import own_name
from roce_audit.sources.unit import Unit
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.memo import sized


@dataclass(frozen=True, slots=True)
class Outcome:
    """The reading of one device; where its platform crashed there is none, and a clause says so."""

    reading: DeviceReading | None
    crash: str = ""


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a batch gives."""

    gathered: Gathered
    alone: tuple[Outcome, ...] = ()
    """Of each unit the reading as a device of its own name, for which nothing else counts; empty: nobody read them yet."""
    crash: str = ""
    """Why nothing could be gathered."""

    @property
    def has_crashed(self) -> bool:
        """Whether a fault of the program is in it, which another run need not meet."""
        return bool(self.crash) or any(one.crash for one in self.alone)


def _read(device: DeviceInput) -> DeviceReading:
    if any(document.closed for document in device.documents):
        raise ValueError(f"{device.name}: its texts are not here")
    reading = promises.kept(bounded(states.read(platforms.platform(device.platform), device)))
    return replace(reading, ports=kept_ports(reading.ports))


def _characters(device: DeviceInput) -> int:
    return sum(len(document.text) for document in device.documents)


@sized(_characters)
def read_device(device: DeviceInput) -> DeviceReading:
    """A reading is a function of the documents alone: the same texts are read once. Raises WrongReading."""
    return _read(device)


def outcome(device: DeviceInput, read: Callable[[DeviceInput], DeviceReading] = read_device) -> Outcome:
    """A platform that crashes is a clause with its name, not the end."""
    try:
        return Outcome(read(device))
    except Exception as error:  # the other files are still judged
        where = device.documents[0].path if device.documents else device.name
        return Outcome(None, f"{where}: platform {device.platform} crashed: {type(error).__name__}: {error}")


def opened(batch: Batch, plan: Plan) -> Parcel:
    """A batch with its texts, not read yet."""
    try:
        return Parcel(gathered(batch, plan))
    except Exception as error:  # the other files are still loaded
        return lost(batch, f"{type(error).__name__}: {error}")


def lost(batch: Batch, why: str) -> Parcel:
    """What is left of a batch that nothing could load: its files are unreadable, and why is a fault of the program."""
    words = tuple(Problem(file.path, 0, f"not read: {why}", "unreadable") for file in batch.files)
    return Parcel(Gathered(problems=words), (), f"{batch.files[0].path}: loading it failed: {why}")


def is_open(batch: Batch, plan: Plan) -> bool:
    """Whether its texts are no files that anybody could read again: they stay where they are."""
    return any(file.path == STDIN or file.path in plan.instead for file in batch.files)


def parcel(batch: Batch, plan: Plan) -> Parcel:
    """A batch loaded and read; its texts are let go."""
    found = opened(batch, plan)
    units = found.gathered.units
    # not remembered: the memory would hold on to the texts
    alone = tuple(outcome(device_of(own_name(unit), (unit,)), _read) for unit in units)
    unclaimed = tuple((_closed(unit), word) for unit, word in found.gathered.unclaimed)
    closed = replace(found.gathered, units=tuple(map(_closed, units)), unclaimed=unclaimed)
    return replace(found, gathered=closed, alone=alone)


def _closed(unit: Unit) -> Unit:
    """The unit without its texts. Hundreds of answers in one file that are alike in all that is asked of them later are one."""
    asked = dict.fromkeys(
        (d.path, None if d.command is None else "", d.state, d.truncated, d.declared_complete) for d in unit.documents
    )
    left = (
        Document(path, "", command, state=state, truncated=truncated, declared_complete=declared, closed=True)
        for path, command, state, truncated, declared in asked
    )
    return replace(unit, documents=tuple(left))


def joined(plan: Plan, parcels: Sequence[Parcel]) -> tuple[Loaded, Iterator[Outcome]]:
    """The devices of all batches, and in their order the reading of each; `parcels` is in the order of the plan's batches.

    A device that is put together from several units, or takes another name than its files claim, is read now; where texts of it
    are not here, its batches are opened again.
    """
    loaded = settled(plan, [one.gathered for one in parcels])
    numbers = {
        id(unit): n
        for n, one in enumerate(parcels)
        for unit in (*one.gathered.units, *(unit for unit, _ in one.gathered.unclaimed))
    }
    ready = {id(u): o for one in parcels if one.alone for u, o in zip(one.gathered.units, one.alone, strict=True)}
    again = {
        numbers[id(unit)]
        for device, units in zip(loaded.devices, loaded.units, strict=True)
        if _alone(device, units, ready) is None
        for unit in units
        if any(document.closed for document in unit.documents)
    }
    if again:
        parcels = [opened(plan.batches[n], plan) if n in again else one for n, one in enumerate(parcels)]
        return joined(plan, parcels)
    return loaded, _outcomes(loaded, ready)


def _outcomes(loaded: Loaded, ready: Mapping[int, Outcome]) -> Iterator[Outcome]:
    """The reading of each device, as if all of them had been read here."""
    facts: SharedFacts | None = None
    for device, units in zip(loaded.devices, loaded.units, strict=True):
        found = _alone(device, units, ready)
        if found is None:
            found = outcome(device)
            if ready and found.reading is not None:
                facts = facts or SharedFacts(one.reading for one in ready.values() if one.reading is not None)
                found = Outcome(facts.applied(found.reading))
        yield found


def _alone(device: DeviceInput, units: Sequence[Unit], ready: Mapping[int, Outcome]) -> Outcome | None:
    """The reading of the only unit of a device, where it was read under the name that the device has."""
    if len(units) == 1 and units[0].documents == device.documents and own_name(units[0]) == device.name:
        return ready.get(id(units[0]))
    return None
