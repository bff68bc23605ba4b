"""Recorder of the AWS calls of a local process, for the check of its permissions.

Python imports a module of this name at start when its folder is on PYTHONPATH; `dev/local_stack/environment.py` adds it
for processes of the local stack only. Each different call is one JSON line: the principal, the service, the operation
and the names of the resources in its parameters. No other value is written, since parameters contain secrets and
prompts. The Python of other tools imports it, so it uses the standard library alone and imports no botocore itself.
"""

import json
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, cast

HANDLERS = "botocore.handlers"
"""Module with the list of handlers that botocore registers with each session."""

IDENTIFIERS = frozenset(
    {
        "Bucket",
        "EventBusName",
        "FunctionName",
        "IndexName",
        "Key",
        "Name",
        "Names",
        "Path",
        "Prefix",
        "Qualifier",
        "QueueUrl",
        "SecretId",
        "StackName",
        "ChangeSetName",
        "TableName",
        "indexArn",
        "guardrailIdentifier",
        "knowledgeBaseId",
        "logGroupName",
        "modelId",
    }
)
"""Parameters that name a resource."""


def identifiers(value: object) -> Any:
    """Return `value` without parts that name no resource; None for an empty rest."""
    if isinstance(value, dict):
        recorded: dict[str, Any] = {}
        for name, part in cast("dict[str, object]", value).items():
            if name == "RequestItems" and isinstance(part, dict):
                recorded[name] = sorted(cast("dict[str, object]", part))  # the tables of a batch
            elif name in IDENTIFIERS and isinstance(part, str | list | tuple):
                recorded[name] = part
            elif (inner := identifiers(part)) is not None:
                recorded[name] = inner
        return recorded or None
    if isinstance(value, list | tuple):
        found = [inner for part in cast("Sequence[object]", value) if (inner := identifiers(part)) is not None]
        return found or None
    return None


class Recorder:
    """botocore event handler that appends each different call of `principal` to `file`."""

    def __init__(self, principal: str, file: str) -> None:
        self._principal = principal
        self._file = file
        self._seen: set[str] = set()

    def __call__(self, params: dict[str, Any], model: Any, context: dict[str, Any] | None = None, **_: object) -> None:
        # botocore takes the address of an upload form from CreateBucket, of which there is no presigned form.
        is_form = model.name == "CreateBucket" and context is not None and context.get("is_presign_request")
        call: dict[str, Any] = {
            "principal": self._principal,
            "service": model.service_model.service_name,
            "operation": "PostObject" if is_form else model.name,
            "resources": identifiers(params) or {},
        }
        line = json.dumps(call, sort_keys=True)
        if line in self._seen:
            return
        self._seen.add(line)
        # One write for each line: processes append to the same file.
        descriptor = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, (line + "\n").encode())
        finally:
            os.close(descriptor)


class Hook(MetaPathFinder):
    """Registers a recorder in `botocore.handlers` on import; many processes never import it."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != HANDLERS:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        loader = cast("Any", spec.loader) if spec else None
        if spec is None or loader is None:
            return spec
        execute = loader.exec_module

        def exec_module(module: Any) -> None:
            execute(module)
            module.BUILTIN_HANDLERS.append(("before-parameter-build", self._recorder))

        loader.exec_module = exec_module
        return spec


def install() -> None:
    """Record the calls of this process when its environment has a principal and a file."""
    principal = os.environ.get("RECORD_AWS_CALLS_AS") or os.environ.get("AWS_LAMBDA_FUNCTION_NAME")
    file = os.environ.get("RECORD_AWS_CALLS_IN")
    if principal and file:
        sys.meta_path.insert(0, Hook(Recorder(principal, file)))


install()
