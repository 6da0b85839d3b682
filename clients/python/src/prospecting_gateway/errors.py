"""Errors of calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class GatewayError(Exception):
    """A call that failed. `type` and `reason` are for programs, `detail` says what to do."""

    def __init__(
        self,
        message: str,
        *,
        type: str,
        tool: str,
        reason: str | None = None,
        detail: str = "",
        status: int = 0,
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.type = type
        self.tool = tool
        self.reason = reason
        self.detail = detail
        self.status = status
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.fields: Mapping[str, Any] = {} if fields is None else fields

    def __str__(self) -> str:
        return f"{self.message} {self.detail}".strip()


class NotFound(GatewayError):
    """There is no such record in the account."""


class Refused(GatewayError):
    """The tool ran, and refused by its own criteria."""


class PlanRequired(GatewayError):
    """The account's plan does not include the tool."""


class Transient(GatewayError):
    """The gateway or a service failed for now, also when the call was repeated."""


class Permanent(GatewayError):
    """The call cannot succeed with these arguments."""


class Unauthorized(GatewayError):
    """The access token is not accepted."""


class RequestRefused(GatewayError):
    """The request did not reach the tool."""


class NoAnswer(GatewayError):
    """No answer arrived, also when the call was repeated."""


class UnusableAnswer(GatewayError):
    """Something else than the gateway answered, such as a proxy."""


class JobFailed(Exception):
    """A background job failed, was cancelled, or does not exist."""

    def __init__(self, job_id: str, job: Mapping[str, Any] | None) -> None:
        state = "does not exist" if job is None else f"was {job['status']}"
        super().__init__(f"The background job {job_id} {state}.")
        self.job_id = job_id
        self.job = job


class WebhookRefused(Exception):
    """A delivery that the gateway did not sign with this secret, or not lately. Answer 401."""


_classes: dict[str, type[GatewayError]] = {
    "NotFound": NotFound,
    "Refused": Refused,
    "PlanRequired": PlanRequired,
    "Transient": Transient,
    "Permanent": Permanent,
    "Unauthorized": Unauthorized,
    "NoAnswer": NoAnswer,
    "UnusableAnswer": UnusableAnswer,
}


def error_class(type: str) -> type[GatewayError]:
    """The class of errors with this `type`."""
    return _classes.get(type, RequestRefused)
