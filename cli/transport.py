"""HTTP requests to the service; every failure is a ServiceError with the cause and the remedy."""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypedDict, Unpack
from urllib.parse import urlsplit
from weakref import finalize

from cli.errors import LostConnectionError, ServiceError
from cli.invocation import flexchat, make, trace_hint
from cli.target import Target
from flexchat.messages import Json

if TYPE_CHECKING:
    import httpx2
    from pydantic import BaseModel

DEFAULT_SECONDS = 120.0

PAGE_LIMIT = 10_000
"""Maximum number of pages that are read; the largest validation run has fewer."""

REFUSED = "this token is unknown, expired or revoked"
"""Message of the template's 403 for a token that the authorizer refuses."""


class RequestOptions(TypedDict, total=False):
    """Optional parts of a request; `seconds` is its timeout, DEFAULT_SECONDS by default."""

    json: Mapping[str, Json] | None
    query: Mapping[str, str] | None
    headers: Mapping[str, str] | None
    seconds: float


class HttpClient:
    """Sends requests to one service. `transport` is for tests. Connections close with the client."""

    def __init__(self, target: Target, *, transport: "httpx2.BaseTransport | None" = None) -> None:
        import httpx2

        self.url = target.url
        self._transport = transport
        self._http = httpx2.Client(
            base_url=target.url,
            headers={"Authorization": f"Bearer {target.token}"},
            transport=transport,
            # Certificates take 20 ms to load, and plain HTTP never needs them: redirects are not followed.
            verify=target.url.startswith("https://"),
            trust_env=not target.url.startswith("http://127.0.0.1"),
        )
        finalize(self, self._http.close)

    def call(self, method: str, path: str, **options: Unpack[RequestOptions]) -> dict[str, Json]:
        """Return the JSON object of the response. Raises ServiceError."""
        response = self.send(method, path, **options)
        body = _object(response)
        if body is None:
            raise ServiceError(_refusal(response, None), status=response.status_code)
        return body

    def send(self, method: str, path: str, **options: Unpack[RequestOptions]) -> "httpx2.Response":
        """Return the response. Raises ServiceError for an error status or without a response."""
        response = self._exchange(
            method,
            path,
            seconds=options.get("seconds", DEFAULT_SECONDS),
            json=options.get("json"),
            params=options.get("query"),
            headers=options.get("headers"),
        )
        if response.is_error:
            code = (_object(response) or {}).get("error")
            raise ServiceError(
                refusal(response), status=response.status_code, code=code if isinstance(code, str) else None
            )
        return response

    def post_text(
        self, path: str, text: bytes, *, headers: Mapping[str, str], seconds: float = DEFAULT_SECONDS
    ) -> "httpx2.Response":
        """Return the response to a JSON text, of any status. Raises ServiceError without a response."""
        headers = {"Content-Type": "application/json", **headers}
        return self._exchange("POST", path, seconds=seconds, content=text, headers=headers)

    def send_form(self, url: str, fields: Mapping[str, str], name: str, content: bytes) -> None:
        """Send a form with a file to another address, without the token. Raises ServiceError."""
        import httpx2

        with self._translated(DEFAULT_SECONDS), httpx2.Client(transport=self._transport) as client:
            response = client.post(url, data=dict(fields), files={"file": (name, content)}, timeout=DEFAULT_SECONDS)
        if response.is_error:
            host = urlsplit(url).hostname
            raise ServiceError(f"HTTP {response.status_code} from {host}, which did not accept the upload of {name!r}")

    @contextmanager
    def stream(self, method: str, path: str, **options: Unpack[RequestOptions]) -> "Generator[httpx2.Response]":
        """Open a response whose body is read as it arrives; `seconds` limits each wait for a part of it.

        Raises ServiceError as `send` does, also while the body is read.
        """
        request: dict[str, Any] = {key: options.get(key) for key in ("json", "headers")}
        seconds = options.get("seconds", DEFAULT_SECONDS)
        with (
            self._translated(seconds),
            self._http.stream(method, path, params=options.get("query"), timeout=seconds, **request) as response,
        ):
            if response.is_error:
                response.read()
                raise ServiceError(refusal(response), status=response.status_code)
            yield response

    def _exchange(self, method: str, path: str, *, seconds: float, **request: Any) -> "httpx2.Response":
        with self._translated(seconds):
            return self._http.request(method, path, timeout=seconds, **request)

    @contextmanager
    def _translated(self, seconds: float) -> Generator[None]:
        """Raise the errors of httpx2 as LostConnectionError."""
        import httpx2

        try:
            yield
        except httpx2.ConnectError as error:
            raise LostConnectionError(_unreachable(self.url)) from error
        except httpx2.TimeoutException as error:
            raise LostConnectionError(f"{self.url} did not answer within {seconds:.0f} s") from error
        except httpx2.HTTPError as error:
            raise LostConnectionError(f"{self.url} closed the connection without a complete response") from error


