"""What the stanzas and answers of a command-line switch say of one interface, gathered before it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from roce_audit.platforms.portreading import Labels
from roce_audit.text.block import Block
from roce_audit.values import Place


@dataclass(slots=True)
class Interface:
    """What was gathered of one interface before it is read."""

    header: Place
    """Of the stanza that names the fewest ports beside it."""
    named_with: int = 1
    """How many ports that stanza names."""
    blocks: tuple[Block, ...] = ()
    unclear: list[Block] = field(default_factory=list)
    """Stanzas whose header may or may not name it."""
    labels: tuple[str, ...] = ()
    state: list[Block] = field(default_factory=list)
    """What other commands answered about it."""
    member_of: str = ""
    """The channel that names it as its member."""
    own_labels: tuple[str, ...] = ()
    """Those of the last stanza of this port alone that describes it; ranges describe many."""

    @property
    def is_plain(self) -> bool:
        """Whether one stanza says all that is said of it."""
        return len(self.blocks) == 1 and not (self.unclear or self.state or self.member_of)


def described(labels: Sequence[str]) -> str | None:
    """The text of the last description without what quotes it; None where there is none."""
    said = [line for line in labels if line.startswith("description ")]
    return " ".join(said[-1].partition(" ")[2].strip("\"' ").split()) if said else None


def as_member(labels: Labels, channel: Labels) -> Labels:
    """The labels of a member of a LAG: what it does not say itself is its channel's. Where that routes, its members do."""
    return replace(
        labels,
        description=labels.description or channel.description,
        vlans=labels.vlans or channel.vlans,
        vrf=labels.vrf or channel.vrf,
        routed=channel.routed if labels.routed is None else labels.routed or bool(channel.routed),
        peer_link=labels.peer_link or channel.peer_link,
    )
