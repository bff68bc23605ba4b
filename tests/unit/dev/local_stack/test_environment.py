"""The environments of the stack's processes."""

import os
from pathlib import Path

from cli.layout import Layout
from dev.local_stack.deployment import emulated_url
from dev.local_stack.environment import RECORDER, emulator_environment, sam_environment

KEY = "AKIATHEKEYOFTHESTACK"
LAYOUT = Layout(Path("/checkout"))

OPERATOR = {
    "PATH": "/usr/bin",
    "AWS_PROFILE": "production",
    "AWS_ACCESS_KEY_ID": "AKIAREAL",
    "AWS_SESSION_TOKEN": "real",
    "SAM_CLI_POLL_DELAY": "5",
    "OPENAI_API_KEY": "sk-real",
    "PIP_INDEX_URL": "https://pip.internal/simple",
    "HTTPS_PROXY": "http://proxy:3128",
    "NO_PROXY": ".internal",
    "DOCKER_HOST": "unix:///var/run/docker.sock",
}


def test_functions_inherit_neither_the_aws_account_nor_the_secrets_of_the_developer() -> None:
    environment = emulator_environment(4567, KEY, layout=LAYOUT, environ=OPERATOR)

    assert environment == {
        "PATH": f"{LAYOUT.venv_bin}:/usr/bin:/checkout/.local/uv/bin:{os.defpath}",
        "PIP_INDEX_URL": "https://pip.internal/simple",  # for servers of MCP that pip and uvx install
        "HOME": "/checkout/.local/run/tmp",
        "TMPDIR": "/checkout/.local/run/tmp",
        "HTTPS_PROXY": "http://proxy:3128",
        "NO_PROXY": "127.0.0.1,localhost,::1,.internal",
        "no_proxy": "127.0.0.1,localhost,::1,.internal",
        "PYTHONUNBUFFERED": "1",
        "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": "4567",
        "MINISTACK_HOST": "127.0.0.1",
        "MINISTACK_REGION": "us-east-1",
        "STATE_DIR": "/checkout/.local/run/tmp/state",
        "S3_DATA_DIR": "/checkout/.local/run/tmp/s3",
        "SAVED_DATA": "/checkout/.local/data/stage.sqlite",
        "SFTP_ENABLED": "0",
        "IOT_MTLS_ENABLED": "0",
        "LAMBDA_EXECUTOR": "local",
        "LAMBDA_ACCOUNT_CONCURRENCY": "24",
        "LAMBDA_WARM_TTL_SECONDS": "300",
        "DOCKER_HOST": "unix:///checkout/.local/run/tmp/no-docker.sock",
        "PYTHONPATH": str(RECORDER),
        "RECORD_AWS_CALLS_IN": "/checkout/.local/run/aws-calls.jsonl",
        "AWS_ENDPOINT_URL": "http://127.0.0.1:4567",
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_PAGER": "",
    }


def test_sam_uses_the_python_of_the_project_and_only_the_emulator() -> None:
    environment = sam_environment("http://127.0.0.1:4567", KEY, layout=LAYOUT, environ=OPERATOR)

    assert environment["PATH"] == "/checkout/.venv/bin:/usr/bin"
    assert environment["PIP_INDEX_URL"] == "https://pip.internal/simple"
    assert environment["AWS_ENDPOINT_URL"] == "http://127.0.0.1:4567"
    assert environment["AWS_ACCESS_KEY_ID"] == KEY
    assert environment.keys().isdisjoint({"AWS_PROFILE", "AWS_SESSION_TOKEN", "SAM_CLI_POLL_DELAY"})


def test_an_api_gateway_url_becomes_the_emulator_url() -> None:
    url = emulated_url("https://a1b2c3.execute-api.us-east-1.amazonaws.com/local/", "http://127.0.0.1:4567")

    assert url == "http://127.0.0.1:4567/restapis/a1b2c3/local/_user_request_"
