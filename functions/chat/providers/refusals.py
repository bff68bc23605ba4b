"""Texts of refused requests, in the words of providers and of compatible servers: parameters, budgets, contexts."""

import re
from typing import Final

from functions.chat.providers.profiles import CACHE_MARKS

_NAMES: Final = {
    "max_tokens": "max_tokens",
    "maxtokens": "max_tokens",
    "max_output_tokens": "max_tokens",
    "maxoutputtokens": "max_tokens",
    "max_completion_tokens": "max_completion_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
    "topp": "top_p",
    "stop": "stop",
    "stop_sequences": "stop",
    "stopsequences": "stop",
    "tool_choice": "tool_choice",
    "toolchoice": "tool_choice",
    "tool_config": "tool_choice",
    "toolconfig": "tool_choice",
    "function_calling_config": "tool_choice",
    "functioncallingconfig": "tool_choice",
    "parallel_tool_calls": "parallel_tool_calls",
    "stream": "stream",
    "stream_options": "stream_options",
    "prompt_cache_key": "prompt_cache_key",
    "reasoning_effort": "reasoning_effort",
}
"""Canonical names of optional parameters by the names that APIs have for them, in lower case."""

_AMBIGUOUS: Final = ("stop", "stream")
"""Parameters whose names are words of other sentences too."""

_NAMED: Final = re.compile(rf"\b({'|'.join(sorted(_NAMES.keys() - set(_AMBIGUOUS), key=len, reverse=True))})\b", re.I)

_QUOTED: Final = re.compile(
    r"['\"`](stop|stream)['\"`]|(?:parameters?|fields?|arguments?)(?:: | )(stop|stream)\b|: (stop)$"
)

_BOTH: Final = re.compile(r"temperature\W{1,8}and\W{1,8}top_?p\W{1,8}cannot both", re.I)

_STREAM_ALONE: Final = re.compile(
    r"non-?stream|stream(?:ing)?(?: mode)? (?:is )?(?:required|only)|only (?:supports? )?stream|must (?:be )?stream"
    r"|requires? stream|set stream(?: to |=)true",
    re.I,
)

_NO_EFFORT: Final = re.compile(r"reasoning[_.]effort\W{1,8}(?:to |set to )?\W{0,2}none\b", re.I)

_EFFORT: Final = re.compile(r"reasoning|thinking|\beffort\b|\bthink\b", re.I)
"""Words about the reasoning effort; only a request with an effort may be refused for it."""

_SIGNATURE: Final = re.compile(r"signature", re.I)

_EFFORT_FIELDS: Final = (
    b'"reasoning_effort":',
    b'"effort":',
    b'"thinking":{',
    b'"thinkingconfig":',
    b'"think":',
    b'"reasoningconfig":',
)
"""Beginnings of a reasoning effort in a request, in lower case; `"thinking":"` is text of a history."""

_FORMAT: Final = re.compile(
    r"response[_ ]?(?:format|json_?schema|schema|mime)|\bjson_(?:schema|object)\b|json[_ ]mode|structured[_ ]outputs?\b"
    r"|output_?(?:config|format)|textformat|schema in format|parse grammar|grammar constraint",
    re.I,
)
"""Words about the form of an answer; only a request with a form may be refused for it."""

_OF_TOOLS: Final = re.compile(r"\btools?\b|function", re.I)

_OF_SCHEMA: Final = re.compile(
    r"(?:invalid|unsupported|bad) (?:json )?schema|\bschema\b.{0,200}(?:not (?:supported|permitted|valid)|invalid"
    r"|required|must)|grammar|additionalProperties|too complex",
    re.I | re.S,
)
"""Words about a certain schema, in a refusal of a form."""

_FORMAT_FIELDS: Final = (b'"response_format":', b'"responsemimetype":', b'"format":', b'"textformat":')
"""Beginnings of the form of an answer in a request, in lower case."""

_SENT_NONE: Final = b'"reasoning_effort":"none"'

_CONTEXT: Final = re.compile(
    r"max\w{0,20} (?:context|model|sequence)[\w ]{0,80}length|context (?:length|window|size|limit)"
    r"|prompt is too long|exceeds? (?:the )?(?:model'?s? |available )?context|too many (?:input )?tokens"
    r"|(?:input|prompt)[\w ]{0,40} (?:is )?too long|reduce the length of the (?:messages|prompt|input)"
    r"|token count[\w() ]{0,40} exceeds",
    re.I,
)
"""Texts about an overlong conversation, at any status: llama.cpp answers "Context size has been exceeded." with 500."""

_NO_PICTURES: Final = re.compile(
    r"\bimage(?:_url|s|\(s\))?\b.{0,60}(?:only supported by|not (?:enabled|supported|available)|isn't supported)"
    r"|(?:does(?: not|n't)|do not|cannot|can't|no)\b.{0,40}\b(?:support|accept|process|read|handle|allow)\w*\b.{0,40}"
    r"\b(?:image|picture|vision|multimodal|document|file)"
    r"|missing data required for image input|support image input|is not a multimodal model"
    r"|at most 0 (?:image|document)|unknown variant `(?:image_url|file)`|unsupported content type.{0,20}(?:image|file)",
    re.I,
)
"""Texts about pictures and files that a model does not read: of OpenAI, Ollama, vLLM, llama.cpp, DeepSeek, OpenRouter,
Bedrock and Gemini."""

