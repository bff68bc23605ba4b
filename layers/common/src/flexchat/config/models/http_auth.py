"""Credentials of requests to an HTTP API, of http tools and MCP servers."""

from typing import Annotated, Literal

from pydantic import Field

from flexchat.config.models.base import ConfigModel


class BearerAuth(ConfigModel):
    """`Authorization: Bearer`."""

    type: Literal["bearer"]
    token: Annotated[str, Field(min_length=1, repr=False)]


class BasicAuth(ConfigModel):
    """`Authorization: Basic`."""

    type: Literal["basic"]
    username: Annotated[str, Field(repr=False)]
    password: Annotated[str, Field(repr=False)]


class ApiKeyAuth(ConfigModel):
    """A key in a header or in the query."""

    type: Literal["api_key"]
    in_: Annotated[Literal["header", "query"], Field(alias="in")] = "header"
    name: Annotated[str, Field(min_length=1, max_length=128)]
    value: Annotated[str, Field(min_length=1, repr=False)]


class OAuth2Auth(ConfigModel):
    """Token of the OAuth 2.0 client credentials grant (RFC 6749, section 4.4), cached until shortly before it expires.

    The client authenticates with HTTP Basic, or with its id and secret in the `body`.
    """

    type: Literal["oauth2_client_credentials"]
    token_url: Annotated[str, Field(min_length=1, repr=False)]
    client_id: Annotated[str, Field(min_length=1, repr=False)]
    client_secret: Annotated[str, Field(min_length=1, repr=False)]
    scope: str | None = None
    audience: str | None = None
    client_authentication: Literal["basic", "body"] = "basic"


Auth = Annotated[BearerAuth | BasicAuth | ApiKeyAuth | OAuth2Auth, Field(discriminator="type")]
