"""Access to the AWS emulator."""

import asyncio
from typing import Any

import httpx2
import pytest
from botocore.config import Config
from botocore.session import Session

from dev.local_stack.launcher.emulator_access import KEY_HEADER, EmulatorAccess, UploadForms
from dev.local_stack.launcher.launch_ministack import own_credentials
from dev.request_check import CheckedApplication

KEY = "AKIATHEKEYOFTHESTACK"
PORT = 4567
OWN_HOST = ("host", f"127.0.0.1:{PORT}")
UNSIGNED = "the request is not signed; set AWS_ACCESS_KEY_ID to the access_key_id in .local/stack.json"


def scope(*headers: tuple[str, str], method: str = "POST", path: str = "/", query: str = "") -> dict[str, Any]:
    return {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }


def refusal(*headers: tuple[str, str], **request: str) -> str | None:
    return EmulatorAccess(PORT, KEY).refusal(scope(OWN_HOST, *headers, **request))


def signed(key: str) -> tuple[str, str]:
    scope = "20260101/us-east-1/ssm/aws4_request"
    return "authorization", f"AWS4-HMAC-SHA256 Credential={key}/{scope}, SignedHeaders=host, Signature=0"


def presigned(key: str, version: str = "s3v4") -> str:
    session = Session()
    session.set_credentials(key, "local")
    config = Config(s3={"addressing_style": "path"}, signature_version=version)
    client: Any = session.create_client("s3", region_name="us-east-1", config=config)
    return client.generate_presigned_url("get_object", Params={"Bucket": "b", "Key": "k"}).partition("?")[2]


def test_requests_with_the_key_of_the_stack_are_allowed() -> None:
    assert refusal(signed(KEY)) is None
    for version in ("s3v4", "s3"):
        assert refusal(query=presigned(KEY, version), method="GET", path="/b/k") is None


@pytest.mark.parametrize(
    "request_of_a_page",
    [
        ("POST", "/2015-03-31/functions"),
        ("POST", "/2015-03-31/functions/f/invocations"),
        ("GET", "/_ministack/lambda-code/000000000000/us-east-1/f"),
        ("GET", "/_ministack/lambda-layers/000000000000/us-east-1/l/1/content"),
        ("POST", "/_ministack/reset"),
        ("POST", "/_ministack/config"),
        ("POST", "/_ministack/health"),
        ("GET", "/_ministack/health/"),
        ("GET", "/restapis/a1b2c3"),
        ("GET", "/restapis/a1b2c3/stages/local"),
        ("POST", "/restapis/a1b2c3/local/_user_request_x"),
        ("POST", "/x/restapis/a1b2c3/local/_user_request_/api/chat"),
        ("POST", "/_aws/execute-api/a1b2c3/local/api/chat"),
        ("POST", "/restapis/a1b2c3/local/x/_user_request_/api/chat"),
        ("OPTIONS", "/"),
    ],
)
def test_requests_without_a_key_are_refused(request_of_a_page: tuple[str, str]) -> None:
    method, path = request_of_a_page

    assert refusal(("content-type", "text/plain"), method=method, path=path) == UNSIGNED


@pytest.mark.parametrize("key", ["test", "000000000000", "", KEY.lower(), f"{KEY}X", KEY[:-1]])
def test_requests_with_another_key_are_refused(key: str) -> None:
    reason = UNSIGNED.replace("not signed", "signed with another key")

    assert refusal(signed(key)) == reason
    for version in ("s3v4", "s3"):
        assert refusal(query=presigned(key or "x", version)) == reason


@pytest.mark.parametrize(
    "value", [f"Bearer {KEY}", f"AWS {KEY}:x", f"Credential={KEY}/", f"AWS4-HMAC-SHA256 X={KEY}/", KEY, ""]
)
def test_the_key_counts_only_as_the_credential_of_a_signature(value: str) -> None:
    assert refusal(("authorization", value)) is not None


