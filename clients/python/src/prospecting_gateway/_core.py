"""What the sync and the async client share: requests, answers, and pauses between attempts."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import time
from typing import Any, cast

import httpx

from .errors import GatewayError, error_class

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 8.0
# Added to the pause that the gateway asks for, so that its clients do not come back all at once.
SPREAD_SECONDS = 0.25
# Statuses of a gateway that is busy, and of proxies in front of one that restarts.
PASSING_STATUSES = frozenset({408, 429, 502, 503, 504})


@dataclass(frozen=True)
class Tool:
    """A tool of the gateway."""

    name: str
    path: str
    is_read: bool
    rows: str | None = None
    first_page: int = 0


@dataclass(frozen=True)
class Options:
    """How one call runs."""

    timeout_seconds: float | None = None
    max_retries: int | None = None
    # Names a write, so that it is done once however often it is sent. By default a new one for each call.
    idempotency_key: str | None = None
    # The call is tried and undone.
    dry_run: bool = False


@dataclass(frozen=True)
class Settings:
    """Of a client."""

    url: str
    token: str
    max_retries: int = 4
    timeout_seconds: float = 60.0
    max_pause_seconds: float = 60.0


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    subject: str
    headers: Mapping[str, str]
    content: bytes | None
    timeout_seconds: float
    max_retries: int


def tool_request(settings: Settings, tool: Tool, args: Mapping[str, Any], options: Options | None) -> Request:
    chosen = Options() if options is None else options
    headers = {"Authorization": f"Bearer {settings.token}", "Content-Type": "application/json"}
    if chosen.dry_run:
        headers["Dry-Run"] = "true"
    elif not tool.is_read:
        headers["Idempotency-Key"] = chosen.idempotency_key or str(uuid.uuid4())
    given = {name: value for name, value in args.items() if value is not None}
    return Request(
        method="POST",
        url=f"{settings.url}{tool.path}",
        subject=tool.name,
        headers=headers,
        content=json.dumps(given).encode(),
        timeout_seconds=chosen.timeout_seconds or settings.timeout_seconds,
        max_retries=settings.max_retries if chosen.max_retries is None else chosen.max_retries,
    )


def download_request(settings: Settings, url: str) -> Request:
    """The address of a file is secret itself and gets no token."""
    return Request("GET", url, "download_file", {}, None, settings.timeout_seconds, settings.max_retries)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _members(response: httpx.Response) -> dict[str, Any]:
    try:
        value: Any = response.json()
    except ValueError:
        return {}
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _retry_after(response: httpx.Response, fields: Mapping[str, Any]) -> float | None:
    header = response.headers.get("retry-after")
    if header is not None and header.isdigit():
        return float(header)
    if header is not None:
        try:
            return max(0.0, parsedate_to_datetime(header).timestamp() - time())
        except ValueError:
            pass
    seconds = fields.get("retry_after_seconds")
    return float(seconds) if isinstance(seconds, int | float) else None


def error_from(response: httpx.Response, subject: str) -> GatewayError:
    fields = _members(response)
    message = _text(fields.get("error"))
    type_name = "Unauthorized" if response.status_code == 401 else _text(fields.get("type"))
    if message is None or type_name is None:
        type_name = "UnusableAnswer"
        message = f"The answer to {subject} has status {response.status_code} and is not the gateway's."
    return error_class(type_name)(
        message,
        type=type_name,
        tool=subject,
        reason=_text(fields.get("reason")),
        detail=_text(fields.get("detail")) or _text(fields.get("how_to_fix")) or "",
        status=response.status_code,
        request_id=response.headers.get("x-request-id"),
        retry_after_seconds=_retry_after(response, fields),
        fields=fields,
    )


def no_answer(cause: Exception, subject: str) -> GatewayError:
    return error_class("NoAnswer")(f"{subject} was not answered.", type="NoAnswer", tool=subject, detail=str(cause))


def pause_before_retry(error: GatewayError, attempt: int, request: Request, settings: Settings) -> float | None:
    """Seconds to wait before the next attempt; None if the error is final."""
    is_passing = error.status == 0 or error.status in PASSING_STATUSES or error.type == "IdempotencyKeyInUse"
    if not is_passing or attempt >= request.max_retries:
        return None
    if error.retry_after_seconds is None:
        return random.random() * min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2**attempt)
    pause = error.retry_after_seconds + random.random() * SPREAD_SECONDS
    return None if pause > settings.max_pause_seconds else pause


def has_more_pages(answer: Mapping[str, Any], page: int, tool: Tool) -> bool:
    total = answer.get("total")
    size = answer.get("page_size")
    if not isinstance(total, int) or not isinstance(size, int):
        return True
    return (page - tool.first_page + 1) * size < total


def rows_of(answer: Mapping[str, Any], tool: Tool) -> list[Any]:
    rows: Any = answer.get(tool.rows or "")
    return cast(list[Any], rows) if isinstance(rows, list) else []
