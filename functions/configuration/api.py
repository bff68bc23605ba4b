"""HTTP API of the configuration and of the tokens."""

from flexchat.http_api.api import HttpApi
from flexchat.http_api.body import BodyLimit
from functions.configuration import routes, token_routes
from functions.configuration.services import ConfigurationServices

ROUTERS = (routes.router, token_routes.router)


class ConfigurationApi(HttpApi[ConfigurationServices]):
    """Published configuration, drafts, history, and tokens."""

    routers = ROUTERS
    body = BodyLimit('{"base": "…"}')
