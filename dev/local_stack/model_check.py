"""Test of the models that a configuration names: each key and model at its server, from this machine."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDERS, model_key
from flexchat.config.secrets import entry_references, resolved
from flexchat.config.suggestions import known_names
from flexchat.config.used_models import used_models
from flexchat.deadline import Deadline, call_with_timeout
from flexchat.egress.policy import EgressPolicy, is_loopback
from flexchat.egress.urls import host_of
from flexchat.errors import ConfigError, ModelError, ModelErrorType
from flexchat.messages import user
from functions.chat.providers.base import ChatOptions, ListedModel, Provider
from functions.chat.providers.factory import create_provider, import_adapter

LIST_SECONDS = 5.0
CALL_SECONDS = 15.0
"""Limits for a list of models and for one answer: a server may have to load the model."""
PARALLEL = 8
MAX_TOKENS = 16
"""Limit of a test's answer; some servers accept no less."""

type CreateProvider = Callable[..., Provider]
type SecretsOf = Callable[[LlmConfig], Mapping[str, str]]
"""Function that returns the secrets that may be sent to an llm."""

_KEY_REFUSED: tuple[ModelErrorType, ...] = ("authentication", "permission")
_UNREACHABLE: tuple[ModelErrorType, ...] = ("network", "timeout")


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """Result for an llm and its `models`: `problem` has the cause and the remedy, None for models that answer."""

    llm: str
    models: tuple[str, ...]
    server: str
    problem: str | None = None

    def __str__(self) -> str:
        names = ", ".join(self.models) or "no model is named"
        return f"llm {self.llm!r} ({names}) at {self.server}: {self.problem or 'ok'}"


def check_models(
    configuration: Configuration, secrets_of: SecretsOf, *, create: CreateProvider = create_provider
) -> tuple[ModelCheck, ...]:
    """Return a result for each llm or model of a configuration, in its order; the demo model is left out.

    The servers are asked at the same time, each for seconds.
    """
    named: dict[str, list[str]] = {}
    for name in used_models(configuration):
        named.setdefault(name.llm, []).append(name.model)
    tested = {llm: entry for llm, entry in configuration.llms.items() if not entry.demo}
    if not tested:
        return ()
    for entry in tested.values():  # in this thread: threads that import one module can see it half initialized
        import_adapter(entry.type)

    def check(llm: str) -> tuple[ModelCheck, ...]:
        return tuple(_checks(llm, tested[llm], named.get(llm, []), secrets_of(tested[llm]), create))

    with ThreadPoolExecutor(max_workers=PARALLEL) as pool:
        return tuple(each for checks in pool.map(check, tested) for each in checks)


def _checks(
    llm: str, entry: LlmConfig, models: Sequence[str], secrets: Mapping[str, str], create: CreateProvider
) -> Iterator[ModelCheck]:
    """Yield the results of one llm: one for all models that answer, and one for each problem."""
    server = entry.base_url or PROVIDERS[entry.type].default_url
    if missing := [name for name in entry_references(entry) if name not in secrets]:
        names = " and ".join(missing)
        reason = f"{names} is not set for this address; export it and run `make up` again"
        yield ModelCheck(llm, tuple(models), server, reason)
        return
    try:
        adapter = create(llm, resolved(entry, secrets), egress=EgressPolicy(local=True))
    except ConfigError as error:
        yield ModelCheck(llm, tuple(models), server, str(error))
        return
    listed, error = _listed(adapter)
    if error is not None and error.type in (*_KEY_REFUSED, *_UNREACHABLE):
        yield ModelCheck(llm, tuple(models), server, problem_of(error, entry, server))
        return
    names = {model_key(entry.type, model.name) for model in listed}
    answering: list[str] = []
    for model in models:
        # A list may lack a model that answers: a deployment of Azure, or one behind an alias of a gateway.
        problem = None if model_key(entry.type, model) in names else _called(adapter, model, entry, server, listed)
        if problem is None:
            answering.append(model)
        else:
            yield ModelCheck(llm, (model,), server, problem)
    if answering or not models:
        yield ModelCheck(llm, tuple(answering), server)


def _listed(adapter: Provider) -> tuple[Sequence[ListedModel], ModelError | None]:
    try:
        deadline = Deadline.after(LIST_SECONDS)
        return call_with_timeout(LIST_SECONDS, lambda: adapter.list_models(deadline)), None
    except TimeoutError:
        return (), ModelError(f"no list of models within {LIST_SECONDS:g} s", type="timeout", provider=adapter.name)
    except ModelError as error:
        return (), error


def _called(adapter: Provider, model: str, entry: LlmConfig, server: str, listed: Sequence[ListedModel]) -> str | None:
    """Return the problem of a model that is not listed, after one short call of it."""
    try:
        options = ChatOptions(Deadline.after(CALL_SECONDS), max_tokens=MAX_TOKENS)
        call_with_timeout(CALL_SECONDS, lambda: adapter.generate_chat((user("Say ok."),), model, options))
    except TimeoutError:
        return None if not listed else _unknown(model, listed)
    except ModelError as error:
        if error.type in ("not_found", "invalid_request") and listed:
            return _unknown(model, listed)
        # An answer that is cut off after a few tokens is an answer.
        return None if error.type in ("invalid_response", "timeout") else problem_of(error, entry, server)
    return None


def _unknown(model: str, listed: Sequence[ListedModel]) -> str:
    offered = known_names(model, sorted({each.name for each in listed}))
    return f"the server has no model {model!r}; it offers {offered}: name one of them in the configuration"


def problem_of(error: ModelError, entry: LlmConfig, server: str) -> str:
    """Return an error of a server with what an operator can do about it."""
    if error.type in _KEY_REFUSED:
        names = " and ".join(entry_references(entry))
        what = f"the key in {names} is refused" if names else "the server wants a key; set `api_key` of the llm"
        then = "; export the right one and run `make up` again" if names else ""
        return f"{what} ({error.message}){then}"
    if error.type in _UNREACHABLE:
        return f"{error.message}; {_unreachable_hint(server, entry)}"
    if error.type == "not_found":
        return f"{error.message}; {_path_hint(server, entry)}"
    return error.message


def _unreachable_hint(server: str, entry: LlmConfig) -> str:
    parts = urlsplit(server)
    if is_loopback(host_of(server)):
        if entry.type == "ollama":
            return "start Ollama (`ollama serve`), or set OLLAMA_HOST to its address"
        return (
            f"nothing answers on port {parts.port or 80} of this machine: start the server, or publish the port of its"
            " container"
        )
    if (parts.hostname or "").endswith(("docker.internal", "containers.internal")):
        return "the stack runs on this machine itself, not in a container: use http://127.0.0.1 with the port"
    return "check the address, the network and its proxy (HTTPS_PROXY)"


def _path_hint(server: str, entry: LlmConfig) -> str:
    base = PROVIDERS[entry.type].base_path
    if base and not urlsplit(server).path.rstrip("/").endswith(base):
        return f"the address of most servers ends with {base}: {server.rstrip('/')}{base}"
    return "check the address"
