"""Client of the service's API."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

from cli.errors import ServiceError, unknown
from cli.invocation import flexchat, make
from cli.target import Target
from cli.transport import DEFAULT_SECONDS, HttpClient
from flexchat.messages import Json

if TYPE_CHECKING:
    import httpx2

    from cli.event_stream import ServerEvent

GRACE_SECONDS = 5.0
"""Time beyond its deadline for a response to arrive."""

SILENCE_SECONDS = 60.0
"""Longest wait for a part of an event stream; the service sends a heartbeat every 10 seconds."""

EVENT_STREAM = "text/event-stream"

VERDICTS_PER_PAGE = "500"
"""Maximum page size of the service."""

FOUND_PER_PAGE = "100"
"""Maximum page size of a search of sessions."""


Named = Literal["session", "run", "suite"]


class Client:
    """Calls the routes of one service; every method raises ServiceError. `transport` is for tests."""

    def __init__(self, target: Target, *, transport: "httpx2.BaseTransport | None" = None) -> None:
        self._http = HttpClient(target, transport=transport)

    @property
    def url(self) -> str:
        """Return the address of the service, without a trailing slash."""
        return self._http.url

    def health(self) -> dict[str, Json]:
        """Return the health of the service; needs no token."""
        return self._http.call("GET", "/health")

    def chat(self, request: Mapping[str, Json], *, idempotency_key: str | None = None) -> dict[str, Json]:
        """Return the answer to one chat request."""
        deadline_ms = request.get("deadline_ms")
        seconds = deadline_ms / 1000 + GRACE_SECONDS if isinstance(deadline_ms, int) else DEFAULT_SECONDS
        return self._http.call("POST", "/api/chat", json=request, seconds=seconds, headers=_idempotent(idempotency_key))

    def upload(self, name: str, content: bytes) -> str:
        """Upload a file for a chat, and return its id."""
        form = self._http.call("POST", "/api/files", json={"name": name, "size": len(content)})
        url, fields, file_id = form.get("url"), form.get("fields"), form.get("id")
        if not (isinstance(url, str) and isinstance(fields, dict) and isinstance(file_id, str)):
            raise ServiceError(f"{self.url} returned no form for an upload")
        self._http.send_form(url, {key: str(value) for key, value in fields.items()}, name, content)
        return file_id

    def start_chat(self, request: Mapping[str, Json], *, idempotency_key: str | None = None) -> str:
        """Start a chat in the background; return the id of its run."""
        headers = {"Prefer": "respond-async", **_idempotent(idempotency_key)}
        run_id = self._http.call("POST", "/api/chat", json=request, headers=headers).get("id")
        if not isinstance(run_id, str):
            raise ServiceError(f"{self.url} answered at once; it does not support runs in the background")
        return run_id

    def run(self, run_id: str) -> dict[str, Json]:
        """Return a run with its steps, and its answer or error once it has ended."""
        return self._http.call("GET", f"/api/runs/{quote(run_id, safe='')}")

    def stream_chat(
        self, request: Mapping[str, Json], *, idempotency_key: str | None = None
    ) -> "Generator[ServerEvent]":
        """Yield the events of one chat as they arrive; a service that does not stream sends its answer alone."""
        from cli.event_stream import ServerEvent, read_events

        headers = {"Accept": EVENT_STREAM, **_idempotent(idempotency_key)}
        with self._http.stream("POST", "/api/chat", json=request, headers=headers, seconds=SILENCE_SECONDS) as response:
            if _is_event_stream(response):
                yield from read_events(response.iter_bytes())
            else:
                response.read()
                yield ServerEvent("answer", response.text)

    def run_events(self, run_id: str, *, after: str = "") -> "Generator[ServerEvent]":
        """Yield the events of a run, those after the event id `after` if there is one, and follow it to its end.

        Raises ServiceError with status 404 for a service that does not stream.
        """
        from cli.event_stream import read_events

        headers = {"Accept": EVENT_STREAM, **({"Last-Event-ID": after} if after else {})}
        path = f"/api/runs/{quote(run_id, safe='')}/events"
        with self._http.stream("GET", path, headers=headers, seconds=SILENCE_SECONDS) as response:
            if not _is_event_stream(response):
                raise ServiceError(f"{self.url} does not stream the events of a run", status=404)
            yield from read_events(response.iter_bytes(), last_id=after)

    def cancel_run(self, run_id: str) -> dict[str, Json]:
        """Cancel a run and return it; one that has ended stays as it is."""
        return self._http.call("DELETE", f"/api/runs/{quote(run_id, safe='')}")

    def approvals(self) -> dict[str, Json]:
        """Return the approvals that wait for the caller."""
        return self._http.call("GET", "/api/approvals")

    def approval(self, id: str) -> dict[str, Json]:
        """Return the calls of a chat that wait for an approval, by the id of its run or its request."""
        return self._http.call("GET", f"/api/runs/{quote(id, safe='')}/approvals")

    def decide(self, id: str, decisions: Sequence[Json]) -> dict[str, Json]:
        """Decide calls of a chat; return the approval, with the run that goes on after the last decision."""
        return self._http.call("POST", f"/api/runs/{quote(id, safe='')}/approvals", json={"decisions": [*decisions]})

    def sessions(self, *, cursor: str | None = None) -> dict[str, Json]:
        """Return a page of the caller's sessions."""
        return self._http.call("GET", "/api/sessions", query=_page(cursor))

    def search_sessions(self, query: str, *, cursor: str | None = None) -> dict[str, Json]:
        """Return a page of the caller's sessions that have all words of `query`, and how far the search is."""
        return self._http.call("GET", "/api/sessions", query={"query": query, "limit": FOUND_PER_PAGE, **_page(cursor)})

    def session(self, session_id: str) -> dict[str, Json]:
        """Return a session without its messages."""
        return self._named("session", session_id, lambda: self._http.call("GET", _session(session_id)))

    def session_messages(self, session_id: str, *, cursor: str | None = None) -> dict[str, Json]:
        """Return a page of the messages of a session."""
        return self._http.call("GET", f"{_session(session_id)}/messages", query=_page(cursor))

    def export_session(self, session_id: str, form: str) -> Iterator[str]:
        """Yield the parts of the export of a session, each a file with complete turns."""
        turn = "1"
        while turn:
            query = {"format": form, "from_turn": turn}
            response = self._named(
                "session",
                session_id,
                lambda query=query: self._http.send("GET", f"{_session(session_id)}/export", query=query),
            )
            yield response.text
            turn = response.links.get("next", {}).get("url", "").rpartition("from_turn=")[2]

    def rename_session(self, session_id: str, title: str) -> dict[str, Json]:
        """Change the title of a session."""
        return self._named(
            "session", session_id, lambda: self._http.call("PATCH", _session(session_id), json={"title": title})
        )

    def delete_session(self, session_id: str) -> None:
        """Delete a session with all its messages."""
        self._named("session", session_id, lambda: self._http.send("DELETE", _session(session_id)))

    def shares(self, session_id: str) -> dict[str, Json]:
        """Return the links of a session, and the settings of links."""
        return self._named("session", session_id, lambda: self._http.call("GET", f"{_session(session_id)}/shares"))

    def create_share(self, session_id: str, new: Mapping[str, Json]) -> dict[str, Json]:
        """Create a read-only link to a session, and return it with its secret."""
        return self._named(
            "session", session_id, lambda: self._http.call("POST", f"{_session(session_id)}/shares", json=new)
        )

    def revoke_share(self, session_id: str, share_id: str) -> None:
        """Revoke a link of a session. Raises UnknownNameError with the links of the session."""
        path = f"{_session(session_id)}/shares/{quote(share_id, safe='')}"
        try:
            self._http.send("DELETE", path)
        except ServiceError as error:
            if error.status != 404:
                raise
            known = _values(self.shares(session_id).get("shares"), "id")
            raise unknown("link", share_id, known, where=f"the session {session_id!r}") from error

    def tools(self) -> dict[str, Json]:
        """Return the tools of the service, the disabled ones too."""
        return self._http.call("GET", "/api/tools/list")

    def call_tool(self, request: Mapping[str, Json]) -> dict[str, Json]:
        """Call one tool without a model."""
        return self._http.call("POST", "/api/tools/call", json=request)

    def mcp_servers(self) -> dict[str, Json]:
        """Return the MCP servers with their tools."""
        return self._http.call("GET", "/api/mcp/servers")

    def refresh_mcp_server(self, name: str) -> dict[str, Json]:
        """Connect to an MCP server, list its tools again, and return it."""
        return self._http.call("POST", f"{_mcp_server(name)}/refresh")

    def approve_mcp_tools(self, name: str, approval: Mapping[str, Json]) -> dict[str, Json]:
        """Approve definitions of an MCP server that wait for it, and return the server."""
        return self._http.call("POST", f"{_mcp_server(name)}/approve", json=approval)

    def try_mcp_server(self, trial: Mapping[str, Json]) -> dict[str, Json]:
        """Connect to an MCP server that is not configured, and return its tools."""
        return self._http.call("POST", "/api/mcp/trials", json=trial)

    def send_mcp_message(self, text: bytes, headers: Mapping[str, str]) -> "httpx2.Response":
        """Return the response of the MCP server to a JSON-RPC message, of any status."""
        return self._http.post_text("/mcp", text, headers={"Accept": "application/json", **headers})

    def models(self) -> dict[str, Json]:
        """Return the models of the service, and the llms whose models could not be listed."""
        return self._http.call("GET", "/api/models/list")

    def validations(self) -> dict[str, Json]:
        """Return the validation status of every model."""
        return self._http.call("GET", "/api/tools/validate")

    def validation_history(self, model: str, *, cursor: str | None = None) -> dict[str, Json]:
        """Return a model's status and a page of its graded cases, newest first."""
        return self._http.call("GET", "/api/tools/validate", query={"model": model, **_page(cursor)})

    def forget_model(self, model: str) -> dict[str, Json]:
        """Delete validation results of a model; repeat the request until the response is `complete`."""
        return self._http.call("DELETE", f"/api/tools/validate/{quote(model, safe='')}")

    def start_validation(self, request: Mapping[str, Json]) -> dict[str, Json]:
        """Start a validation run and return it."""
        suite = str(request.get("suite", ""))
        return self._named("suite", suite, lambda: self._http.call("POST", "/api/tools/validate", json=request))

    def validation_runs(self, *, cursor: str | None = None) -> dict[str, Json]:
        """Return a page of the validation runs, newest first."""
        return self._http.call("GET", "/api/validation/runs", query=_page(cursor))

    def validation_run(self, run_id: str, *, cursor: str | None = None) -> dict[str, Json]:
        """Return a validation run with its progress and a page of its verdicts."""
        query = {"limit": VERDICTS_PER_PAGE, **_page(cursor)}
        return self._named("run", run_id, lambda: self._http.call("GET", _validation_run(run_id), query=query))

    def stop_validation(self, run_id: str) -> None:
        """Stop a validation run."""
        self._named("run", run_id, lambda: self._http.send("DELETE", _validation_run(run_id)))

    def resume_validation(self, run_id: str) -> dict[str, Json]:
        """Resume a validation run with its ungraded cases."""
        return self._named("run", run_id, lambda: self._http.call("POST", f"{_validation_run(run_id)}/resume"))

    def suites(self) -> dict[str, Json]:
        """Return the suites of cases."""
        return self._http.call("GET", "/api/validation/suites")

    def suite(self, name: str) -> dict[str, Json]:
        """Return a suite with its tools and cases."""
        return self._named("suite", name, lambda: self._http.call("GET", _suite(name)))

    def put_suite(self, name: str, suite: Mapping[str, Json]) -> dict[str, Json]:
        """Store a suite; it replaces one with the same name."""
        return self._http.call("PUT", _suite(name), json=suite)

    def delete_suite(self, name: str) -> None:
        """Delete a suite; results graded by it stay."""
        self._named("suite", name, lambda: self._http.send("DELETE", _suite(name)))

    def traces(self, query: Mapping[str, str], *, cursor: str | None = None) -> dict[str, Json]:
        """Return a page of the stored traces that `query` selects, newest first."""
        return self._since_traces(lambda: self._http.call("GET", "/api/traces", query={**query, **_page(cursor)}))

    def audit(self, query: Mapping[str, str], *, cursor: str | None = None) -> dict[str, Json]:
        """Return a page of the audit records that `query` selects, newest first."""
        return self._since(
            "keeps no audit records: the stage is older than this command",
            lambda: self._http.call("GET", "/api/audit", query={**query, **_page(cursor)}),
        )

    def trace(self, trace_id: str) -> dict[str, Json]:
        """Return a stored trace."""
        return self._of_trace(trace_id, lambda: self._http.call("GET", _trace(trace_id)))

    def trace_logs(self, trace_id: str) -> dict[str, Json]:
        """Return the log lines of all functions about the chat of a trace."""
        return self._of_trace(trace_id, lambda: self._http.call("GET", f"{_trace(trace_id)}/logs"))

    def trace_case(self, trace_id: str) -> dict[str, Json]:
        """Return a validation case made of a trace."""
        return self._of_trace(trace_id, lambda: self._http.call("GET", f"{_trace(trace_id)}/case"))

    def rate_answer(self, trace_id: str, feedback: Mapping[str, Json]) -> None:
        """Store a rating of an answer; it replaces an earlier one of the same caller."""
        path = f"/api/runs/{quote(trace_id, safe='')}/feedback"
        self._of_trace(trace_id, lambda: self._http.send("POST", path, json=feedback))

    def usage(self, query: Mapping[str, str]) -> dict[str, Json]:
        """Return usage by day and group."""
        return self._since_traces(lambda: self._http.call("GET", "/api/usage", query=query))

    def caller(self) -> dict[str, Json]:
        """Return the token of the requests, with the use of its limits."""
        return self._http.call("GET", "/api/me")

    def check_model(self, model: str) -> None:
        """Raise ServiceError for an unknown model; models of an llm that cannot list them pass."""
        listed = self.models()
        unlisted = _values(listed.get("errors"), "llm")
        known = _values(listed.get("models"), "id")
        if model not in known and model.partition(":")[0] not in unlisted:
            raise ServiceError(str(unknown("model", model, known, where=self.url)), status=404)

    def check_listed(self, models: Iterable[str]) -> None:
        """Raise ServiceError for a model that is missing in the complete list of its llm.

        The service checks names without a known llm. A model that its provider does not list is listed once the
        configuration names it. The demo model has more models than it lists.
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
                error = unknown("model", model, known, where=self.url)
                remedy = f"a model that its provider does not list must be named in llms.{llm}.models"
                raise ServiceError(f"{error}; {remedy}", status=404)

    def _since_traces[T](self, call: Callable[[], T]) -> T:
        return self._since("stores no traces: the stage is older than this command", call)

    def _since[T](self, problem: str, call: Callable[[], T]) -> T:
        """Return the result of `call`; a 404 of its route becomes the error of an older stage."""
        try:
            return call()
        except ServiceError as error:
            if error.status != 404:
                raise
            remedy = f"`{make('up')}` updates the local stack, `{make('deploy', 'STAGE=NAME')}` another stage"
            raise ServiceError(f"{self.url} {problem}. {remedy}", status=404) from error

    def _of_trace[T](self, trace_id: str, call: Callable[[], T]) -> T:
        """Return the result of `call`; a 404 becomes a ServiceError with the causes of a missing trace."""
        try:
            return call()
        except ServiceError as error:
            if error.status != 404:
                raise
            self.traces({"limit": "1"})
            lines = [
                f"{self.url} has no trace {trace_id!r} for this token. Traces are stored at the end of chats, for the",
                "share in `traces.sample` of the configuration, and kept for `traces.days` days (7 by default).",
                f"  list the stored ones: {flexchat('traces')}",
                f"  its log lines: {flexchat('logs', trace_id, '--stage', 'STAGE')}",
            ]
            raise ServiceError("\n".join(lines), status=404) from error

    def _named[T](self, kind: Named, name: str, call: Callable[[], T]) -> T:
        """Return the result of `call`; a 404 becomes a ServiceError that lists the names of this kind."""
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
            raise ServiceError(str(unknown(kind, name, known, where=self.url)), status=404) from error


def _is_event_stream(response: "httpx2.Response") -> bool:
    return response.headers.get("Content-Type", "").partition(";")[0].strip().lower() == EVENT_STREAM


def _idempotent(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Idempotency-Key": key}


def _page(cursor: str | None) -> dict[str, str]:
    return {} if cursor is None else {"cursor": cursor}


def _session(session_id: str) -> str:
    return f"/api/sessions/{quote(session_id, safe='')}"


def _mcp_server(name: str) -> str:
    return f"/api/mcp/servers/{quote(name, safe='')}"


def _validation_run(run_id: str) -> str:
    return f"/api/validation/runs/{quote(run_id, safe='')}"


def _trace(trace_id: str) -> str:
    return f"/api/traces/{quote(trace_id, safe='')}"


def _suite(name: str) -> str:
    return f"/api/validation/suites/{quote(name, safe='')}"


def _values(entries: Json, key: str) -> list[str]:
    """Return the strings under `key` of a list of objects."""
    if not isinstance(entries, list):
        return []
    found = [entry.get(key) for entry in entries if isinstance(entry, dict)]
    return [value for value in found if isinstance(value, str)]
