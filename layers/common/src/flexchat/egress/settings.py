"""Settings of a function that sends requests to addresses of the configuration."""

from flexchat.egress.policy import EgressPolicy
from flexchat.settings import Settings


class EgressSettings(Settings):
    """Environment of the rules for outgoing requests.

    `FLEXCHAT_ALLOWED_HOSTS` is a list separated by commas, empty for every host of the configuration;
    `FLEXCHAT_ALLOW_LOOPBACK` is true only at the local stage.
    """

    allowed_hosts: str = ""
    allow_loopback: bool = False

    @property
    def egress(self) -> EgressPolicy:
        hosts = frozenset(filter(None, (host.strip().lower() for host in self.allowed_hosts.split(","))))
        return EgressPolicy(allowed_hosts=hosts or None, loopback=self.allow_loopback)
