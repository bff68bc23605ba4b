"""State that model servers demand back: tagged with the model that made it, and sent to this model alone.

Servers sign the reasoning of their models, or demand it back unchanged. The state of another model, or of the same name
at another server, would have the whole request refused.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from copy import replace
from hashlib import sha256
from itertools import islice
from typing import Final

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, Part, ProviderState, Reasoning, Stateful
from flexchat.observability import logger
from functions.chat.providers.wire_format import to_json

MAX_REFUSED_STATES: Final = 1_024
"""Most refused states that one environment remembers."""

UNSIGNED: Final = "skip_thought_signature_validator"
"""Placeholder signature of calls by other models than Gemini's, or by earlier ones of Gemini without signatures.

https://ai.google.dev/gemini-api/docs/thought-signatures
"""

_STATE_WORDS: Final = re.compile(r"thinking|signature|reasoning(?![_.]?effort)|extra_content", re.I)
"""Names of state in the text of an error."""


class ModelStates:
    """State in the conversations with the models of one llm, whose name is `llm`.

    States that a server refused are not sent again while the environment lasts.
    """

    def __init__(self, llm: str) -> None:
        self._llm = llm
        self._refused: dict[bytes, None] = {}

    def call(
        self, model: str, messages: Sequence[Message], request: Callable[[Sequence[Message]], Completion]
    ) -> Completion:
        """Return `request(messages)` with the state of `model` alone, and its completion tagged with the model.

        A request whose state is refused is repeated once without any, so that its session can continue. Raises the
        error of `request`.
        """
        origin = f"{self._llm}:{model}"
        own = _keeping(messages, lambda part, state: state.origin == origin and not self._is_refused(part, state))
        try:
            completion = request(own)
        except ModelError as exc:
            states = [_digest(part, state) for message in own for part, state in _states(message)]
            if not (states and _refuses_state(exc)):
                raise
            logger.warning("model state dropped", provider=self._llm, model=model)
            completion = request(_keeping(own, _never))
            self._remember(states)
        return replace(completion, message=_tagged(completion.message, origin))

    def _is_refused(self, part: Part, state: ProviderState) -> bool:
        return bool(self._refused) and _digest(part, state) in self._refused

    def _remember(self, states: Sequence[bytes]) -> None:
        self._refused.update(dict.fromkeys(states))
        for oldest in list(islice(self._refused, max(0, len(self._refused) - MAX_REFUSED_STATES))):
            self._refused.pop(oldest, None)


def _refuses_state(error: ModelError) -> bool:
    return error.status in (400, 422) and not error.after_output and _STATE_WORDS.search(error.message) is not None


def _states(message: Message) -> Iterator[tuple[Part, ProviderState]]:
    for part in message.parts:
        if isinstance(part, Stateful) and part.state is not None:
            yield part, part.state


type Keeps = Callable[[Part, ProviderState], bool]


def _keeping(messages: Sequence[Message], keeps: Keeps) -> list[Message]:
    """Return `messages` with the states that `keeps` accepts."""
    return [
        message
        if message.role != "assistant" or all(keeps(part, state) for part, state in _states(message))
        else replace(message, parts=tuple(_parts_keeping(message.parts, keeps)))
        for message in messages
    ]


def _parts_keeping(parts: Sequence[Part], keeps: Keeps) -> Iterator[Part]:
    """Yield `parts`; reasoning without its state is left out."""
    for part in parts:
        if not isinstance(part, Stateful) or part.state is None or keeps(part, part.state):
            yield part
        elif not isinstance(part, Reasoning):
            yield replace(part, state=None)


def _never(_part: Part, _state: ProviderState) -> bool:
    return False


def _tagged(message: Message, origin: str) -> Message:
    if not any(_states(message)):
        return message
    return replace(message, parts=tuple(_tagged_part(part, origin) for part in message.parts))


def _tagged_part(part: Part, origin: str) -> Part:
    if not isinstance(part, Stateful) or part.state is None:
        return part
    return replace(part, state=replace(part.state, origin=origin))


def _digest(part: Part, state: ProviderState) -> bytes:
    """Return the digest of a state, which for some providers is the text of its reasoning."""
    return sha256(to_json([state.value, part.text if isinstance(part, Reasoning) else ""])).digest()
