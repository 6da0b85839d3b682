"""Calls the sample of each tool, and prints what became of it: a line of JSON for each."""

import json
import os
import sys
from typing import Any

import httpx
import samples

from prospecting_gateway import Gateway, GatewayError


class Trying(httpx.HTTPTransport):
    """Sends calls as dry runs."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.headers.pop("Idempotency-Key", None)
        request.headers["Dry-Run"] = "true"
        return super().handle_request(request)


def gateway(transport: httpx.BaseTransport | None) -> Gateway:
    return Gateway(os.environ["GATEWAY_URL"], os.environ["GATEWAY_TOKEN"], max_retries=0, transport=transport)


def outcome(call: Any, client: Gateway) -> str:
    try:
        call(client)
        return "answered"
    except GatewayError as error:
        return f"{error.type} {error.reason or ''}".strip()


clients = {"direct": gateway(None), "tried": gateway(Trying())}
for line in sys.stdin:
    mode, name = line.split()
    print(json.dumps({"name": name, "outcome": outcome(getattr(samples, name), clients[mode])}))
