# `make` lists the targets. scripts/bootstrap.py installs their tools on first use.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
BIN := .venv/bin
TSC := $(BIN)/node node_modules/typescript/bin/tsc
ESLINT := $(BIN)/node node_modules/eslint/bin/eslint.js --max-warnings 0 functions/page/src
PRETTIER := $(BIN)/node node_modules/prettier/bin/prettier.cjs --log-level warn "functions/page/src/**/*.{js,css}"
# Without bytecode, half of a test run's start is compilation.
unexport PYTHONDONTWRITEBYTECODE
# The bootstrap installs uv here when there is none.
export PATH := $(PATH):$(CURDIR)/.local/uv/bin
PYTEST := $(BIN)/pytest -n auto --dist worksteal
BFCL := .local/cache/bfcl
CONFIG_OPTION = $(if $(CONFIG),--config "$(CONFIG)")
# The project's settings do not apply: uv reads them beside the locked file.
COMPILE := uv pip compile --quiet --upgrade --universal --python-version 3.13 --generate-hashes --no-annotate \
	--custom-compile-command "make lock"

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  \033[1m%-11s\033[0m %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: bootstrap
bootstrap: ## Install uv, Python 3.13 and the packages of uv.lock into .venv
	@$(PYTHON) scripts/bootstrap.py

# The page's tools: checks need them, a deployment does not.
.PHONY: node
node:
	@$(PYTHON) scripts/bootstrap.py --node

# The API's types, for the page's scripts.
.PHONY: types
types: node
	@mkdir -p .local/types
	@$(BIN)/node node_modules/openapi-typescript/bin/cli.js functions/chat/api/openapi.json -o .local/types/api.d.ts >/dev/null

.PHONY: build
build: bootstrap ## Build for AWS with the SAM CLI, every package compared with its hash, with bytecode [STAGE=dev ARGS=...]
	@$(BIN)/flexchat build --stage $(or $(STAGE),dev) $(ARGS)

.PHONY: deploy
deploy: bootstrap ## Build, deploy to AWS, push the configuration, create a token, test [STAGE=dev CONFIG=path ARGS=...]
	@$(BIN)/flexchat deploy --stage $(or $(STAGE),dev) $(CONFIG_OPTION) $(ARGS)

.PHONY: run
run: bootstrap ## Start the local stack, show a sample answer, run until Ctrl-C [CONFIG=path]
	@$(BIN)/flexchat local run $(CONFIG_OPTION)

.PHONY: up
up: bootstrap ## Start the local stack in the background; writes .local/stack.json [CONFIG=path]
	@$(BIN)/flexchat local up $(CONFIG_OPTION)

.PHONY: down
down: bootstrap ## Stop the local stack; its data stays [ARGS=--delete-data]
	@$(BIN)/flexchat local down $(ARGS)

.PHONY: status
status: bootstrap ## Show the local stack and its health
	@$(BIN)/flexchat local status

.PHONY: page
page: up ## Serve the page from its source files, with the local stack's API
	@$(BIN)/flexchat local page

.PHONY: test
test: bootstrap ## Run unit, contract, functional and template tests, in at most two minutes [ARGS=...]
	@$(PYTEST) -m "not slow" $(ARGS)

.PHONY: test-slow
test-slow: bootstrap bfcl openapi lambda-ric llama-cpp phoenix ## Run the slow tests of these kinds [ARGS=...]
	@$(PYTEST) -m slow $(ARGS)

# Data and checker of the function-calling benchmark that the grader is compared with; tests have no network.
.PHONY: bfcl
bfcl: bootstrap
	@ls $(BFCL)/*.whl >/dev/null 2>&1 || uv tool run --quiet pip download --quiet --no-deps --require-hashes \
		--dest $(BFCL) --requirement tests/functional/bfcl.txt

# Real OpenAPI documents, and the mock server that imported tools are called against.
.PHONY: openapi
openapi: bootstrap
	@$(BIN)/python -m tests.functional.openapi_packages

# AWS's Node.js runtime, whose streamed responses are compared with ours.
.PHONY: lambda-ric
lambda-ric: bootstrap
	@$(BIN)/python -m tests.functional.streaming_runtime.node_runtime

# llama.cpp's server, which the OpenAI adapter is tested with.
.PHONY: llama-cpp
llama-cpp: bootstrap
	@$(BIN)/python -m tests.functional.llama_cpp.llama_server

# Arize Phoenix, a server for traces, which the export of traces is tested with.
.PHONY: phoenix
phoenix: bootstrap
	@$(BIN)/python -m tests.functional.phoenix.phoenix_server

.PHONY: coverage
coverage: bootstrap bfcl openapi lambda-ric llama-cpp phoenix ## Run all tests of these kinds; fail below 95% branch coverage
	@$(PYTEST) --cov=flexchat --cov=functions --cov-report=term --cov-fail-under=95 $(ARGS)

.PHONY: e2e
e2e: up ## Run end-to-end tests against the local stack, which is started if needed [ARGS=...]
	@$(BIN)/pytest tests/e2e $(ARGS)
	@$(if $(ARGS),true,$(MAKE) permissions)

.PHONY: conformance
conformance: up ## Run the MCP conformance suite: our client, and `/mcp` of the local stack
	@$(BIN)/python -m tests.conformance

.PHONY: permissions
permissions: bootstrap ## Evaluate the AWS calls that the local stack recorded by the template's and the documented policies
	@$(BIN)/python -m tests.iam

.PHONY: browser
browser: node up ## Test the page in Chromium against the local stack; screenshots in .local/browser [ARGS=...]
	@$(BIN)/pytest tests/browser $(ARGS)

.PHONY: bench
bench: bootstrap ## Measure the speed of chats, starts and tools; `ARGS=--help` lists the parts [PARTS=cold,loop ARGS=...]
	@$(BIN)/python -m dev.bench $(if $(PARTS),--parts "$(PARTS)") $(ARGS)
	@$(if $(PARTS),true,$(BIN)/python -m dev.evals)

.PHONY: chaos
chaos: bootstrap ## Run a thousand chats while models, tools and AWS services fail [CHATS=n SEED=s ONLY=chat]
	@$(BIN)/python -m dev.chaos --chats $(or $(CHATS),1000) $(if $(SEED),--seed "$(SEED)") $(if $(ONLY),--only $(ONLY))

.PHONY: check
check: bootstrap check-page ## Style, types, import rules, users of the layer, the template, the page
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python scripts/layer_users.py
	$(BIN)/cfn-lint template.yaml
	@$(MAKE) check-template

.PHONY: check-template
check-template: bootstrap ## Check the template with `sam validate --lint` and checkov
	$(BIN)/python scripts/check_template.py

.PHONY: check-page
check-page: types ## Check the page: scripts, stylesheet, types, vendored libraries
	$(ESLINT)
	$(PRETTIER) --check
	$(TSC) --project jsconfig.json
	$(BIN)/python scripts/vendor.py --check
	$(BIN)/python scripts/bundle.py --check

.PHONY: format
format: node ## Format the code and fix what can be fixed
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(ESLINT) --fix
	$(PRETTIER) --write

.PHONY: lock
lock: bootstrap ## Renew every lock: uv.lock, the layer, the functions, the local tools
	uv lock --upgrade --python $(BIN)/python
	scripts/lock.sh
	cd dev/local_stack/requirements && $(COMPILE) --output-file ministack.txt ministack.in
	cd cli/deployment/requirements && $(COMPILE) --output-file sam.txt sam.in
	cd scripts/requirements && $(COMPILE) --output-file checkov.txt checkov.in
	cd tests/e2e/openai_clients/packages && $(COMPILE) --output-file clients.txt clients.in
	cd tests/functional/llama_cpp/packages && $(COMPILE) --output-file llama-cpp.txt llama-cpp.in
	cd tests/functional/phoenix/packages && $(COMPILE) --output-file phoenix.txt phoenix.in
	$(BIN)/npm update --package-lock-only --loglevel=error
	$(BIN)/npm update --package-lock-only --loglevel=error --omit-lockfile-registry-resolved --prefix tests/functional/prism
	$(BIN)/npm update --package-lock-only --loglevel=error --omit-lockfile-registry-resolved --prefix tests/functional/streaming_runtime/lambda_ric

.PHONY: vendor
vendor: node ## Copy the page's libraries of package-lock.json
	$(BIN)/python scripts/vendor.py

.PHONY: bundle
bundle: node ## Build the page's bundle from functions/page/src
	$(BIN)/python scripts/bundle.py

.PHONY: schema
schema: bootstrap ## Write the JSON Schemas and the OpenAPI document
	$(BIN)/python -m dev.config_schema
	$(BIN)/python -m dev.openapi

.PHONY: clean
clean: ## Stop the local stack and remove every generated file
	@if [ -x $(BIN)/flexchat ]; then $(BIN)/flexchat local down --delete-data; fi
	rm -rf .venv .local .aws-sam events/env node_modules .pytest_cache .ruff_cache .import_linter_cache .coverage .coverage.* htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
