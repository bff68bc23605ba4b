"""What the service has, for whoever asks: its tools, and the models it may use."""

from flexchat.api import DisabledView, ModelList, ToolList, ToolView
from flexchat.config.catalog import Catalog
from functions.chat.models import list_models as models_of
from functions.chat.providers.discovery import Discovery
from functions.chat.setup import Setup


def list_tools(setup: Setup) -> ToolList:
    """Every tool that is offered, and every configured entry that is not served with the reason."""
    manager = setup.tools
    if not manager.is_enabled():
        return ToolList(tools=(), disabled=_disabled(setup.catalog))
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
    withheld = tuple(
        DisabledView(kind="tool", name=name, problems=problems) for name, problems in manager.withheld().items()
    )
    return ToolList(tools=tools, disabled=(*withheld, *_disabled(setup.catalog)))


def list_models(setup: Setup, discovery: Discovery) -> ModelList:
    """Every configured llm's models, with what each can do. Takes seconds when a provider is slow to say."""
    return models_of(setup.catalog, discovery, setup.provider)


def _disabled(catalog: Catalog) -> tuple[DisabledView, ...]:
    return tuple(DisabledView(kind=entry.kind, name=entry.name, problems=entry.problems) for entry in catalog.disabled)
