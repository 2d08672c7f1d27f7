"""SVG as text: elements whose every attribute and word is escaped, and number and axis helpers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from html import escape

from roce_audit.report.words import clean

LETTER = 6.6
"""Width of an average letter at the pictures' usual size of 12, px."""


def element(tag: str, *inside: str, **attributes: object) -> str:
    """`<tag a="1">inside</tag>`; `inside` is markup, made by this module. `class_` gives `class`, `_` becomes `-`."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{number(value) if isinstance(value, float) else words(str(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    return _element(tag, written, "".join(inside))


def _element(tag: str, attributes: str, content: str) -> str:
    return f"<{tag}{attributes}>{content}</{tag}>" if content else f"<{tag}{attributes}/>"


def words(text: str) -> str:
    """Text as markup."""
    return escape(clean(text))


def picture(width: float, height: float, label: str, parts: Iterable[str], class_: str = "") -> str:
    """A whole picture with its description for those who do not see it."""
    return element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=number(width),
        height=number(height),
        role="img",
        aria_label=label,
        class_=class_ or None,
    )


def label(x: float, y: float, text: str, *, anchor: str = "start", class_: str | None = None) -> str:
    """A line of text."""
    style = "" if class_ is None else f' class="{words(class_)}"'
    return _element("text", f' x="{number(x)}" y="{number(y)}" text-anchor="{words(anchor)}"{style}', words(text))


def rect(x: float, y: float, width: float, height: float, class_: str, *inside: str, rx: float = 2) -> str:
    """A rectangle; never of negative size."""
    place = f' x="{number(x)}" y="{number(y)}" width="{number(max(width, 0))}" height="{number(max(height, 0))}"'
    return _element("rect", f'{place} rx="{number(rx)}" class="{words(class_)}"', "".join(inside))


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> str:
    """A straight line."""
    ends = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
    return f'<line {ends} class="{words(class_)}"/>'


def title(text: str) -> str:
    """What is shown when the mouse is based on an element."""
    return element("title", words(text))


@lru_cache(maxsize=10_000)
def number(value: float) -> str:
    """At most two decimals, no trailing zeros, and no sign before a zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def short_bytes(value: float) -> str:
    """`150 kB`, `1.5 MB`: three digits, decimal units."""
    for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} B"


def ticks(largest: float, wanted: int = 5) -> list[float]:
    """Round numbers from 0 up to `largest`, about as many as wanted."""
    if largest <= 0:
        return [0.0]
    power = 10 ** math.floor(math.log10(largest / wanted))
    step = next(power * m for m in (1, 2, 5, 10) if largest / (power * m) <= wanted)
    return [step * i for i in range(math.floor(largest / step) + 1)]


def cut(text: str, letters: int) -> str:
    """The text, or its beginning where it is too long."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
