"""Environment of the chat function."""

from pydantic import Json as JsonText

from flexchat.egress.settings import EgressSettings
from flexchat.http_api.deadline import STREAM_SECONDS
from flexchat.validation.records import RETENTION_DAYS


class ChatSettings(EgressSettings):
    """Environment of the function.

    `FLEXCHAT_TOOL_FUNCTIONS` maps tool types to function names as JSON; without it, the names follow from the stage and
    the table of tool types. `FLEXCHAT_ALLOWED_ORIGINS` is a list separated by commas; `FLEXCHAT_CATALOG_TTL_SECONDS` is
    the time after which the configuration is read again; `FLEXCHAT_SIGNING_SECRET` is the ARN of the secret for
    signatures of resume tokens. Without a `FLEXCHAT_VALIDATION_TABLE` every model is untested; records of tests are
    stored for `FLEXCHAT_VALIDATION_RETENTION_DAYS`. Without a `FLEXCHAT_RETRIEVAL_FUNCTION` no collection can be
    searched, without a `FLEXCHAT_TOOL_STATE_TABLE` no tool of an MCP server is known. `FLEXCHAT_STREAM_SECONDS` limits
    a streamed response. `FLEXCHAT_RUNS_FUNCTION` is the function of background runs; without it, the function itself.
    Without a `FLEXCHAT_TRACES_FUNCTION` no chat leaves a trace.
    `FLEXCHAT_FILES_BUCKET` has the pictures and files of messages; without it, none is stored or uploaded.
    `FLEXCHAT_CONFIGURATION_BUCKET` has the packed configuration; without it, entries are read one by one.
    """

    stage: str
    tool_functions: JsonText[dict[str, str]] | None = None
    retrieval_function: str = ""
    runs_function: str = ""
    traces_function: str = ""
    chats_table: str
    files_bucket: str = ""
    idempotency_table: str
    signing_secret: str
    tool_state_table: str = ""
    validation_table: str = ""
    validation_retention_days: int = RETENTION_DAYS
    allowed_origins: str = ""
    catalog_ttl_seconds: float = 60.0
    configuration_bucket: str = ""
    stream_seconds: float = STREAM_SECONDS
