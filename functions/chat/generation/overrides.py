"""Settings of one chat by its front end."""

from typing import Final

from msgspec import Struct

from flexchat.config.model_names import ModelName
from flexchat.messages import Message
from functions.chat.providers.base import ToolChoice
from functions.chat.tools.client_tools import ClientTool


class ChatOverrides(Struct, frozen=True, kw_only=True):
    """Settings of one chat by its front end, in place of those of the response rule.

    `rule` is the name of the rule that answers, instead of the first that matches. `model` answers in place of the
    rule's models, without fallbacks. `instructions` follow the prompt of the rule. With the tool choice `none`, no tool
    is offered. `history` has the messages before the last user message, in place of the request's. `turns` has the
    messages after it: of the assistant, with calls of `tools`, and their results.
    """

    rule: str | None = None
    model: ModelName | None = None
    instructions: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    tools: tuple[ClientTool, ...] = ()
    tool_choice: ToolChoice = "auto"
    history: tuple[Message, ...] | None = None
    turns: tuple[Message, ...] = ()


NO_OVERRIDES: Final = ChatOverrides()
