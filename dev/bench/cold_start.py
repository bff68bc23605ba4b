"""Cold starts of the built chat function in a process like Lambda's, and the sizes of the built packages.

Each run is a fresh process of an isolated interpreter. The module path is the function's folder, the layer's, then the
modules of the Lambda runtime; bytecode is not written. A server in another process serves SSM, the tools' functions and
the model. A restore is simulated by a fork: the parent runs the hooks before a snapshot, the child the hooks after a
restore and the first chat.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import snapshot_restore_py

from dev.bench.figures import Figure, figure
from dev.bench.services import model_server, store_parameters
from flexchat.config.document import read_source
from flexchat.config.parameters import split

ROOT = Path(__file__).parents[2]
BUILDS = (ROOT / ".aws-sam" / "build", ROOT / ".local" / "sam" / "build")
"""Build folders of `make build` and `make up`."""

WIRES = ("openai", "ollama", "gemini", "anthropic")
RUNS = 5
UNZIPPED_LIMIT_MB = 250
"""Limit of a function with its layers (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html)."""

STAGE = "bench"

_START = """
import importlib, json, os, sys, time
sys.path[:0] = json.loads(sys.argv[1])
event, restores = json.loads(sys.argv[2]), sys.argv[3] == "restored"
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

def finish():
    before = set(sys.modules)
    with Measured("first chat"):
        chat()
    imported = sorted(sys.modules.keys() - before)
    with Measured("second chat"):
        chat()
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    memory = int(status["VmHWM"].split()[0]) / 1024
    print(json.dumps({"steps": spent, "memory": memory, "imported": imported}), file=sys.stderr)

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
    """CPU and wall milliseconds of the steps of a cold start, in order, and the maximum memory in MB.

    `imported` are the modules that the first chat imported.
    """

    steps: Mapping[str, tuple[Figure, Figure]]
    memory: Figure
    imported: tuple[str, ...]


def newest_build() -> Path | None:
    """Return the newest build folder, None without one."""
    builds = [build for build in BUILDS if (build / "template.yaml").is_file()]
    if not builds:
        print("\nNo build was found; run `make build` or `make up` first")
        return None
    return max(builds, key=lambda path: (path / "template.yaml").stat().st_mtime)


def report() -> dict[str, Any] | None:
    """Print the cold start of the newest build, with and without a snapshot, and return it."""
    if (build := newest_build()) is None:
        return None
    found: dict[str, Any] = {}
    with runtime() as folder:
        for wire in WIRES:
            for title, restored in (("without a snapshot", False), ("from a snapshot", True)):
                start = measured(build, folder, restored=restored, wire=wire)
                found[f"{wire} {title}"] = start
                print(f"\nCold start, {wire}, {title}, {RUNS} fresh processes: CPU ms, wall ms, median [quartiles]")
                for name, (cpu, wall) in start.steps.items():
                    print(f"{name:20}{cpu!s:>20}{wall!s:>20}")
                print(f"{'memory':20}{start.memory!s:>20} MB; the first chat imported {len(start.imported)} modules")
    return found


def size_report() -> dict[str, Any] | None:
    """Print the sizes of the newest build's packages and return them."""
    if (build := newest_build()) is None:
        return None
    print("\nSizes of the packages in MB, and of a function with its layer as a share of Lambda's limit")
    print(f"{'package':24}{'unzipped':>10}{'bytecode':>10}{'zip':>8}{'of limit':>10}")
    rows = sizes(build)
    for row in rows:
        share = f"{row.share:10.0%}" if row.share is not None else ""
        print(f"{row.name:24}{row.unzipped:10.1f}{row.bytecode:10.1f}{row.zipped:8.1f}{share}")
    return {row.name: row for row in rows}


@contextmanager
def runtime() -> Generator[Path]:
    """Yield a folder with the modules of the Lambda runtime that a chat imports: the snapshot hooks' library."""
    with tempfile.TemporaryDirectory() as name:
        shutil.copy(snapshot_restore_py.__file__, name)
        yield Path(name)


