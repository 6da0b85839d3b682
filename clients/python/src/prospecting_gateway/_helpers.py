"""Events, jobs, files and webhooks."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence

from ._generated import (
    AsyncNamespaces,
    ListAccountEventsAnswer,
    ListAccountEventsAnswerEventsItem,
    ListBackgroundJobsAnswerJobsItem,
    Namespaces,
    UploadCustomerFileAnswer,
)
from .errors import GatewayError, JobFailed, NoAnswer, Transient

AccountEvent = ListAccountEventsAnswerEventsItem
Job = ListBackgroundJobsAnswerJobsItem

_LARGEST_PAGE = 200
_RESUME_SECONDS = 1.0
_LONGEST_RESUME_SECONDS = 30.0


def _is_passing(error: GatewayError) -> bool:
    return isinstance(error, NoAnswer | Transient) or error.status >= 502


def _resume_pause(failures: int) -> float:
    return min(_LONGEST_RESUME_SECONDS, _RESUME_SECONDS * 2**failures)


def _ended(job_id: str, job: Job | None) -> bool:
    if job is None or job["status"] in ("failed", "cancelled"):
        raise JobFailed(job_id, job)
    return job["status"] == "finished"


class Gateway(Namespaces):
    """The gateway with all its tools, by group: `gateway.leads.register_lead(name="Ana Souza")`."""

    def events(
        self, *, since: int = 0, types: Sequence[str] | None = None, interval_seconds: float = 2.0
    ) -> Iterator[AccountEvent]:
        """The account's events after a cursor, without an end. Each has its `cursor`: store it once it is handled.

        The feed survives broken connections and a gateway that restarts.
        """
        cursor = since
        failures = 0
        while True:
            try:
                page: ListAccountEventsAnswer = self.events_and_webhooks.list_account_events(
                    since_cursor=cursor, limit=_LARGEST_PAGE, event_types=None if types is None else ",".join(types)
                )
            except GatewayError as error:
                if not _is_passing(error):
                    raise
                time.sleep(_resume_pause(failures))
                failures += 1
                continue
            failures = 0
            yield from page["events"]
            cursor = page["next_cursor"]
            if not page["has_more"]:
                time.sleep(interval_seconds)

    def wait_for_job(
        self, job_id: str, *, on_progress: Callable[[Job], None] | None = None, interval_seconds: float = 1.0
    ) -> Job:
        """Waits until a background job is finished. `on_progress` gets each state that differs from the last one."""
        last: Job | None = None
        while True:
            job = next((one for one in self.background_jobs.iter_list_background_jobs() if one["job_id"] == job_id), None)
            if job is not None and on_progress is not None and job != last:
                on_progress(job)
            if _ended(job_id, job) and job is not None:
                return job
            last = job
            time.sleep(interval_seconds)

    def upload_file(self, name: str, content: bytes | str) -> UploadCustomerFileAnswer:
        """Stores a file for other tools. Text is stored as UTF-8."""
        if isinstance(content, str):
            return self.customer_files.upload_customer_file(file_name=name, text=content)
        encoded = base64.b64encode(content).decode()
        return self.customer_files.upload_customer_file(file_name=name, content_base64=encoded)


class AsyncGateway(AsyncNamespaces):
    """The same for asyncio."""

    async def events(
        self, *, since: int = 0, types: Sequence[str] | None = None, interval_seconds: float = 2.0
    ) -> AsyncIterator[AccountEvent]:
        """The account's events after a cursor, without an end. Each has its `cursor`: store it once it is handled.

        The feed survives broken connections and a gateway that restarts.
        """
        cursor = since
        failures = 0
        while True:
            try:
                page: ListAccountEventsAnswer = await self.events_and_webhooks.list_account_events(
                    since_cursor=cursor, limit=_LARGEST_PAGE, event_types=None if types is None else ",".join(types)
                )
            except GatewayError as error:
                if not _is_passing(error):
                    raise
                await asyncio.sleep(_resume_pause(failures))
                failures += 1
                continue
            failures = 0
            for event in page["events"]:
                yield event
            cursor = page["next_cursor"]
            if not page["has_more"]:
                await asyncio.sleep(interval_seconds)

    async def wait_for_job(
        self, job_id: str, *, on_progress: Callable[[Job], None] | None = None, interval_seconds: float = 1.0
    ) -> Job:
        """Waits until a background job is finished. `on_progress` gets each state that differs from the last one."""
        last: Job | None = None
        while True:
            job: Job | None = None
            async for one in self.background_jobs.iter_list_background_jobs():
                if one["job_id"] == job_id:
                    job = one
                    break
            if job is not None and on_progress is not None and job != last:
                on_progress(job)
            if _ended(job_id, job) and job is not None:
                return job
            last = job
            await asyncio.sleep(interval_seconds)

    async def upload_file(self, name: str, content: bytes | str) -> UploadCustomerFileAnswer:
        """Stores a file for other tools. Text is stored as UTF-8."""
        if isinstance(content, str):
            return await self.customer_files.upload_customer_file(file_name=name, text=content)
        encoded = base64.b64encode(content).decode()
        return await self.customer_files.upload_customer_file(file_name=name, content_base64=encoded)
