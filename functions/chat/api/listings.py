"""Routes that list the configured tools and models."""

from flexchat.api.listings import ModelList, ToolList
from flexchat.http_api.openapi import responses
from functions.chat.api.services import ChatRouter

router = ChatRouter()


@router.endpoint(
    "GET",
    "/api/tools/list",
    role="user",
    summary="List the tools",
    tags=["tools"],
    responses=responses(ToolList),
)
def list_tools() -> ToolList:
    return router.services.operations.inspector.list_tools(router.deadline())


@router.endpoint(
    "GET",
    "/api/models/list",
    role="user",
    summary="List the models",
    tags=["models"],
    responses=responses(ModelList),
)
def list_models() -> ModelList:
    return router.services.operations.inspector.list_models(router.deadline())


@router.endpoint(
    "POST",
    "/api/connections/llm/discovery/models",
    role="user",
    summary="List the models (earlier path)",
    tags=["models"],
    responses=responses(ModelList),
)
def discover_models() -> ModelList:
    return router.services.operations.inspector.list_models(router.deadline())
