"""`events/env/<stage>.json`: a stage's resources for `sam local invoke --env-vars`, from the outputs of its stack."""

import json
from collections.abc import Mapping
from pathlib import Path

from cli.errors import DeploymentError
from cli.files import write_private

API_OUTPUT = "ApiUrl"
"""Stack output with the address of the API."""

CHAT: Mapping[str, str] = {
    "FLEXCHAT_CHATS_TABLE": "ChatsTableName",
    "FLEXCHAT_CONFIGURATION_BUCKET": "CollectionsBucketName",
    "FLEXCHAT_FILES_BUCKET": "CollectionsBucketName",
    "FLEXCHAT_IDEMPOTENCY_TABLE": "IdempotencyTableName",
    "FLEXCHAT_SIGNING_SECRET": "SigningSecretArn",
    "FLEXCHAT_RETRIEVAL_FUNCTION": "RetrievalFunctionAlias",
    "FLEXCHAT_TOOL_STATE_TABLE": "ToolStateTableName",
    "FLEXCHAT_TRACES_FUNCTION": "TracesFunctionAlias",
    "FLEXCHAT_VALIDATION_TABLE": "ValidationTableName",
}

VARIABLES: Mapping[str, Mapping[str, str]] = {
    "AuthorizerFunction": {"FLEXCHAT_AUDIT_TABLE": "AuditTableName", "FLEXCHAT_TOKENS_TABLE": "TokensTableName"},
    "ChatFunction": CHAT,
    "ChatStreamFunction": {**CHAT, "FLEXCHAT_RUNS_FUNCTION": "ChatFunctionAlias"},
    "ConfigurationFunction": {
        "FLEXCHAT_AUDIT_TABLE": "AuditTableName",
        "FLEXCHAT_CONFIGURATION_BUCKET": "CollectionsBucketName",
        "FLEXCHAT_TOKENS_TABLE": "TokensTableName",
    },
    "HttpToolFunction": {"FLEXCHAT_TOOL_STATE_TABLE": "ToolStateTableName"},
    "McpToolFunction": {
        "FLEXCHAT_CONFIGURATION_BUCKET": "CollectionsBucketName",
        "FLEXCHAT_TOOL_STATE_TABLE": "ToolStateTableName",
    },
    "RetrievalFunction": {
        "FLEXCHAT_CHATS_TABLE": "ChatsTableName",
        "FLEXCHAT_COLLECTIONS_BUCKET": "CollectionsBucketName",
        "FLEXCHAT_CONFIGURATION_BUCKET": "CollectionsBucketName",
    },
    "TracesFunction": {
        "FLEXCHAT_AUDIT_TABLE": "AuditTableName",
        "FLEXCHAT_TRACES_BUCKET": "TracesBucketName",
        "FLEXCHAT_TRACES_TABLE": "TracesTableName",
    },
    "ValidationFunction": {
        "FLEXCHAT_CHAT_FUNCTION": "ChatFunctionAlias",
        "FLEXCHAT_CONFIGURATION_BUCKET": "CollectionsBucketName",
        "FLEXCHAT_VALIDATION_QUEUE": "ValidationQueueUrl",
        "FLEXCHAT_VALIDATION_TABLE": "ValidationTableName",
    },
}
"""Stack output for each variable with a resource; the other variables come from the template's parameters."""


def environment_file(root: Path, stage: str) -> Path:
    """Return the path of a stage's file in the checkout `root`."""
    return root / "events" / "env" / f"{stage}.json"


def write_environment_file(root: Path, stage: str, outputs: Mapping[str, str]) -> Path:
    """Write the file of a stage and return its path. Raises DeploymentError when the stack lacks an output."""
    missing = sorted({output for names in VARIABLES.values() for output in names.values()} - outputs.keys())
    if missing:
        raise DeploymentError(f"the deployed stack has no output {', '.join(missing)}")
    values = {
        function: {variable: outputs[output] for variable, output in variables.items()}
        for function, variables in VARIABLES.items()
    }
    path = environment_file(root, stage)
    write_private(path, json.dumps(values, indent=2) + "\n")
    return path
