"""Checks of addresses that only functions of the local stage reach."""

from collections.abc import Iterable, Iterator
from copy import replace
from typing import Final

from flexchat.egress.policy import LOOPBACK, PUBLIC, EgressPolicy
from flexchat.errors import Problem

LOCAL_STAGE: Final = "local"
"""Stage of the local stack, which no deployment to AWS can have."""

_LOCAL: Final = EgressPolicy(local=True)


class LocalAddressProblem(Problem, frozen=True):
    """Address that functions of the local stage reach, and those of a stage at AWS do not."""


def address_problems(path: str, url: str) -> Iterator[Problem]:
    """Return the problem of an address that functions at AWS refuse.

    One of this machine is a warning, since a file may serve the local stage alone; any other one is an error.
    """
    problem = PUBLIC.address_problem(url)
    if problem is None:
        return
    kind = LocalAddressProblem if _LOCAL.address_problem(url) is None else Problem
    yield kind(path, problem, "warning" if problem == LOOPBACK else "error")


def local_address_warnings(path: str, url: str) -> Iterator[Problem]:
    """Return a warning for an address that only functions of the local stage reach."""
    problem = PUBLIC.address_problem(url)
    if problem is not None and _LOCAL.address_problem(url) is None:
        yield LocalAddressProblem(path, problem, "warning")


def for_stage(problems: Iterable[Problem], stage: str | None) -> tuple[Problem, ...]:
    """Return the problems that a configuration has at a stage; without a stage, those that it has at any.

    The local stage reaches addresses of this machine and of private networks; at AWS, their warning names the stage.
    """
    if stage is None:
        return tuple(problems)
    if stage == LOCAL_STAGE:
        return tuple(problem for problem in problems if not isinstance(problem, LocalAddressProblem))
    return tuple(
        _at_aws(problem, stage) if isinstance(problem, LocalAddressProblem) else problem for problem in problems
    )


def _at_aws(problem: LocalAddressProblem, stage: str) -> Problem:
    if problem.message != LOOPBACK:
        return problem
    message = (
        f"is an address of this machine, which functions at AWS cannot reach: it fails at the stage {stage!r};"
        " use a public https address there"
    )
    return replace(problem, message=message)