def test_a_second_credential_must_be_the_key_too() -> None:
    assert refusal(signed(KEY), signed("test")) is not None
    assert refusal(signed(KEY), query=presigned("test")) is not None


@pytest.mark.parametrize(
    "header",
    [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", f"http://127.0.0.1:{PORT}"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-site", "same-origin"),
    ],
)
def test_a_request_of_a_web_page_is_refused_even_with_the_key(header: tuple[str, str]) -> None:
    assert refusal(signed(KEY), header) is not None
    assert refusal(header, method="GET", path="/_ministack/health") is not None


def test_another_host_is_refused_even_with_the_key() -> None:
    access = EmulatorAccess(PORT, KEY)

    assert access.refusal(scope(("host", f"evil.example:{PORT}"), signed(KEY))) is not None
    assert access.refusal(scope(("host", f"s3.127.0.0.1.nip.io:{PORT}"), signed(KEY))) is not None
    assert access.refusal(scope(("host", f"localhost:{PORT}"), signed(KEY))) is None


@pytest.mark.parametrize("path", ["", "/", "/api/chat"])
def test_deployed_apis_are_called_with_their_own_tokens_and_by_their_own_page_alone(path: str) -> None:
    api = f"/restapis/a1b2c3/second/_user_request_{path}"
    own = (("origin", f"http://127.0.0.1:{PORT}"), ("sec-fetch-site", "same-origin"))

    assert refusal(("authorization", "Bearer t"), path=api) is None
    assert refusal(*own, path=api) is None
    for header in (("origin", "null"), ("origin", "http://127.0.0.1:9"), ("sec-fetch-site", "same-site")):
        assert refusal(header, path=api) is not None
    assert EmulatorAccess(PORT, KEY).refusal(scope(("host", "evil.example"), path=api)) is not None


def test_the_health_is_public() -> None:
    assert refusal(method="GET", path="/_ministack/health") is None


def test_a_request_that_the_gateway_has_checked_is_passed_without_the_header_of_the_gateway() -> None:
    page = (("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8080"), ("sec-fetch-site", "same-origin"))
    forwarded = scope(*page, (KEY_HEADER.decode(), KEY))

    assert EmulatorAccess(PORT, KEY).refusal(forwarded) is None
    assert forwarded["headers"] == scope(*page)["headers"]


def test_a_false_or_repeated_header_of_the_gateway_allows_nothing() -> None:
    header = (KEY_HEADER.decode(), KEY)

    assert refusal((KEY_HEADER.decode(), "test")) is not None
    assert refusal(header, header) is not None
    assert refusal(header, (KEY_HEADER.decode(), "test")) is not None


def test_a_websocket_is_checked_too() -> None:
    request = {**scope(OWN_HOST), "type": "websocket"}
    del request["method"]

    assert EmulatorAccess(PORT, KEY).refusal(request) == UNSIGNED
    assert EmulatorAccess(PORT, KEY).refusal({**request, "path": "/_ministack/health"}) == UNSIGNED


def test_functions_of_the_emulator_have_its_key() -> None:
    credentials = own_credentials({"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": "local", "OTHER": "x"})

    assert credentials({"FunctionArn": "arn:aws:lambda:us-east-1:000000000000:function:f"}) == {
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_SESSION_TOKEN": "",
    }


def upload_form(key: str) -> httpx2.Request:
    session = Session()
    session.set_credentials(key, "local")
    client: Any = session.create_client("s3", region_name="us-east-1", config=Config(signature_version="s3v4"))
    form = client.generate_presigned_post("the-bucket", "files/a")
    return httpx2.Request("POST", form["url"], data=form["fields"], files={"file": ("a.png", b"x" * 100_000)})


