"""Streaming routes of the deployed API and the code of their functions, read from the AWS emulator."""

import io
import os
import shutil
import sys
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from zipfile import ZipFile

from boto3.session import Session
from botocore.config import Config

from dev.local_gateway.authorizer import Authorizer
from dev.local_gateway.proxy_event import DeployedApi
from dev.local_gateway.stream_routes import StreamingApi, stream_routes
from dev.local_stack.launcher.emulator_access import KEY_HEADER
from dev.runtime_api.pool import RuntimePool, RuntimeProcess

WRAPPER = "AWS_LAMBDA_EXEC_WRAPPER"
TASK_ROOT = "/var/task"
ENVIRONMENTS = 64
"""Processes of one function at most."""
OWN = ("PATH", "LANG", "LC_ALL", "TMPDIR", "HOME", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "no_proxy")
OWN_PREFIXES = ("AWS_", "SSL_CERT_", "RECORD_AWS_CALLS_")


def streaming_api(api_id: str, stage: str, *, folder: Path, log: Callable[[str, bytes], None]) -> StreamingApi:
    """Return the streaming routes of an API; its functions are unpacked into `folder` at their first request.

    `log` receives the name of a function and a line of its output.
    """
    gateway, lambdas = aws_client("apigateway"), aws_client("lambda")
    resources: Any = gateway.get_resources(restApiId=api_id, embed=["methods"], limit=500)["items"]
    routes = tuple(stream_routes(resources))
    authorizers = {
        found["id"]: _authorizer(found, lambdas) for found in gateway.get_authorizers(restApiId=api_id)["items"]
    }

    def pool(function: str) -> RuntimePool:
        described: Any = lambdas.get_function(FunctionName=function)
        name = described["Configuration"]["FunctionName"]
        runtime = runtime_process(described, _layers(described, lambdas), folder / name, os.environ)
        return RuntimePool(runtime, limit=ENVIRONMENTS, log=lambda line: log(name, line))

    account = routes[0].function.split(":")[4] if routes else ""
    variables: Mapping[str, str] = gateway.get_stage(restApiId=api_id, stageName=stage).get("variables") or {}
    return StreamingApi(
        DeployedApi(api_id, stage, account, variables), os.environ["AWS_REGION"], routes, authorizers, pool
    )


def runtime_process(
    function: Mapping[str, Any], layers: Sequence[str], folder: Path, environ: Mapping[str, str]
) -> RuntimeProcess:
    """Unpack a function and its layers as Lambda does, and return the start of its runtime.

    `layers` are addresses of archives. The executable of AWS_LAMBDA_EXEC_WRAPPER is started with the runtime's command.
    """
    settings = function["Configuration"]
    task, opt = folder / "task", folder / "opt"
    shutil.rmtree(folder, ignore_errors=True)  # of the deployment before
    key = environ["AWS_ACCESS_KEY_ID"]
    _unpack(function["Code"]["Location"], task, key)
    for layer in layers:
        _unpack(layer, opt, key)
    variables: dict[str, str] = settings["Environment"]["Variables"]
    wrapper = task / variables[WRAPPER].removeprefix(f"{TASK_ROOT}/")
    wrapper.chmod(0o755)
    own = {name: value for name, value in environ.items() if name in OWN or name.startswith(OWN_PREFIXES)}
    paths = (environ.get("FUNCTION_PYTHONPATH", ""), str(opt / "python"))
    return RuntimeProcess(
        command=(str(wrapper), sys._base_executable, "bootstrap.py"),  # type: ignore[attr-defined] # noqa: SLF001 # pyright: ignore
        environment={
            **own,
            **variables,
            "AWS_ENDPOINT_URL": environ["AWS_ENDPOINT_URL"],
            "AWS_LAMBDA_FUNCTION_NAME": settings["FunctionName"],
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(settings["MemorySize"]),
            "AWS_LAMBDA_FUNCTION_VERSION": settings["Version"],
            "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{settings['FunctionName']}",
            "AWS_LAMBDA_LOG_STREAM_NAME": "local",
            "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
            "LAMBDA_TASK_ROOT": str(task),
            "LAMBDA_RUNTIME_DIR": str(folder / "runtime"),
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "_HANDLER": settings["Handler"],
        },
        folder=task,
        function_arn=settings["FunctionArn"],
        timeout=settings["Timeout"],
    )


def _layers(function: Mapping[str, Any], lambdas: Any) -> list[str]:
    return [
        lambdas.get_layer_version_by_arn(Arn=layer["Arn"])["Content"]["Location"]
        for layer in function["Configuration"].get("Layers", [])
    ]


def _unpack(location: str, folder: Path, key: str) -> None:
    request = urllib.request.Request(location, headers={KEY_HEADER.decode(): key})  # noqa: S310 - of the emulator
    with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 - the same
        ZipFile(io.BytesIO(response.read())).extractall(folder)


def _authorizer(found: Mapping[str, Any], lambdas: Any) -> Authorizer:
    function = str(found["authorizerUri"]).partition("/functions/")[2].removesuffix("/invocations")
    source = str(found.get("identitySource") or "method.request.header.Authorization")
    header = source.rpartition(".")[2].lower()
    return Authorizer(lambdas, function, found["type"], header, float(found.get("authorizerResultTtlInSeconds", 300)))


def aws_client(service: str) -> Any:
    """Return a client for the account in the environment."""
    config = Config(retries={"mode": "standard", "total_max_attempts": 2}, proxies={}, max_pool_connections=64)
    return cast("Any", Session()).client(service, config=config)
