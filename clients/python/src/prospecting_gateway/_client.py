"""The sync and the async client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from ._core import (
    Options,
    Request,
    Settings,
    Tool,
    download_request,
    error_from,
    has_more_pages,
    no_answer,
    pause_before_retry,
    rows_of,
    tool_request,
)
from .errors import GatewayError


class Client:
    """Sends requests: with the token, repeated where that is safe, and with errors as `GatewayError`."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        max_retries: int = 4,
        timeout_seconds: float = 60.0,
        max_pause_seconds: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._settings = Settings(url.rstrip("/"), token, max_retries, timeout_seconds, max_pause_seconds)
        self._http = httpx.Client(transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def call(self, tool: Tool, args: Mapping[str, Any], options: Options | None = None) -> Any:
        """Calls a tool. Methods of single tools are easier: they have types."""
        request = tool_request(self._settings, tool, args, options)
        response = self._send(request)
        try:
            return response.json()
        except ValueError:
            raise error_from(response, tool.name) from None

    def download(self, url: str) -> bytes:
        """Reads a file from the address that a tool answered."""
        return self._send(download_request(self._settings, url)).content

    def rows(self, tool: Tool, args: Mapping[str, Any], options: Options | None = None) -> Iterator[Any]:
        """The rows of all pages. A row that others add or remove in the meantime may be missed or come twice."""
        page = tool.first_page
        while True:
            answer = self.call(tool, {**args, "page": page}, options)
            rows = rows_of(answer, tool)
            yield from rows
            if not rows or not has_more_pages(answer, page, tool):
                return
            page += 1

    def _attempt(self, request: Request) -> httpx.Response:
        try:
            response = self._http.request(
                request.method,
                request.url,
                headers=dict(request.headers),
                content=request.content,
                timeout=request.timeout_seconds,
            )
        except httpx.HTTPError as cause:
            raise no_answer(cause, request.subject) from cause
        if response.is_success:
            return response
        raise error_from(response, request.subject)

    def _send(self, request: Request) -> httpx.Response:
        attempt = 0
        while True:
            try:
                return self._attempt(request)
            except GatewayError as error:
                pause = pause_before_retry(error, attempt, request, self._settings)
                if pause is None:
                    raise
            time.sleep(pause)
            attempt += 1


class AsyncClient:
    """The same for asyncio."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        max_retries: int = 4,
        timeout_seconds: float = 60.0,
        max_pause_seconds: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._settings = Settings(url.rstrip("/"), token, max_retries, timeout_seconds, max_pause_seconds)
        self._http = httpx.AsyncClient(transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def call(self, tool: Tool, args: Mapping[str, Any], options: Options | None = None) -> Any:
        """Calls a tool. Methods of single tools are easier: they have types."""
        request = tool_request(self._settings, tool, args, options)
        response = await self._send(request)
        try:
            return response.json()
        except ValueError:
            raise error_from(response, tool.name) from None

    async def download(self, url: str) -> bytes:
        """Reads a file from the address that a tool answered."""
        return (await self._send(download_request(self._settings, url))).content

    async def rows(self, tool: Tool, args: Mapping[str, Any], options: Options | None = None) -> AsyncIterator[Any]:
        """The rows of all pages. A row that others add or remove in the meantime may be missed or come twice."""
        page = tool.first_page
        while True:
            answer = await self.call(tool, {**args, "page": page}, options)
            rows = rows_of(answer, tool)
            for row in rows:
                yield row
            if not rows or not has_more_pages(answer, page, tool):
                return
            page += 1

    async def _attempt(self, request: Request) -> httpx.Response:
        try:
            response = await self._http.request(
                request.method,
                request.url,
                headers=dict(request.headers),
                content=request.content,
                timeout=request.timeout_seconds,
            )
        except httpx.HTTPError as cause:
            raise no_answer(cause, request.subject) from cause
        if response.is_success:
            return response
        raise error_from(response, request.subject)

    async def _send(self, request: Request) -> httpx.Response:
        attempt = 0
        while True:
            try:
                return await self._attempt(request)
            except GatewayError as error:
                pause = pause_before_retry(error, attempt, request, self._settings)
                if pause is None:
                    raise
            await asyncio.sleep(pause)
            attempt += 1
