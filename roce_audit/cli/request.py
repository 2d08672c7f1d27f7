"""From the command line's options to a request: policy, context, paths."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from roce_audit import platforms
from roce_audit.audit import Request, Step
from roce_audit.cli.errors import UsageError, collect_garbage_seldom
from roce_audit.cli.extras import require
from roce_audit.cli.keptpolicy import KeptPolicy
from roce_audit.cli.progress import status_line
from roce_audit.engine.baseline import NONE
from roce_audit.engine.baseline import load as load_baseline
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.rules.rulepack import PROFILES, builtin_folder
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.policy import Policy, find, load, profiles
from roce_audit.policy.find import FILE_NAME as POLICY_NAME
from roce_audit.readings.parcel import Parcel
from roce_audit.readings.store import Hire, readers
from roce_audit.sources.batches import Plan
from roce_audit.sources.files import STDIN, lies_in
from roce_audit.sources.loading import TOPOLOGY_NAMES
from roce_audit.text.sentences import listed
from roce_audit.values import Place, known

_GONE_SHOWN = 5


def request(options: argparse.Namespace, paths: Sequence[str], rules: tuple[Rule, ...] | None = None) -> Request:
    """What the options ask for; `rules` in place of all rules. Raises UsageError for paths that do not exist, and as `policy`."""
    paths = tuple(paths) or (".",)
    everything = paths
    for path in (*paths, *options.context):
        if path != STDIN and not os.path.lexists(path):
            raise UsageError(f"{path or repr(path)}: no such file or folder{_beside(path)}")
    for path in options.context:
        if not (os.path.isfile(path) or os.path.isdir(path)):
            raise UsageError(f"--context {path}: neither a file nor a folder")
    site = policy(options, paths)
    earlier = getattr(options, "since", None)
    if earlier is not None and not os.path.lexists(earlier):
        raise UsageError(
            f"{earlier}: no such snapshot (--since takes a file or folder; --changed-since a git revision)"
        )
    if earlier is not None and any(_below(path, [os.path.realpath(earlier)]) for path in paths if path != STDIN):
        raise UsageError(f"--since {earlier} is what is to be checked: name an earlier snapshot")
    since = getattr(options, "changed_since", None)
    if since is not None:
        paths = _changed(since, everything, site, options)
    context = (*options.context, *(everything if since is not None else ())) or (
        _default_context(site, paths) if options.policy is None else ()
    )
    named = [os.path.realpath(path) for path in paths if path != STDIN and os.path.isfile(path)]
    if since is None and any(map(_touches_all(site, options), named)):
        paths = tuple(dict.fromkeys((*paths, *context)))
    return Request(
        paths=paths,
        policy=site,
        topology=options.topology,
        context=context,
        select=tuple(options.select),
        ignore=tuple(options.ignore),
        honour_suppressions=not options.no_suppressions,
        since=earlier,
        rules=rules,
        readers=_readers(options),
        progress=status_line(sys.stderr, getattr(options, "quiet", 0)),
        baseline=load_baseline(Path(options.baseline)) if getattr(options, "baseline", None) else NONE,
    )


def given_files(options: argparse.Namespace) -> Iterator[str]:
    """The names on the command line of what is read: no report may be written to one of them."""
    names = ("paths", "context", "policy", "topology", "baseline", "since", "shards", "inventory")
    for given in (getattr(options, name, None) for name in names):
        yield from [given] if isinstance(given, str) else given or ()


def not_over_input(file: str, options: argparse.Namespace) -> None:
    """Raises UsageError where a file that is to be written is one that is to be read."""
    if any(os.path.isfile(one) and os.path.realpath(one) == os.path.realpath(file) for one in given_files(options)):
        raise UsageError(f"{file} is what is to be read: name another file to write")


def only_files(what: str, paths: Sequence[str]) -> None:
    """Raises UsageError where standard input is among the paths of what needs files."""
    if STDIN in paths:
        raise UsageError(f"{what} looks at files: it cannot be used with standard input")


def _readers(options: argparse.Namespace) -> Callable[[Plan, Step], list[Parcel]]:
    read = readers(
        getattr(options, "jobs", None) or 0,
        not getattr(options, "no_cache", False),
        _workers(getattr(options, "executor", "local")),
    )

    def reading(plan: Plan, step: Step) -> list[Parcel]:
        collect_garbage_seldom()
        parcels = read(plan, step)
        outcomes = [outcome for parcel in parcels for outcome in parcel.alone]
        collect_garbage_seldom(sum(len(one.reading.ports) for one in outcomes if one.reading is not None))
        return parcels

    return reading


def _workers(executor: str) -> Hire | None:
    """Workers of a cluster, where they are to read; None: processes here."""
    if executor == "local":
        return None
    from roce_audit.readings import cluster

    address = cluster.address_of(executor)
    require("--executor", "cluster")
    return cluster.hired(address)


def _changed(revision: str, paths: Sequence[str], site: Policy, options: argparse.Namespace) -> tuple[str, ...]:
    """The files below the paths that changed; all paths where the policy, a topology or a rule changed, which touch everything."""
    only_files("--changed-since", paths)
    from roce_audit.sources.git import GitError, changed_since

    absolute = [os.path.abspath(path) for path in paths]
    try:
        found = changed_since(revision, [path if os.path.isdir(path) else os.path.dirname(path) for path in absolute])
    except GitError as error:
        raise UsageError(str(error)) from None
    roots = [os.path.realpath(path) for path in paths]
    files = found.present
    gone = [os.path.relpath(file) for file in found.gone if _below(file, roots)]
    if gone:
        names = listed(gone, _GONE_SHOWN, spare_one=False)
        print(f"roce-audit: gone since {revision}, so nothing is judged of it: {names}", file=sys.stderr)
    if any(map(_touches_all(site, options), map(os.path.realpath, (*files, *found.gone)))):
        return tuple(paths)
    return tuple(os.path.relpath(file) for file in files if _below(file, roots))


def _touches_all(site: Policy, options: argparse.Namespace) -> Callable[[str], bool]:
    """Whether a change of a file (its real path) may show at any device: the policy, a topology, a baseline, a rule of one's own.

    Where such a file is among the files that are asked for, what is told is told of all that is read.
    """
    given = (site.file, options.topology, getattr(options, "baseline", None))
    for_all = {os.path.realpath(path) for path in given if path is not None}
    own_rules = [os.path.realpath(os.path.join(site.folder or ".", entry.text)) for entry in site.rules_paths]

    def touches(file: str) -> bool:
        return (
            file in for_all
            or os.path.basename(file) in (*TOPOLOGY_NAMES, POLICY_NAME)
            or any(file.startswith(folder + os.sep) for folder in own_rules)
        )

    return touches


def _beside(path: str) -> str:
    """What lies in the same folder and was probably meant."""
    folder, name = os.path.split(path.rstrip(os.sep))
    try:
        there = os.listdir(folder or ".")
    except OSError:
        return ""
    return did_you_mean(name, there) if name else ""


def _below(file: str, roots: Sequence[str]) -> bool:
    real = os.path.realpath(file)
    return any(lies_in(real, root) for root in roots)


def policy(options: argparse.Namespace, paths: Sequence[str]) -> Policy:
    """The policy of these paths, with the profile of the options. Raises UsageError for an option that names what is not there."""
    if options.topology is not None and not os.path.isfile(options.topology):
        raise UsageError(f"{options.topology}: no such topology file")
    file = _policy_file(options, paths)
    is_anew = getattr(options, "no_cache", False)
    kept = None if file is None or is_anew else KeptPolicy(file, options.profile)
    site = None if kept is None else kept.policy()
    if site is None:
        site = _checked(Policy.empty() if file is None else load(file), options.profile)
        if kept is not None:
            kept.keep(site)
    return site


def _checked(site: Policy, profile: str | None) -> Policy:
    """The policy with the numbers of its profile. Raises UsageError for names of what is not there."""
    for entry in site.paths:
        if entry.platform is not None and entry.platform not in platforms.names():
            there = did_you_mean(entry.platform, platforms.names()) or f": there are {', '.join(platforms.names())}"
            raise UsageError(f"{entry.at.path}:{entry.at.line}: no platform is called '{entry.platform}'{there}")
    if profile is not None:
        site = replace(site, profile=known(profile))
    folder = builtin_folder() / PROFILES
    known_names = profiles.names(folder)
    if site.profile.or_else(profiles.BASE) not in known_names:
        said = next((f"{at.path}:{at.line}: " for at in site.profile.at if isinstance(at, Place)), "")
        raise UsageError(said + _no_profile(str(site.profile.value), known_names))
    for fabric in site.fabrics:
        if fabric.profile.or_else(profiles.BASE) not in known_names:
            where = f"{fabric.at.path}:{fabric.at.line}"
            raise UsageError(f"{where}: {_no_profile(str(fabric.profile.value), known_names)}")
    return profiles.applied(site, folder)


def _no_profile(name: str, known_names: Sequence[str]) -> str:
    others = did_you_mean(name, known_names) or f"; known are: {', '.join(known_names)}"
    return f"there is no profile '{name}'{others}"


def policy_of(options: argparse.Namespace) -> Policy:
    """The policy of the working directory, for verbs that have no paths."""
    file = _policy_file(options, (".",))
    return Policy.empty() if file is None else load(file)


def _policy_file(options: argparse.Namespace, paths: Sequence[str]) -> Path | None:
    if options.policy is not None:
        if not os.path.isfile(options.policy):
            raise UsageError(f"{options.policy}: no such policy file")
        return Path(options.policy)
    first = next((path for path in paths if path != STDIN), ".")
    return find(Path(first))


def _default_context(policy: Policy, paths: Sequence[str]) -> tuple[str, ...]:
    """The folder of a policy that was found upward, when the paths are only a part of it."""
    if policy.folder is None or STDIN in paths:
        return ()
    inside = [os.path.realpath(path) for path in paths]
    folder = os.path.realpath(policy.folder)
    if folder in inside or not all(path.startswith(folder + os.sep) for path in inside):
        return ()
    return (os.path.relpath(folder),)
