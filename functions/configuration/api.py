"""HTTP API of the configuration and of the tokens."""

from flexchat.config.access import rights_of
from flexchat.config.models.roles import Right
from flexchat.http_api.api import HttpApi
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.caller import Caller
from functions.configuration import routes, token_routes
from functions.configuration.services import ConfigurationServices

ROUTERS = (routes.router, token_routes.router)


class ConfigurationApi(HttpApi[ConfigurationServices]):
    """Published configuration, drafts, history, and tokens."""

    routers = ROUTERS
    body = BodyLimit('{"base": "…"}')

    def rights(self, caller: Caller) -> frozenset[Right]:
        return rights_of(caller, self._services.editor.roles()).may
