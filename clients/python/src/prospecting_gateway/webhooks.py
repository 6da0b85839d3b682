"""Deliveries of events (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

from .errors import WebhookRefused


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if value is None:
        raise WebhookRefused(f"The header {name} is missing.")
    return value


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes | str, *, tolerance_seconds: float = 300.0
) -> dict[str, Any]:
    """Checks a delivery's signature and returns its event. `body` must be as it arrived.

    `headers` must find names in lower case, as those of httpx, Flask and Starlette do.
    """
    text = body.decode() if isinstance(body, bytes) else body
    message_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise WebhookRefused("The delivery is too old, or from the future.")
    key = _decoded(secret.removeprefix("whsec_"))
    expected = hmac.new(key, f"{message_id}.{timestamp}.{text}".encode(), hashlib.sha256).digest()
    for signature in _header(headers, "webhook-signature").split(" "):
        version, _, encoded = signature.partition(",")
        if version == "v1" and hmac.compare_digest(_decoded(encoded), expected):
            event: dict[str, Any] = json.loads(text)
            return event
    raise WebhookRefused("No signature of the delivery is of this secret.")
