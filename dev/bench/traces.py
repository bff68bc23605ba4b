"""Lists and views of 10,000 stored traces, by the traces function on the emulator of the local stack.

The traces are stored by the function too, so that the table has the items of its transactions. They are spread over the
days of a week; callers, models and tools have different shares of them, and every tenth chat is failed. What the local
stack adds to a request, its gateway and an invocation of Lambda, is not measured. The CPU time is that of the function
alone; the rest is the emulator's, which evaluates the key condition on every item of a partition.
"""

import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cli.deployment.toolchain import ensure_tool
from cli.files import make_private_folder
from cli.layout import Layout
from cli.local_stack import point_at_emulator
from cli.processes import Processes
from dev.bench.throughput import percentiles
from dev.local_stack.emulator import start_emulator
from dev.local_stack.stack import MINISTACK
from flexchat.aws.clients import AwsClients
from flexchat.observability import logger
from flexchat.settings import read_environment
from flexchat.traces import Span, TraceError, TraceRecord, TraceUsage
from functions.traces.app import TracesFunction, TracesSettings

TRACES: Final = 10_000
RUNS: Final = 40
DAYS: Final = 7
SEED: Final = 20_261_127
TABLE: Final = "flexchat-bench-traces"
BUCKET: Final = "flexchat-bench-traces"

CALLERS: Final = tuple(f"caller-{number}" for number in range(20))
MODELS: Final = tuple(f"openai:model-{number}" for number in range(5))
TOOLS: Final = tuple(f"tool_{number}" for number in range(30))


@dataclass(frozen=True)
class Context:
    """Context of an invocation without a close end."""

    aws_request_id: str = "bench"
    function_name: str = "flexchat-bench-traces"
    memory_limit_in_mb: int = 512
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-bench-traces"

    def get_remaining_time_in_millis(self) -> int:
        return 60_000


def report() -> dict[str, Any]:
    """Print the times of storing, listing and opening traces, in milliseconds."""
    logger.setLevel("WARNING")  # no line for each stored trace
    with emulator():
        function = deployed()
        draw = random.Random(SEED)  # noqa: S311 - sizes and names, not secrets
        ids: list[str] = []
        stored: list[float] = []
        for number in range(TRACES):
            record = trace(number, draw)
            ids.append(record.id)
            event = {"trace": json.loads(record.as_json())}
            stored.append(timed(lambda event=event: function.handle(event, Context())))
        found = {"store": percentiles(stored)}
        print(f"\n{TRACES:,} traces, the traces function on the local stack's emulator, {RUNS} requests each, ms")
        print(f"{'request':<28}{'p50':>8}{'p95':>8}{'CPU':>8}")
        _print("store", found["store"])
        for name, query in LISTS.items():
            found[name] = _measured(lambda query=query: get(function, "/api/traces", query))
            _print(name, found[name])
        found["open"] = _measured(lambda: get(function, f"/api/traces/{draw.choice(ids)}"))
        _print("open", found["open"])
    return found


LISTS: Final[Mapping[str, Mapping[str, str]]] = {
    "list the newest": {},
    "list by tool": {"tool": TOOLS[0]},
    "list by caller": {"caller": CALLERS[0]},
    "list failed": {"failed": "true"},
    "list failed of a tool": {"tool": TOOLS[0], "failed": "true"},
    "list failed of a rule": {"rule": "rule-3", "failed": "true"},
    "list slow": {"min_ms": "9900"},
    "list without a match": {"rule": "none"},
}


def _measured(request: Callable[[], object]) -> dict[str, float]:
    """Return the percentiles of a request, and the CPU time of the function as `cpu`."""
    request()
    before = time.process_time()
    times = [timed(request) for _ in range(RUNS)]
    cpu = (time.process_time() - before) / RUNS * 1000
    return {**percentiles(times), "cpu": cpu}


def _print(name: str, row: Mapping[str, float]) -> None:
    print(f"{name:<28}" + "".join(f"{row[each]:>8.1f}" if each in row else "" for each in ("p50", "p95", "cpu")))


def timed(action: Callable[[], object]) -> float:
    """Return the milliseconds of an action."""
    started = time.perf_counter()
    action()
    return (time.perf_counter() - started) * 1000


