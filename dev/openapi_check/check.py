"""Check of one document: its import, and the requests of random operations."""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from cli.configuration import checked, read_file
from cli.tool_import.configuration_file import add_to_file
from cli.tool_import.document import Document, read_document
from cli.tool_import.openapi import Operation, import_operations, operations
from cli.tool_import.report import ImportedTool
from dev.openapi_check.requests import Findings, RequestValidator
from dev.openapi_check.schemas import members
from dev.openapi_check.server import ValidatingServer
from dev.openapi_check.values import ArgumentGenerator
from flexchat.errors import ConfigError, FlexchatError, ToolError
from flexchat.secret_references import SECRET_REFERENCE
from flexchat.tools import CallTool
from functions.tools.http.implementation import Implementation

type Call = Callable[[CallTool, Implementation], object]

_SECRET = "secret"  # noqa: S105


@dataclass(slots=True)
class DocumentResult:
    """Figures of one document.

    `imported`, `changed` and `left_out` count operations, `rejected` the errors of `config check` for the written file,
    `requests` those that were sent, `right` the parameters and fields with the value that the document requires.
    """

    name: str
    operations: int = 0
    imported: int = 0
    changed: int = 0
    left_out: Counter[str] = field(default_factory=Counter[str])
    rejected: list[str] = field(default_factory=list[str])
    requests: int = 0
    right: int = 0
    declared: list[str] = field(default_factory=list[str])
    wrong: list[str] = field(default_factory=list[str])


def check_document(path: Path, server: ValidatingServer, call: Call, *, count: int, seed: int) -> DocumentResult:
    """Import every operation of a document, and send requests for `count` random ones of them. Raises ConfigError."""
    document = read_document(path.read_bytes(), name=path.name)
    result = DocumentResult(path.name)
    found = operations(document)
    report = import_operations(document, found, server=server.url, deprecated=True)
    result.operations, result.imported = len(found), len(report.tools)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "config.json"
        report = add_to_file(file, report, replace=False)
        result.imported = len(report.tools)
        result.changed = sum(bool(tool.notes) for tool in report.tools)
        result.left_out.update(_kind(each.reason) for each in report.left_out)
        result.rejected = _rejected(file) if report.tools else []
    by_name = {operation.name: operation for operation in found}
    chosen = random.Random(f"{seed}:{path.name}").sample(report.tools, min(count, len(report.tools)))  # noqa: S311
    for tool in chosen:
        _send(document, by_name[tool.name], tool, server, call, result, seed=seed)
    return result


def _rejected(file: Path) -> list[str]:
    """Return the errors of `config check` for a file."""
    try:
        _, problems = checked(read_file(file))
    except ConfigError as exc:
        return [str(problem) for problem in exc.problems]
    return [str(problem) for problem in problems if problem.severity == "error"]


def _kind(reason: str) -> str:
    """Return a reason without the names and numbers in it."""
    words = [word for word in reason.split() if not word.startswith(("'", '"', "/")) and not word.isdecimal()]
    return " ".join(words)[:100]


def _send(
    document: Document,
    operation: Operation,
    tool: ImportedTool,
    server: ValidatingServer,
    call: Call,
    result: DocumentResult,
    *,
    seed: int,
) -> None:
    """Call a tool with random arguments, and add the findings of the server."""
    definition = json.loads(SECRET_REFERENCE.sub(_SECRET, json.dumps(tool.definition)))
    source = definition["implementation"]
    if source.get("auth", {}).get("type") == "oauth2_client_credentials":
        source["auth"] = {"type": "bearer", "token": _SECRET}
    implementation = Implementation.model_validate(source)
    arguments = _arguments(definition, seed=seed)
    validator = RequestValidator(
        cast("dict[str, Any]", document.source),
        operation.path,
        operation.method,
        notes=tool.notes,
        secrets=_secret_names(source),
    )
    server.expect(validator, arguments)
    request = CallTool(
        tool=tool.name,
        arguments=arguments,
        implementation={},
        call_id="call-1",
        idempotency_key="request-1:call-1",
        request_id="request-1",
        timeout_ms=30_000,
    )
    label = f"{result.name} {operation.label}"
    try:
        call(request, implementation)
    except ToolError:
        pass  # its findings are those of the server
    except FlexchatError as exc:
        result.wrong.append(f"{label}: no request: {exc}")
        return
    findings = server.findings or Findings(wrong=["no request"])
    result.requests += 1
    result.right += findings.right
    result.declared += [f"{label}: {each}" for each in findings.declared]
    result.wrong += [f"{label}: {each}" for each in findings.wrong]


def _arguments(definition: dict[str, Any], *, seed: int) -> dict[str, Any]:
    """Return a value for each parameter of a tool."""
    parameters = definition["parameters"]
    mapping = definition["implementation"].get("params_mapping", {})
    generator = ArgumentGenerator(
        parameters.get("$defs", {}),
        random.Random(f"{seed}:{definition['name']}"),  # noqa: S311
    )
    found: dict[str, Any] = {}
    for name, schema in parameters["properties"].items():
        entry = members(mapping.get(name))
        generator.simple = entry.get("in") in ("header", "cookie") or entry.get("style", "form") not in (
            "form", "deepObject", "json",
        )  # fmt: skip
        found[name] = generator.value(schema)
    return found


def _secret_names(implementation: dict[str, Any]) -> frozenset[str]:
    """Return the headers and query parameters of authentication, in lower case."""
    auth = implementation.get("auth", {})
    own = {auth["name"].lower()} if auth.get("type") == "api_key" else set[str]()
    fixed = {**implementation.get("headers", {}), **implementation.get("query", {})}
    return frozenset({*own, *(name.lower() for name in fixed)})


def totals(results: list[DocumentResult]) -> DocumentResult:
    """Return the sums of all documents."""
    total = DocumentResult(f"{len(results)} documents")
    for each in results:
        total.operations += each.operations
        total.imported += each.imported
        total.changed += each.changed
        total.left_out += each.left_out
        total.rejected += each.rejected
        total.requests += each.requests
        total.right += each.right
        total.declared += each.declared
        total.wrong += each.wrong
    return total
