"""Checks of phases: each has a model, and its prompt uses known variables."""

from collections.abc import Collection, Iterator, Mapping

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.phases import IntentConfig, TopicConfig, placeholders
from flexchat.config.phase_models import PHASES, Phase, phase_model
from flexchat.config.suggestions import did_you_mean
from flexchat.errors import Problem

VARIABLES: Mapping[Phase, tuple[str, ...]] = {
    "topic": ("currentTopic", "conversationContext", "userMessage"),
    "intent": ("intents", "userMessage", "topic"),
}
"""Variables of the prompt of a phase."""


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
        yield from _prompt(f"{path}.prompt", section, VARIABLES[phase])
    intent = configuration.intent
    if intent is not None and intent.enabled and not intent.detection.intents:
        message = "lists no intent: the model can choose only collections that match in part"
        yield Problem("intent.detection.intents", message, "warning")


def _model(path: str, configuration: Configuration, phase: Phase) -> Iterator[Problem]:
    sections = (section for section in (configuration.topic, configuration.intent) if section is not None)
    named = {section.provider.llm for section in sections} - {None}
    if not named <= configuration.llms.keys():
        return
    try:
        phase_model(configuration, phase)
    except ValueError as exc:
        yield Problem(path, str(exc))


def _prompt(path: str, section: TopicConfig | IntentConfig, known: Collection[str]) -> Iterator[Problem]:
    for name in placeholders(section.provider.prompt or ""):
        if name not in known:
            listed = ", ".join(f"{{{{{variable}}}}}" for variable in known)
            yield Problem(path, f"no variable {name!r} among {listed}{did_you_mean(name, known)}", "warning")
