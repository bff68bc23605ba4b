import pytest

from tests.template.transform import Transformed, transform


@pytest.fixture(scope="session")
def template() -> Transformed:
    """Return the template with every resource that a parameter adds while SAM transforms it."""
    return transform(parameters={"DeploymentPreference": "Canary10Percent5Minutes"})
