"""CPU time of one HTTP request by client, and of one call of AWS by boto3."""

import time
from collections.abc import Callable
from typing import Any

import httpcore2
import httpx2

from dev.bench.chat_cost import lambda_client
from dev.bench.figures import alternate, compare
from dev.bench.services import model_server, one_core
from flexchat.deadline import Deadline
from flexchat.egress.policy import EgressPolicy
from flexchat.http_client import BoundedHttpClient

RUNS = 11
REQUESTS = 200
BODY = b'{"messages": []}'
PATH = "0x0/v1/chat/completions"


def report() -> dict[str, Any]:
    """Measure and print the CPU time of requests over an open connection; return the figures."""
    with model_server() as address, one_core():
        programs = _programs(address)
        for send in programs.values():
            send()
        runs = alternate({name: _timed(send) for name, send in programs.items()}, RUNS)
    print(f"\nOne request, CPU ms, median [quartiles] of {RUNS} runs of {REQUESTS}; ratio to httpcore2")
    found = {name: compare(values, runs["httpcore2"]) for name, values in runs.items()}
    for name, row in found.items():
        print(f"{name:20}{row.own!s:>24}{row.ratio!s:>20}")
    return found


def _programs(address: str) -> dict[str, Callable[[], object]]:
    url = f"{address}/{PATH}"
    headers = {"content-type": "application/json"}
    pool = httpcore2.ConnectionPool()
    client = httpx2.Client(trust_env=False)
    bounded = BoundedHttpClient(egress=EgressPolicy(local=True))
    lambdas = lambda_client(address)
    return {
        "httpcore2": lambda: pool.request("POST", url, headers=[*headers.items()], content=BODY),
        "httpx2": lambda: client.post(url, headers=headers, content=BODY),
        "BoundedHttpClient": lambda: bounded.send(
            "POST", url, BODY, headers=headers, seconds=10, due=Deadline.after(10), max_bytes=65_536
        ),
        "boto3, invocation": lambda: lambdas.invoke(FunctionName="tool", Payload=BODY)["Payload"].read(),
    }


def _timed(send: Callable[[], object]) -> Callable[[], float]:
    def run() -> float:
        started = time.process_time()
        for _ in range(REQUESTS):
            send()
        return (time.process_time() - started) * 1000 / REQUESTS

    return run
