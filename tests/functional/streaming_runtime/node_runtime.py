"""AWS's Node.js runtime with the handlers of `lambda_ric`; `make lambda-ric` installs its packages."""

import os
import subprocess
from pathlib import Path
from typing import Any, Final

from tests.e2e import npm
from tests.functional.streaming_runtime.api_server import ApiServer, Request, api_server

PACKAGES: Final = Path(__file__).with_name("lambda_ric")
INSTALLED: Final = npm.CACHE / "lambda-ric" / "node_modules"
SECONDS: Final = 60


def install() -> None:
    """Install the packages of the lock, unless they are there."""
    npm.install(PACKAGES, "lambda-ric")


def posted_by_node(event: dict[str, Any]) -> Request:
    """Return the request that the runtime sends for one event.

    Its native client, which needs a C++ compiler, sends unstreamed responses alone; `native_client.cjs` replaces it.
    """
    assert INSTALLED.exists(), "the runtime is not here; install it with `make lambda-ric`"
    with api_server(event) as server:
        command = [
            npm.NODE,
            "--require",
            str(PACKAGES / "native_client.cjs"),
            str(INSTALLED / "aws-lambda-ric" / "index.mjs"),
        ]
        # It ends with an error when there are no more events.
        subprocess.run(command, env=_environment(server), capture_output=True, check=False, timeout=SECONDS)  # noqa: S603
    (request,) = server.posts()
    return request


def _environment(server: ApiServer) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "AWS_LAMBDA_RUNTIME_API": server.address,
        "AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1": "true",
        "AWS_LAMBDA_FUNCTION_NAME": "chat-stream",
        "AWS_LAMBDA_FUNCTION_VERSION": "1",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024",
        "AWS_LAMBDA_LOG_GROUP_NAME": "chat-stream",
        "AWS_LAMBDA_LOG_STREAM_NAME": "1",
        "LAMBDA_TASK_ROOT": str(PACKAGES),
        "_HANDLER": "stream_handlers.handler",
    }


if __name__ == "__main__":
    install()
