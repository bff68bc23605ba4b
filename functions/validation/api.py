"""HTTP API of validation."""

from flexchat.config.access import rights_of
from flexchat.config.models.roles import Right
from flexchat.http_api.api import HttpApi
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.caller import Caller
from functions.validation import routes, suite_routes
from functions.validation.services import ValidationServices

ROUTERS = (routes.router, suite_routes.router)


class ValidationApi(HttpApi[ValidationServices]):
    """Statuses of models, validation runs and suites."""

    routers = ROUTERS
    body = BodyLimit('{"model": "openai:gpt-5"}')
    slash_parameter = ("/api/tools/validate/{model}", "model")

    def rights(self, caller: Caller) -> frozenset[Right]:
        return rights_of(caller, self._services.roles()).may
