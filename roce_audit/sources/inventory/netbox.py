"""NetBox as inventory: its devices over the REST API. Only asks; the token goes nowhere but to the server that was named."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from roce_audit.sources.inventory.foreign import Gathering
from roce_audit.sources.live.credentials import secret
from roce_audit.sources.live.targets import Inventory, InventoryError, Reference, Target
from roce_audit.values import Place

TOKEN = Reference("env:NETBOX_TOKEN")
_PAGE = 200
_MOST_PAGES = 2_000
_MAX_BYTES = 64 * 2**20
_SECONDS = 30
_PATH = "api/dcim/devices/"
_NAME = re.compile(r"[^A-Za-z0-9._-]")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token to wherever it points."""

    def redirect_request(self, *arguments: Any, **more: Any) -> None:
        return None


def load(url: str, token: Reference | None) -> Inventory:
    """The active devices of a NetBox; the query of the URL filters them (`?site=dc1&role=leaf`). Raises InventoryError."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise InventoryError(
            (f"{parts.hostname or 'netbox'}: write https://HOST/?filter=value, without a login in it",)
        )
    key = secret(token or TOKEN)
    base = urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/") + "/", "", ""))
    query = [("limit", str(_PAGE)), ("status", "active"), *parse_qsl(parts.query)]
    if any(name == "status" for name, _ in parse_qsl(parts.query)):
        query.remove(("status", "active"))
    address = urljoin(base, _PATH) + "?" + urlencode(query)
    found = Gathering(base)
    for number in range(_MOST_PAGES):
        page = _get(address, key)
        rows = page.get("results")
        if not isinstance(rows, list):
            raise InventoryError((f"{base}: the answer holds no devices",))
        for at, row in enumerate(rows):
            if isinstance(row, dict):
                _take(row, Place(base, number * _PAGE + at + 1), found)
        following = page.get("next")
        if not following:
            return found.done()
        # behind a proxy NetBox may write its own idea of scheme and host: only the query is taken
        address = urljoin(base, _PATH) + "?" + urlsplit(str(following)).query
    raise InventoryError((f"{base}: more than {_MOST_PAGES:,} pages",))


def _get(address: str, token: str) -> dict[str, Any]:
    scheme = "Bearer" if token.startswith("nbt_") else "Token"
    headers = {"Authorization": f"{scheme} {token}", "Accept": "application/json", "User-Agent": "roce-audit"}
    opener = urllib.request.build_opener(_NoRedirect)
    where = urlsplit(address).netloc
    try:
        with opener.open(urllib.request.Request(address, headers=headers), timeout=_SECONDS) as answer:
            raw = answer.read(_MAX_BYTES + 1)
    except urllib.error.HTTPError as error:
        words = {401: "the token was refused", 403: "the token was refused"}.get(
            error.code, f"HTTP status {error.code}"
        )
        raise InventoryError((f"{where}: {words}",)) from None
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise InventoryError((f"{where}: {getattr(error, 'reason', error)}",)) from None
    try:
        page = json.loads(raw)
    except (ValueError, RecursionError):
        page = None
    if not isinstance(page, dict) or len(raw) > _MAX_BYTES:
        raise InventoryError((f"{where}: the answer is no JSON of NetBox",))
    return page


def _take(row: dict[str, Any], place: Place, found: Gathering) -> None:
    name = _NAME.sub("-", str(row.get("name") or ""))
    fields = row.get("custom_fields")
    said = fields.get("roce_audit_platform") if isinstance(fields, dict) else None
    slug = row.get("platform")
    platform = found.platform(name, str(said or (slug.get("slug") if isinstance(slug, dict) else "") or ""))
    if platform is None:
        return
    address = next((row[key] for key in ("primary_ip", "primary_ip4", "primary_ip6", "oob_ip") if row.get(key)), None)
    text = str(address.get("address", "")).partition("/")[0] if isinstance(address, dict) else ""
    if not text:
        found.left_out["have no primary address: their names are used"] += 1
    groups = [row[key].get("slug") for key in ("role", "device_role", "site") if isinstance(row.get(key), dict)]
    found.targets.append(Target(name, platform, place, text, groups=tuple(str(g) for g in groups if g)))
