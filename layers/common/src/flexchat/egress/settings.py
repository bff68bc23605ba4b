"""Settings of a function that sends requests to addresses of the configuration."""

from flexchat.egress.policy import EgressPolicy
from flexchat.settings import Settings


class EgressSettings(Settings):
    """Environment of the rules for outgoing requests.

    `FLEXCHAT_ALLOWED_HOSTS` is a list separated by commas, empty for every host of the configuration. With
    `AWS_ENDPOINT_URL` the AWS services are an emulator, and servers of the same machine may be called.
    """

    allowed_hosts: str = ""
    aws_endpoint_url: str = ""

    @property
    def egress(self) -> EgressPolicy:
        hosts = frozenset(filter(None, (host.strip().lower() for host in self.allowed_hosts.split(","))))
        return EgressPolicy(allowed_hosts=hosts or None, local=bool(self.aws_endpoint_url))
