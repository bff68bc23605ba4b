"""Lifecycle hooks of CodeDeploy's deployments."""

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.aws.clients import CodeDeploy
from flexchat.aws.credentials import error_code
from flexchat.errors import UnavailableError


class CodeDeployHooks:
    """Results of hooks, sent to CodeDeploy."""

    def __init__(self, client: CodeDeploy) -> None:
        self._client = client

    def report(self, deployment: str, hook: str, *, succeeded: bool) -> None:
        """Send the result of a hook. Raises UnavailableError."""
        try:
            self._client.put_lifecycle_event_hook_execution_status(
                deploymentId=deployment,
                lifecycleEventHookExecutionId=hook,
                status="Succeeded" if succeeded else "Failed",
            )
        except ClientError as exc:
            raise UnavailableError(f"CodeDeploy refused the result of the smoke test ({error_code(exc)})") from exc
        except BotoCoreError as exc:
            raise UnavailableError(f"CodeDeploy did not answer ({type(exc).__name__})") from exc
