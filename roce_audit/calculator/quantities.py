"""Quantities as people write them: 400G, 40m, 9216, 1MiB, 5%, 1.2us. What cannot be read raises ValueError with a sentence.

Bytes: k, kB, M, MB are decimal (1,000), Ki, KiB, Mi, MiB binary (1,024).
"""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\s*+([0-9]{1,15}(?:[_,][0-9]{3}){0,5}(?:\.[0-9]{1,9})?)\s*+([A-Za-zµ%/]{0,12})\s*+\Z")
_PLAIN = {"": 1.0}
_BYTES = {"": 1.0, "b": 1.0, "byte": 1.0, "bytes": 1.0, "kbyte": 1e3, "kbytes": 1e3, "mbyte": 1e6, "mbytes": 1e6}
_BYTES |= {"k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9}
_BYTES |= {"ki": 2.0**10, "kib": 2.0**10, "mi": 2.0**20, "mib": 2.0**20, "gi": 2.0**30, "gib": 2.0**30}
_BITS = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_RATES = {
    **_PLAIN,
    "bps": 1.0,
    "bit/s": 1.0,
    **{prefix + unit: size for prefix, size in _BITS.items() for unit in ("", "b", "bps", "bit", "bit/s")},
}
_METRES = {**_PLAIN, "m": 1.0, "cm": 0.01, "km": 1000.0, "metre": 1.0, "metres": 1.0, "meter": 1.0, "meters": 1.0}
_TIMES = {**_PLAIN, "ns": 1.0, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}
_SLOWEST_BPS = 1_000_000
_LONGEST_M = 120_000.0
_MOST_WEIGHTS = 64


def speed_bps(text: str) -> int:
    """A port speed in bit/s: `400G`, `25000M`. A small bare number is refused: 400 is no 400G."""
    value = rate_bps(text)
    if value < _SLOWEST_BPS:
        raise ValueError(f"'{text}' is {value:,} bit/s: write the unit, as in 400G")
    return value


def rate_bps(text: str) -> int:
    """A rate in bit/s, which may be 0. Bytes are no rate: 400GB is refused, 400Gb and 400Gbps are not."""
    if text.rstrip().endswith("B"):
        raise ValueError(f"'{text}' is not a speed: 'B' is for bytes; write it like 400G")
    return round(_read(text, _RATES, "a speed", "400G, 25G or 1000M"))


def metres(text: str) -> float:
    """A length in metres: `40`, `40m`, `2km`."""
    value = _read(text, _METRES, "a length", "40 or 40m (metres), 2km")
    if value > _LONGEST_M:
        raise ValueError(f"'{text}' is longer than {_LONGEST_M / 1000:g} km: no pause frame helps there")
    return value


def size_bytes(text: str) -> int:
    """A number of bytes: `9216`, `150kB` (150,000), `1MiB` (1,048,576). It is a whole number."""
    value = _read(text, _BYTES, "a number of bytes", "9216, 150kB or 1MiB")
    if value != round(value):
        raise ValueError(f"'{text}' is no whole number of bytes")
    return round(value)


def nanoseconds(text: str) -> float:
    """A time in ns: `1158`, `1158ns`, `1.2us`."""
    return _read(text, _TIMES, "a time", "1158 or 1158ns, 1.2us")


def microseconds(text: str) -> float:
    """A time in µs, as DCQCN's timers are given: `55`, `55us`, `1ms`."""
    number = text.strip()
    bare = number.replace(".", "", 1).isdigit()
    return float(number) if bare else nanoseconds(text) / 1000


def percent(text: str) -> float:
    """A percentage from 0 to 100: `5` or `5%`."""
    value = _read(text, {**_PLAIN, "%": 1.0}, "a percentage", "5 or 5%")
    if value > 100:
        raise ValueError(f"'{text}' is more than 100 %")
    return value


def number(text: str) -> float:
    """A plain number, not negative."""
    return _read(text, _PLAIN, "a number", "0.125")


def whole(text: str) -> int:
    """A whole number, at least 1."""
    value = _read(text, _PLAIN, "a whole number", "8")
    if value != round(value) or value < 1:
        raise ValueError(f"'{text}' is no whole number from 1 on")
    return round(value)


def weights(text: str) -> tuple[float, ...]:
    """Weights or shares of queues: `50,50` or `14,15,0`."""
    found = tuple(number(part.removesuffix("%")) for part in text.split(","))
    if len(found) > _MOST_WEIGHTS or sum(found) <= 0:
        raise ValueError(f"'{text}': weights are 1 to {_MOST_WEIGHTS} numbers like 50,50, not all of them 0")
    return found


def _read(text: str, units: dict[str, float], what: str, like: str) -> float:
    found = _NUMBER.match(text)
    if found is None:
        raise ValueError(f"'{text}' is not {what}: write it like {like}")
    unit = found[2].lower()
    if unit not in units:
        raise ValueError(f"'{text}' is not {what}: '{found[2]}' is no unit of it; write it like {like}")
    return float(found[1].replace(",", "").replace("_", "")) * units[unit]
