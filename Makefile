# `make` lists the targets. Everything they need is installed by scripts/bootstrap.py on first use.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
BIN := .venv/bin
TSC := $(BIN)/node node_modules/typescript/bin/tsc
ESLINT := $(BIN)/node node_modules/eslint/bin/eslint.js --max-warnings 0 functions/page/src
PRETTIER := $(BIN)/node node_modules/prettier/bin/prettier.cjs --log-level warn "functions/page/src/**/*.{js,css}"
# Half of a test run's start is compiling what it imports, where no bytecode may be kept.
unexport PYTHONDONTWRITEBYTECODE
# The bootstrap may have had to install uv itself.
export PATH := $(PATH):$(CURDIR)/.local/uv/bin
PYTEST := $(BIN)/pytest -n auto --dist worksteal
BFCL := .local/cache/bfcl
CONFIG_OPTION = $(if $(CONFIG),--config "$(CONFIG)")
# No project settings here: they are looked for beside what is locked, and pins of ours are not theirs.
COMPILE := uv pip compile --quiet --upgrade --universal --python-version 3.13 --generate-hashes --no-annotate \
	--custom-compile-command "make lock"

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  \033[1m%-10s\033[0m %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: bootstrap
bootstrap: ## Make .venv ready: uv, Python 3.13, everything uv.lock names
	@$(PYTHON) scripts/bootstrap.py

# The page's tools: only checking needs them, deploying does not.
.PHONY: node
node:
	@$(PYTHON) scripts/bootstrap.py --node

# The API's types, for the page's scripts; made anew each time, so that they are those of the routes.
.PHONY: types
types: node
	@mkdir -p .local/types
	@$(BIN)/python -m dev.openapi --whole >.local/types/openapi.json
	@$(BIN)/node node_modules/openapi-typescript/bin/cli.js .local/types/openapi.json -o .local/types/api.d.ts >/dev/null

.PHONY: build
build: bootstrap ## Build for AWS with the SAM CLI, every package compared with its hash, with bytecode [STAGE=dev]
	@$(BIN)/flexchat build --stage $(or $(STAGE),dev)

.PHONY: deploy
deploy: bootstrap ## Build, deploy to AWS, push the configuration, create a token, test [STAGE=dev CONFIG=path ARGS=...]
	@$(BIN)/flexchat deploy --stage $(or $(STAGE),dev) $(CONFIG_OPTION) $(ARGS)

.PHONY: run
run: bootstrap ## Build, deploy locally, seed, show a sample answer, keep running [CONFIG=path]
	@$(BIN)/flexchat local run $(CONFIG_OPTION)

.PHONY: up
up: bootstrap ## The same in the background; writes .local/stack.json [CONFIG=path]
	@$(BIN)/flexchat local up $(CONFIG_OPTION)

.PHONY: down
down: bootstrap ## Stop what `make up` started
	@$(BIN)/flexchat local down

.PHONY: status
status: bootstrap ## Say what runs
	@$(BIN)/flexchat local status

.PHONY: page
page: up ## Serve the page from its files while it is worked on, with the local stack's API
	@$(BIN)/flexchat local page

.PHONY: test
test: bootstrap ## Unit, contract, functional and template tests, in at most two minutes [ARGS=...]
	@$(PYTEST) -m "not slow" $(ARGS)

.PHONY: test-slow
test-slow: bootstrap bfcl ## The tests of these kinds that take long [ARGS=...]
	@$(PYTEST) -m slow $(ARGS)

# The function-calling benchmark whose data and checker the grader is compared with; no test reaches the network.
.PHONY: bfcl
bfcl: bootstrap
	@ls $(BFCL)/*.whl >/dev/null 2>&1 || uv tool run --quiet pip download --quiet --no-deps --require-hashes \
		--dest $(BFCL) --requirement tests/functional/bfcl.txt

.PHONY: coverage
coverage: bootstrap bfcl ## All tests of these kinds; fails below 95% of the branches
	@$(PYTEST) --cov=flexchat --cov=functions --cov-report=term --cov-fail-under=95 $(ARGS)

.PHONY: e2e
e2e: up ## End-to-end tests against the local stack, brought up if it is not [ARGS=...]
	@$(BIN)/pytest tests/e2e $(ARGS)
	@$(if $(ARGS),true,$(MAKE) permissions)

.PHONY: permissions
permissions: bootstrap ## Evaluate the AWS calls that the local stack recorded by the template's and the documented policies
	@$(BIN)/python -m tests.iam

.PHONY: browser
browser: node up ## Tests of the page in Chromium against the local stack; screenshots in .local/browser [ARGS=...]
	@$(BIN)/pytest tests/browser $(ARGS)

.PHONY: bench
bench: bootstrap ## What chats and searches cost, how well searches find and validations tell [CRANFIELD=path]
	@$(BIN)/python -m dev.bench

.PHONY: chaos
chaos: bootstrap ## A thousand chats while models, tools and AWS services fail [CHATS=n SEED=s ONLY=chat]
	@$(BIN)/python -m dev.chaos --chats $(or $(CHATS),1000) $(if $(SEED),--seed "$(SEED)") $(if $(ONLY),--only $(ONLY))

.PHONY: check
check: bootstrap check-page ## Style, types, import rules, the template, the page
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/cfn-lint template.yaml

.PHONY: check-page
check-page: types ## The page's part of it: scripts, stylesheet, types, vendored libraries
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
	$(BIN)/npm update --package-lock-only --loglevel=error

.PHONY: vendor
vendor: node ## Copy the page's libraries from what package-lock.json names
	$(BIN)/python scripts/vendor.py

.PHONY: bundle
bundle: node ## Make what the page's function serves from functions/page/src
	$(BIN)/python scripts/bundle.py

.PHONY: schema
schema: bootstrap ## Write the JSON Schemas and the other functions' parts of the OpenAPI document
	$(BIN)/python -m dev.config_schema
	$(BIN)/python -m dev.openapi

.PHONY: clean
clean: ## Stop the local stack and remove everything that was made here
	@if [ -x $(BIN)/flexchat ]; then $(BIN)/flexchat local down; fi
	rm -rf .venv .local .aws-sam events/env node_modules .pytest_cache .ruff_cache .import_linter_cache .coverage .coverage.* htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
