"""Answers CORS preflights: a page of a listed origin may call the API, any other learns nothing."""

import os
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator

from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.settings import Settings, read_environment

MAX_AGE_SECONDS = 600


class PreflightSettings(Settings):
    """`FLEXCHAT_ALLOWED_ORIGINS`: origins such as `https://app.example.com`, separated by commas."""

    allowed_origins: Annotated[frozenset[str], BeforeValidator(lambda text: frozenset(text.split(",")))]


class PreflightRequest(BaseModel):
    """The part of API Gateway's proxy event (payload v1) that decides."""

    headers: dict[str, str] | None = None

    def origin(self) -> str | None:
        return next((value for name, value in (self.headers or {}).items() if name.lower() == "origin"), None)


@cache
def settings() -> PreflightSettings:
    """The settings of this environment, read when first asked for."""
    return read_environment(PreflightSettings, os.environ)


def lambda_handler(event: dict[str, Any], _context: object) -> dict[str, Json]:
    """Answer a preflight with 204. Credentials stay off: the API knows bearer tokens only, no cookies."""
    origin = PreflightRequest.model_validate(event).origin()
    allowed = origin in settings().allowed_origins
    logger.info("preflight answered", allowed=allowed)
    headers: dict[str, Json] = {"Vary": "Origin"}
    if allowed:
        headers |= {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": "GET,POST,PUT,PATCH,DELETE",
            "Access-Control-Allow-Headers": "Authorization,Content-Type,Idempotency-Key,Prefer",
            "Access-Control-Max-Age": str(MAX_AGE_SECONDS),
        }
    return {"statusCode": 204, "headers": headers, "body": "", "isBase64Encoded": False}