def sent(request: httpx2.Request, *headers: tuple[str, str], path: str = "/the-bucket", size: int = 1000) -> Any:
    """Return the body that the emulator gets, or the status of the refusal."""
    body = request.read()
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    messages: list[dict[str, Any]] = [
        {"type": "http.request", "body": piece, "more_body": number < len(pieces)}
        for number, piece in enumerate(pieces, 1)
    ]
    outcome: list[Any] = []

    async def application(_scope: Any, receive: Any, _send: Any) -> None:
        received, more = b"", True
        while more:
            message = await receive()
            received, more = received + message["body"], message["more_body"]
        outcome.append(received)

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            outcome.append(message["status"])

    kind = ("content-type", request.headers["content-type"])
    checked = UploadForms(CheckedApplication(application, EmulatorAccess(PORT, KEY).refusal))
    asyncio.run(checked(scope(OWN_HOST, kind, *headers, path=path), receive, send))
    assert len(outcome) == 1
    return outcome[0]


@pytest.mark.parametrize("size", [100, 1000, 1_000_000])
def test_an_upload_form_with_the_key_of_the_stack_is_passed_whole(size: int) -> None:
    form = upload_form(KEY)

    assert sent(form, size=size) == form.read()


def test_an_upload_form_without_the_key_of_the_stack_is_refused() -> None:
    assert sent(upload_form("test")) == 403
    unsigned = httpx2.Request("POST", "http://x/", data={"key": "a"}, files={"file": ("a", KEY.encode() + b"/")})
    assert sent(unsigned) == 403


def test_the_key_of_a_form_counts_only_at_a_bucket_and_not_for_a_web_page() -> None:
    assert sent(upload_form(KEY), path="/2015-03-31/functions/f/invocations") == 403
    assert sent(upload_form(KEY), ("origin", "https://evil.example")) == 403


PAGE = ("origin", "http://127.0.0.1:5000")
FOREIGN = ("origin", "https://evil.example")
PICTURE = "/bucket/files/long/a1/sessions/s1/f1"


def preflight(method: str, path: str, origin: tuple[str, str] = PAGE) -> str | None:
    return refusal(origin, ("access-control-request-method", method), method="OPTIONS", path=path)


def test_a_page_of_this_machine_uploads_and_downloads_files_with_the_key() -> None:
    form = {**scope(OWN_HOST, PAGE, ("sec-fetch-site", "cross-site"), path="/bucket"), "form_key": KEY}

    assert EmulatorAccess(PORT, KEY).refusal(form) is None
    assert refusal(PAGE, query=presigned(KEY), method="GET", path=PICTURE) is None
    assert preflight("POST", "/bucket") is None
    assert preflight("GET", PICTURE) is None


def test_a_page_sends_nothing_else_even_with_the_key() -> None:
    for origin in (FOREIGN, ("origin", "http://127.0.0.1.evil.example:80"), ("origin", "null")):
        form = {**scope(OWN_HOST, origin, path="/bucket"), "form_key": KEY}
        assert EmulatorAccess(PORT, KEY).refusal(form) is not None
        assert refusal(origin, query=presigned(KEY), method="GET", path=PICTURE) is not None
        assert preflight("POST", "/bucket", origin) is not None
    for method, path in (("GET", "/bucket/collections/c"), ("POST", PICTURE), ("DELETE", PICTURE), ("GET", "/bucket")):
        assert refusal(PAGE, query=presigned(KEY), method=method, path=path) is not None
    assert refusal(PAGE, query=presigned("AKIAOTHER"), method="GET", path=PICTURE) is not None
    assert refusal(PAGE, query=f"X-Amz-Credential={KEY}/a", method="GET", path=PICTURE) is not None
    assert refusal(PAGE, signed(KEY), path="/2015-03-31/functions") is not None
    assert preflight("PUT", PICTURE) is not None
    assert preflight("POST", "/2015-03-31/functions") is not None
    assert (
        EmulatorAccess(PORT, KEY).refusal({**scope(OWN_HOST, PAGE, path="/bucket"), "form_key": "AKIAOTHER"})
        is not None
    )
    rebound = {**scope(("host", f"evil.example:{PORT}"), PAGE, path="/bucket"), "form_key": KEY}
    assert EmulatorAccess(PORT, KEY).refusal(rebound) is not None