_PICTURE_FIELDS: Final = (
    b'"image_url":',
    b'"file_data":',
    b'"inlinedata":',
    b'"image":{',
    b'"images":[',
    b'"document":',
    b'"type":"image"',
    b'"type":"document"',
)
"""Beginnings of pictures and files in a request, in lower case."""

_SPENT: Final = re.compile(
    r"insufficient[ _](?:quota|balance|credit|funds)"
    r"|(?:credit|balance|quota)s?[\w ']{0,40} (?:too low|exhausted|used up|depleted)"
    r"|(?:used|spent|exhausted)[\w ']{0,40} (?:credits?|balance)|out of credits?|(?:no|any) (?:credits?|licenses?)\b"
    r"|requires? more credits?|purchase (?:more )?credits?|payment required|API usage limits|issue with your billing",
    re.I,
)

_MALFORMED_CALL: Final = re.compile(
    r"failed to call a function|tool call validation failed|error parsing tool call|failed to parse (?:the )?tool call"
    r"|failed to parse input at pos|invalid sequence as part of ToolUse|XML syntax error|model did not call a tool"
    r"|model called a tool",
    re.I,
)
"""Texts about a call that the server could not read: of Groq, Ollama, llama.cpp and Bedrock."""

_LONG_CALL_ID: Final = re.compile(r"tool call id\b.{0,300}\blength of 9\b", re.I | re.S)

_WITHOUT_REASONING: Final = re.compile(
    r"(missing|must (include|have|contain)).{0,40}\breasoning_content\b"
    r"|\breasoning_content\b.{0,80}\b(missing|required|(passed|sent) back)",
    re.I | re.S,
)

_UNSIGNED_CALL: Final = re.compile(r"missing (a )?\W?thought_?signature", re.I)

_REFUSED_HISTORY: Final = (
    (_LONG_CALL_ID, "long_call_ids"),
    (_WITHOUT_REASONING, "messages_without_reasoning"),
    (_UNSIGNED_CALL, "unsigned_calls"),
)
"""Refused forms of a history by the texts of Mistral, of DeepSeek and Kimi, and of Gemini."""


def refused_parameter(message: str, parameter: str | None = None) -> str | None:
    """Return the canonical name of the optional parameter that a refusal names, in `parameter` or in its text.

    The wording does not matter: the request without the parameter shows whether it was the reason. Of several, the
    first one is refused: "max_tokens is not supported, use max_completion_tokens".
    """
    if parameter in CACHE_MARKS:
        return parameter
    if (form := refused_format(message, parameter)) is not None:
        return form
    if _BOTH.search(message):
        return "temperature_with_top_p"
    if _NO_EFFORT.search(message):
        return "reasoning_with_tools"
    if _STREAM_ALONE.search(message):
        return "non_streaming"
    if parameter:
        return _NAMES.get(parameter.partition(".")[0].lower()) or refused_effort(parameter)
    found = _NAMED.search(message)
    if found is not None:
        return _NAMES[found[1].lower()]
    quoted = _QUOTED.search(message)
    return quoted[quoted.lastindex or 1] if quoted else refused_effort(message)


def refused_format(message: str, parameter: str | None) -> str | None:
    """Return the name of what a refusal names of the form of an answer: with tools, this schema, or any form."""
    if not _FORMAT.search(parameter or message):
        return None
    if _OF_SCHEMA.search(message):
        return "response_schema"
    return "response_format_with_tools" if _OF_TOOLS.search(message) else "response_format"


def refused_effort(message: str) -> str | None:
    """Return the name of the reasoning effort where a refusal is about it, and not about a signature of reasoning."""
    return "reasoning_effort" if _EFFORT.search(message) and not _SIGNATURE.search(message) else None


def refused_history(status: int, message: str) -> str | None:
    """Return the form of the history that a server refused; servers of Mistral's models do so with 500 too."""
    if status not in (400, 422, 500):
        return None
    return next((form for pattern, form in _REFUSED_HISTORY if pattern.search(message)), None)


def refused_in(parameter: str, body: bytes) -> str:
    """Return the name of a refused parameter of a request: a text that names the effort "none" refuses a sent one."""
    return "reasoning_effort" if parameter == "reasoning_with_tools" and _SENT_NONE in body else parameter


def was_sent(parameter: str, body: bytes) -> bool:
    """Return whether a request may have an optional parameter; the combinations of several count as sent.

    A property of a tool with this name looks like the parameter: the request is then repeated once for nothing.
    """
    text = body.lower()
    if parameter == "reasoning_effort":
        return any(field in text for field in _EFFORT_FIELDS)
    if parameter.startswith("response_"):
        return any(field in text for field in _FORMAT_FIELDS)
    names = [name for name, canonical in _NAMES.items() if canonical == parameter]
    return not names or any(b'"%s":' % name.encode() in text for name in names)


def is_too_long(message: str) -> bool:
    """Return whether a refusal says that the conversation is longer than the context of the model."""
    return _CONTEXT.search(message) is not None


def refuses_pictures(message: str, body: bytes | None) -> bool:
    """Return whether a refusal says that the model does not read the pictures or files of the request `body`."""
    if body is None or _NO_PICTURES.search(message) is None:
        return False
    text = body.lower()
    return any(field in text for field in _PICTURE_FIELDS)


def is_malformed_call(message: str) -> bool:
    """Return whether a server says that the model called a tool in a form that it cannot read."""
    return _MALFORMED_CALL.search(message) is not None


def is_spent(status: int | None, message: str) -> bool:
    """Return whether a refusal says that a balance or a quota is used up."""
    return status == 402 or _SPENT.search(message) is not None
