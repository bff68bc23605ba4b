"""Servers of the local stack refuse requests of web pages, and the emulator those without its key."""

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.session import Session

from cli.deployment.environment_file import environment_file
from cli.layout import Layout
from cli.local_stack import StackState
from dev.local_stack.page import PageServer
from tests.e2e.conftest import AwsClients
from tests.e2e.serving import serving

SERVERS = ("emulator", "gateway", "demo model", "page server")
PATHS = {
    "emulator": "/_ministack/health",
    "gateway": "/health",
    "demo model": "/v1/models",
    "page server": "/health",
}

WEBSOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@pytest.fixture(scope="module")
def addresses(stack: StackState, layout: Layout) -> Iterator[dict[str, str]]:
    assert stack.demo_model is not None
    with (
        PageServer(layout.root / "functions" / "page" / "src", lambda: stack.url) as server,
        serving(server),
    ):
        yield dict(zip(SERVERS, (stack.endpoint, stack.url, stack.demo_model, server.url.rstrip("/")), strict=True))


@pytest.fixture
def client() -> Iterator[httpx2.Client]:
    """HTTP client without a base address and without credentials."""
    with httpx2.Client(timeout=60, trust_env=False) as client:
        yield client


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]", "host.docker.internal"])
def test_clients_that_are_no_browser_reach_each_server(
    addresses: dict[str, str], client: httpx2.Client, server: str, name: str
) -> None:
    address = addresses[server]

    answer = client.get(address + PATHS[server], headers={"Host": f"{name}:{urlsplit(address).port}"})

    assert answer.status_code == 200


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize(
    "header",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:9"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Origin": "https://evil.example", **WEBSOCKET},
    ],
    ids=str,
)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_requests_of_web_pages_are_refused(
    addresses: dict[str, str], client: httpx2.Client, server: str, header: dict[str, str], method: str
) -> None:
    answer = client.request(method, addresses[server] + PATHS[server], headers=header)

    assert answer.status_code == 403
    if "Upgrade" not in header:  # a refused websocket has no body
        assert answer.json()["error"] == "forbidden"
    assert not [name for name in answer.headers if name.startswith("access-control-")]


@pytest.mark.parametrize(
    ("method", "path", "headers", "body"),
    [
        pytest.param(
            "POST",
            "/",
            {"X-Amz-Target": "AmazonSSM.GetParametersByPath", "Content-Type": "text/plain"},
            '{"Path": "/flexchat/local", "Recursive": true, "WithDecryption": true}',
            id="parameters",
        ),
        pytest.param(
            "POST",
            "/",
            {"X-Amz-Target": "secretsmanager.ListSecrets", "Content-Type": "text/plain"},
            "{}",
            id="secrets",
        ),
        pytest.param("GET", "/2015-03-31/functions", {}, "", id="functions"),
        pytest.param(
            "POST",
            "/2015-03-31/functions/flexchat-local-chat/invocations",
            {"Content-Type": "text/plain"},
            "{}",
            id="invocation",
        ),
        pytest.param(
            "POST",
            "/",
            {"Content-Type": "application/x-www-form-urlencoded"},
            "Action=CreateQueue&QueueName=foreign&Version=2012-11-05",
            id="form",
        ),
        pytest.param("GET", "/?Action=ListQueues&Version=2012-11-05", {}, "", id="query"),
        pytest.param("GET", "/", {}, "", id="buckets"),
        pytest.param("POST", "/_ministack/reset", {}, "", id="reset"),
    ],
)
def test_the_emulator_refuses_unsigned_requests(
    stack: StackState, client: httpx2.Client, method: str, path: str, headers: dict[str, str], body: str
) -> None:
    answer = client.request(method, stack.endpoint + path, headers=headers, content=body)

    assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")
    assert "the request is not signed; set AWS_ACCESS_KEY_ID to the access_key_id" in answer.json()["message"]


def test_the_emulator_serves_deployed_apis_to_no_page_but_their_own(stack: StackState, client: httpx2.Client) -> None:
    token = {"Authorization": f"Bearer {stack.token}"}
    url = f"{stack.emulated_url}/api/me"

    assert client.get(url, headers=token).status_code == 200
    assert client.get(url, headers={**token, "Origin": stack.endpoint}).status_code == 200
    assert client.get(url, headers={**token, "Origin": stack.url}).status_code == 403
    assert client.get(url, headers={**token, "Sec-Fetch-Site": "same-site"}).status_code == 403


def test_the_emulator_refuses_code_and_layers_without_the_key(
    stack: StackState, client: httpx2.Client, aws: AwsClients
) -> None:
    function: Any = aws.lambdas().get_function(FunctionName="flexchat-local-chat")
    layers = function["Configuration"]["Layers"]
    layer: Any = aws.lambdas().get_layer_version_by_arn(Arn=layers[0]["Arn"])

    for location in (function["Code"]["Location"], layer["Content"]["Location"]):
        assert location.startswith(stack.endpoint)
        assert client.get(location).status_code == 403


@pytest.mark.parametrize("key", ["test", "000000000000", "AKIAAAAAAAAAAAAAAAAA"])
def test_another_access_key_id_is_refused_with_the_way_to_the_right_one(stack: StackState, key: str) -> None:
    session = Session(session_vars={"profile": (None, None, None, None)})
    ssm: Any = session.create_client(
        "ssm",
        region_name="us-east-1",
        endpoint_url=stack.endpoint,
        aws_access_key_id=key,
        aws_secret_access_key="local",
        config=Config(retries={"total_max_attempts": 1}, proxies={}),
    )

    with pytest.raises(ClientError, match=r"signed with another key; set AWS_ACCESS_KEY_ID to the access_key_id in"):
        ssm.describe_parameters()


def test_presigned_urls_need_the_key_too(stack: StackState, client: httpx2.Client, aws: AwsClients) -> None:
    s3 = aws.client("s3")
    bucket = s3.list_buckets()["Buckets"][0]["Name"]
    url = s3.generate_presigned_url("list_objects_v2", Params={"Bucket": bucket})

    assert client.get(url).status_code == 200
    assert client.get(url.replace(stack.access_key_id, "test")).status_code == 403


def test_files_with_the_token_or_the_key_are_readable_by_their_owner_alone(stack: StackState, layout: Layout) -> None:
    secrets = (stack.token.encode(), stack.access_key_id.encode())
    walked = list(files_below(layout.local))
    holding = [path for path in walked if any(secret in content_of(path) for secret in secrets)]

    assert layout.state in holding
    assert [path for path in (*holding, environment_file(layout.root, "local")) if is_open(path)] == []
    assert [path for path in (layout.local, layout.run, layout.tmp, layout.logs) if is_open(path)] == []
    assert [path for path in (*layout.logs.glob("*"), layout.processes) if is_open(path)] == []


def files_below(folder: Path) -> Iterator[Path]:
    """Yield the files below `folder`, without those of installed tools."""
    for parent, folders, names in folder.walk():
        folders[:] = [name for name in folders if name not in ("tools", "uv", "cache", "unpacked")]
        yield from (parent / name for name in names)


def content_of(path: Path) -> bytes:
    """Return the content of a file; a file that ended meanwhile has none."""
    try:
        return path.read_bytes() if stat.S_ISREG(path.lstat().st_mode) else b""
    except FileNotFoundError:
        return b""


def is_open(path: Path) -> bool:
    """Return true for a file that others than its owner may use."""
    return bool(path.stat().st_mode & 0o077)