def measured(build: Path, runtime: Path, *, restored: bool, runs: int = RUNS, wire: str = "openai") -> Start:
    """Return the cold start of a build's chat function, from a simulated snapshot if `restored`."""
    with model_server() as endpoint:
        store_parameters(endpoint, split(read_source(json.dumps(configuration(wire, endpoint))), stage=STAGE))
        found = [_run(build, runtime, endpoint, restored=restored) for _ in range(runs)]
    steps = {
        name: (figure([run["steps"][name][0] for run in found]), figure([run["steps"][name][1] for run in found]))
        for name in found[0]["steps"]
    }
    return Start(steps, figure([run["memory"] for run in found]), tuple(found[0]["imported"]))


def configuration(wire: str, endpoint: str) -> dict[str, Any]:
    """Return the configuration with a model of `wire` that requests one tool call and then answers."""
    base_url = f"{endpoint}/1x1" + ("/v1" if wire == "openai" else "")
    llm = {"type": wire, "api_key": "bench", "base_url": base_url, "models": ["m"]}
    return {**_CONFIGURATION, "llms": {"llm": llm}}


def _run(build: Path, runtime: Path, endpoint: str, *, restored: bool) -> dict[str, Any]:
    event = json.loads((ROOT / "events" / "chat-http.json").read_text("utf-8"))
    event["body"] = json.dumps({"message": "Look for the key."})
    layer = build / "CommonLayer" / "python"
    folders = [build / "ChatFunction", layer / "lib" / "python3.13" / "site-packages", layer, runtime]
    environment = {
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_SECRET_ACCESS_KEY": "bench",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": endpoint,
        "FLEXCHAT_CHATS_TABLE": "bench",
        "FLEXCHAT_IDEMPOTENCY_TABLE": "bench",
        "FLEXCHAT_SIGNING_SECRET": "bench",
        "FLEXCHAT_STAGE": STAGE,
        "FLEXCHAT_TOOL_FUNCTIONS": '{"mock": "mock"}',
        "FLEXCHAT_CATALOG_TTL_SECONDS": "0",
        "POWERTOOLS_LOG_LEVEL": "CRITICAL",
        "PATH": "",
    }
    command = [sys.executable, "-I", "-S", "-B", "-c", _START]
    arguments = [json.dumps([str(folder) for folder in folders]), json.dumps(event), "restored" if restored else ""]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, env=environment)
    if done.returncode or not done.stderr.startswith("{"):
        raise RuntimeError(done.stderr)
    return json.loads(done.stderr.splitlines()[-1])


@dataclass(frozen=True, slots=True)
class Size:
    """Return the size of a package in MB; `share` is its part of the combined limit, `None` for a layer."""

    name: str
    unzipped: float
    bytecode: float
    zipped: float
    share: float | None


def sizes(build: Path) -> list[Size]:
    """Return the sizes of a build's packages, the layer first."""
    folders = sorted((path for path in build.iterdir() if path.is_dir()), key=lambda path: (path / "python").is_dir())
    layer = sum(_unzipped(path) for path in folders if (path / "python").is_dir())
    return [
        Size(
            name=path.name,
            unzipped=_unzipped(path),
            bytecode=_unzipped(path, "*.pyc"),
            zipped=_zipped(path),
            share=None if (path / "python").is_dir() else (_unzipped(path) + layer) / UNZIPPED_LIMIT_MB,
        )
        for path in reversed(folders)
    ]


def _unzipped(folder: Path, pattern: str = "*") -> float:
    return sum(path.stat().st_size for path in folder.rglob(pattern) if path.is_file()) / 1_048_576


def _zipped(folder: Path) -> float:
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.rglob("*")):
                archive.write(path, path.relative_to(folder))
        return file.tell() / 1_048_576
