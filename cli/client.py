"""The service as a command sees it: where it is, and what it answered in words when it refused."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, urlsplit
from weakref import finalize

from cli.errors import unknown
from cli.invocation import flexchat, make
from flexchat.errors import FlexchatError
from flexchat.messages import Json

if TYPE_CHECKING:
    import httpx
    from pydantic import BaseModel

GRACE_SECONDS = 5.0
"""How much longer than its deadline an answer may be under way."""

DEFAULT_SECONDS = 120.0

VERDICTS_PER_PAGE = "500"
"""As many as the service gives at a time."""


REFUSED = "this token is unknown, expired or revoked"
"""The message of the template's 403 for a token that the authorizer refuses."""

Named = Literal["session", "run", "suite"]


class ServiceError(FlexchatError):
    """A request failed; `status` is that of the response, if there was one."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Target:
    """A service's address without a last slash, and a token for it."""

    url: str
    token: str


def find_target(*, url: str | None, token: str | None, environ: Mapping[str, str], state: Path) -> Target:
    """The service to talk to: as given, else FLEXCHAT_URL and FLEXCHAT_TOKEN, else the local stack of `state`.

    A token of the local stack is never sent anywhere else.
    """
    from cli.local_stack import read_state

    url = url or environ.get("FLEXCHAT_URL")
    token = token or environ.get("FLEXCHAT_TOKEN")
    stack = read_state(state)
    if url is None and stack is not None:
        url = stack.url
    if url is not None and not is_http_address(url):
        raise ServiceError(f"{url!r} is not the address of a service; give one such as https://chat.example.com")
    if url is None:
        raise ServiceError(
            f"no local stack runs; start one with `{make('up')}`, or name a service with --url and --token "
            "(or FLEXCHAT_URL and FLEXCHAT_TOKEN)"
        )
    if token is None and stack is not None and url.rstrip("/") == stack.url:
        token = stack.token
    if token is None:
        raise ServiceError(
            f"no token for {url}; give one with --token or FLEXCHAT_TOKEN; "
            f"`{flexchat('tokens', 'create', '--stage', 'STAGE', '--name', 'NAME')}` creates one"
        )
    return Target(url.rstrip("/"), token)


