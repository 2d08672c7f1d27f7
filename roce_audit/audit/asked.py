"""What of a run was asked for: its paths, and what is only read beside them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from roce_audit.engine.findings import Context, Finding
from roce_audit.engine.placing import EVIDENCE
from roce_audit.sources.files import STDIN, shown, shown_below
from roce_audit.text.document import DeviceInput


class Asked:
    """The paths of a request: a file or device counts, and a finding is shown, where it lies in them."""

    def __init__(
        self,
        paths: Sequence[str],
        context: Sequence[str],
        in_force: Collection[str | None],
        filled_from: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        """Without a context everything was asked for. Findings about files `in_force` (the policy, a topology that was named or
        lies in a folder around the paths) always are.

        `filled_from`: path -> the files that give its placeholders values; whoever asks for one of these asks for it as well.
        """
        self._filled_from = filled_from
        self._context = tuple(shown(path) for path in context)
        self._paths = [path if path == STDIN else shown(path).rstrip("/") for path in paths]
        self._in_force = in_force

    def holds(self, path: str) -> bool:
        """Whether a path, as shown to people, was asked for."""
        if not self._context:
            return True
        return any(shown_below(each, one) for each in (path, *self._filled_from.get(path, ())) for one in self._paths)

    def devices(self, devices: Sequence[DeviceInput]) -> frozenset[str]:
        """Names of the devices of which a document was asked for."""
        return frozenset(d.name for d in devices if any(self.holds(document.path) for document in d.documents))

    def context(self, devices: Sequence[DeviceInput]) -> Context:
        """What was read beside the paths."""
        beside = sum(not self.holds(path) for path in files(devices))
        return Context(beside, self._context if beside else ())

    def files(self, devices: Sequence[DeviceInput]) -> int:
        """How many files were asked for that are read as a device's."""
        return sum(map(self.holds, files(devices)))

    def findings(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """Those that have a location or member in the paths, and those about the policy.

        What follows from a finding that is not among them stands for itself, or it would be shown and not counted.
        """
        if not self._context:
            return findings
        here = [finding for finding in findings if self._touches(finding)]
        causes = {finding.fingerprint for finding in here}
        return tuple(f if f.because_of in causes else replace(f, because_of=None) for f in here)

    def _touches(self, finding: Finding) -> bool:
        decisive = [place for place in finding.locations if not place.note.startswith(EVIDENCE)]
        if any(at.role == "primary" and at.path in self._in_force for at in decisive):
            return True
        return any(map(self.holds, [*(at.path for at in decisive), *(member.path for member in finding.members)]))


def files(devices: Sequence[DeviceInput]) -> frozenset[str]:
    """Paths of the files that the documents of devices stand in: a bundle of many answers is one."""
    return frozenset(document.path for device in devices for document in device.documents)
