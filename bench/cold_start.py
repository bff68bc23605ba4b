"""A cold start: a fresh process from nothing to its first finished chat, and what memory it has then."""

import json
import subprocess
import sys
from statistics import median

RUNS = 5

_FIRST_CHAT = """
import time; started = time.perf_counter()
import functions.chat.app
imported = time.perf_counter()
from bench.tool_loop import engine
from flexchat.observability import logger
logger.setLevel("CRITICAL")
run = engine(5); run()
done = time.perf_counter()
import json, resource
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"import": (imported - started) * 1000, "chat": (done - started) * 1000, "memory": memory}))
"""


def report() -> None:
    """Print the median of several fresh processes."""
    runs = [_run() for _ in range(RUNS)]
    print("\nCold start of the chat function, fresh process, median of 5 (openai package included)")
    print(f"imports            {median(run['import'] for run in runs):8.0f} ms")
    print(f"first chat ends at {median(run['chat'] for run in runs):8.0f} ms")
    print(f"memory             {median(run['memory'] for run in runs):8.0f} MB")


def _run() -> dict[str, float]:
    environment = {"POWERTOOLS_METRICS_DISABLED": "true", "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_CHAT], capture_output=True, text=True, check=True, env=environment
    )
    return json.loads(done.stdout.splitlines()[-1])
