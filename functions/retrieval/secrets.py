"""Secrets in the headers of services, resolved when a search needs them."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.secrets import entry_references, resolved
from flexchat.errors import RetrievalError
from flexchat.secret_references import SecretsError


class ServiceSecrets(Struct, frozen=True):
    """Resolves the references in a service's headers; `read` returns the secrets of some names."""

    read: Callable[[tuple[str, ...]], Mapping[str, str]]

    def __call__(self, service: RagServiceConfig) -> RagServiceConfig:
        """Return `service` with its references resolved. Raises RetrievalError, `configuration` or `unavailable`."""
        names = entry_references(service)
        if not names:
            return service
        try:
            return resolved(service, self.read(names))
        except SecretsError as exc:
            raise RetrievalError(exc.message, code=exc.type) from exc
