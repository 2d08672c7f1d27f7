"""Files that stand in others in code, put where they are plain: those that Ignition and cloud-init write on a host.

A text stays one of as many lines, so that what is said of a file points at the line that holds it.

Sources: RFC 2397 (`data:` URLs); Ignition configuration specification (storage.files: contents.source, contents.compression); cloud-init,
module reference (write_files: encoding).
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from urllib.parse import unquote, unquote_to_bytes

from roce_audit.patterns import lazy
from roce_audit.text.memo import of_text

_MOST = 200_000
"""Characters of a file that are decoded."""
_GZIP = b"\x1f\x8b"
_ANY_HEADER = 47
"""zlib's word for a stream with gzip's header, or its own."""
_URL = lazy(
    r"(?P<key>[\"']?source[\"']?)(?P<sign>:[ \t]{0,9})(?P<quote>[\"']?)data:[\w/+.-]{0,60}(?:;charset=[\w-]{1,20})?(?P<code>;base64)?,"
    r"(?P<data>[\w%/+=.~!*();:@&$,?#-]{1,200000})(?P=quote)(?=[ \t]{0,9}[,}\n]|\Z)"
)
_USER_DATA = "#cloud-config"
_ENCODING = lazy(r"(?m)^(?P<key>[ \t-]{0,20}encoding:[ \t]{1,9})[\"']?(?:gz(?:ip)?\+)?b(?:ase)?64[\"']?(?=[ \t]{0,9}$)")
_CONTENT = lazy(
    r"(?m)^(?P<key>[ \t-]{0,20}content:[ \t]{1,9})(?:!!binary[ \t]{1,9})?[\"']?(?P<data>[|>][+-]?(?:\n[ \t]{1,40}[\w+/=]{1,200}){1,2000}"
    r"|[\w+/=]{16,200000})[\"']?(?=[ \t]{0,9}$)"
)


@of_text
def decoded(text: str) -> str:
    """The text with the files plain that stand in it in code, each as one quoted word."""
    if "data:" in text and "source" in text:
        text = _URL.sub(_of_url, text)
    if text.startswith(_USER_DATA) and "64" in text:
        plain = _CONTENT.sub(_of_content, text)
        text = _ENCODING.sub(r"\g<key>text/plain", plain) if plain != text else text
    return text


def _of_url(found: re.Match[str]) -> str:
    """`source: data:...` as Butane's `inline: text`."""
    data = b64(unquote(found["data"])) if found["code"] else unquote_to_bytes(found["data"])
    plain = _plain(data)
    key = found["key"].replace("source", "inline")
    return found[0] if plain is None else f"{key}{found['sign']}{json.dumps(plain)}"


def _of_content(found: re.Match[str]) -> str:
    plain = _plain(b64("".join(found["data"].lstrip("|>+-").split())))
    return found[0] if plain is None else f"{found['key']}{json.dumps(plain)}" + "\n" * found["data"].count("\n")


def b64(text: str) -> bytes:
    """What a text in base64 holds; nothing where it is none."""
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return b""


def _plain(data: bytes) -> str | None:
    """Data as text; None where it is none, or too much."""
    try:
        unpacked = zlib.decompressobj(_ANY_HEADER).decompress(data, _MOST) if data.startswith(_GZIP) else data
        return unpacked.decode() if 0 < len(unpacked) < _MOST and b"\0" not in unpacked else None
    except (zlib.error, ValueError):
        return None
