"""`GET /models` of OpenAI and of the servers compatible with it, some of which say more than OpenAI does."""

from pydantic import AliasChoices, Field

from functions.chat.providers.model_listing import ListedModel, chats
from functions.chat.providers.response_parsing import Wire, read_answer


class _Model(Wire):
    """`supported_parameters` is OpenRouter's; the size of the context has a name of each server's own."""

    id: str
    supported_parameters: tuple[str, ...] | None = None
    context_window: int | None = Field(
        default=None, validation_alias=AliasChoices("context_window", "context_length", "max_model_len")
    )

    def listed(self) -> ListedModel:
        takes = self.supported_parameters
        return ListedModel(
            name=self.id,
            tools=None if takes is None else "tools" in takes,
            reasoning=None if takes is None else "reasoning" in takes,
            context_window=self.context_window,
        )


class _Models(Wire):
    data: tuple[_Model, ...]


def read_models(body: bytes) -> tuple[ListedModel, ...]:
    """The models that answer chats, by their names. Raises ValueError."""
    return tuple(model.listed() for model in read_answer(_Models, body).data if chats(model.id))
