"""Build and deployment of the template to the emulator by SAM."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from boto3.session import Session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from cli.deployment.environment_file import API_OUTPUT, write_environment_file
from cli.deployment.sam import compile_command, package_locks, reliable_cache
from cli.deployment.settings import host_architecture
from cli.errors import LocalError
from cli.layout import LOCAL_STAGE, Layout
from cli.local_stack import REGION
from cli.processes import Processes
from dev.local_stack.environment import STACK, recorded, sam_environment, stage_parameters
from dev.local_stack.event_sources import correct_concurrency
from dev.local_stack.gateway import gateway_responses, put_gateway_responses

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient

_MAX_COMMANDS = 4_096
_COMMANDS = re.compile(r"[a-zA-Z0-9_./*+,-]*")
"""Text that the parameter `McpCommands` accepts."""

LOCAL_COMMANDS = (
    *("bun", "bunx", "deno", "docker", "node", "npm", "npx", "pipx", "pnpm", "pnpx"),
    *("podman", "python3", "uv", "uvx", "yarn"),
)
"""Usual commands of MCP servers, always allowed at the local stage: its user can start them as well."""

NOWHERE = "http://127.0.0.1:9"
"""Address for a build, which needs no AWS; a request to it fails immediately."""
NO_KEY = "none"


def build(tool: Path, *, layout: Layout, processes: Processes) -> None:
    """Build the layer and the functions into `.local/sam/build`, with bytecode and a cache of unchanged parts."""
    with reliable_cache(layout.sam / "build"):
        processes.complete(
            "sam build",
            [
                *(tool / "sam", "build", "--config-env", "local", "--cached", "--parallel"),
                *("--template-file", layout.template),
                *("--build-dir", layout.sam / "build", "--cache-dir", layout.sam / "cache"),
                *("--parameter-overrides", *parameters(layout, ())),
            ],
            env={
                **sam_environment(NOWHERE, NO_KEY, layout=layout, environ=os.environ),
                "PIP_CONSTRAINT": package_locks(layout.root),
            },
            cwd=layout.root,
            log=layout.log("build"),
        )
    processes.complete(
        "compiling the build",
        compile_command(layout, layout.sam / "build"),
        env=os.environ,
        cwd=layout.root,
        log=layout.log("compile"),
    )


def deploy(
    tool: Path,
    endpoint: str,
    access_key_id: str,
    *,
    mcp_commands: Sequence[str],
    layout: Layout,
    processes: Processes,
) -> str:
    """Deploy the build to the emulator at `endpoint`; return the API's address there, without a trailing slash.

    MCP servers may be started with `mcp_commands`. The environment of the process must be that of the emulator.
    """
    processes.complete(
        "sam deploy",
        [
            *(tool / "sam", "deploy", "--config-env", "local", "--config-file", layout.root / "samconfig.toml"),
            *("--template-file", layout.sam / "build" / "template.yaml"),
            *("--stack-name", STACK, "--region", REGION, "--no-progressbar"),
            *("--parameter-overrides", *parameters(layout, mcp_commands)),
        ],
        env={
            **sam_environment(endpoint, access_key_id, layout=layout, environ=os.environ),
            **recorded(layout, principal="deployer"),
        },
        cwd=layout.root,
        log=layout.log("deploy"),
    )
    try:
        outputs = _outputs()
        write_environment_file(layout.root, LOCAL_STAGE, outputs)
        return complete_emulated_stage(outputs[API_OUTPUT], endpoint, stack=STACK, stage=LOCAL_STAGE)
    except (BotoCoreError, ClientError) as error:
        raise LocalError(f"the deployed stack cannot be described: {error}") from error


def parameters(layout: Layout, mcp_commands: Sequence[str]) -> tuple[str, ...]:
    """Return the template's parameters: those of `samconfig.toml`, which the command line replaces, and the commands.

    Raises LocalError for commands that the template does not accept.
    """
    commands = ",".join(sorted({*LOCAL_COMMANDS, *mcp_commands}))
    if not _COMMANDS.fullmatch(commands) or len(commands) > _MAX_COMMANDS:
        raise LocalError(
            f"the commands of the MCP servers, {commands!r}, have more than {_MAX_COMMANDS:,} characters, or others"
            " than letters, digits and _ . / + -; use commands on the PATH of the local stack without a folder, such as"
            " node"
        )
    return (*stage_parameters(layout.root), f"Architecture={host_architecture()}", f"McpCommands={commands}")


def complete_emulated_stage(url: str, endpoint: str, *, stack: str, stage: str) -> str:
    """Return the emulator's address of the API that AWS would serve at `url`.

    Before that, apply the parts of a deployment that the emulator omits: the API's gateway responses, and numbers in
    the format of its queue poller.
    """
    cloudformation = cast("CloudFormationClient", _client("cloudformation"))
    template = cloudformation.get_template(StackName=stack, TemplateStage="Processed")["TemplateBody"]
    responses = gateway_responses(template)
    put_gateway_responses(_client("apigateway"), responses, api=_api_id(url), stage=stage)
    correct_concurrency(_client("lambda"), stage=stage)
    return emulated_url(url, endpoint)


def emulated_url(url: str, endpoint: str) -> str:
    """Return the emulator's address of the API at `url`, an execute-api address with the stage as its path."""
    return f"{endpoint}/restapis/{_api_id(url)}{urlsplit(url).path.rstrip('/')}/_user_request_"


def _api_id(url: str) -> str:
    return urlsplit(url).netloc.partition(".")[0]


def _client(service: str) -> Any:
    """Return a client for the account in the environment."""
    config = Config(retries={"mode": "standard", "total_max_attempts": 2}, proxies={})
    return cast("Any", Session()).client(service, config=config)


def _outputs() -> dict[str, str]:
    """Return the outputs of the deployed stack."""
    cloudformation = cast("CloudFormationClient", _client("cloudformation"))
    stack = cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]
    return {output.get("OutputKey", ""): output.get("OutputValue", "") for output in stack.get("Outputs", [])}
