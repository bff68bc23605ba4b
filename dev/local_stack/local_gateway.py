"""The local gateway of the stack: the short address of the API, in front of the emulator."""

import os
import sys
from urllib.parse import urlsplit

from cli.layout import LOCAL_STAGE, Layout
from cli.processes import Processes
from dev.local_stack.environment import allowed_origins, emulator_environment
from dev.local_stack.servers import is_free, start_server

NAME = "local gateway"


def start_local_gateway(api: str, access_key_id: str, *, last: str | None, layout: Layout, processes: Processes) -> str:
    """Start the gateway in place of a running one, and return its address.

    `api` is the API's address at the emulator, which accepts `access_key_id`; `last` is the gateway's last address,
    used again if it is free.
    """
    for process in processes.running:
        if process.name == NAME:
            processes.stop(process)
    port = urlsplit(last or "").port or 0
    command = [sys.executable, "-m", "dev.local_gateway", "--api", api, "--stage", LOCAL_STAGE]
    command += ["--port", str(port if is_free(port) else 0), "--functions", str(layout.tmp / "functions")]
    for origin in allowed_origins(layout.root):
        command += ["--origin", origin]
    # Its own AWS calls are not recorded, those of its functions are.
    env = emulator_environment(urlsplit(api).port or 0, access_key_id, layout=layout, environ=os.environ)
    env["FUNCTION_PYTHONPATH"] = env.pop("PYTHONPATH")
    return start_server(NAME, command, log=layout.log("gateway"), layout=layout, processes=processes, env=env)
