"""Resident memory of a process after its start, after 500 chats and after 1,000 chats."""

import json
import subprocess
import sys
from typing import Any

from dev.bench.services import ROOT, model_server

CHATS = 500
_PROGRAM = """
import json, sys
from dev.bench.tool_loop import engine, muted, quiet

def memory():
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(status["VmRSS"].split()[0]) / 1024

quiet()
chat = engine(0, llm={"type": "ollama", "base_url": sys.argv[1]})
found = [memory()]
for _ in range(2):
    with muted():
        for _ in range(int(sys.argv[2])):
            chat()
    found.append(memory())
print(json.dumps(found))
"""


def report() -> dict[str, Any]:
    """Print the memory in MB of a process with the engine alone, without the HTTP routes and AWS clients."""
    with model_server() as address:
        command = [sys.executable, "-c", _PROGRAM, f"{address}/1x1", str(CHATS)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    start, middle, end = json.loads(done.stdout)
    print(f"\nMemory of the engine, MB: start {start:.1f}, {CHATS} chats {middle:.1f}, {2 * CHATS} chats {end:.1f}")
    return {"start": start, str(CHATS): middle, str(2 * CHATS): end}
