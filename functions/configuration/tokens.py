"""API tokens of a stage for an operator: list, create and revoke."""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Final, Protocol

from flexchat.audit import Auditor, safe_name
from flexchat.config.models.limits import LimitsConfig
from flexchat.config.suggestions import did_you_mean
from flexchat.errors import FlexchatError, Problem, RequestError
from flexchat.http_api.caller import Caller
from flexchat.limits.rate_limits import limits_of
from flexchat.observability import logger
from flexchat.tokens import ROLES, TokenRecord, issue, ordered_roles
from functions.configuration.token_models import MAX_DAYS, CreatedToken, NewToken, TokenLimits, TokenList, TokenView

MANAGEMENT_OFF: Final = (
    "this stage does not create or revoke tokens by the API: deploy with TokenManagement=on, or use"
    " `flexchat tokens create --stage {stage} --name NAME` and `flexchat tokens revoke ID --stage {stage}`"
)


class TokenRecords(Protocol):
    """Stored records of tokens. Methods raise UnavailableError."""

    def put(self, record: TokenRecord) -> None: ...

    def list(self) -> tuple[TokenRecord, ...]: ...

    def revoke(self, id: str) -> TokenRecord | None: ...


class TokenManager:
    """Tokens of one stage.

    `limits` and `roles` return the published limits and the names of the roles, and raise FlexchatError while there are
    none that can be read.
    """

    def __init__(
        self,
        records: TokenRecords,
        *,
        limits: Callable[[], LimitsConfig],
        roles: Callable[[], Collection[str]],
        stage: str,
        managed: bool,
        clock: Callable[[], float],
    ) -> None:
        self._records = records
        self._limits = limits
        self._roles = roles
        self._stage = stage
        self._managed = managed
        self._clock = clock

    def list(self) -> TokenList:
        """Return the stored tokens with their limits."""
        now, limits = self._now(), self._published_limits()
        return TokenList(
            stage=self._stage,
            managed=self._managed,
            managed_problem=None if self._managed else self._problem,
            max_days=MAX_DAYS,
            roles=self._listed_roles(),
            tokens=tuple(_view(record, limits, now) for record in self._records.list()),
        )

    def create(self, new: NewToken, *, caller: Caller, author: str, audit: Auditor) -> CreatedToken:
        """Create a token; its secret is in the result alone.

        Raises RequestError (403) where the stage has it off, and for a role that the configuration has not (400), and
        UnavailableError while the roles cannot be read.
        """
        self._require_management()
        self._check_roles(new.roles)
        issued = issue(
            name=new.name,
            roles=ordered_roles(new.roles),
            lifetime=timedelta(days=new.days),
            now=self._now(),
            created_by=author,
        )
        record = issued.record
        expires = record.expires_at.isoformat()
        with audit.change(
            "token", "create", record.id, holder=record.name, roles=list(record.roles), expires_at=expires
        ):
            self._records.put(record)
        logger.info(
            "token created",
            by=caller.principal,
            id=record.id,
            holder=record.name,
            roles=list(record.roles),
            expires_at=expires,
        )
        return CreatedToken(
            token=issued.token.reveal(), record=_view(record, self._published_limits(), record.created_at)
        )

    def revoke(self, id: str, *, caller: Caller, audit: Auditor) -> None:
        """Delete a token. Raises RequestError (403) where the stage has it off, and for an unknown token (404)."""
        self._require_management()
        with audit.change("token", "revoke", safe_name(id)) as audited:
            record = self._records.revoke(id)
            if record is None:
                # Without the id, which may be a whole token.
                message = "no token of this stage has this id, such as 'k7m2p9qx4d'; GET /api/tokens lists the tokens"
                raise RequestError(message, status=HTTPStatus.NOT_FOUND, code="token_not_found")
            audited |= {"holder": record.name, "roles": list(record.roles)}
        logger.info("token revoked", by=caller.principal, id=record.id, holder=record.name, roles=list(record.roles))

    def _check_roles(self, roles: Sequence[str]) -> None:
        """Raise RequestError (400) for a role that does not exist, and UnavailableError while that cannot be read."""
        own = [role for role in roles if role not in ROLES]
        if not own:
            return
        known = self._known_roles()
        for role in own:
            if role not in known:
                message = f"no role {role!r}{did_you_mean(role, known)}; the roles are {', '.join(map(repr, known))}"
                raise RequestError(message, details=(Problem("roles", message),))

    def _known_roles(self) -> tuple[str, ...]:
        try:
            configured = frozenset(self._roles())
        except RequestError:  # no configuration is published
            configured = frozenset[str]()
        return (*ROLES, *sorted(configured.difference(ROLES)))

    def _listed_roles(self) -> tuple[str, ...]:
        """Return the known roles; the built-in ones while the configuration cannot be read."""
        try:
            return self._known_roles()
        except FlexchatError as error:
            logger.warning("roles not read", reason=str(error))
            return ROLES

    @property
    def _problem(self) -> str:
        return MANAGEMENT_OFF.format(stage=self._stage)

    def _require_management(self) -> None:
        if not self._managed:
            raise RequestError(self._problem, status=HTTPStatus.FORBIDDEN, code="token_management_disabled")

    def _published_limits(self) -> LimitsConfig | None:
        try:
            return self._limits()
        except FlexchatError as error:
            logger.warning("limits not read", reason=str(error))
            return None

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _view(record: TokenRecord, limits: LimitsConfig | None, now: datetime) -> TokenView:
    return TokenView(
        id=record.id,
        name=record.name,
        roles=record.roles,
        hint=record.hint,
        state="live" if record.is_live(now=now) else "expired",
        created_at=record.created_at,
        expires_at=record.expires_at,
        created_by=record.created_by or None,
        limits=None if limits is None else _limits_view(record, limits),
    )


def _limits_view(record: TokenRecord, limits: LimitsConfig) -> TokenLimits:
    own = limits.principals.get(record.id)
    roles = frozenset(record.roles)
    return TokenLimits(
        own={} if own is None else own.model_dump(include=own.model_fields_set),
        inherited=limits_of(Caller("", roles), limits).model_dump(),
        effective=limits_of(Caller(record.id, roles), limits).model_dump(),
    )
