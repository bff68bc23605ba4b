"""What the service has, for whoever asks: its tools, and the models it may use."""

from collections.abc import Mapping

from flexchat.api import DisabledView, LlmErrorView, ModelList, ToolList, ToolView
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.validation.records import ModelTallies
from functions.chat.inspection.models import list_models as models_of
from functions.chat.providers.discovery import Discovery
from functions.chat.runtime import Runtime
from functions.chat.trials.opened import models_open_to_users


def list_tools(runtime: Runtime) -> ToolList:
    """Every tool that is offered, and every configured entry that is not served with the reason."""
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


def disabled_views(runtime: Runtime) -> tuple[DisabledView, ...]:
    """Every configured entry that is not served, with the reasons. With tools switched off altogether none is named
    for that."""
    withheld = runtime.tools.withheld().items()
    return (
        *(DisabledView(kind="tool", name=name, problems=problems) for name, problems in withheld),
        *(
            DisabledView(kind=entry.kind, name=entry.name, problems=entry.problems)
            for entry in runtime.catalog.disabled
        ),
    )


LISTED_SECONDS = 1.0
"""Maximum age of the scores in a list: a test that has just ended is in the next list."""

UNREAD = LlmErrorView(
    llm="validation", error="what is known of the models cannot be read now; every model is shown as untested"
)


def list_models(runtime: Runtime, discovery: Discovery, *, deadline: Deadline) -> ModelList:
    """Every configured llm's models, with what each can do. Takes seconds when a provider is slow to say."""
    tallies: Mapping[str, ModelTallies] = {}
    unread: tuple[LlmErrorView, ...] = ()
    try:
        tallies = runtime.statuses.known(deadline, fresh_seconds=LISTED_SECONDS)
    except FlexchatError:
        unread = (UNREAD,)
    listed = models_of(runtime.catalog, discovery, runtime.provider, tallies, models_open_to_users(runtime))
    return ModelList(models=listed.models, errors=(*listed.errors, *unread))
