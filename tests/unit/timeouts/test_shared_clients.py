"""Clients shared by many calls, against a slow local server."""

import json
import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from typing import Any

import httpx2
import pytest
from botocore.exceptions import BotoCoreError, ReadTimeoutError
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.clients import (
    IDLE_SECONDS,
    CallOverError,
    IdleConnections,
    close_connections,
    create_client,
    new_session,
)
from flexchat.deadline import CallThreads, call_with_timeout, time_limit

TIMEOUTS = 1_000
PARALLEL = 24


@dataclass
class Service:
    """A server that answers every request with an empty object, as long as it is `answering`."""

    url: str = ""
    answering: threading.Event = field(default_factory=threading.Event)
    requests: int = 0
    connections: int = 0
    arrivals: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))


@pytest.fixture
def service() -> Iterator[Service]:
    state = Service()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            state.requests += 1
            state.arrivals.release()
            self.rfile.read(int(self.headers["content-length"]))
            state.answering.wait(30)
            body = json.dumps({}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/x-amz-json-1.0")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is written to the terminal."""

        def handle(self) -> None:
            state.connections += 1
            try:
                super().handle()
            except OSError:
                return  # the client gave up its connection

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield state
    state.answering.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def dynamodb(service: Service, monkeypatch: pytest.MonkeyPatch) -> DynamoDBClient:
    """A client of that server."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    return create_client(
        "dynamodb",
        connect_timeout=10,
        read_timeout=30,
        session=new_session(),
        region_name="us-east-1",
        endpoint_url=service.url,
    )


def read(client: DynamoDBClient) -> object:
    return client.get_item(TableName="t", Key={"id": {"S": "1"}}).get("Item")


def cut_off(threads: CallThreads, call: Any, chance: random.Random, *, longest: float) -> bool:
    try:
        threads.call_with_timeout(chance.uniform(0.0001, longest), call)
    except (TimeoutError, CallOverError, ReadTimeoutError):  # the call itself may find out first
        return True
    return False


def test_closed_connections_are_opened_again(service: Service, dynamodb: DynamoDBClient) -> None:
    service.answering.set()
    read(dynamodb)
    read(dynamodb)
    assert service.connections == 1

    close_connections()
    read(dynamodb)

    assert (service.connections, service.requests) == (2, 3)


@pytest.mark.parametrize(
    ("pause", "connections"), [(0.0, 1), (IDLE_SECONDS - 1, 1), (IDLE_SECONDS + 1, 2), (-IDLE_SECONDS - 1, 2)]
)
def test_connections_of_a_frozen_environment_are_opened_again(
    service: Service, dynamodb: DynamoDBClient, pause: float, connections: int
) -> None:
    """Their servers may have closed them, which a request would find out by its timeout."""
    service.answering.set()
    now = 1_000.0
    dynamodb.meta.events.register("before-send", IdleConnections(dynamodb, now=lambda: now).renew)
    read(dynamodb)
    now += pause
    read(dynamodb)
    read(dynamodb)

    assert (service.connections, service.requests) == (connections, 3)


def test_a_request_in_progress_keeps_its_connection_when_idle_ones_are_closed(
    service: Service, dynamodb: DynamoDBClient
) -> None:
    now = 1_000.0
    dynamodb.meta.events.register("before-send", IdleConnections(dynamodb, now=lambda: now).renew)
    readers = [threading.Thread(target=read, args=(dynamodb,))]
    readers[0].start()
    assert service.arrivals.acquire(timeout=30)
    now += 2 * IDLE_SECONDS
    readers.append(threading.Thread(target=read, args=(dynamodb,)))
    readers[1].start()
    assert service.arrivals.acquire(timeout=30)
    service.answering.set()
    for reader in readers:
        reader.join()
    read(dynamodb)

    assert service.requests == 3


def test_parallel_requests_have_connections_that_stay_open(service: Service, dynamodb: DynamoDBClient) -> None:
    for _ in range(2):
        service.answering.clear()
        readers = [threading.Thread(target=read, args=(dynamodb,)) for _ in range(PARALLEL)]
        for reader in readers:
            reader.start()
        assert all(service.arrivals.acquire(timeout=30) for _ in readers)
        service.answering.set()
        for reader in readers:
            reader.join()

    assert (service.connections, service.requests) == (PARALLEL, 2 * PARALLEL)


@pytest.mark.slow
def test_an_aws_client_works_after_a_thousand_timeouts(service: Service, dynamodb: DynamoDBClient) -> None:
    service.answering.set()
    chance = random.Random("timeouts")  # noqa: S311 # no secret depends on it
    threads = CallThreads()
    assert threads.call_with_timeout(60, lambda: read(dynamodb)) is None

    calls = (cut_off(threads, lambda: read(dynamodb), chance, longest=0.006) for _ in range(20 * TIMEOUTS))
    assert sum(islice(filter(None, calls), TIMEOUTS)) == TIMEOUTS
    assert threads.wait_for_room(60, room=threads.max_left_behind), "every thread ends by itself"
    assert [threads.call_with_timeout(60, lambda: read(dynamodb)) for _ in range(8)] == [None] * 8


@pytest.mark.slow
def test_an_http_client_works_after_a_thousand_timeouts(service: Service) -> None:
    service.answering.set()
    chance = random.Random("timeouts")  # noqa: S311 # no secret depends on it
    threads = CallThreads()
    limits = httpx2.Limits(max_connections=4, max_keepalive_connections=2)

    with httpx2.Client(base_url=service.url, limits=limits, trust_env=False) as client:

        def post() -> int:
            return client.post("/", content=b"{}", timeout=30).status_code

        assert threads.call_with_timeout(60, post) == 200
        calls = (cut_off(threads, post, chance, longest=0.006) for _ in range(20 * TIMEOUTS))
        assert sum(islice(filter(None, calls), TIMEOUTS)) == TIMEOUTS
        assert threads.wait_for_room(60, room=threads.max_left_behind), "every thread ends by itself"
        assert [threads.call_with_timeout(60, post) for _ in range(8)] == [200] * 8


def test_the_thread_of_an_unanswered_request_ends_with_its_call(service: Service, dynamodb: DynamoDBClient) -> None:
    threads = CallThreads()

    # The sockets of the call have the same limit as the caller that waits for it.
    with pytest.raises((TimeoutError, ReadTimeoutError, CallOverError)):
        threads.call_with_timeout(0.3, lambda: read(dynamodb))

    # The client itself would wait half a minute, three times.
    assert threads.wait_for_room(20, room=threads.max_left_behind)
    assert service.requests <= 1


def test_the_timeout_of_a_request_is_limited_by_the_surrounding_limit(
    service: Service, dynamodb: DynamoDBClient
) -> None:
    with pytest.raises((ReadTimeoutError, CallOverError)), time_limit(0.3):
        read(dynamodb)

    assert service.requests <= 1


def test_a_request_is_not_sent_after_its_limit(service: Service, dynamodb: DynamoDBClient) -> None:
    with pytest.raises(CallOverError), time_limit(0):
        read(dynamodb)

    assert issubclass(CallOverError, BotoCoreError)
    assert service.requests == 0


def test_a_request_outside_of_a_limit_has_the_timeouts_of_its_client(
    service: Service, dynamodb: DynamoDBClient
) -> None:
    service.answering.set()

    assert read(dynamodb) is None
    assert call_with_timeout(30, lambda: read(dynamodb)) is None
