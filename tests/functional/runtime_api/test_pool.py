"""The Runtime API gives processes their events and passes their responses on, piece by piece."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from dev.runtime_api.api import RuntimeApi
from dev.runtime_api.invocation import Invocation, InvocationError
from dev.runtime_api.pool import RuntimePool, RuntimeProcess

ARN = "arn:aws:lambda:us-east-1:000000000000:function:chat-stream"
SCRIPT = Path(__file__).with_name("runtime_script.py")

pytestmark = pytest.mark.slow


@asynccontextmanager
async def pool_of(
    *arguments: str, limit: int = 4, timeout: float = 30, lines: list[bytes] | None = None
) -> AsyncGenerator[RuntimePool]:
    runtime = RuntimeProcess((sys.executable, "-S", "-E", str(SCRIPT), *arguments), {}, SCRIPT.parent, ARN, timeout)
    pool = RuntimePool(runtime, limit=limit, log=(lines if lines is not None else []).append)
    try:
        yield pool
    finally:
        await pool.close()


def event(do: str, **values: Any) -> bytes:
    return json.dumps({"do": do, **values}).encode()


async def whole(invocation: Invocation) -> bytes:
    return b"".join([piece async for piece in invocation.pieces()])


async def described(pool: RuntimePool) -> dict[str, Any]:
    return json.loads(await whole(pool.invoke(event("describe"))))


def test_a_process_receives_events_with_the_headers_of_lambda_and_is_used_again() -> None:
    async def run() -> list[dict[str, Any]]:
        async with pool_of(limit=1) as pool:
            first, second = await described(pool), await described(pool)
            return [first, second]

    first, second = asyncio.run(run())

    assert first["pid"] == second["pid"]
    assert first["Lambda-Runtime-Invoked-Function-Arn"] == ARN
    assert first["Lambda-Runtime-Aws-Request-Id"] != second["Lambda-Runtime-Aws-Request-Id"]
    assert int(first["Lambda-Runtime-Deadline-Ms"]) < int(second["Lambda-Runtime-Deadline-Ms"]) + 30_000
    assert first["Lambda-Runtime-Trace-Id"].startswith("Root=1-")


def test_a_piece_arrives_before_the_response_is_complete(tmp_path: Path) -> None:
    finished = tmp_path / "finished"

    async def run() -> bytes:
        async with pool_of() as pool:
            invocation = pool.invoke(event("stream", pieces=1, until=str(finished)))
            pieces = aiter(invocation.pieces())
            first = await anext(pieces)
            finished.touch()
            async for _ in pieces:
                pass
            assert invocation.streams
            return first

    assert asyncio.run(run()).startswith(b"0")


def test_an_error_of_the_function_ends_the_invocation_and_keeps_its_process() -> None:
    async def run() -> None:
        async with pool_of(limit=1) as pool:
            before = await described(pool)
            with pytest.raises(InvocationError, match=r"^ValueError: bad$"):
                await whole(pool.invoke(event("error")))
            assert (await described(pool))["pid"] == before["pid"]

    asyncio.run(run())


def test_an_error_in_the_trailers_follows_the_pieces() -> None:
    async def run() -> list[bytes]:
        async with pool_of() as pool:
            pieces = pool.invoke(event("stream", pieces=2, error="lost")).pieces()
            seen = [await anext(pieces), await anext(pieces)]
            with pytest.raises(InvocationError, match=r"^E: lost$"):
                await anext(pieces)
            return seen

    assert b"".join(asyncio.run(run())) == b"0    1    "


@pytest.mark.parametrize(
    ("do", "timeout", "error"),
    [
        ("exit", 30, "the runtime's process exited before the end of the response"),
        ("hang", 1, "Task timed out after 1.00 seconds"),
    ],
)
def test_a_process_that_exits_or_passes_the_deadline_is_replaced(do: str, timeout: float, error: str) -> None:
    async def run() -> None:
        async with pool_of(limit=1, timeout=timeout) as pool:
            before = await described(pool)
            with pytest.raises(InvocationError, match=f"^{error}$"):
                await whole(pool.invoke(event(do)))
            assert (await described(pool))["pid"] != before["pid"]

    asyncio.run(run())


def test_a_failed_initialisation_is_the_error_of_the_invocation() -> None:
    async def run() -> None:
        async with pool_of("fail") as pool:
            with pytest.raises(InvocationError, match=r"^ImportError: no module$"):
                await whole(pool.invoke(event("describe")))

    asyncio.run(run())


def test_an_abandoned_response_closes_the_connection_of_the_runtime(tmp_path: Path) -> None:
    lines: list[bytes] = []

    async def run() -> None:
        async with pool_of(limit=1, lines=lines) as pool:
            invocation = pool.invoke(event("stream", pieces=1, until=str(tmp_path / "never")))
            await anext(aiter(invocation.pieces()))
            invocation.abandon()
            await described(pool)

    asyncio.run(run())

    assert lines == [b"started\n", b"client gone\n"]


def test_a_client_that_stops_reading_does_not_delay_another() -> None:
    async def run() -> None:
        async with pool_of(limit=2) as pool:
            stopped = pool.invoke(event("stream", pieces=2_000, size=65_536))
            await anext(aiter(stopped.pieces()))
            assert len(await whole(pool.invoke(event("stream", pieces=100)))) == 500
            assert not stopped.is_ended
            stopped.abandon()

    asyncio.run(run())


def test_more_invocations_than_processes_wait_for_a_free_one() -> None:
    async def run() -> set[int]:
        async with pool_of(limit=2) as pool:
            answers = await asyncio.gather(*(described(pool) for _ in range(8)))
            assert pool.size <= 2
            assert len(answers) == 8
            return {answer["pid"] for answer in answers}

    assert len(asyncio.run(run())) in {1, 2}


@pytest.mark.parametrize(
    "header", ["Origin: null", "Origin: http://127.0.0.1:9", "Sec-Fetch-Site: same-site", "Host: evil.example"]
)
def test_requests_of_web_pages_receive_no_event(header: str) -> None:
    async def run() -> tuple[bytes, bool]:
        api = RuntimeApi(ARN)
        address = await api.start()
        reader, writer = await asyncio.open_connection(*address.split(":"))
        own = "" if header.startswith("Host") else f"Host: {address}\r\n"
        writer.write(f"GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\n{own}{header}\r\n\r\n".encode())
        status = await reader.readline()
        writer.close()
        await api.close()
        return status, api.asked.is_set()

    status, asked = asyncio.run(run())

    assert (status.split()[1], asked) == (b"403", False)
