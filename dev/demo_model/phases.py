"""Answers to the prompts of the topic and intent phases, and of titles.

They are recognised by text of the service's own prompts; prompts of an operator that contain it are answered the same
way.
"""

import json
import re
from collections.abc import Iterator

from dev.demo_model.fault_injection import read_directives
from dev.demo_model.words import WORD, main_words, stems

TOPIC_WORDS = "topic_status"
INTENT_WORDS = "Answer with exactly one name from this list"
TITLE_WORDS = "Write a title for a conversation"
OTHER = "other"

_MESSAGE = re.compile(r"<message>\s*(.*?)\s*</message>", re.DOTALL)
_CURRENT_TOPIC = re.compile(r"^current topic:[ \t]*(.+)$", re.IGNORECASE | re.MULTILINE)
_CANDIDATE = re.compile(r"^[ \t]*[-*][ \t]+([^:\s][^:\n]*?)[ \t]*(?::[ \t]*(.*))?$", re.MULTILINE)
_FOLLOWS = re.compile(r"\s*(?:and|also|but|then|or|so|what about|how about)\b", re.IGNORECASE)
_REFERS = re.compile(r"\b(?:its?|that|this|these|those|they|them|their|there|then|he|him|his|she|her)\b", re.IGNORECASE)
_FEW_WORDS = 3
_TOPIC_WORDS_KEPT = 8
_TITLE_WORDS_KEPT = 6


def of_phase(question: str) -> str | None:
    """Return the answer to the prompt of a phase; None for any other message."""
    if INTENT_WORDS in question:
        return _intent(question)
    if TOPIC_WORDS in question:
        return _topic(question)
    if TITLE_WORDS in question:
        return _title(question)
    return None


def _topic(question: str) -> str:
    message = _message(question)
    named = _CURRENT_TOPIC.search(question)
    topic = named[1].strip() if named and not named[1].startswith("(") else ""
    goes_on = bool(topic) and _goes_on(message)
    words = [*(_main_words(topic) if goes_on else ()), *_main_words(message)]
    summary = " ".join(dict.fromkeys(words)) or " ".join(message.split()) or "nothing"
    status = "continuation" if goes_on else "new_topic"
    return json.dumps({"topic_status": status, "topic_summary": summary}, ensure_ascii=False)


def _title(question: str) -> str:
    """Return the first main words of the message as a title."""
    message = _message(question)
    words = " ".join(main_words(message)[:_TITLE_WORDS_KEPT]) or " ".join(message.split()) or "Conversation"
    return words[0].upper() + words[1:]


def _goes_on(message: str) -> bool:
    """Return true for a message that depends on an earlier one: short, a continuation, or with a reference."""
    few = len(WORD.findall(message)) <= _FEW_WORDS
    return few or _FOLLOWS.match(message) is not None or _REFERS.search(message) is not None


def _intent(question: str) -> str:
    """Return the candidate that shares most words with the message, its name counted twice; the first of several."""
    question_stems = stems(_message(question))
    best, most = OTHER, 0
    for name, description in _candidates(question):
        shared = 2 * len(question_stems & stems(name)) + len(question_stems & stems(description))
        if name.lower() != OTHER and shared > most:
            best, most = name, shared
    return best


def _candidates(question: str) -> Iterator[tuple[str, str]]:
    listed = question.partition(INTENT_WORDS)[2].partition("<message>")[0]
    for match in _CANDIDATE.finditer(listed):
        yield match[1], match[2] or ""


def _message(question: str) -> str:
    """Return the user's message: the text between markers, or the last paragraph."""
    marked = _MESSAGE.search(question)
    user_message = marked[1] if marked else question.strip().rpartition("\n\n")[2]
    return read_directives(user_message)[1]


def _main_words(text: str) -> list[str]:
    return main_words(text)[:_TOPIC_WORDS_KEPT]
