"""The demo model of the local stack: started when no real model is configured."""

import os
import sys

from cli.layout import Layout
from cli.local_stack import StackState
from cli.processes import Processes
from dev.demo_model import STREAM_MS_VARIABLE
from dev.local_stack.servers import start_server

NAME = "demo model"


ANSWER_SECONDS = 5.0


def demo_model_answers(state: StackState) -> bool:
    """Return true when the demo model of a stack accepts requests and answers one, whatever its status."""
    import httpx2

    try:
        httpx2.get(f"{state.demo_model}/api/tags", timeout=ANSWER_SECONDS, trust_env=False, verify=False)
    except httpx2.HTTPError:
        return False
    return True


def start_demo_model(*, layout: Layout, processes: Processes, port: int = 0) -> str:
    """Start the demo model, by default on a free port, and return its address."""
    rate = {name: os.environ[name] for name in (STREAM_MS_VARIABLE,) if name in os.environ}
    command = [sys.executable, "-m", "dev.demo_model", "--port", str(port)]
    return start_server(NAME, command, log=layout.log("demo-model"), layout=layout, processes=processes, env=rate)
