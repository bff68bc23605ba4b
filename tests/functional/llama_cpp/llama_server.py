"""llama.cpp's server with a scripted model, whose packages `make llama-cpp` installs."""

import json
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from cli.deployment.toolchain import ensure_tool
from cli.layout import Layout
from cli.processes import Processes
from flexchat.config.models.llms import LlmConfig
from flexchat.egress.client import GuardedTransport
from flexchat.egress.policy import EgressPolicy
from flexchat.messages import Json
from functions.chat.providers.client import LlmEndpoint
from functions.chat.providers.openai.adapter import OpenAIProvider

LOCK: Final = Path(__file__).parent / "packages" / "llama-cpp.txt"
PROGRAM: Final = Path(__file__).parent / "program" / "serve.py"
LOCAL: Final = EgressPolicy(local=True)
MODEL: Final = "scripted"
CONTEXT: Final = 4096
SECONDS: Final = 30


def install() -> None:
    """Install the packages of the lock, unless they are there."""
    layout = Layout.here()
    ensure_tool(LOCK, layout=layout, processes=Processes(layout.tools / "processes.json"))


@contextmanager
def llama_server(script: Mapping[str, str], *, folder: Path, **settings: Json) -> Generator[str]:
    """Yield the base URL of a server whose model answers a message with a key of `script` with the key's text.

    The model and the log are written into `folder`.
    """
    python = Layout.here().tools / LOCK.stem / "bin" / "python"
    assert python.exists(), "llama.cpp is not here; install it with `make llama-cpp`"
    model, log = folder / "model.gguf", folder / "server.log"
    arguments = json.dumps({"script": dict(script), "model": str(model), "context": CONTEXT, **settings})
    with (
        log.open("wb") as errors,
        subprocess.Popen(  # noqa: S603
            [python, PROGRAM, arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as server,
    ):
        assert server.stdout is not None
        try:
            address = server.stdout.readline().strip()
            assert address, log.read_text()
            yield f"{address}/v1"
        finally:
            server.terminate()
            server.wait(SECONDS)


@contextmanager
def endpoint_at(base_url: str, api_key: str | None = None, **fields: Any) -> Generator[LlmEndpoint]:
    """Yield the endpoint of a server, whose connections are closed at the end."""
    # One more attempt: the server closes an idle connection while a request is on its way.
    settings = {"type": "openai", "base_url": base_url, "api_key": api_key, "max_retries": 1, **fields}
    config = LlmConfig.model_validate(settings)
    with GuardedTransport(LOCAL) as transport:
        yield LlmEndpoint("local", config, transport=transport)


@contextmanager
def provider_at(base_url: str, api_key: str | None = None, **fields: Any) -> Generator[OpenAIProvider]:
    with endpoint_at(base_url, api_key, **fields) as endpoint:
        yield OpenAIProvider(endpoint.name, endpoint.config, transport=endpoint.transport)


if __name__ == "__main__":
    install()
