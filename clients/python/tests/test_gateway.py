"""The client against a running gateway, whose address and token the environment has."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import os
import time

import httpx
import pytest

from prospecting_gateway import (
    AsyncGateway,
    Gateway,
    Job,
    NoAnswer,
    NotFound,
    Options,
    Unauthorized,
    UnusableAnswer,
    WebhookRefused,
    verify_webhook,
)

URL = os.environ["GATEWAY_URL"]
TOKEN = os.environ["GATEWAY_TOKEN"]


class Faults(httpx.BaseTransport):
    """Does to each request what comes next, and passes the rest."""

    def __init__(self, *faults: str) -> None:
        self.faults = list(faults)
        self.keys: list[str | None] = []
        self.times: list[float] = []
        self._real = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.keys.append(request.headers.get("idempotency-key"))
        self.times.append(time.monotonic())
        fault = self.faults.pop(0) if self.faults else "pass"
        if fault == "cut_before":
            raise httpx.ConnectError("cut")
        if fault == "cut_after":
            self._real.handle_request(request).read()
            raise httpx.ReadError("cut")
        if fault == "busy":
            return httpx.Response(429, headers={"Retry-After": "1"}, text="busy")
        if fault == "away":
            return httpx.Response(503, text="away")
        if fault == "teapot":
            return httpx.Response(418, text="teapot")
        return self._real.handle_request(request)

    def close(self) -> None:
        self._real.close()


def files_named(name: str) -> int:
    with Gateway(URL, TOKEN) as gateway:
        return sum(1 for file in gateway.customer_files.iter_list_customer_files() if file["file_name"] == name)


@pytest.mark.parametrize("faults", [["away"], ["cut_before"], ["cut_after"], ["cut_after", "away", "cut_before"]])
def test_a_write_is_done_once(faults: list[str]) -> None:
    transport = Faults(*faults)
    name = f"python-{'-'.join(faults)}.csv"
    with Gateway(URL, TOKEN, transport=transport) as gateway:
        gateway.upload_file(name, "a,b\n1,2\n")
    assert files_named(name) == 1
    assert len(transport.keys) == len(faults) + 1
    assert len(set(transport.keys)) == 1


def test_a_pause_is_as_long_as_the_gateway_says() -> None:
    transport = Faults("busy")
    with Gateway(URL, TOKEN, transport=transport) as gateway:
        gateway.session.whoami()
    assert transport.times[1] - transport.times[0] >= 1
    assert transport.keys == [None, None]


def test_errors_have_their_classes() -> None:
    with Gateway(URL, TOKEN) as gateway, pytest.raises(NotFound) as missing:
        gateway.leads.get_lead(lead_id=999_999)
    assert missing.value.reason == "lead_not_found"
    assert missing.value.fields["lead_id"] == 999_999
    with Gateway(URL, "pgw_wrong") as stranger, pytest.raises(Unauthorized):
        stranger.session.whoami()
    with Gateway(URL, TOKEN, transport=Faults("teapot")) as gateway, pytest.raises(UnusableAnswer):
        gateway.session.whoami()
    with Gateway(URL, TOKEN, transport=Faults("cut_before")) as gateway, pytest.raises(NoAnswer):
        gateway.session.whoami(options=Options(max_retries=0))


def test_files_jobs_pages_and_events() -> None:
    with Gateway(URL, TOKEN) as gateway:
        rows = "".join(f"Person {index};p{index}@python.example;\n" for index in range(5))
        file = gateway.upload_file("python.csv", f"Name;E-mail;Company\n{rows}".encode())
        assert gateway.download(file["download_url"]).decode().endswith(rows)
        started = gateway.lead_operations.import_leads(customer_file_id=file["customer_file_id"])
        states: list[Job] = []
        job = gateway.wait_for_job(started["job_id"], on_progress=states.append, interval_seconds=0.05)
        assert job["status"] == "finished"
        assert states[-1] == job
        found = [lead["email"] for lead in gateway.leads.iter_search_leads(query="python.example", page_size=2)]
        assert sorted(str(email) for email in found) == [f"p{index}@python.example" for index in range(5)]
        event = next(gateway.events(types=["import_finished"], interval_seconds=0.05))
        assert event["type"] == "import_finished"
        tried = gateway.campaigns.create_campaign(name="Tried", business_name="Clínica", options=Options(dry_run=True))
        assert tried["name"] == "Tried"


def test_the_async_client_does_the_same() -> None:
    async def work() -> None:
        async with AsyncGateway(URL, TOKEN) as gateway:
            file = await gateway.upload_file("async.csv", "Name;E-mail\nAda;ada@async.example\n")
            assert (await gateway.download(file["download_url"])).startswith(b"Name")
            started = await gateway.lead_operations.import_leads(customer_file_id=file["customer_file_id"])
            assert (await gateway.wait_for_job(started["job_id"], interval_seconds=0.05))["status"] == "finished"
            found = [lead async for lead in gateway.leads.iter_search_leads(query="async.example", page_size=1)]
            assert len(found) == 1
            async for event in gateway.events(types=["import_finished"]):
                assert event["type"] == "import_finished"
                break
            with pytest.raises(NotFound):
                await gateway.leads.get_lead(lead_id=999_999)

    asyncio.run(work())


def test_deliveries_are_verified() -> None:
    key = b"a key of thirty-two bytes, really"
    secret = f"whsec_{base64.b64encode(key).decode()}"
    body = json.dumps({"id": "evt_1", "type": "ping"})

    def signed(text: str, at: float) -> dict[str, str]:
        timestamp = str(int(at))
        digest = hmac.new(key, f"evt_1.{timestamp}.{text}".encode(), hashlib.sha256).digest()
        signature = f"v1,AAAA v1,{base64.b64encode(digest).decode()}"
        return {"webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": signature}

    assert verify_webhook(secret, signed(body, time.time()), body)["type"] == "ping"
    rotated = signed(body, time.time())
    rotated["webhook-signature"] += " v1,AAAA"
    assert verify_webhook(secret, rotated, body)["type"] == "ping"
    for headers, text in [
        (signed(body, time.time()), body + " "),
        (signed(body, time.time() - 400), body),
        ({"webhook-id": "evt_1"}, body),
    ]:
        with pytest.raises(WebhookRefused):
            verify_webhook(secret, headers, text)
