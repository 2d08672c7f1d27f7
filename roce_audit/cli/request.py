"""From the command line's options to a request: policy, context, paths."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from roce_audit.audit import Request
from roce_audit.cli.errors import UsageError
from roce_audit.engine.rule import Rule
from roce_audit.policy import Policy, find, load
from roce_audit.sources.files import STDIN
from roce_audit.values import known


def request(options: argparse.Namespace, paths: Sequence[str], rules: tuple[Rule, ...] | None = None) -> Request:
    """What the options ask for; `rules` in place of all rules. Raises UsageError for paths that do not exist, and as `policy`."""
    paths = tuple(paths) or (".",)
    for path in (*paths, *options.context):
        if path != STDIN and not os.path.lexists(path):
            raise UsageError(f"{path}: no such file or folder")
    site = policy(options, paths)
    if options.topology is not None and not os.path.isfile(options.topology):
        raise UsageError(f"{options.topology}: no such topology file")
    return Request(
        paths=paths,
        policy=site,
        topology=options.topology,
        context=tuple(options.context) or _default_context(site, paths),
        select=tuple(options.select),
        ignore=tuple(options.ignore),
        honour_suppressions=not options.no_suppressions,
        rules=rules,
    )


def policy(options: argparse.Namespace, paths: Sequence[str]) -> Policy:
    """The policy of these paths, with the profile of the options. Raises UsageError for a profile that does not exist."""
    site = _policy_file(options, paths)
    if options.profile is not None:
        site = replace(site, profile=known(options.profile))
    if site.profile.or_else("base") != "base":
        raise UsageError(f"there is no profile '{site.profile.value}'; known is: base")
    return site


def _policy_file(options: argparse.Namespace, paths: Sequence[str]) -> Policy:
    if options.policy is not None:
        if not os.path.isfile(options.policy):
            raise UsageError(f"{options.policy}: no such policy file")
        return load(Path(options.policy))
    first = next((path for path in paths if path != STDIN), ".")
    found = find(Path(first))
    return Policy.empty() if found is None else load(found)


def _default_context(policy: Policy, paths: Sequence[str]) -> tuple[str, ...]:
    """The policy file's folder, when the paths are only a part of it."""
    if policy.folder is None or STDIN in paths:
        return ()
    inside = [os.path.realpath(path) for path in paths]
    folder = os.path.realpath(policy.folder)
    if folder in inside or not all(path.startswith(folder + os.sep) for path in inside):
        return ()
    return (os.path.relpath(folder),)
