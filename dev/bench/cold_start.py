"""Cold starts of the built chat function in a process like Lambda's, and its memory.

Each run is a fresh process of an isolated interpreter. The module path is the function's folder, the layer's, then the
modules of the Lambda runtime; bytecode is not written. A server in another process serves SSM, the tools' functions and
the model. A restore is simulated by a fork: the parent runs the hooks before a snapshot, the child the hooks after a
restore and the first chat.
"""

import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import snapshot_restore_py

from dev.bench.figures import Comparison, Figure, alternate, compare, figure
from dev.bench.packages import ROOT, newest_build
from dev.bench.services import model_server, store_parameters
from flexchat.config.document import read_source
from flexchat.config.parameters import split

WIRES = ("openai", "ollama", "gemini", "anthropic")
RUNS = 5
PAIRS = 7
MANY_CHATS = 1_000
STAGE = "bench"
BARE, SDK = (Path(__file__).with_name(name) for name in ("bare_loop.py", "openai_loop.py"))

_PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
sys.argv = sys.argv[2:]
exec(compile(open(sys.argv[0]).read(), sys.argv[0], "exec"))
"""

_START = """
import importlib, json, os, sys, time
sys.path[:0] = json.loads(sys.argv[1])
event, restores, chats = json.loads(sys.argv[2]), sys.argv[3] == "restored", int(sys.argv[4])
spent = {}

class Context:
    aws_request_id = function_name = memory_limit_in_mb = "bench"
    invoked_function_arn = "arn:aws:lambda:us-east-1:123456789012:function:bench:live"

    def get_remaining_time_in_millis(self):
        return 60_000

class Measured:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.cpu, self.wall = time.process_time(), time.perf_counter()

    def __exit__(self, *error):
        spent[self.name] = [(time.process_time() - self.cpu) * 1000, (time.perf_counter() - self.wall) * 1000]

def chat():
    event["requestContext"]["requestTimeEpoch"] = round(time.time() * 1000)
    answer = app.lambda_handler(event, Context())
    assert json.loads(answer["body"])["tool_calls"][0]["result"]["success"], answer

def resident():
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(status["VmRSS"].split()[0]) / 1024

