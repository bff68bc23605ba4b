"""Evaluate the AWS calls that the running local stack has recorded by the policies of the transformed template.

Ends with exit code 1 when a call is denied, when API Gateway may not invoke a function of its routes, or when a
permission is used by no call and `tests/iam/unused.py` gives no reason for it. Run it after the end-to-end tests.
"""

import logging
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import botocore.session
from boto3.session import Session

from cli.layout import Layout
from cli.local_stack import REGION, StackState, aws_environment
from dev.local_stack.running import running_stack
from tests import time_limit
from tests.iam.calls import Account, UnmappedCallError, accesses, read_calls
from tests.iam.deployment import Deployment
from tests.iam.documents import documented_principal
from tests.iam.policies import Access
from tests.iam.report import Principal, reason, report, stale
from tests.iam.routes import invocations, permissions
from tests.iam.services import service_accesses
from tests.iam.unused import UNUSED
from tests.template.transform import authored, transform

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient

PARAMETERS = {
    "Stage": "local",
    "AllowBedrock": "true",
    "AllowS3Vectors": "true",
    "GuardrailArns": "arn:aws:bedrock:us-east-1:000000000000:guardrail/abc123",
    "TokenManagement": "on",
}
"""Parameters of the evaluation: with every statement that stands under a condition."""


def main() -> int:
    """Print what is denied and what is unused; returns the exit code."""
    logging.getLogger("samtranslator").setLevel(logging.ERROR)  # it warns of feature flags that it has no file for
    layout = Layout.here()
    stack = running_stack(layout)
    if stack is None or not layout.aws_calls.exists():
        print("no local stack with recorded calls is running; run `make e2e`", file=sys.stderr)
        return 2
    deployment = deployed(stack)
    roles = {name: _role(deployment, name) for name, _ in deployment.of_type("AWS::IAM::Role")}
    operator = documented_principal("operator", deployment.account)

    def evaluated() -> Iterator[tuple[Access, Principal]]:
        for access in service_accesses(deployment):
            yield access, roles[access.principal]
        for call in read_calls(layout.aws_calls):
            principal = documented_principal(call.principal, deployment.account)
            if principal is None and deployment.has_function(call.principal):
                principal = roles[deployment.role_of(call.principal)]
            if principal is not None:  # a function of another stage has the same role there
                for access in accesses(call, deployment.account):
                    yield access, principal

    try:
        result = report(evaluated(), [*roles.values(), *filter(None, [operator])])
    except UnmappedCallError as error:
        print(error)
        return 1
    excused = {grant: why for grant in result.unused if (why := reason(grant, UNUSED))}
    # Tests that were skipped made no calls.
    unexplained = [] if time_limit.is_over() else [grant for grant in result.unused if grant not in excused]
    problems = [
        *result.denied,
        *_uninvokable(deployment),
        *(f"{grant} is used by no call" for grant in unexplained),
        *(
            f"{name} is granted by no policy; remove it from tests/iam/unused.py"
            for name in stale(result.granted, UNUSED)
        ),
    ]
    for grant, why in excused.items():
        print(f"unused  {grant} ({why})")
    for problem in problems:
        print(f"ERROR   {problem}")
    print(f"{result.accesses} accesses evaluated, {len(result.denied)} denied, {len(result.unused)} grants unused")
    return 1 if problems else 0


def deployed(stack: StackState) -> Deployment:
    """The transformed template with the physical ids of the running stack."""
    template, transformed = authored(), transform(parameters=PARAMETERS).resources
    own = aws_environment(stack.endpoint, stack.access_key_id)
    parameters = {name: str(parameter.get("Default", "")) for name, parameter in template["Parameters"].items()}
    core = botocore.session.Session(session_vars={"profile": (None, None, None, None)})
    session: Any = Session(botocore_session=core)
    client = cast(
        "CloudFormationClient",
        session.client(
            "cloudformation",
            region_name=REGION,
            endpoint_url=stack.endpoint,
            aws_access_key_id=own["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=own["AWS_SECRET_ACCESS_KEY"],
        ),
    )
    pages = client.get_paginator("list_stack_resources").paginate(StackName=stack.stack)
    ids = {
        summary["LogicalResourceId"]: summary.get("PhysicalResourceId", "")
        for page in pages
        for summary in page["StackResourceSummaries"]
    }
    stack_id = client.describe_stacks(StackName=stack.stack)["Stacks"][0].get("StackId", "")
    account = Account(stack_id.split(":")[4], REGION)
    for name, resource in transformed.items():
        # The emulator's id of a secret is its name, AWS's is its ARN.
        if resource["Type"] == "AWS::SecretsManager::Secret" and not ids[name].startswith("arn:"):
            ids[name] = account.arn("secretsmanager", f"secret:{ids[name]}")
    return Deployment(
        template={"Resources": transformed, **{name: template[name] for name in ("Conditions", "Mappings")}},
        parameters={**parameters, **PARAMETERS},
        ids=ids,
        account=account,
    )


def _role(deployment: Deployment, name: str) -> Principal:
    return Principal(name, deployment.statements(name), deployment.managed_statements(name))


def _uninvokable(deployment: Deployment) -> Iterator[str]:
    """Routes that API Gateway may not serve, and permissions that belong to no route."""
    granted = list(permissions(deployment))
    invoked = list(invocations(deployment))
    for invocation in invoked:
        if not any(permission.admits(invocation) for permission in granted):
            yield f"{invocation.route}: no AWS::Lambda::Permission lets API Gateway invoke {invocation.function}"
    for permission in granted:
        if not any(permission.admits(invocation) for invocation in invoked):
            yield f"{permission.name} lets API Gateway invoke {permission.function}, which no route does"


if __name__ == "__main__":
    sys.exit(main())
