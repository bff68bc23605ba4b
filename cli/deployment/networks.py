"""Networks of a stage's functions, checked before its deployment; the template has the same rules."""

from collections.abc import Callable

from cli.errors import DeploymentError
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.mcp_connections import is_installer

ISOLATED = ("IsolatedSubnetIds", "IsolatedSecurityGroupIds")
NETWORKS = (("VpcSubnetIds", "VpcSecurityGroupIds"), ISOLATED)
"""Template parameters of the subnets and the security groups of a network."""

ISOLATE_MCP = "IsolateMcpServers"

type Parameter = Callable[[str], str]
"""Value of a template parameter in this deployment; empty for one that has none."""


def check_networks(parameter: Parameter) -> None:
    """Check the parameters of networks. Raises DeploymentError for one that lacks another."""
    for pair in NETWORKS:
        values = {name: parameter(name) for name in pair}
        missing = [name for name, value in values.items() if not value]
        if len(missing) == 1:
            (given,) = values.keys() - missing
            raise DeploymentError(
                f"{given} is {values[given]!r} without {missing[0]}: set both parameters, "
                'or both to "" for functions outside of this network'
            )
    if parameter(ISOLATE_MCP) == "true" and not parameter(ISOLATED[0]):
        raise DeploymentError(
            f"{ISOLATE_MCP} is 'true' without {ISOLATED[0]} and {ISOLATED[1]}: set both, or {ISOLATE_MCP}=false"
        )


def isolated_servers(configuration: Configuration, parameter: Parameter) -> list[str]:
    """Return the enabled MCP servers that need the internet, which their isolated function does not reach."""
    if parameter(ISOLATE_MCP) != "true":
        return []
    return sorted(
        name
        for name, server in configuration.mcp_servers.items()
        if server.enabled and (server.url is not None or is_installer(server.command))
    )