def finish():
    before = set(sys.modules)
    with Measured("first chat"):
        chat()
    cpu, imported = time.process_time() * 1000, sorted(sys.modules.keys() - before)
    with Measured("second chat"):
        chat()
    memory = {2: resident()}
    for number in range(3, chats + 1):
        chat()
        if number in (chats // 2, chats):
            memory[number] = resident()
    print(json.dumps({"steps": spent, "memory": memory, "imported": imported, "cpu": cpu}), file=sys.stderr)

with Measured("import"):
    app = importlib.import_module("functions.chat.app")
if not restores:
    finish()
else:
    import snapshot_restore_py as hooks
    with Measured("preparation"):
        for hook, args, kwargs in reversed(hooks.get_before_snapshot()):
            hook(*args, **kwargs)
    if os.fork() == 0:
        with Measured("after the restore"):
            for hook, args, kwargs in hooks.get_after_restore():
                hook(*args, **kwargs)
        finish()
        os._exit(0)
    os.wait()
"""

_CONFIGURATION: dict[str, Any] = {
    "responses": [{"name": "all", "llm": "llm", "model": "m", "prompt": "Help.", "tools": {"enabled": True}}],
    "tools": {
        "enabled": True,
        "registry": [
            {
                "name": f"tool_{number}",
                "description": f"Look for something in place {number}",
                "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
                "implementation": {"type": "mock", "mock_response": {"found": True}},
            }
            for number in range(12)
        ],
    },
}


@dataclass(frozen=True, slots=True)
class Start:
    """CPU and wall milliseconds of the steps of a cold start, in order, and the resident memory in MB after two chats.

    `imported` are the modules that the first chat imported.
    """

    steps: Mapping[str, tuple[Figure, Figure]]
    memory: Figure
    imported: tuple[str, ...]


def report() -> dict[str, Any] | None:
    """Print the cold start of the newest build, with and without a snapshot, and return it."""
    if (build := newest_build()) is None:
        return None
    found: dict[str, Any] = {}
    with runtime() as folder:
        print(
            f"\nCPU ms of a fresh process to the end of its first chat, beside minimal programs, {PAIRS} runs in turn"
        )
        for wire in WIRES:
            for name, row in _beside_minimal_programs(build, folder, wire).items():
                found[f"{wire} beside {name}"] = row
                print(f"{wire:10}{name:12}{row.own!s:>20}{row.reference!s:>20}{row.ratio!s:>20}", flush=True)
        for wire in WIRES:
            for title, restored in (("without a snapshot", False), ("from a snapshot", True)):
                start = measured(build, folder, restored=restored, wire=wire)
                found[f"{wire} {title}"] = start
                print(f"\nCold start, {wire}, {title}, {RUNS} fresh processes: CPU ms, wall ms, median [quartiles]")
                for name, (cpu, wall) in start.steps.items():
                    print(f"{name:20}{cpu!s:>20}{wall!s:>20}")
                print(f"{'memory':20}{start.memory!s:>20} MB; the first chat imported {len(start.imported)} modules")
    return found


def memory_report() -> dict[str, Any] | None:
    """Print the resident memory of the newest build's chat function during many chats, and return it."""
    if (build := newest_build()) is None:
        return None
    with runtime() as folder, serving("ollama") as endpoint:
        found = _run(build, folder, endpoint, restored=False, chats=MANY_CHATS)["memory"]
    print("\nResident memory of the chat function, MB, by number of chats: " + json.dumps(found))
    return found


def _beside_minimal_programs(build: Path, folder: Path, wire: str) -> dict[str, Comparison]:
    """Return the cold start beside httpx2 alone, and on the OpenAI wire beside the openai SDK."""
    with serving(wire) as endpoint, _httpx_alone() as packages:
        programs: dict[str, tuple[str, ...]] = {"httpx2": (str(packages), str(BARE), wire)}
        if wire == "openai":
            programs["openai SDK"] = (sysconfig.get_path("purelib"), str(SDK))
        runs = alternate(
            {
                "own": lambda: _run(build, folder, endpoint, restored=False)["cpu"],
                **{name: partial(_minimal, f"{endpoint}/1x1", *command) for name, command in programs.items()},
            },
            PAIRS,
        )
    return {name: compare(runs["own"], runs[name]) for name in programs}


@contextmanager
def _httpx_alone() -> Generator[Path]:
    """Yield a folder with httpx2 and the packages that it needs; their metadata has their versions, which they read."""
    installed = Path(sysconfig.get_path("purelib"))
    with tempfile.TemporaryDirectory() as name:
        for package in ("anyio", "h11", "httpcore2", "httpx2", "idna", "truststore"):
            for path in (installed / package, *installed.glob(f"{package}-*.dist-info")):
                (Path(name) / path.name).symlink_to(path)
        yield Path(name)


def _minimal(base_url: str, packages: str, program: str, *arguments: str) -> float:
    """Return the CPU milliseconds of a program with the modules of one folder, started as the function is."""
    command = [sys.executable, "-I", "-S", "-B", "-c", _PROGRAM, packages, program, *arguments, base_url]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@contextmanager
def runtime() -> Generator[Path]:
    """Yield a folder with the modules of the Lambda runtime that a chat imports: the snapshot hooks' library."""
    with tempfile.TemporaryDirectory() as name:
        shutil.copy(snapshot_restore_py.__file__, name)
        yield Path(name)


def measured(build: Path, runtime: Path, *, restored: bool, runs: int = RUNS, wire: str = "openai") -> Start:
    """Return the cold start of a build's chat function, from a simulated snapshot if `restored`."""
    with serving(wire) as endpoint:
        found = [_run(build, runtime, endpoint, restored=restored) for _ in range(runs)]
    steps = {
        name: (figure([run["steps"][name][0] for run in found]), figure([run["steps"][name][1] for run in found]))
        for name in found[0]["steps"]
    }
    return Start(steps, figure([run["memory"]["2"] for run in found]), tuple(found[0]["imported"]))


@contextmanager
def serving(wire: str) -> Generator[str]:
    """Yield the address of the fake server, with the configuration for a model of `wire`."""
    with model_server() as endpoint:
        store_parameters(endpoint, split(read_source(json.dumps(configuration(wire, endpoint))), stage=STAGE))
        yield endpoint


def configuration(wire: str, endpoint: str) -> dict[str, Any]:
    """Return the configuration with a model of `wire` that requests one tool call and then answers."""
    base_url = f"{endpoint}/1x1" + ("/v1" if wire == "openai" else "")
    llm = {"type": wire, "api_key": "bench", "base_url": base_url, "models": ["m"]}
    return {**_CONFIGURATION, "llms": {"llm": llm}}


def _run(build: Path, runtime: Path, endpoint: str, *, restored: bool, chats: int = 2) -> dict[str, Any]:
    event = json.loads((ROOT / "events" / "chat-http.json").read_text("utf-8"))
    event["body"] = json.dumps({"message": "Look for the key."})
    command = [sys.executable, "-I", "-S", "-B", "-c", _START]
    paths = json.dumps(search_path(build, runtime))
    arguments = [paths, json.dumps(event), "restored" if restored else "", str(chats)]
    done = subprocess.run(
        [*command, *arguments], capture_output=True, text=True, check=False, env=environment(endpoint)
    )
    if done.returncode or not done.stderr.startswith("{"):
        raise RuntimeError(done.stderr)
    return json.loads(done.stderr.splitlines()[-1])


def search_path(build: Path, runtime: Path) -> list[str]:
    """Return the folders of the chat function, the layer and the runtime in the order of Lambda's search path."""
    layer = build / "CommonLayer" / "python"
    return [str(path) for path in (build / "ChatFunction", layer / "lib/python3.13/site-packages", layer, runtime)]


def environment(endpoint: str) -> dict[str, str]:
    """Return the environment of the chat function, with all AWS services at one address."""
    return {
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_SECRET_ACCESS_KEY": "bench",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_LAMBDA_FUNCTION_NAME": "bench",
        "FLEXCHAT_CHATS_TABLE": "bench",
        "FLEXCHAT_IDEMPOTENCY_TABLE": "bench",
        "FLEXCHAT_SIGNING_SECRET": "bench",
        "FLEXCHAT_STAGE": STAGE,
        "FLEXCHAT_TOOL_FUNCTIONS": '{"mock": "mock"}',
        "FLEXCHAT_CATALOG_TTL_SECONDS": "0",
        "POWERTOOLS_LOG_LEVEL": "CRITICAL",
        "PYDANTIC_DISABLE_PLUGINS": "__all__",
        "PYTHONTZPATH": "/usr/share/zoneinfo",
        "PATH": "",
    }
