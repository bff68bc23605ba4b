"""Settings of the sign-in with an OpenID Connect provider, from the variables of the API's stage."""

from collections.abc import Mapping
from typing import Self
from urllib.parse import urlsplit

from msgspec import Struct

from flexchat.messages import Json

SPACE = "_"
"""Character of a stage variable for a space, which API Gateway does not accept."""


class SignIn(Struct, frozen=True):
    """Public client of the page at an issuer.

    `name` is the provider's name for people. `origins` are those of endpoints that are not at the issuer's origin.
    """

    issuer: str
    client_id: str
    scopes: tuple[str, ...]
    name: str
    origins: tuple[str, ...]

    @classmethod
    def from_variables(cls, variables: Mapping[str, str] | None) -> Self | None:
        """Return the settings in the stage's variables; None for a stage whose page accepts API tokens alone."""
        found = variables or {}
        issuer, client_id = found.get("oidcIssuer", ""), found.get("oidcClientId", "")
        if not issuer or not client_id:
            return None
        return cls(
            issuer=issuer,
            client_id=client_id,
            scopes=_values(found.get("oidcScopes", "")) or ("openid",),
            name=found.get("oidcName", "").replace(SPACE, " ").strip() or urlsplit(issuer).netloc,
            origins=_values(found.get("oidcOrigins", "")),
        )

    def connected(self) -> tuple[str, ...]:
        """Return the origins to which the page sends requests: discovery, tokens and revocation."""
        parts = urlsplit(self.issuer)
        return tuple(dict.fromkeys((f"{parts.scheme}://{parts.netloc}", *self.origins)))

    def document(self) -> dict[str, Json]:
        """Return the settings that the page reads; all of them are public."""
        return {
            "issuer": self.issuer,
            "client_id": self.client_id,
            "scopes": list(self.scopes),
            "name": self.name,
        }


def _values(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))
