"""Client of the prospecting gateway, sync and async."""

from ._client import AsyncClient, Client
from ._core import Options, Tool
from ._helpers import AccountEvent, AsyncGateway, Gateway, Job
from .errors import (
    GatewayError,
    JobFailed,
    NoAnswer,
    NotFound,
    Permanent,
    PlanRequired,
    Refused,
    RequestRefused,
    Transient,
    Unauthorized,
    UnusableAnswer,
    WebhookRefused,
)
from .webhooks import verify_webhook

__all__ = [
    "AccountEvent",
    "AsyncClient",
    "AsyncGateway",
    "Client",
    "Gateway",
    "GatewayError",
    "Job",
    "JobFailed",
    "NoAnswer",
    "NotFound",
    "Options",
    "Permanent",
    "PlanRequired",
    "Refused",
    "RequestRefused",
    "Tool",
    "Transient",
    "Unauthorized",
    "UnusableAnswer",
    "WebhookRefused",
    "verify_webhook",
]
