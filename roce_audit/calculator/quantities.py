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
_SLOWEST_BPS = 10_000_000
_FASTEST_BPS = 10**13
_LONGEST_M = 120_000.0
_SHORTEST_PACKET = 68
"""The least MTU of IPv4 (RFC 791)."""
_LONGEST_PACKET = 65_535
"""The most that the length field of IPv4 says (RFC 791)."""
_LEAST_SIZE = 64
"""The shortest Ethernet frame: no threshold is below it."""
_MOST_SIZE = 64 * 2**30
"""Several times the deepest packet buffer of any switch."""
_LONGEST_TIMER_US = 100_000.0
_LONGEST_GEARBOX_NS = 1_000_000.0
_MOST_WEIGHTS = 64
_HEAVIEST = 1_000_000
_LARGEST_ALPHA = 1024
"""Vendors' scales end at 2^8."""
_MOST_SENDERS = 1_000_000
_MOST_PORTS = 1024
_PRIORITIES = 8


def speed_bps(text: str) -> int:
    """A port speed in bit/s: `400G`, `25000M`. A small bare number is refused: 400 is no 400G."""
    value = rate_bps(text)
    if value < _SLOWEST_BPS:
        raise ValueError(f"'{text}' is {value:,} bit/s: write the unit, as in 400G")
    if value > _FASTEST_BPS:
        raise ValueError(f"'{text}' is faster than any Ethernet port: write it like 400G")
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


def packet_bytes(text: str) -> int:
    """The size of an IP packet, or an MTU, in bytes: `9216`."""
    value = size_bytes(text)
    if not _SHORTEST_PACKET <= value <= _LONGEST_PACKET:
        raise ValueError(f"'{text}' is no size of an IP packet: {_SHORTEST_PACKET} to {_LONGEST_PACKET:,} bytes")
    return value


def buffer_bytes(text: str) -> int:
    """A size or threshold of a buffer in bytes, at least one frame and at most more than any switch has: `150kB`."""
    value = size_bytes(text)
    if value < _LEAST_SIZE:
        raise ValueError(f"'{text}' is less than one frame ({_LEAST_SIZE} B): write the unit, as in 150kB")
    if value > _MOST_SIZE:
        raise ValueError(f"'{text}' is more than any switch has: write it like 150kB")
    return value


def start_bytes(text: str) -> int:
    """As `buffer_bytes`, or 0: a threshold at which something starts at once."""
    return 0 if size_bytes(text) == 0 else buffer_bytes(text)


def nanoseconds(text: str) -> float:
    """A time in ns, more than none: `1158`, `1158ns`, `1.2us`."""
    value = _read(text, _TIMES, "a time", "1158 or 1158ns, 1.2us")
    if value == 0:
        raise ValueError(f"'{text}' is no time: write it like 1158ns or 1.2us")
    return value


def gearbox_ns(text: str) -> float:
    """The delay of a gearbox in ns, which may be 0."""
    value = _read(text, _TIMES, "a time", "1158 or 1158ns, 1.2us")
    if value > _LONGEST_GEARBOX_NS:
        raise ValueError(f"'{text}' is longer than {_LONGEST_GEARBOX_NS / 1e6:g} ms: no gearbox takes that long")
    return value


def microseconds(text: str) -> float:
    """A time in µs, as DCQCN's timers are given: `55`, `55us`, `1ms`."""
    number = text.strip()
    bare = number.replace(".", "", 1).isdigit()
    value = _read(number, _TIMES, "a time", "55 or 55us, 1ms") / (1 if bare else 1000)
    if value > _LONGEST_TIMER_US:
        raise ValueError(
            f"'{text}' is longer than {_LONGEST_TIMER_US / 1000:g} ms: a timer of DCQCN takes microseconds"
        )
    return value


def percent(text: str) -> float:
    """A percentage from 0 to 100: `5` or `5%`."""
    value = _read(text, {**_PLAIN, "%": 1.0}, "a percentage", "5 or 5%")
    if value > 100:
        raise ValueError(f"'{text}' is more than 100 %")
    return value


def number(text: str) -> float:
    """A plain number, not negative."""
    return _read(text, _PLAIN, "a number", "0.125")


def alpha(text: str) -> float:
    """The factor of a dynamic threshold: `0.125`."""
    value = number(text)
    if not 0 < value <= _LARGEST_ALPHA:
        raise ValueError(f"'{text}' is no alpha: it is above 0 and at most {_LARGEST_ALPHA:,}, as 0.125 or 8")
    return value


def whole(text: str) -> int:
    """A whole number, at least 1."""
    value = _read(text, _PLAIN, "a whole number", "8")
    if value != round(value) or value < 1:
        raise ValueError(f"'{text}' is no whole number from 1 on")
    return round(value)


def senders(text: str) -> int:
    """How many send: a whole number from 1 on."""
    return _at_most(text, _MOST_SENDERS, "senders")


def ports(text: str) -> int:
    """How many ports a chip has."""
    return _at_most(text, _MOST_PORTS, "ports of one chip")


def priorities(text: str) -> int:
    """How many of the eight priorities are lossless."""
    return _at_most(text, _PRIORITIES, "priorities")


def _at_most(text: str, most: int, what: str) -> int:
    value = whole(text)
    if value > most:
        raise ValueError(f"'{text}': there are at most {most:,} {what}")
    return value


def weights(text: str) -> tuple[float, ...]:
    """Weights of queues, `14,15,0`, or shares in percent, `50%,50%`."""
    parts = [part.strip() for part in text.split(",")]
    found = tuple(number(part.removesuffix("%")) for part in parts)
    shares = [part.endswith("%") for part in parts]
    if len(found) > _MOST_WEIGHTS or sum(found) <= 0:
        raise ValueError(f"'{text}': weights are 1 to {_MOST_WEIGHTS} numbers like 50,50, not all of them 0")
    if max(found) > _HEAVIEST:
        raise ValueError(f"'{text}': no weight is above {_HEAVIEST:,}")
    if any(shares) and not all(shares):
        raise ValueError(f"'{text}': write all of them as percent, or all of them as weights")
    if all(shares) and round(sum(found), 6) > 100:
        raise ValueError(f"'{text}': together that is {sum(found):g} %, more than 100 %")
    return found


def _read(text: str, units: dict[str, float], what: str, like: str) -> float:
    found = _NUMBER.match(text)
    if found is None:
        raise ValueError(f"'{text}' is not {what}: write it like {like}")
    unit = found[2].lower()
    if unit not in units:
        raise ValueError(f"'{text}' is not {what}: '{found[2]}' is no unit of it; write it like {like}")
    return float(found[1].replace(",", "").replace("_", "")) * units[unit]
