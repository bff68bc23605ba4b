"""Secrets in the headers of services, resolved when a search needs them."""

from msgspec import Struct

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.secrets import entry_references, resolved, unbound_problems
from flexchat.errors import RetrievalError
from flexchat.secret_references import SecretsError
from flexchat.tool_secrets import SecretReader


class ServiceSecrets(Struct, frozen=True):
    """Resolves the references in a service's headers; `read` returns the secrets of `stage` and their hosts."""

    read: SecretReader
    stage: str

    def __call__(self, service: RagServiceConfig) -> RagServiceConfig:
        """Return `service` with its references resolved. Raises RetrievalError, `configuration` or `unavailable`."""
        names = entry_references(service)
        if not names:
            return service
        try:
            secrets = self.read(names)
            if problems := unbound_problems(service, self.read.hosts(names), stage=self.stage):
                raise RetrievalError("; ".join(problems), code="configuration")
        except SecretsError as exc:
            raise RetrievalError(exc.message, code=exc.type) from exc
        return resolved(service, secrets)
