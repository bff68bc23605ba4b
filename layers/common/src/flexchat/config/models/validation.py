"""The `validation` section: scheduled validation runs."""

from typing import Annotated

from pydantic import Field

from flexchat.config.models.base import SUITE_NAME_PATTERN, ConfigModel, Flag


class ValidationBudget(ConfigModel):
    """Budget of a scheduled validation run in chats, tokens or US dollars; the run stops at the first limit reached."""

    calls: Annotated[int, Field(ge=1, strict=True)] | None = None
    tokens: Annotated[int, Field(ge=1, strict=True)] | None = None
    usd: Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)] | None = None


class ValidationConfig(ConfigModel):
    """The `validation` section: models and suite of scheduled validation runs; each case runs `repeats` times.

    With `stop_early` no further case of a model runs once its verdict is decided.
    """

    models: Annotated[tuple[str, ...], Field(max_length=50)] = ()
    suite: Annotated[str, Field(pattern=SUITE_NAME_PATTERN)] = "default"
    repeats: Annotated[int, Field(ge=1, le=100, strict=True)] = 1
    stop_early: Flag = True
    budget: ValidationBudget = ValidationBudget.model_construct()
