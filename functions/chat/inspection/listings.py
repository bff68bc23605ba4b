"""Lists of the tools, the models, and the configuration entries that are not in use."""

from collections.abc import Mapping

from flexchat.api.listings import DisabledView, LlmErrorView, ModelList, ToolList, ToolView
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.validation.records import ModelTallies
from functions.chat.inspection.models import model_list, models_open_to_users
from functions.chat.providers.discovery import Discovery
from functions.chat.runtime import Runtime

MAX_AGE_SECONDS = 1.0
"""Maximum age of the scores in a list: a test that has just ended is in the next list."""

STATUSES_UNREAD = LlmErrorView(
    llm="validation", error="the validation statuses cannot be read now; every model is shown as untested"
)


def list_tools(runtime: Runtime) -> ToolList:
    """Return every offered tool, and every configured entry that is not in use with the reasons."""
    manager = runtime.tools
    if not manager.is_enabled():
        return ToolList(tools=(), disabled=disabled_views(runtime))
    offered = manager.offered(None)
    tools = tuple(
        ToolView(
            name=tool.name,
            description=tool.description,
            handler=tool.handler,
            parameters=tool.parameters,
            implementation={"type": tool.implementation_type},
        )
        for tool in manager.get_registry().list()
        if tool.name in offered
    )
    return ToolList(tools=tools, disabled=disabled_views(runtime))


def list_models(runtime: Runtime, discovery: Discovery, *, deadline: Deadline) -> ModelList:
    """Return every configured llm's models with their capabilities. Takes seconds when a provider is slow."""
    tallies: Mapping[str, ModelTallies] = {}
    unread: tuple[LlmErrorView, ...] = ()
    try:
        tallies = runtime.statuses.read(deadline, fresh_seconds=MAX_AGE_SECONDS)
    except FlexchatError:
        unread = (STATUSES_UNREAD,)
    listed = model_list(runtime.catalog, discovery, runtime.provider, tallies, models_open_to_users(runtime))
    return ModelList(models=listed.models, errors=(*listed.errors, *unread))


def disabled_views(runtime: Runtime) -> tuple[DisabledView, ...]:
    """Return every configured entry that is not in use, with the reasons.

    Tools that are withheld because `tools.enabled` is false are not named.
    """
    withheld = runtime.tools.withheld().items()
    return (
        *(DisabledView(kind="tool", name=name, problems=problems) for name, problems in withheld),
        *(DisabledView(kind=each.kind, name=each.name, problems=each.problems) for each in runtime.catalog.disabled),
    )
