"""Checks of phases and titles: each has a model, and its prompt uses known variables."""

from collections.abc import Callable, Collection, Iterator, Mapping

from flexchat.config.model_names import ModelName
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.phases import ModelChoice, misspelled_placeholders, placeholders
from flexchat.config.phase_models import PHASES, Phase, phase_model, title_model
from flexchat.config.suggestions import did_you_mean
from flexchat.errors import Problem

VARIABLES: Mapping[Phase, tuple[str, ...]] = {
    "topic": ("currentTopic", "conversationContext", "userMessage"),
    "intent": ("intents", "userMessage", "topic"),
}
"""Variables of the prompt of a phase."""

TITLE_VARIABLES = ("userMessage", "answer")
"""Variables of the prompt of titles."""


def phase_problems(configuration: Configuration, *, is_whole: bool) -> Iterator[Problem]:
    """Return the problems of the `topic` and `intent` sections, except those of their llms and models.

    A missing model is reported only for a configuration that `is_whole`: otherwise it may belong to an entry that is
    already reported.
    """
    for phase in PHASES:
        section = configuration.topic if phase == "topic" else configuration.intent
        if section is None:
            continue
        path = f"{phase}.provider"
        if section.enabled and is_whole:
            yield from _model(path, configuration, phase)
        yield from _prompt(f"{path}.prompt", section.provider, VARIABLES[phase])
    intent = configuration.intent
    if intent is not None and intent.enabled and not intent.detection.intents:
        message = "lists no intent: the model can choose only collections that match in part"
        yield Problem("intent.detection.intents", message, "warning")


def title_problems(configuration: Configuration, *, is_whole: bool) -> Iterator[Problem]:
    """Return the problems of `sessions.title`, except those of its llm and model; `is_whole` as for phases."""
    title = configuration.sessions.title
    if title is None:
        return
    if is_whole and (title.llm is None or title.llm in configuration.llms):
        yield from _missing("sessions.title", lambda: title_model(configuration))
    yield from _prompt("sessions.title.prompt", title, TITLE_VARIABLES)


def _model(path: str, configuration: Configuration, phase: Phase) -> Iterator[Problem]:
    sections = (section for section in (configuration.topic, configuration.intent) if section is not None)
    named = {section.provider.llm for section in sections} - {None}
    if named <= configuration.llms.keys():
        yield from _missing(path, lambda: phase_model(configuration, phase))


def _missing(path: str, model: Callable[[], ModelName]) -> Iterator[Problem]:
    try:
        model()
    except ValueError as exc:
        yield Problem(path, str(exc))


def _prompt(path: str, choice: ModelChoice, known: Collection[str]) -> Iterator[Problem]:
    yield from prompt_problems(path, choice.prompt or "", known)


def prompt_problems(path: str, prompt: str, known: Collection[str]) -> Iterator[Problem]:
    """Warn of variables of a prompt that nothing sets, which a model reads as they are written.

    A variable is one of `known`, or a part of one as `customer.name`.
    """
    listed = ", ".join(f"{{{{{variable}}}}}" for variable in dict.fromkeys(known))
    for name in placeholders(prompt):
        if name.partition(".")[0] not in known:
            yield Problem(path, f"no variable {name!r} among {listed}{did_you_mean(name, known)}", "warning")
    for text in misspelled_placeholders(prompt):
        yield Problem(path, f"{text!r} is no variable, and models read it unchanged; variables are {listed}", "warning")