class Client:
    """Calls one service. `transport` carries the requests; tests pass their own. Connections close with the client."""

    def __init__(self, target: Target, *, transport: "httpx.BaseTransport | None" = None) -> None:
        import httpx

        self._target = target
        self._http = httpx.Client(
            base_url=target.url,
            headers={"Authorization": f"Bearer {target.token}"},
            transport=transport,
            # Certificates take 20 ms to load, and plain HTTP never needs them: redirects are not followed.
            verify=target.url.startswith("https://"),
            trust_env=not target.url.startswith("http://127.0.0.1"),
        )
        finalize(self, self._http.close)

    def health(self) -> dict[str, Json]:
        """Return the health of the service; needs no token."""
        return self._call("GET", "/health")

    def chat(self, request: Mapping[str, Json], *, idempotency_key: str | None = None) -> dict[str, Json]:
        """The answer to one chat request, as the service sent it."""
        deadline_ms = request.get("deadline_ms")
        seconds = deadline_ms / 1000 + GRACE_SECONDS if isinstance(deadline_ms, int) else DEFAULT_SECONDS
        return self._call("POST", "/api/chat", json=request, seconds=seconds, headers=_idempotent(idempotency_key))

    def start_chat(self, request: Mapping[str, Json], *, idempotency_key: str | None = None) -> str:
        """Have a chat request answered in the background; the id of its run."""
        headers = {"Prefer": "respond-async", **_idempotent(idempotency_key)}
        run_id = self._call("POST", "/api/chat", json=request, headers=headers).get("id")
        if not isinstance(run_id, str):
            raise ServiceError(f"{self._target.url} answered at once; it does not know runs in the background")
        return run_id

    def run(self, run_id: str) -> dict[str, Json]:
        """A run: how far it is, and in the end its answer or its error."""
        return self._call("GET", f"/api/runs/{quote(run_id, safe='')}")

    def sessions(self, *, cursor: str | None = None) -> dict[str, Json]:
        """A page of the caller's sessions."""
        return self._call("GET", "/api/sessions", query=_page(cursor))

    def session(self, session_id: str) -> dict[str, Json]:
        """A session without its messages."""
        return self._named("session", session_id, lambda: self._call("GET", _session(session_id)))

    def session_messages(self, session_id: str, *, cursor: str | None = None) -> dict[str, Json]:
        """A page of the messages of a session."""
        return self._call("GET", f"{_session(session_id)}/messages", query=_page(cursor))

    def rename_session(self, session_id: str, title: str) -> dict[str, Json]:
        """Give a session another title."""
        return self._named(
            "session", session_id, lambda: self._call("PATCH", _session(session_id), json={"title": title})
        )

    def delete_session(self, session_id: str) -> None:
        """Delete a session with all its messages."""
        self._named("session", session_id, lambda: self._send("DELETE", _session(session_id)))

    def tools(self) -> dict[str, Json]:
        """The tools that the service has, and those it had to disable."""
        return self._call("GET", "/api/tools/list")

    def models(self) -> dict[str, Json]:
        """The models that the service may ask, and the llms that could not tell theirs."""
        return self._call("GET", "/api/models/list")

    def validations(self) -> dict[str, Json]:
        """What is known of how every model calls tools."""
        return self._call("GET", "/api/tools/validate")

    def validation_history(self, model: str, *, cursor: str | None = None) -> dict[str, Json]:
        """A model's status, and a page of its graded cases, the newest first."""
        return self._call("GET", "/api/tools/validate", query={"model": model, **_page(cursor)})

    def forget_model(self, model: str) -> dict[str, Json]:
        """Delete what is known of a model, as much as one request does; not `complete`: send it again."""
        return self._call("DELETE", f"/api/tools/validate/{quote(model, safe='')}")

    def start_validation(self, request: Mapping[str, Json]) -> dict[str, Json]:
        """Begin to validate models; the run."""
        suite = str(request.get("suite", ""))
        return self._named("suite", suite, lambda: self._call("POST", "/api/tools/validate", json=request))

    def validation_runs(self, *, cursor: str | None = None) -> dict[str, Json]:
        """A page of the validation runs, the newest first."""
        return self._call("GET", "/api/validation/runs", query=_page(cursor))

    def validation_run(self, run_id: str, *, cursor: str | None = None) -> dict[str, Json]:
        """A validation run: how far it is, and a page of its verdicts."""
        query = {"limit": VERDICTS_PER_PAGE, **_page(cursor)}
        return self._named("run", run_id, lambda: self._call("GET", _validation_run(run_id), query=query))

    def stop_validation(self, run_id: str) -> None:
        """Have a validation run ask no more."""
        self._named("run", run_id, lambda: self._send("DELETE", _validation_run(run_id)))

    def resume_validation(self, run_id: str) -> dict[str, Json]:
        """Have a validation run go on with the cases that are not graded yet."""
        return self._named("run", run_id, lambda: self._call("POST", f"{_validation_run(run_id)}/resume"))

    def suites(self) -> dict[str, Json]:
        """The suites that models can be validated by."""
        return self._call("GET", "/api/validation/suites")

    def suite(self, name: str) -> dict[str, Json]:
        """A suite with its tools and cases."""
        return self._named("suite", name, lambda: self._call("GET", _suite(name)))

    def put_suite(self, name: str, suite: Mapping[str, Json]) -> dict[str, Json]:
        """Keep a suite, in the place of one with the same name."""
        return self._call("PUT", _suite(name), json=suite)

    def delete_suite(self, name: str) -> None:
        """Delete a suite; what was graded by it stays."""
        self._named("suite", name, lambda: self._send("DELETE", _suite(name)))

    def check_model(self, model: str) -> None:
        """Raise ServiceError when the service does not have `model`; an llm that cannot list its models may have it."""
        listed = self.models()
        unlisted = _values(listed.get("errors"), "llm")
        known = _values(listed.get("models"), "id")
        if model not in known and model.partition(":")[0] not in unlisted:
            raise ServiceError(str(unknown("model", model, known, where=self._target.url)), status=404)

    def check_listed(self, models: Iterable[str]) -> None:
        """Raise ServiceError for a model that is missing in the complete list of its llm.

        A name whose llm is unknown, or without one, is left to the service. A model that a provider has without listing
        it is listed once the configuration names it. The demo model has more models than it lists.
        """
        listed = self.models()
        entries = listed.get("models")
        demo: list[Json] = (
            [each for each in entries if isinstance(each, dict) and each.get("demo")]
            if isinstance(entries, list)
            else []
        )
        unlisted, known = _values(listed.get("errors"), "llm") + _values(demo, "llm"), _values(entries, "id")
        llms = {name.partition(":")[0] for name in known}.difference(unlisted)
        for model in models:
            llm = model.partition(":")[0]
            # Ollama's `qwen3` and `qwen3:latest` are one model.
            spellings = {model, f"{model}:latest", model.removesuffix(":latest")}
            if llm in llms and not spellings.intersection(known):
                error = unknown("model", model, known, where=self._target.url)
                remedy = f"a model that its provider does not list must be named in llms.{llm}.models"
                raise ServiceError(f"{error}; {remedy}", status=404)

    def _named[T](self, kind: Named, name: str, call: Callable[[], T]) -> T:
        """The result of `call`, or a ServiceError that lists the names of this kind when it answers 404."""
        try:
            return call()
        except ServiceError as error:
            if error.status != 404:
                raise
            match kind:
                case "session":
                    known = _values(self.sessions().get("sessions"), "id")
                case "run":
                    known = _values(self.validation_runs().get("runs"), "id")
                case "suite":
                    known = _values(self.suites().get("suites"), "name")
            raise ServiceError(str(unknown(kind, name, known, where=self._target.url)), status=404) from error

    def _call(
        self,
        method: str,
        path: str,
        *,
        json: Mapping[str, Json] | None = None,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        seconds: float = DEFAULT_SECONDS,
    ) -> dict[str, Json]:
        """The object that a request is answered with."""
        response = self._send(method, path, json=json, query=query, headers=headers, seconds=seconds)
        body = _object(response)
        if body is None:
            raise ServiceError(_refusal(response, None), status=response.status_code)
        return body

    def _send(
        self,
        method: str,
        path: str,
        *,
        json: Mapping[str, Json] | None = None,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        seconds: float = DEFAULT_SECONDS,
    ) -> "httpx.Response":
        """The response to a request that was not refused. Raises ServiceError."""
        import httpx

        try:
            response = self._http.request(method, path, json=json, params=query, headers=headers, timeout=seconds)
        except httpx.ConnectError as error:
            raise ServiceError(_unreachable(self._target.url)) from error
        except httpx.TimeoutException as error:
            raise ServiceError(f"{self._target.url} did not answer within {seconds:.0f} s") from error
        except httpx.HTTPError as error:
            raise ServiceError(f"{self._target.url} closed the connection without a complete response") from error
        if response.is_error:
            raise ServiceError(_refusal(response, _object(response)), status=response.status_code)
        return response


