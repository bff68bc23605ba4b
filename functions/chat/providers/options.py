"""Options of a request: the endpoint's address and credentials, the token limit, sampling and the tool choice."""

from urllib.parse import urlsplit

from flexchat.config.models.llms import LlmConfig
from flexchat.egress.policy import EgressPolicy
from flexchat.errors import ConfigError, Problem
from functions.chat.providers.base import ChatOptions, ToolChoice
from functions.chat.providers.profiles import ModelProfile

DEFAULT_TEMPERATURE = 0.7
"""Temperature where neither the rule nor the llm has one (decision C35)."""


def max_tokens(options: ChatOptions, config: LlmConfig) -> int | None:
    """Return the token limit of the rule, else of the llm, else None."""
    return config.max_tokens if options.max_tokens is None else options.max_tokens


def temperature(options: ChatOptions, config: LlmConfig) -> float:
    """Return the temperature of the rule, else of the llm, else 0.7. 0 is a temperature (decision C35)."""
    if options.temperature is not None:
        return options.temperature
    return DEFAULT_TEMPERATURE if config.temperature is None else config.temperature


def sampling(options: ChatOptions, config: LlmConfig, profile: ModelProfile) -> tuple[float | None, float | None]:
    """Return the temperature and `top_p` of a request, `None` for one that is left out.

    A model that accepts only one of them gets the one with an effect: `top_p`, unless it is 1 or the temperature is 0.
    """
    degree = temperature(options, config) if profile.supports("temperature") else None
    top_p = options.top_p if profile.supports("top_p") else None
    if degree is None or top_p is None or profile.supports("temperature_with_top_p"):
        return degree, top_p
    return (degree, None) if degree == 0 or top_p >= 1 else (None, top_p)


def tool_choice(options: ChatOptions, profile: ModelProfile) -> ToolChoice | None:
    """Return the tool choice of a request; `None` without tools or support for it."""
    if not options.tools or not profile.supports("tool_choice"):
        return None
    return "auto" if options.forces_tools and not profile.supports("forced_tool_choice") else options.tool_choice


def check_endpoint(name: str, config: LlmConfig) -> None:
    """Check the address, the key and the headers of an endpoint.

    Raises ConfigError for one that no HTTP client could send; its text contains neither key nor header.
    """
    values = {"api_key": config.api_key or "", **{f"headers.{key}": value for key, value in config.headers.items()}}
    problems = [
        Problem(f"llms.{name}.{field}", "must be printable ASCII on one line")
        for field, value in values.items()
        if not (value.isascii() and value.isprintable())
    ]
    if config.base_url is not None and not _is_http_address(config.base_url):
        problems.append(Problem(f"llms.{name}.base_url", "must be an address such as 'https://host/v1'"))
    if problems:
        raise ConfigError(tuple(problems))


def check_address(name: str, url: str, egress: EgressPolicy) -> None:
    """Check the address of the llm `name` before any connection. Raises ConfigError for one that is not allowed."""
    problem = egress.address_problem(url)
    if problem is not None:
        raise ConfigError((Problem(f"llms.{name}.base_url", problem),))


def _is_http_address(address: str) -> bool:
    try:
        url = urlsplit(address)
        return url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        return False
