"""Template: what a guide says of one setting, by what a port leads to and its speed, as profiles write it.

Rows are separated by `;`, and the first that fits a port holds: `[FACING] [SPEED]: VALUES`, where FACING is host or fabric, SPEED is
`400G` or `25G..100G`, and VALUES are numbers and ranges separated by commas: `host 400G: 950000; 100G: 150000, 153000..156000`. A
row without `:` fits every port. A guide that contradicts itself gives several values, never a mean.
"""

from __future__ import annotations

from functools import lru_cache

from roce_audit.patterns import lazy
from roce_audit.records import dataclass

_HEAD = lazy(r"\s*+(host|fabric)?\s*+(?:([0-9.]{1,6})G(?:\s*+\.\.\s*+([0-9.]{1,6})G)?)?\s*+\Z")
_VALUE = lazy(r"\s*([0-9]{1,15}(?:\.[0-9]{1,6})?)(?:\s*\.\.\s*([0-9]{1,15}(?:\.[0-9]{1,6})?))?\s*\Z")


@dataclass(frozen=True, slots=True)
class _Row:
    facing: str
    """"" where the row holds for all ports."""
    speeds: tuple[float, float] | None
    """Slowest and fastest port it holds for, bit/s."""
    values: tuple[tuple[float, float], ...]

    def fits(self, speed_bps: float | None, facing: str | None) -> bool:
        """Raises LookupError where that depends on what is not known."""
        if self.facing and facing is None:
            raise LookupError("what the port leads to is not known")
        if self.facing and self.facing != facing:
            return False
        if self.speeds is None:
            return True
        if speed_bps is None:
            raise LookupError("the speed of the port is not known")
        return self.speeds[0] <= speed_bps <= self.speeds[1]


@lru_cache(maxsize=512)
def rows(template: str) -> tuple[_Row, ...]:
    """The rows of a template. Raises ValueError for a text of another form."""
    return tuple(_row(text) for text in template.split(";"))


def speaks(template: str | None, speed_bps: float | None, facing: str | None) -> bool:
    """Whether the template says anything of this port; one that is not given says nothing."""
    return _for(template, speed_bps, facing) is not None


def allows(template: str | None, speed_bps: float | None, facing: str | None, value: float | None) -> bool:
    """Whether a port may have this value; it may have any of which the template says nothing."""
    row = _for(template, speed_bps, facing)
    if row is None:
        return True
    if value is None:
        raise LookupError("the value that the template speaks of is not known")
    return any(low <= value <= high for low, high in row.values)


def deviation(
    name: str, unit: str, template: str | None, speed_bps: float | None, facing: str | None, value: float | None
) -> str:
    """`; Kmin 150,000 B (profile: 950,000 B)`, or nothing where the value is as the template says, or not known."""
    try:
        row = _for(template, speed_bps, facing)
        if row is None or value is None or allows(template, speed_bps, facing, value):
            return ""
    except LookupError:
        return ""
    unit = f" {unit}" if unit else ""
    meant = " or ".join(_span(low, high) for low, high in row.values)
    return f"; {name} {_number(value)}{unit} (profile: {meant}{unit})"


def _for(template: str | None, speed_bps: float | None, facing: str | None) -> _Row | None:
    if template is None:
        return None
    return next((row for row in rows(template) if row.fits(speed_bps, facing)), None)


def _row(text: str) -> _Row:
    head, colon, values = text.rpartition(":")
    found = _HEAD.match(head)
    if found is None or (colon and not head.strip()):
        raise ValueError(f"'{text.strip()}': before ':' stands host or fabric, a speed like 400G or 25G..100G, or both")
    slowest, fastest = found[2], found[3] or found[2]
    return _Row(
        found[1] or "",
        (float(slowest) * 1e9, float(fastest) * 1e9) if slowest else None,
        tuple(_value(part) for part in values.split(",")),
    )


def _value(text: str) -> tuple[float, float]:
    found = _VALUE.match(text)
    if found is None:
        raise ValueError(f"'{text.strip()}' is neither a number nor a range like 150..160")
    low, high = float(found[1]), float(found[2] or found[1])
    if low > high:
        raise ValueError(f"'{text.strip()}' is a range that ends below its beginning")
    return low, high


def _span(low: float, high: float) -> str:
    return _number(low) if low == high else f"{_number(low)} to {_number(high)}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == round(value) else f"{value:g}"