def get(function: TracesFunction, path: str, query: Mapping[str, str] | None = None) -> Any:
    """Return the body of an operator's request. Raises RuntimeError for a status other than 200."""
    event = {
        "resource": path,
        "path": path,
        "httpMethod": "GET",
        "headers": {},
        "multiValueHeaders": {},
        "queryStringParameters": dict(query or {}) or None,
        "multiValueQueryStringParameters": {name: [value] for name, value in (query or {}).items()} or None,
        "pathParameters": None,
        "requestContext": {
            "requestId": "bench",
            "stage": "bench",
            "authorizer": {"principal": "bench", "roles": "user,operator"},
        },
        "body": None,
        "isBase64Encoded": False,
    }
    answer = function.handle(event, Context())
    if answer["statusCode"] != 200:
        raise RuntimeError(f"GET {path} answered {answer['statusCode']}: {answer['body']}")
    return json.loads(answer["body"])


def trace(number: int, draw: random.Random) -> TraceRecord:
    """Return the record of a chat with two model calls and up to three tool calls."""
    words = [f"word{draw.randrange(5_000)}" for _ in range(400)]
    failed = number % 10 == 0
    # squared: the first names have most of the traces
    tools = [TOOLS[int(draw.random() ** 2 * len(TOOLS))] for _ in range(draw.randrange(4))]
    model = MODELS[int(draw.random() ** 2 * len(MODELS))]
    usage = TraceUsage(input_tokens=600, output_tokens=40)

    def model_span(position: int, iteration: int) -> Span:
        return Span(
            id=f"{number:08x}{position:08x}",
            kind="model",
            name=model,
            start_ms=5 + 500 * (iteration - 1),
            duration_ms=400,
            iteration=iteration,
            usage=usage,
            cost_usd=0.0004,
            attributes={"provider": "openai", "tools": 12, "finish_reason": "stop"},
            content={"messages": [0, 1]},
        )

    spans = [
        model_span(0, 1),
        *(
            Span(
                id=f"{number:08x}{position:08x}",
                kind="tool",
                name=name,
                start_ms=410,
                duration_ms=50,
                iteration=1,
                attributes={"call_id": f"call_{position}", "type": "http"},
                content={"arguments": {"query": " ".join(words[:8])}, "result": " ".join(words[8:200])},
            )
            for position, name in enumerate(tools, start=1)
        ),
        *(() if failed else (model_span(9, 2),)),
    ]
    error = TraceError(type="model_timeout", message="the model did not answer in time", status=504)
    return TraceRecord(
        id=f"bench-{number:08d}",
        trace_id=f"{number:032x}",
        span_id=f"{number:016x}",
        started_at=time.time() - DAYS * 86_400 * (1 - number / TRACES) - 1,
        duration_ms=draw.randrange(300, 10_000),
        stage="bench",
        caller=CALLERS[int(draw.random() ** 2 * len(CALLERS))],
        rule=f"rule-{draw.randrange(5)}",
        model=model,
        outcome="error" if failed else "answered",
        error=error if failed else None,
        usage=usage,
        cost_usd=0.0008,
        expires_at=int(time.time()) + DAYS * 86_400,
        has_content=True,
        message=" ".join(words[:20]),
        answer=" ".join(words[200:300]),
        messages=[
            {"role": "system", "parts": [{"type": "text", "text": " ".join(words[300:])}]},
            {"role": "user", "parts": [{"type": "text", "text": " ".join(words[:20])}]},
        ],
        tools=[{"name": name, "description": " ".join(words[:12]), "parameters": {}} for name in TOOLS[:12]],
        spans=tuple(spans),
    )


def deployed() -> TracesFunction:
    """Return the traces function with its empty table and bucket."""
    clients = AwsClients()
    clients.dynamodb.create_table(
        TableName=TABLE,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in ("pk", "sk")],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    )
    clients.s3.create_bucket(Bucket=BUCKET)
    environment = {
        "FLEXCHAT_STAGE": "bench",
        "FLEXCHAT_TRACES_BUCKET": BUCKET,
        "FLEXCHAT_TRACES_TABLE": TABLE,
        "FLEXCHAT_AUDIT_TABLE": f"{TABLE}-audit",
    }
    return TracesFunction(read_environment(TracesSettings, environment), clients)


@contextmanager
def emulator() -> Generator[None]:
    """Run an emulator of its own, which the AWS clients of this process use."""
    here = Layout.here()
    with tempfile.TemporaryDirectory() as scratch:
        layout = Layout(Path(scratch))
        make_private_folder(layout.tmp)
        processes = Processes(layout.processes)
        try:
            tool = ensure_tool(MINISTACK, layout=here, processes=processes)
            started = start_emulator(tool, layout=layout, processes=processes)
            point_at_emulator(os.environ, started.endpoint, started.access_key_id)
            yield
        finally:
            processes.stop_all()
