"""Evaluation of accesses by the policies of their principals: what is denied, and what no access used."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tests.iam.policies import Access, Statement, evaluate, nearest


@dataclass(frozen=True, slots=True)
class Principal:
    """A role of the template or a documented policy.

    `own` are the statements that we write; `managed` are those of AWS's policies, which are not ours to shrink.
    """

    name: str
    own: tuple[Statement, ...]
    managed: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Grant:
    """An action or a resource that a statement allows, as the statement writes it."""

    principal: str
    statement: str
    pattern: str

    def __str__(self) -> str:
        return f"{self.whole}: {self.pattern}"

    @property
    def whole(self) -> str:
        """The statement it is part of."""
        return f"{self.principal} {self.statement}"


@dataclass(slots=True)
class Report:
    """Outcome of the evaluation of every access."""

    denied: list[str] = field(default_factory=list[str])
    granted: set[Grant] = field(default_factory=set[Grant])
    used: set[Grant] = field(default_factory=set[Grant])
    accesses: int = 0

    @property
    def unused(self) -> tuple[Grant, ...]:
        return tuple(sorted(self.granted - self.used))


def report(accesses: Iterable[tuple[Access, Principal]], principals: Iterable[Principal]) -> Report:
    """Evaluate each access by its principal's statements; every grant of `principals` is expected to be used."""
    result = Report()
    for principal in principals:
        result.granted.update(_grants(principal))
    for access, principal in dict.fromkeys(accesses):
        result.accesses += 1
        decision = evaluate(access, (*principal.own, *principal.managed))
        if not decision.allowed:
            result.denied.append(_denial(access, principal, decision.statement))
        elif (statement := decision.statement) in principal.own:
            result.used.update(_used(access, principal, statement))
    return result


def reason(grant: Grant, reasons: Mapping[str, str]) -> str | None:
    """Return why a grant may be unused: a reason is given for it or for its whole statement."""
    return reasons.get(str(grant), reasons.get(grant.whole))


def stale(granted: Iterable[Grant], reasons: Mapping[str, str]) -> tuple[str, ...]:
    """Reasons for what no policy grants any more."""
    existing = {name for grant in granted for name in (str(grant), grant.whole)}
    return tuple(sorted(reasons.keys() - existing))


def _grants(principal: Principal) -> Iterator[Grant]:
    for statement in principal.own:
        if statement.effect == "Allow":
            for pattern in (*statement.actions, *statement.resources):
                yield Grant(principal.name, statement.name, pattern)


def _used(access: Access, principal: Principal, statement: Statement) -> Iterator[Grant]:
    for pattern in (statement.matching_action(access), statement.matching_resource(access)):
        if pattern is not None:
            yield Grant(principal.name, statement.name, pattern)


def _denial(access: Access, principal: Principal, statement: Statement | None) -> str:
    if statement is not None:
        return f"{access} is denied by {principal.name} {statement.name}"
    closest = nearest(access, principal.own)
    if closest is None:
        return f"{access} is denied: {principal.name} allows nothing"
    allowed = f"{', '.join(closest.actions)} on {', '.join(closest.resources)}"
    return f"{access} is denied; nearest is {principal.name} {closest.name}, which allows {allowed}"
