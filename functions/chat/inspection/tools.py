"""What the service has, for whoever asks: its tools, and the models it may use."""

from collections.abc import Mapping

from flexchat.api import DisabledView, LlmErrorView, ModelList, ToolList, ToolView
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.validation.records import ModelTallies
from functions.chat.inspection.models import list_models as models_of
from functions.chat.providers.discovery import Discovery
from functions.chat.runtime import Setup
from functions.chat.trials.opened import opened_models


def list_tools(setup: Setup) -> ToolList:
    """Every tool that is offered, and every configured entry that is not served with the reason."""
    manager = setup.tools
    if not manager.is_enabled():
        return ToolList(tools=(), disabled=disabled_views(setup))
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
    return ToolList(tools=tools, disabled=disabled_views(setup))


def disabled_views(setup: Setup) -> tuple[DisabledView, ...]:
    """Every configured entry that is not served, with the reasons. With tools switched off altogether none is named
    for that."""
    withheld = setup.tools.withheld().items()
    return (
        *(DisabledView(kind="tool", name=name, problems=problems) for name, problems in withheld),
        *(DisabledView(kind=entry.kind, name=entry.name, problems=entry.problems) for entry in setup.catalog.disabled),
    )


LISTED_SECONDS = 1.0
"""Maximum age of the scores in a list: a test that has just ended is in the next list."""

UNREAD = LlmErrorView(
    llm="validation", error="what is known of the models cannot be read now; every model is shown as untested"
)


def list_models(setup: Setup, discovery: Discovery, *, deadline: Deadline) -> ModelList:
    """Every configured llm's models, with what each can do. Takes seconds when a provider is slow to say."""
    tallies: Mapping[str, ModelTallies] = {}
    unread: tuple[LlmErrorView, ...] = ()
    try:
        tallies = setup.statuses.known(deadline, fresh_seconds=LISTED_SECONDS)
    except FlexchatError:
        unread = (UNREAD,)
    listed = models_of(setup.catalog, discovery, setup.provider, tallies, opened_models(setup))
    return ModelList(models=listed.models, errors=(*listed.errors, *unread))
