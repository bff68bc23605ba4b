"""Earlier messages for a model: repaired, in whole turns, and within a number of tokens."""

from collections.abc import Iterable, Sequence
from copy import replace
from itertools import chain

from flexchat.messages import Message, Text, ToolCall, ToolOutput, assistant
from flexchat.sessions import message_tokens

INTERRUPTED = "The call was interrupted: what came of it, and whether it had any effect, is not known."
UNANSWERED = "(This message was not answered.)"

type Turn = tuple[Message, ...]
"""A message of the user with the messages until the next one."""


def model_history(messages: Iterable[Message], *, max_tokens: int) -> tuple[Message, ...]:
    """Return the latest turns of `messages`, repaired, of at most `max_tokens`."""
    return tuple(chain.from_iterable(bounded(_turns(repaired(messages)), max_tokens=max_tokens)))


def latest_turns(messages: Iterable[Message], *, max_tokens: int) -> tuple[Message, ...]:
    """Return `messages` unchanged, or their latest turns of at most `max_tokens`."""
    whole = tuple(messages)
    if _tokens(whole) <= max_tokens:
        return whole
    return tuple(chain.from_iterable(bounded(_turns(whole), max_tokens=max_tokens)))


def fit_window(messages: tuple[Message, ...], context_window: int | None) -> tuple[Message, ...]:
    """Return the latest turns of at most half a model's context window; all where it is not known."""
    return latest_turns(messages, max_tokens=context_window // 2) if context_window else messages


ESTIMATE_SHARE = 0.7
"""Share of an upper estimate that a text of English or code has at least: below it, a text may fit."""


def fit_request(
    history: tuple[Message, ...], rest: Sequence[Message], *, context_window: int, answer_tokens: int
) -> tuple[Message, ...] | None:
    """Return the history of a client's request as far as it fits a model's window: all of it where it may.

    `rest` has the other messages of the request, `answer_tokens` is the room for the answer. None where the rest alone
    does not fit.
    """
    room = context_window - min(answer_tokens, context_window // 4)
    used = _tokens(tuple(rest))
    if used * ESTIMATE_SHARE > room:
        return None
    if (used + _tokens(history)) * ESTIMATE_SHARE <= room:
        return history
    return latest_turns(history, max_tokens=max(0, room - used))


def bounded(turns: Sequence[Turn], *, max_tokens: int) -> tuple[Turn, ...]:
    """Return the latest whole turns of at most `max_tokens`.

    A last turn that alone is larger loses its tool calls with their results first.
    """
    latest: list[Turn] = []
    left = max_tokens
    for turn in reversed(turns):
        if _tokens(turn) > left:
            without_tools = tuple(message for message in turn if message.role != "tool" and not message.tool_calls)
            if not latest and _tokens(without_tools) <= left:
                latest.append(without_tools)
            break
        latest.append(turn)
        left -= _tokens(turn)
    return tuple(reversed(latest))


def repaired(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return `messages` in a form that every provider accepts.

    They begin with a user message, and each turn ends with an answer, or a note that there was none. Each call has
    exactly one result, directly after the calling message, in the order of the calls: a call without one gets the
    result that its outcome is unknown, and a result without its call is removed. The ids of calls are unique.
    """
    ids: set[str] = set()
    return tuple(chain.from_iterable(_repaired_turn(turn, ids) for turn in _turns(messages)))


def _turns(messages: Iterable[Message]) -> list[Turn]:
    """Return the turns without system messages and messages before the first user message."""
    turns: list[list[Message]] = []
    for message in messages:
        if message.role == "user":
            turns.append([message])
        elif turns and message.role != "system":
            turns[-1].append(message)
    return [tuple(turn) for turn in turns]


def _repaired_turn(turn: Turn, ids: set[str]) -> list[Message]:
    result: list[Message] = [turn[0]]
    for position, message in enumerate(turn):
        if message.role != "assistant" or not (message.tool_calls or message.text.strip()):
            continue
        calling, outputs = _with_own_ids(message, _outputs_after(turn, position), ids)
        if result[-1].role == "assistant":
            calling = Message("assistant", (*result.pop().parts, Text("\n\n"), *calling.parts))
        result.append(calling)
        result.extend(outputs)
    if result[-1].role != "assistant":
        result.append(assistant(UNANSWERED))
    return result


def _outputs_after(turn: Turn, position: int) -> list[ToolOutput]:
    """Return the results between a message of the assistant and the next."""
    outputs: list[ToolOutput] = []
    for message in turn[position + 1 :]:
        if message.role != "tool":
            break
        outputs.extend(part for part in message.parts if isinstance(part, ToolOutput))
    return outputs


def _with_own_ids(message: Message, outputs: list[ToolOutput], ids: set[str]) -> tuple[Message, list[Message]]:
    """Return the message with call ids that no earlier call has, and the result of each of its calls."""
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
