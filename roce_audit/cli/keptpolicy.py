"""Policies as they were checked: a run that finds policy and profiles unchanged needs neither a reader of YAML nor pydantic."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from roce_audit.engine.rules.rulepack import PROFILES, builtin_folder
from roce_audit.policy import Policy
from roce_audit.policy.find import shown
from roce_audit.policy.load import MAX_BYTES
from roce_audit.readings.keys import program
from roce_audit.readings.portablereader import Reader
from roce_audit.readings.portablewriter import Writer
from roce_audit.readings.store import may_be_kept
from roce_audit.text.cachefiles import cache_file, make_room, read_sealed, write_sealed
from roce_audit.text.wholefile import read_plain

_SUFFIX = ".policy"
_MOST_BYTES = 1 << 24
"""Of all kept policies together."""


class KeptPolicy:
    """The policy of a file with the numbers of a profile, kept under all that it follows from."""

    def __init__(self, file: Path, profile: str | None) -> None:
        """`profile` is the one that goes before that of the file."""
        place = file.absolute()
        self._file = cache_file(f"{hashlib.sha256(os.fsencode(place)).hexdigest()[:32]}{_SUFFIX}")
        try:
            profiles = sorted((builtin_folder() / PROFILES).glob("*.yaml"))
            held = [read_plain(one, MAX_BYTES) for one in (file, *profiles)]
        except OSError:
            self._file = None
            return
        about = (program(), shown(file), str(place), profile, [hashlib.sha256(one).digest() for one in held])
        self._key = hashlib.sha256(repr(about).encode()).hexdigest()

    def policy(self) -> Policy | None:
        """What an earlier run made of the same."""
        if self._file is None:
            return None
        try:
            return Reader(Policy).read(read_sealed(self._file)).get(self._key)
        except (OSError, ValueError):
            return None

    def keep(self, policy: Policy) -> None:
        """Keep the policy for the next run; not one that follows from a further file."""
        if self._file is None or policy.path_file is not None:
            return
        writer = Writer(Policy)
        if writer.add(self._key, policy, may_be_kept):
            write_sealed(self._file, writer.data())
            make_room(f"*{_SUFFIX}", _MOST_BYTES)
