"""Words that several formats share: counts, names of subjects, text that cannot speak to a terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping

from roce_audit.engine.findings import Finding, Location, distinct
from roce_audit.patterns import lazy
from roce_audit.text.decode import printable
from roce_audit.text.sentences import listed

NARROWEST = 24
"""Characters below which no line is broken any further."""
_UNREAD_LINE = "input/unread-line"
_LETTERS = lazy(r"[A-Za-z]+(?=[0-9][0-9/.:]*$)")
"""Letters of a name that is numbers behind them: what `Ethernet1/1, 1/2` says once."""
_SENTENCE = lazy(r"(?<=[a-z0-9)])\.\s+(?=[A-Z])")


def clean(text: str) -> str:
    """One line without control characters: each is shown as U+FFFD, a tab as blanks."""
    return text if text.isprintable() else printable(text.expandtabs(8)).replace("\n", "\ufffd")


def prose(text: str) -> str:
    """Sentences on one line, blanks collapsed, without control characters."""
    return clean(" ".join(text.split()))


def first_sentence(text: str) -> str:
    """The first sentence of a paragraph, without its full stop."""
    return _SENTENCE.split(prose(text), maxsplit=1)[0].rstrip(".")


def count(number: int, word: str, words: str = "") -> str:
    """`1 error`, `2,210 errors`; `words` is the plural where it is no `s`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {words or word + 's'}"


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Lines of at most `width` characters (NARROWEST at the least), broken at blanks alone, so that names stay whole."""
    return textwrap.wrap(
        text,
        max(width, NARROWEST),
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def named(device: str, subject: str) -> str:
    """`leaf1 Ethernet1/3`; the subject alone where it names its devices itself, as a link does."""
    known = " <-> " in subject or subject == device or subject.startswith(f"{device}:")
    return subject if known else f"{device} {subject}".strip()


def subjects(finding: Finding, shown: int = 3) -> str:
    """What a finding is about: `leaf1 Ethernet1/3, 1/7 and 4 more`, `16 ports on 2 devices: leaf1 (10), leaf2 (6)`."""
    members = distinct(finding.members)
    if len(members) < 2:
        return clean(named(finding.device or "", finding.subject))
    devices = Counter(member.device for member in members)
    if finding.rule == _UNREAD_LINE:  # what each line says is shown with it
        lines = Counter(device for device, _, _ in {(one.device, one.path, one.line) for one in members})
        each = {device: lines[device] for device in devices}
        of = next(iter(devices)) if len(devices) == 1 else _of_devices(each, shown)
        return clean(f"{count(lines.total(), 'line')} of {of}")
    if finding.topic != "input" and 1 < len(devices) < len(members) and len(members) > shown + 1:
        what = "link" if " <-> " in members[0].subject else "port"
        return clean(f"{count(len(members), what)} on {_of_devices(devices, shown)}")
    words: list[str] = []
    device = letters = None
    for member in members[: shown + 1]:
        found = _LETTERS.match(member.subject)
        same = member.device == device and found is not None and found[0] == letters
        name = member.subject[found.end() :] if same and found is not None else member.subject
        words.append(name if member.device == device else named(member.device, name))
        device, letters = member.device, None if found is None else found[0]
    words += [""] * (len(members) - len(words))
    return clean(listed(words, shown))


def _of_devices(numbers: Mapping[str, int], shown: int) -> str:
    """`2 devices: leaf1 (10), leaf2 (6)`."""
    return (
        f"{count(len(numbers), 'device')}: {listed([f'{one} ({number:,})' for one, number in numbers.items()], shown)}"
    )


def reach_words(finding: Finding) -> str:
    """`on the way of 512 of 1,024 RoCE NICs`; empty where the cabling does not tell, or it is on nobody's way."""
    reach = finding.reach
    return f"on the way of {reach.nics:,} of {count(reach.of, 'RoCE NIC')}" if reach is not None and reach.nics else ""


def headline(finding: Finding) -> str:
    """`error[pfc/priority-off] leaf1 Ethernet1/3: message`."""
    word = "unknown" if finding.verdict == "unknown" else finding.severity
    about = subjects(finding)
    return f"{word}[{prose(finding.rule)}]{' ' if about else ''}{about}: {message(finding)}"


def message(finding: Finding) -> str:
    """What is wrong, or why it could not be judged."""
    unknown = finding.verdict == "unknown" and finding.unknown_because
    return prose(f"{finding.message} ({finding.unknown_because})" if unknown else finding.message)


def primary(finding: Finding) -> Location | None:
    """The first place a finding points at."""
    return next((at for at in finding.locations if at.role == "primary"), None)


def position(path: str, line: int) -> str:
    """`leaf1.cfg:57`; the path alone for a file as a whole."""
    return clean(f"{path}:{line}" if line else path)