def entries(key: str, page: Callable[[str | None], dict[str, Json]]) -> Iterator[Json]:
    """Return the entries under `key` of all pages, which `page` returns by their cursor."""
    cursor: str | None = None
    for _ in range(PAGE_LIMIT):
        body = page(cursor)
        found = body.get(key)
        yield from found if isinstance(found, list) else []
        following = body.get("cursor")
        if not isinstance(following, str):
            return
        cursor = following


def parse_answer[M: "BaseModel"](model: type[M], body: object) -> M:
    """Return a response of the service as `model`. Raises ServiceError for another response."""
    from pydantic import ValidationError

    try:
        return model.model_validate(body, extra="ignore")
    except ValidationError as error:
        fields = sorted({".".join(map(str, problem["loc"])) for problem in error.errors()})
        named = ", ".join(map(repr, fields[:3])) + (" and others" if len(fields) > 3 else "")
        raise ServiceError(
            f"the service answered with JSON that this version of flexchat cannot read: no valid {named}. "
            "Check that the URL is that of a Flexchat API of the same version."
        ) from error


def _unreachable(url: str) -> str:
    if urlsplit(url).hostname in ("127.0.0.1", "localhost"):
        return f"{url} cannot be reached; `{make('up')}` starts or repairs the local stack"
    return f"{url} cannot be reached; check the address and the network"


def _object(response: "httpx2.Response") -> dict[str, Json] | None:
    try:
        body: Json = response.json()
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def refusal(response: "httpx2.Response") -> str:
    """Return the message of an error response, its details and its request id."""
    return _refusal(response, _object(response))


def _refusal(response: "httpx2.Response", body: dict[str, Json] | None) -> str:
    """Return the message of an error response, its details and its request id."""
    if body is None or "message" not in body:
        remedy = _remedy(response, own=False)
        return f"HTTP {response.status_code} from {response.request.url}, which does not look like Flexchat" + (
            f"\n  {remedy}" if remedy else ""
        )
    lines = [f"HTTP {response.status_code}: {body['message']}"]
    if response.status_code == 401 or REFUSED in str(body["message"]):
        lines.append(f"  create a token: {flexchat('tokens', 'create', '--stage', 'STAGE', '--name', 'NAME')}")
    if (remedy := _remedy(response, own="error" in body)) is not None:
        lines.append(f"  {remedy}")
    return "\n".join([*lines, *_details(body)])


def event_error(body: Mapping[str, Json]) -> ServiceError:
    """Return the error of an `error` event, whose response had begun with status 200."""
    return ServiceError("\n".join([str(body.get("message", "the chat failed without a message")), *_details(body)]))


def _details(body: Mapping[str, Json]) -> Iterator[str]:
    """Yield the lines of an error's details and its request id."""
    details = body.get("details")
    if isinstance(details, list):
        yield from (f"  {d.get('path') or 'body'}: {d.get('message')}" for d in details if isinstance(d, dict))
    if body.get("request_id"):
        yield f"  request id: {trace_hint(str(body['request_id']))}"


def _remedy(response: "httpx2.Response", *, own: bool) -> str | None:
    """Return the remedy of a status whose message names none; `own` bodies are Flexchat's, not those of a gateway."""
    seconds = response.headers.get("Retry-After", "")
    match response.status_code:
        case 429 | 503 if seconds.isdecimal():
            return f"try again in {seconds} s"
        case 413:
            return "the request is too large: shorten the message or the history, or send the history as a --session"
        case 504:
            return "the answer took longer than a request may: run it in the background with --async"
        case 500:
            return "try again; if it fails again, `flexchat logs --level ERROR --stage STAGE` has the reason"
        case status if (status == 429 or status > 500) and not own:
            return "try again in a minute"
        case _:
            return None
