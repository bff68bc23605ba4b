"""Names of the semantic conventions for generative AI, of the schema `SCHEMA_URL`; they are in development.

https://github.com/open-telemetry/semantic-conventions-genai: docs/gen-ai/gen-ai-spans.md, gen-ai-agent-spans.md and
mcp.md. HTTP statuses, repeated requests and AWS's ids of requests have the names of
https://opentelemetry.io/docs/specs/semconv/registry/attributes/. Names that begin with `flexchat.` are this service's
own.
"""

from typing import Final

SCHEMA_URL: Final = "https://opentelemetry.io/schemas/gen-ai/1.42.0"

OPERATION: Final = "gen_ai.operation.name"
PROVIDER: Final = "gen_ai.provider.name"
AGENT: Final = "gen_ai.agent.name"
CONVERSATION: Final = "gen_ai.conversation.id"
ERROR_TYPE: Final = "error.type"

REQUEST_MODEL: Final = "gen_ai.request.model"
REQUEST_STREAM: Final = "gen_ai.request.stream"
REQUEST_MAX_TOKENS: Final = "gen_ai.request.max_tokens"
REQUEST_TEMPERATURE: Final = "gen_ai.request.temperature"
REQUEST_TOP_P: Final = "gen_ai.request.top_p"
RESPONSE_MODEL: Final = "gen_ai.response.model"
RESPONSE_ID: Final = "gen_ai.response.id"
FINISH_REASONS: Final = "gen_ai.response.finish_reasons"

INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
CACHE_READ_TOKENS: Final = "gen_ai.usage.cache_read.input_tokens"
CACHE_CREATION_TOKENS: Final = "gen_ai.usage.cache_creation.input_tokens"
REASONING_TOKENS: Final = "gen_ai.usage.reasoning.output_tokens"

TOOL_NAME: Final = "gen_ai.tool.name"
TOOL_TYPE: Final = "gen_ai.tool.type"
TOOL_CALL_ID: Final = "gen_ai.tool.call.id"
DATA_SOURCE: Final = "gen_ai.data_source.id"
MCP_METHOD: Final = "mcp.method.name"

HTTP_STATUS: Final = "http.response.status_code"
HTTP_RESENDS: Final = "http.request.resend_count"
AWS_REQUEST_ID: Final = "aws.request_id"

SYSTEM_INSTRUCTIONS: Final = "gen_ai.system_instructions"
INPUT_MESSAGES: Final = "gen_ai.input.messages"
OUTPUT_MESSAGES: Final = "gen_ai.output.messages"
TOOL_DEFINITIONS: Final = "gen_ai.tool.definitions"
TOOL_CALL_ARGUMENTS: Final = "gen_ai.tool.call.arguments"
TOOL_CALL_RESULT: Final = "gen_ai.tool.call.result"

USER: Final = "enduser.pseudo.id"

SERVICE_NAME: Final = "service.name"
SERVICE_VERSION: Final = "service.version"
ENVIRONMENT: Final = "deployment.environment.name"
CLOUD_PROVIDER: Final = "cloud.provider"
CLOUD_PLATFORM: Final = "cloud.platform"
CLOUD_REGION: Final = "cloud.region"

OWN: Final = "flexchat."