def parse_answer[M: "BaseModel"](model: type[M], body: object) -> M:
    """Return an answer of the service as `model`. Raises ServiceError for an answer of something else."""
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


def is_http_address(url: str) -> bool:
    """Return true for a URL of the form http(s)://host."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


def _unreachable(url: str) -> str:
    if urlsplit(url).hostname in ("127.0.0.1", "localhost"):
        return f"{url} cannot be reached; `{make('up')}` starts or repairs the local stack"
    return f"{url} cannot be reached; check the address and the network"


def _idempotent(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Idempotency-Key": key}


def _page(cursor: str | None) -> dict[str, str]:
    return {} if cursor is None else {"cursor": cursor}


def _session(session_id: str) -> str:
    return f"/api/sessions/{quote(session_id, safe='')}"


def _validation_run(run_id: str) -> str:
    return f"/api/validation/runs/{quote(run_id, safe='')}"


def _suite(name: str) -> str:
    return f"/api/validation/suites/{quote(name, safe='')}"


def _values(entries: Json, key: str) -> list[str]:
    """The texts under `key` of a list of objects."""
    if not isinstance(entries, list):
        return []
    found = [entry.get(key) for entry in entries if isinstance(entry, dict)]
    return [value for value in found if isinstance(value, str)]


def _object(response: "httpx.Response") -> dict[str, Json] | None:
    try:
        body: Json = response.json()
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def _refusal(response: "httpx.Response", body: dict[str, Json] | None) -> str:
    """What went wrong in words: the service's own, its details, and the request id that finds it in the log."""
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
    details = body.get("details")
    if isinstance(details, list):
        lines += [f"  {d.get('path') or 'body'}: {d.get('message')}" for d in details if isinstance(d, dict)]
    if body.get("request_id"):
        lines.append(f"  request id: {body['request_id']}")
    return "\n".join(lines)


def _remedy(response: "httpx.Response", *, own: bool) -> str | None:
    """The remedy of a status whose message does not name it; `own` bodies are Flexchat's, not those of a gateway."""
    seconds = response.headers.get("Retry-After", "")
    match response.status_code:
        case 429 | 503 if seconds.isdecimal():
            return f"try again in {seconds} s"
        case 413:
            return "the request is too large: shorten the message or the history, or send the history as a --session"
        case 504:
            return "the answer took longer than a request may: run it in the background with --async"
        case 500:
            return "try again; if it fails again, search the function's log for the request id"
        case status if (status == 429 or status > 500) and not own:
            return "try again in a minute"
        case _:
            return None
