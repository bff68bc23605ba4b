"""The running stack as a stage whose people sign in at an issuer: its variables, and a gateway of their own."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cli.files import make_private_folder
from cli.layout import LOCAL_STAGE, Layout
from cli.local_stack import StackState
from cli.processes import Processes
from dev.local_stack.environment import sign_in_variables
from dev.local_stack.local_gateway import start_local_gateway
from tests.code_flow import CLIENT_ID
from tests.e2e.conftest import AwsClients
from tests.issuer import AUDIENCE, Issuer, running_issuer

OPERATORS = "flexchat-operators"
STAFF = "staff"
NAME = "Acme ID"

SETTINGS = """
[local.global.parameters]
parameter_overrides = [
    "Stage=local",
    "OidcIssuer={issuer}",
    "OidcAudiences={audience}",
    "OidcRolesClaim=realm_access.roles",
    "OidcUserRoles={staff}",
    "OidcOperatorRoles={operators}",
    "OidcClientId={client}",
    "OidcScopes=openid,profile,offline_access",
    "OidcName={name}",
]
"""


@dataclass(frozen=True)
class PeopleStage:
    """The stage at `url`, without a slash at its end, and the issuer of its people."""

    url: str
    issuer: Issuer

    def token(self, *roles: str, **options: Any) -> str:
        """Return an access token of a person with the given roles at the issuer; `options` are those of its tokens."""
        return self.issuer.token(realm_access={"roles": list(roles)}, **options)

    def admit(self, *roles: str) -> None:
        """Let the next sign-ins be those of a person with the given roles."""
        self.issuer.flow.make_token = partial(self.token, *roles)


@contextmanager
def people_stage(stack: StackState, folder: Path) -> Generator[PeopleStage]:
    """Set the parameters of the sign-in as variables of the deployed stage, and remove them afterwards.

    A gateway in `folder` reads them, beside the stack's own.
    """
    home = Layout(folder)
    for each in (home.run, home.tmp, home.data, home.logs):
        make_private_folder(each)
    gateway = AwsClients(stack).client("apigateway")
    stage = {"restApiId": urlsplit(stack.emulated_url).path.split("/")[2], "stageName": LOCAL_STAGE}
    with running_issuer() as issuer:
        settings = SETTINGS.format(
            issuer=issuer.url,
            audience=AUDIENCE,
            staff=STAFF,
            operators=OPERATORS,
            client=CLIENT_ID,
            name=NAME.replace(" ", "_"),
        )
        (folder / "samconfig.toml").write_text(settings)
        variables = sign_in_variables(folder)
        processes = Processes(home.processes)
        try:
            gateway.update_stage(
                **stage,
                patchOperations=[
                    {"op": "replace", "path": f"/variables/{name}", "value": value} for name, value in variables.items()
                ],
            )
            url = start_local_gateway(
                stack.emulated_url, stack.access_key_id, last=None, layout=home, processes=processes
            )
            issuer.flow.redirect_uris.add(f"{url}/")
            yield PeopleStage(url, issuer)
        finally:
            processes.stop_all()
            gateway.update_stage(
                **stage,
                patchOperations=[{"op": "remove", "path": f"/variables/{name}"} for name in variables],
            )
