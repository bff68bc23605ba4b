import subprocess
import sys
from typing import get_args

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDER_TYPES, PROVIDERS, ProviderType
from flexchat.egress.policy import EgressPolicy
from flexchat.errors import ConfigError, Problem
from functions.chat.providers.factory import create_provider
from functions.chat.tools.formats import tool_format

THIS_MACHINE = "is an address of this machine, which functions reach at the local stage only"


@pytest.mark.parametrize(
    ("config", "path"),
    [
        (LlmConfig(type="openai", api_key="a\nb"), "llms.main.api_key"),
        (LlmConfig(type="openai", api_key="schlüssel"), "llms.main.api_key"),
        (LlmConfig(type="openai", headers={"api-key": "a\tb"}), "llms.main.headers.api-key"),
        (LlmConfig(type="openai", api_key="k", base_url="http://[::1"), "llms.main.base_url"),
        (LlmConfig(type="openai", api_key="k", base_url="localhost:1234/v1"), "llms.main.base_url"),
        (LlmConfig(type="openai", api_key="k", base_url="https:///v1"), "llms.main.base_url"),
    ],
)
def test_invalid_keys_and_headers_are_rejected_before_any_request(config: LlmConfig, path: str) -> None:
    with pytest.raises(ConfigError) as caught:
        create_provider("main", config)

    (problem,) = caught.value.problems
    assert problem.path == path
    assert (config.api_key or "-") not in problem.message or config.api_key == "k"


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (LlmConfig(type="openai", api_key="k", base_url="http://model.example/v1"), "must begin with 'https://'"),
        (LlmConfig(type="anthropic", api_key="k", base_url="https://10.0.3.7"), "must have a public IP address"),
        (LlmConfig(type="gemini", api_key="k", base_url="https://[::1]:8443"), THIS_MACHINE),
        (LlmConfig(type="ollama"), THIS_MACHINE),
        (
            LlmConfig(type="bedrock", region="us-east-1", base_url="https://169.254.169.254"),
            "must have a public IP address",
        ),
    ],
)
def test_addresses_that_are_not_public_are_rejected_before_any_request(config: LlmConfig, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        create_provider("main", config)

    assert caught.value.problems == (Problem("llms.main.base_url", message),)


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603 - own text
    return done.stdout


def test_client_libraries_are_imported_only_for_llms_that_need_them() -> None:
    output = run(
        "import sys; import flexchat.observability; before = set(sys.modules); import functions.chat.providers.factory;"
        "print({'certifi', 'botocore', 'httpx2', 'openai'} & set(sys.modules) - before)"
    )

    assert output == "set()\n"


def test_the_openai_package_is_imported_by_an_llm_of_type_openai_alone() -> None:
    output = run(
        "import sys\n"
        "from flexchat.config.models.llms import LlmConfig\n"
        "from functions.chat.providers.factory import create_provider\n"
        "from functions.chat.tools.registry import tool_format\n"
        "tool_format('openai')\n"
        "for name in ('ollama', 'gemini', 'anthropic', 'bedrock', 'openai'):\n"
        "    config = LlmConfig(type=name, api_key='k', region='us-east-1', base_url='https://model.example')\n"
        "    create_provider('main', config)\n"
        "    print(name, 'openai' in sys.modules)"
    )

    assert output == "ollama False\ngemini False\nanthropic False\nbedrock False\nopenai True\n"


@pytest.mark.slow
def test_a_snapshot_contains_every_adapter_with_its_client_library() -> None:
    output = run(
        "import sys; from functions.chat.providers.factory import import_adapters; import_adapters();"
        "print(sorted({'certifi', 'botocore', 'openai'} & set(sys.modules)))"
    )

    assert output == "['botocore', 'certifi', 'openai']\n"


@pytest.mark.slow
@pytest.mark.parametrize("module", ["adapter", "models"])
def test_a_snapshot_contains_every_module_imported_by_provider_name(module: str) -> None:
    output = run(
        "import sys; from functions.chat.providers.factory import import_adapters; import_adapters();"
        "names = [name.split('.') for name in sys.modules if '.providers.' in name];"
        f"print(*(name[3] for name in names if len(name) == 5 and name[4] == '{module}'))"
    )

    assert set(output.split()) == set(PROVIDERS)


def test_provider_types_equal_the_provider_table() -> None:
    assert get_args(ProviderType) == PROVIDER_TYPES


@pytest.mark.parametrize("provider", PROVIDER_TYPES)
def test_every_provider_has_a_package_with_adapter_and_tool_format(
    provider: ProviderType,
) -> None:
    config = LlmConfig(type=provider, api_key="k", region="us-east-1")

    assert create_provider("main", config, egress=EgressPolicy(local=True)).type == provider
    assert tool_format(provider).dialect.label == PROVIDERS[provider].label
