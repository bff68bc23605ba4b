"""Sources and stores shared by the tests of the configuration."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from flexchat.config.document import read_source
from flexchat.config.encoding import LastChange, StoredParameters
from flexchat.config.history import RecordedVersion
from flexchat.config.parameters import split
from flexchat.errors import FlexchatError, Problem
from flexchat.messages import Json

STAGE = "test"


def tool(name: str, **changes: Json) -> dict[str, Json]:
    """A valid mock tool."""
    return {
        "name": name,
        "description": f"What {name} does",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
        "implementation": {"type": "mock", "mock_response": {"comment": "stays", "ok": True}},
        **changes,
    }


def rule(**changes: Json) -> dict[str, Json]:
    """A valid fallback rule."""
    return {"llm": "main", "model": "gpt-4o", "prompt": "You help.\n\nUser: {{user_message}}", **changes}


def source(**changes: Json) -> dict[str, Json]:
    """A valid configuration with two tools, two rules, an llm with a secret and a service with one."""
    return {
        "$schema": "./flexchat.schema.json",
        "comment": ["kept"],
        "llms": {
            "comment": "kept too",
            "main": {"type": "openai", "api_key": "${MAIN_KEY}", "models": ["gpt-4o"]},
            "local": {"type": "ollama", "base_url": "https://ollama.example"},
        },
        "rag_services": {
            "docs": {
                "type": "http",
                "url": "https://docs.example.com",
                "headers": {"Authorization": "Bearer ${DOCS_KEY}"},
            }
        },
        "topic": {"provider": {"llm": "local", "model": "llama3.2"}},
        "intent": {
            "provider": {"llm": "main", "model": "gpt-4o"},
            "detection": {"intents": {"weather": "Asks about the weather"}},
        },
        "responses": [
            rule(
                name="weather",
                match={"intent_regexp": "/(weather|forecast)/i"},
                tools={"enabled": True, "allowed_tools": ["get_weather"]},
            ),
            rule(comment="last", tools={"enabled": True}),
        ],
        "tools": {
            "comment": "globals",
            "enabled": True,
            "registry": [tool("get_weather"), tool("calculate", comment="mock for now")],
        },
        **changes,
    }


def problem_lines(problems: Iterable[Problem], severity: str = "error") -> list[str]:
    """The problems of one severity, as an operator reads them."""
    return [str(problem) for problem in problems if problem.severity == severity]


def stored(document: Mapping[str, Json], *, stage: str = STAGE) -> dict[str, str]:
    """The parameters of a source, copied through JSON as a file would be."""
    return split(read_source(json.dumps(document)), stage=stage)


def parameter_of(parameters: Mapping[str, str], part: str) -> str:
    """The only parameter whose name contains `part`."""
    (name,) = (name for name in parameters if f"/{part}/" in name)
    return name


class MemoryParameters:
    """Parameters in memory that count the calls and fail on demand."""

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        self.parameters = dict(parameters or {})
        self.changes: dict[str, LastChange] = {}
        self.calls: list[str] = []
        self.written: list[str] = []
        self.deleted: list[str] = []
        self.failure: FlexchatError | None = None

    def read_path(self, path: str) -> StoredParameters:
        self._called("read_path")
        return self._stored(name for name in self.parameters if name.startswith(f"{path}/"))

    def read(self, names: Iterable[str]) -> StoredParameters:
        self._called("read")
        return self._stored(name for name in names if name in self.parameters)

    def put(self, name: str, value: str, *, secret: bool = False, key: str | None = None) -> None:
        self._called("put")
        self.parameters[name] = value
        self.written.append(f"{name} (secret)" if secret else name)

    def delete(self, names: Iterable[str]) -> None:
        self._called("delete")
        for name in names:
            del self.parameters[name]
            self.deleted.append(name)

    def replace(self, document: Mapping[str, Json]) -> None:
        """Push the configuration of `document` in place of the stored one; the secrets remain."""
        remaining = {name: value for name, value in self.parameters.items() if "/secrets/" in name}
        self.parameters = {**stored(document), **remaining}

    def _stored(self, names: Iterable[str]) -> StoredParameters:
        values = {name: self.parameters[name] for name in names}
        return StoredParameters(values, {name: self.changes[name] for name in values if name in self.changes})

    def _called(self, operation: str) -> None:
        self.calls.append(operation)
        if self.failure is not None:
            raise self.failure


def logged(output: str) -> list[dict[str, Any]]:
    """The log lines in captured output."""
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


class MemoryHistory:
    """Versions in memory; `before_add` runs before the next write, as another writer."""

    def __init__(self) -> None:
        self.versions: dict[int, bytes] = {}
        self.before_add: list[RecordedVersion] = []

    def newest(self) -> RecordedVersion | None:
        return self.get(max(self.versions)) if self.versions else None

    def get(self, number: int) -> RecordedVersion | None:
        return RecordedVersion.from_bytes(self.versions[number]) if number in self.versions else None

    def add(self, version: RecordedVersion) -> bool:
        for other in self.before_add:
            self.versions[other.summary.number] = other.as_bytes()
        if version.summary.number in self.versions:
            return False
        self.versions[version.summary.number] = version.as_bytes()
        return True

    def delete_before(self, number: int) -> None:
        self.versions = {each: content for each, content in self.versions.items() if each >= number}
