"""Check of the user's message by the guardrails of the rules, at the same time as the phases where all rules agree."""

import contextvars
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from http import HTTPStatus
from typing import Self

from msgspec import Struct, field

from flexchat.config.models.guardrails import GuardrailConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.errors import RequestError
from flexchat.messages import Document, Image, Message, user
from functions.chat.generation.checks import WITHHELD_MESSAGE, BlockedError, TextChecks, checked_message


class CheckedMessage(Struct, frozen=True):
    """The message after its check; `blocked` is the answer to one that a guardrail does not allow.

    With `is_replaced`, `message` is in place of the user's: its masked form, or a text that says that it is withheld.
    """

    message: Message
    blocked: str | None = None
    is_replaced: bool = False


def guards_messages(rules: Sequence[ResponseRule]) -> bool:
    """Return whether any of the rules has a guardrail for messages."""
    return any(_names(rule) for rule in rules)


def possible_rules(rules: Sequence[ResponseRule], name: str | None) -> Sequence[ResponseRule]:
    """Return the rules that may answer: the one that the request names, else all."""
    return tuple(rule for rule in rules if name in (None, rule.name))


class MessageCheck(Struct, kw_only=True):
    """Context manager of the check of one message.

    `rules` are those that may answer. `checks_of` returns the checks of names of guardrails, whose entries are
    `guardrails`; it raises ConfigError for one that cannot be used. The block ends when no check is running any more.
    """

    message: Message
    rules: Sequence[ResponseRule]
    guardrails: Mapping[str, GuardrailConfig]
    checks_of: Callable[[tuple[str, ...]], TextChecks]
    _started: Future[CheckedMessage] | None = None
    _threads: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Self:
        """Begin the check in a thread if the same guardrails check the message whatever rule matches it."""
        names, *others = {_names(rule) for rule in self.rules} or {tuple[str, ...]()}
        if names and not others and not self._refused(names):
            pool = self._threads.enter_context(ThreadPoolExecutor(max_workers=1, thread_name_prefix="guardrail"))
            self._started = pool.submit(contextvars.copy_context().run, self._checked, names)
        return self

    def __exit__(self, *_error: object) -> None:
        self._threads.close()

    def result(self, rule: ResponseRule) -> CheckedMessage:
        """Return the message after the checks of the rule that answers.

        Raises RequestError (400) for a message with pictures or files that a guardrail refuses, and ConfigError.
        """
        names = _names(rule)
        if not names:
            return CheckedMessage(self.message)
        if refused := self._refused(names):
            message = (
                f"the guardrail {refused!r} checks messages and reads no pictures and files: leave them out"
                " (an operator can allow them with `attachments: ignore` of the guardrail)"
            )
            raise RequestError(message, status=HTTPStatus.BAD_REQUEST, code="unchecked_attachments")
        return self._checked(names) if self._started is None else self._started.result()

    def _checked(self, names: tuple[str, ...]) -> CheckedMessage:
        text = self.message.text
        try:
            checked = self.checks_of(names).check(text)
        except BlockedError as blocked:
            return CheckedMessage(user(WITHHELD_MESSAGE), blocked.answer, is_replaced=True)
        if checked == text:
            return CheckedMessage(self.message)
        return CheckedMessage(checked_message(self.message, checked), is_replaced=True)

    def _refused(self, names: tuple[str, ...]) -> str | None:
        """Return the name of a guardrail that refuses the pictures and files of the message, if there is one."""
        if not any(isinstance(part, Image | Document) for part in self.message.parts):
            return None
        entries = ((name, self.guardrails.get(name)) for name in names)
        return next((name for name, entry in entries if entry is None or entry.attachments == "refuse"), None)


def _names(rule: ResponseRule) -> tuple[str, ...]:
    return () if rule.guardrails is None else rule.guardrails.input
