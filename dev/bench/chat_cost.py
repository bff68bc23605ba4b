"""CPU and wall time of a warm chat and of a model call, compared with a bare httpx2 loop and the openai SDK.

The model is a process of its own, so that its CPU time is not counted; the programs share one core. They run in turn
(A B A B ...), and a ratio is the median of the ratios of neighbouring runs.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dev.bench.bare_loop import bare_chat
from dev.bench.figures import Comparison, alternate, compare
from dev.bench.openai_loop import sdk_chat
from dev.bench.services import model_server, one_core
from dev.bench.tool_loop import engine, muted, quiet
from flexchat.aws.clients import create_client

WIRES = ("openai", "ollama", "gemini", "anthropic")
SHAPES = ("5x1", "3x4")
PAIRS = 11
CHATS = 20
ITERATIONS = (5, 20)
TOOLS = (2, 50, 500)

type Chat = Callable[[], Any]
type Times = tuple[float, float]
"""CPU and wall milliseconds of a chat."""


def loop() -> dict[str, Any]:
    """Measure and print the cost of a chat for every wire and shape; return the figures."""
    quiet()
    print(f"\nWarm chat, ms, median [quartiles] of {PAIRS} runs of {CHATS} chats; ratio to the bare httpx2 loop")
    print(f"{'wire':10}{'calls':6}{'program':14}{'CPU':>20}{'bare CPU':>20}{'CPU ratio':>20}{'wall':>20}")
    found: dict[str, Any] = {}
    with model_server() as address, one_core():
        for wire in WIRES:
            for shape in SHAPES:
                programs = _programs(address, wire, shape)
                rows = measure(programs, reference="httpx2")
                found[f"{wire} {shape}"] = rows
                for name, (cpu, wall) in rows.items():
                    print_row(wire, shape, name, cpu, wall)
    return found


def iterations() -> dict[str, Any]:
    """Measure and print the cost of a model call in longer chats and with more tools; return the figures."""
    quiet()
    print(f"\nCPU ms of a model call, median [quartiles] of {PAIRS} runs; ratio to the first row of each group")
    found: dict[str, Any] = {}
    with model_server() as address, one_core():
        for wire in WIRES:
            chats = {f"{n} iterations": (n, _ours(address, wire, f"{n - 1}x1")) for n in ITERATIONS}
            found[f"{wire} iterations"] = _per_call(wire, chats)
            chats = {f"{n} tools": (5, _ours(address, wire, "4x1", tools=n)) for n in TOOLS}
            found[f"{wire} tools"] = _per_call(wire, chats)
    return found


def measure(programs: Mapping[str, Chat], *, reference: str, chats: int = CHATS) -> dict[str, tuple[Any, Any]]:
    """Return the comparisons of CPU and of wall time of each program with the reference."""
    for chat in programs.values():
        _timed(chat, 1)()
    runs = alternate({name: _timed(chat, chats) for name, chat in programs.items()}, PAIRS)
    return {
        name: (_column(values, runs[reference], 0), _column(values, runs[reference], 1))
        for name, values in runs.items()
        if name != reference
    }


def _column(own: Sequence[Times], reference: Sequence[Times], index: int) -> Comparison:
    return compare([times[index] for times in own], [times[index] for times in reference])


def _timed(chat: Chat, chats: int) -> Callable[[], Times]:
    def run() -> Times:
        with muted():
            cpu, wall = time.process_time(), time.perf_counter()
            for _ in range(chats):
                chat()
            return (time.process_time() - cpu) * 1000 / chats, (time.perf_counter() - wall) * 1000 / chats

    return run


def _programs(address: str, wire: str, shape: str) -> dict[str, Chat]:
    programs: dict[str, Chat] = {
        "flexchat": _ours(address, wire, shape),
        "with invokes": _ours(address, wire, shape, lambdas=lambda_client(address)),
        "httpx2": bare_chat(wire, f"{address}/{shape}"),
    }
    if wire == "openai":
        programs["openai SDK"] = sdk_chat(f"{address}/{shape}")
    return programs


def _ours(address: str, wire: str, shape: str, *, tools: int = 12, lambdas: Any = None) -> Chat:
    base_url = f"{address}/{shape}" + ("/v1" if wire == "openai" else "")
    chat = engine(0, tools=tools, llm={"type": wire, "base_url": base_url}, lambdas=lambdas)

    def checked() -> None:
        answer = chat()
        if answer.status != "complete":
            raise RuntimeError(f"the chat on the wire {wire!r} did not finish: {answer!r}")

    return checked


def lambda_client(address: str) -> Any:
    """Return a function's Lambda client for the fake endpoint."""
    options: dict[str, Any] = {
        "region_name": "us-east-1",
        "endpoint_url": address,
        "aws_access_key_id": "bench",
        "aws_secret_access_key": "bench",
    }
    return create_client("lambda", connect_timeout=3, read_timeout=60, attempts=1, **options)


def _per_call(wire: str, chats: Mapping[str, tuple[int, Chat]]) -> dict[str, Comparison]:
    for _, chat in chats.values():
        _timed(chat, 1)()
    runs = alternate({name: _timed(chat, 3) for name, (_, chat) in chats.items()}, PAIRS)
    each = {name: [cpu / chats[name][0] for cpu, _ in values] for name, values in runs.items()}
    first = next(iter(each.values()))
    found = {name: compare(values, first) for name, values in each.items()}
    for name, row in found.items():
        print(f"{wire:10}{name:16}{row.own!s:>20}{row.ratio!s:>20}")
    return found


def print_row(wire: str, shape: str, name: str, cpu: Comparison, wall: Comparison) -> None:
    """Print one row of the table of chats."""
    row = f"{wire:10}{shape:6}{name:14}{cpu.own!s:>20}{cpu.reference!s:>20}{cpu.ratio!s:>20}{wall.own!s:>20}"
    print(row, flush=True)
