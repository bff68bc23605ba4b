"""The signing key of a stage: a secret of Secrets Manager, read on first use and cached."""

import threading
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, NoRegionError

from flexchat.aws.credentials import CREDENTIAL_ERRORS, error_code
from flexchat.deadline import Deadline, call_with_timeout
from flexchat.errors import ConfigError, Problem, UnavailableError

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient

MIN_BYTES = 32
"""Shortest key that keeps the full strength of HMAC-SHA256."""

CONFIGURATION_ERRORS = {
    "ResourceNotFoundException": "secret not found in this account and region; deploy the stage first",
    "AccessDeniedException": "these credentials have no permission to read it",
    "DecryptionFailure": "it cannot be decrypted with its KMS key",
    "InvalidRequestException": "it is marked for deletion",
    **CREDENTIAL_ERRORS,
}
"""Errors that only the operator can correct; a retry never helps."""


class SigningKey:
    """The key in one secret, by ARN or name. Only new environments see a rotated secret."""

    def __init__(self, client: "SecretsManagerClient", secret: str) -> None:
        self._client = client
        self._secret = secret
        self._lock = threading.Lock()
        self._key: bytes | None = None

    def read(self, deadline: Deadline) -> bytes:
        """Return the key, 32 bytes or more.

        Raises UnavailableError when it cannot be read before the deadline, and ConfigError for an error that only the
        operator can correct. The next call tries again.
        """
        if self._key is None:
            if not self._lock.acquire(timeout=deadline.remaining()):
                raise UnavailableError("the signing key could not be read in time")
            try:
                self._key = self._key or self._read(deadline)
            finally:
                self._lock.release()
        return self._key

    def _read(self, deadline: Deadline) -> bytes:
        try:
            answer = call_with_timeout(
                deadline.remaining(), lambda: self._client.get_secret_value(SecretId=self._secret)
            )
        except TimeoutError as exc:
            raise UnavailableError("the signing key could not be read in time") from exc
        except ClientError as exc:
            code = error_code(exc)
            if code in CONFIGURATION_ERRORS:
                raise self._config_error(f"{CONFIGURATION_ERRORS[code]} ({code})") from exc
            raise UnavailableError(f"the signing key could not be read: Secrets Manager answered {code}") from exc
        except (NoRegionError, NoCredentialsError) as exc:
            raise self._config_error(f"AWS cannot be used ({type(exc).__name__})") from exc
        except BotoCoreError as exc:
            message = f"the signing key could not be read: Secrets Manager did not answer ({type(exc).__name__})"
            raise UnavailableError(message) from exc
        key = answer.get("SecretBinary") or answer.get("SecretString", "").encode()
        if len(key) < MIN_BYTES:
            raise self._config_error(f"a signing key must have at least {MIN_BYTES} bytes, not {len(key)}")
        return key

    def _config_error(self, message: str) -> ConfigError:
        return ConfigError((Problem(path=self._secret, message=message),))
