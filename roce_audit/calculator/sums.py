"""What a calculation gives: sums of terms with units, each sum with its source and the buffers it holds for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from roce_audit.records import dataclass

SCHEMA = "roce-audit/calc/1"

ARCHITECTURES = {
    "": "any buffer",
    "shared_on_chip": "buffers shared on the chip (most ToR and spine switches); not VOQ chassis",
    "static_per_port": "buffers with a fixed part per port (NICs, older switches)",
}


@dataclass(frozen=True, slots=True)
class Term:
    """One number with its unit ("" for a pure number) and the arithmetic or the reason behind it."""

    name: str
    value: float
    unit: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class Sum:
    """A result, and the terms that it is made of.

    `architecture` is the buffer architecture it holds for: "" any, None where buffers have no part in it.
    """

    title: str
    terms: tuple[Term, ...]
    result: Term
    source: str
    architecture: str | None = None


@dataclass(frozen=True, slots=True)
class Calculation:
    """Everything that one `calc` prints."""

    subject: str
    given: str
    sums: tuple[Sum, ...]
    notes: tuple[str, ...] = ()


def text(done: Calculation) -> Iterator[str]:
    """Lines for people: numbers in one column, the result under a rule."""
    yield f"{done.subject}: {done.given}"
    for one in done.sums:
        yield ""
        yield one.title
        numbers = [amount(term) for term in (*one.terms, one.result)]
        wide = max(map(len, numbers))
        for shown, term in zip(numbers, one.terms, strict=False):
            yield f"  {shown:>{wide}}  {_words(term)}"
        if one.terms:
            yield f"  {'-' * wide}"
        yield f"  {numbers[-1]:>{wide}}  {_words(one.result)}"
        if one.architecture is not None:
            yield f"  holds for: {ARCHITECTURES[one.architecture]}"
        yield f"  source: {one.source}"
    if done.notes:
        yield ""
        yield from (f"note: {note}" for note in done.notes)


def plain(done: Calculation) -> dict[str, object]:
    """The same for programs."""
    return {
        "schema": SCHEMA,
        "subject": done.subject,
        "given": done.given,
        "results": [
            {
                "title": one.title,
                "terms": [asdict(term) for term in one.terms],
                "result": asdict(one.result),
                "architecture": "any" if one.architecture == "" else one.architecture,
                "source": one.source,
            }
            for one in done.sums
        ],
        "notes": list(done.notes),
    }


def amount(term: Term) -> str:
    """`1,158.4 ns`: at most two decimals, five digits of small numbers."""
    value = term.value
    if value == round(value) or abs(value) >= 1000:
        digits = f"{value:,.0f}"
    else:
        digits = f"{value:.4g}" if abs(value) < 1 else f"{value:,.2f}".rstrip("0").rstrip(".")
    return f"{digits} {term.unit}".rstrip()


def _words(term: Term) -> str:
    return f"{term.name}: {term.how}" if term.how else term.name


def gigabit(speed_bps: float) -> str:
    """`400G`."""
    return f"{speed_bps / 1e9:g}G"
