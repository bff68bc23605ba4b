"""Permissions that the end-to-end tests do not use, each with the reason why it is granted all the same.

A key is a statement, or a statement and one of its actions or resources, as `python -m tests.iam` prints them.
"""

from collections.abc import Mapping

NO_BEDROCK = "the local stack has no Amazon Bedrock"
NO_VECTORS = "the local stack has no S3 Vectors"

UNUSED: Mapping[str, str] = {
    "ChatFunctionRole InvokeBedrockModels": NO_BEDROCK,
    "ChatFunctionRole ListBedrockModels": NO_BEDROCK,
    "ChatFunctionRole ApplyGuardrails": NO_BEDROCK,
    "RetrievalFunctionRole InvokeEmbeddingModels": NO_BEDROCK,
    "RetrievalFunctionRole SearchKnowledgeBases": NO_BEDROCK,
    "RetrievalFunctionRole SearchVectorBuckets": NO_VECTORS,
    "RetrievalFunctionRole ReadSecrets": "no collection of the tests has a model or a service with a key",
    "RetrievalFunctionRole CountRequests: dynamodb:Query": "a caller whose tokens of the day are reserved or used",
    "McpToolFunctionRole ReadSecrets": "no MCP server of the tests has a secret",
    **{
        f"{function}FunctionRole ReadConfiguration: {part}": "a configuration without a packed copy"
        for function in ("Chat", "McpTool", "Retrieval", "Validation")
        for part in ("ssm:GetParametersByPath", "arn:aws:ssm:us-east-1:000000000000:parameter/flexchat/local/chat")
    },
    "ChatFunctionRole ReadWriteIdempotencyRecords: dynamodb:DeleteItem": "a request with an Idempotency-Key that fails",
    "ChatFunctionRole ReadWriteIdempotencyRecords: dynamodb:GetItem": "a refused condition without its item",
    "operator ReadCommandsOfMcpServers": "a push of an MCP server that is a process",
    "operator RecordConfiguration: s3:DeleteObject": "a push beyond the number of kept versions",
    "operator FindStack": "a push to the local stage, whose stack is known",
    "operator ListStages": "a push to a stage that is not deployed",
    "ValidationFunctionRole PublishRegressionEvents": "a proven model that fails",
    "ValidationFunctionRole ConsumeQueue: sqs:ChangeMessageVisibility": "a model that asks to wait",
}
