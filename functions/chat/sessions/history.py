"""Earlier messages, made fit to be sent to a model: whole, in turns, and within a budget of tokens."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from flexchat.messages import Message, Text, ToolCall, ToolOutput, assistant
from flexchat.sessions import message_tokens

INTERRUPTED = "The call was interrupted: what came of it, and whether it had any effect, is not known."
UNANSWERED = "(This message was not answered.)"

type Turn = tuple[Message, ...]
"""A message of the user and what followed it until the next."""


def model_history(messages: Iterable[Message], *, max_tokens: int) -> tuple[Message, ...]:
    """The latest of `messages`, repaired, that come to at most `max_tokens`."""
    return tuple(chain.from_iterable(bounded(_turns(repaired(messages)), max_tokens=max_tokens)))


def fitting(messages: Iterable[Message], *, max_tokens: int) -> tuple[Message, ...]:
    """`messages` as they are when they come to at most `max_tokens`, else the latest turns of them that do."""
    whole = tuple(messages)
    if _tokens(whole) <= max_tokens:
        return whole
    return tuple(chain.from_iterable(bounded(_turns(whole), max_tokens=max_tokens)))


def bounded(turns: Sequence[Turn], *, max_tokens: int) -> tuple[Turn, ...]:
    """The latest whole turns that come to at most `max_tokens`: the oldest go first.

    The last turn, when it alone is larger, gives up its tool calls with their results before it goes.
    """
    kept: list[Turn] = []
    left = max_tokens
    for turn in reversed(turns):
        if _tokens(turn) > left:
            without_tools = tuple(message for message in turn if message.role != "tool" and not message.tool_calls)
            if not kept and _tokens(without_tools) <= left:
                kept.append(without_tools)
            break
        kept.append(turn)
        left -= _tokens(turn)
    return tuple(reversed(kept))


def repaired(messages: Iterable[Message]) -> tuple[Message, ...]:
    """`messages` as every provider takes them.

    They begin with the user's, and each turn ends with an answer, if only with a note that there was none. Each call
    has exactly one result, straight after the message that asks for it, in the order of the calls; what came of a call
    without one is said to be unknown, and a result without its call is left out. The ids of calls are unique.
    """
    ids: set[str] = set()
    return tuple(chain.from_iterable(_repaired_turn(turn, ids) for turn in _turns(messages)))


def _turns(messages: Iterable[Message]) -> list[Turn]:
    """The turns; what comes before the first message of the user, and system messages, are left out."""
    turns: list[list[Message]] = []
    for message in messages:
        if message.role == "user":
            turns.append([message])
        elif turns and message.role != "system":
            turns[-1].append(message)
    return [tuple(turn) for turn in turns]


def _repaired_turn(turn: Turn, ids: set[str]) -> list[Message]:
    said: list[Message] = [turn[0]]
    for position, message in enumerate(turn):
        if message.role != "assistant" or not (message.tool_calls or message.text.strip()):
            continue
        asking, outputs = _with_own_ids(message, _outputs_after(turn, position), ids)
        if said[-1].role == "assistant":
            asking = Message("assistant", (*said.pop().parts, Text("\n\n"), *asking.parts))
        said.append(asking)
        said.extend(outputs)
    if said[-1].role != "assistant":
        said.append(assistant(UNANSWERED))
    return said


def _outputs_after(turn: Turn, position: int) -> list[ToolOutput]:
    """The results that stand between a message of the assistant and the next."""
    outputs: list[ToolOutput] = []
    for message in turn[position + 1 :]:
        if message.role != "tool":
            break
        outputs.extend(part for part in message.parts if isinstance(part, ToolOutput))
    return outputs


def _with_own_ids(message: Message, outputs: list[ToolOutput], ids: set[str]) -> tuple[Message, list[Message]]:
    """The message with ids that no earlier call has, and the result of each of its calls."""
    answers: list[Message] = []
    renamed: dict[int, ToolCall] = {}
    for place, call in enumerate(message.parts):
        if not isinstance(call, ToolCall):
            continue
        output = next((output for output in outputs if output.call_id == call.id), None)
        if output is None:
            output = ToolOutput(call.id, call.name, INTERRUPTED, is_error=True)
        else:
            outputs.remove(output)
        call_id = _unused(call.id, ids)
        ids.add(call_id)
        if call_id != call.id:
            renamed[place] = replace(call, id=call_id)
            output = replace(output, call_id=call_id)
        answers.append(Message("tool", (output,)))
    if renamed:
        message = replace(message, parts=tuple(renamed.get(place, part) for place, part in enumerate(message.parts)))
    return message, answers


def _unused(call_id: str, ids: set[str]) -> str:
    number = 2
    unused = call_id
    while unused in ids:
        unused = f"{call_id}_{number}"
        number += 1
    return unused


def _tokens(turn: Turn) -> int:
    return sum(map(message_tokens, turn))
