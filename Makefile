# `make play` plays; `make test` checks everything; `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
.DEFAULT_GOAL := help

help: ## list what make can do
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "nana needs Python 3.11 or later; this is $$($(PYTHON) --version). Name another with: make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv is missing; on Debian: apt-get install python3-venv"; exit 1; }
	@echo "setting up nana in $(VENV) (once) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(READY_DEV): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	@touch $@

setup: $(READY_DEV) ## install nana and the developers' tools into .venv

play: $(READY) ## set up, then play: against bots, or with friends
	@$(BIN)/nana || [ $$? -eq 130 ] # Ctrl+C is a way to leave

test: $(READY_DEV) lint types ## set up, then every check: format, lint, types, tests
	$(BIN)/pytest -n 2 --dist worksteal

lint: $(READY_DEV) ## format and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY_DEV) ## strict types
	$(BIN)/mypy

format: $(READY_DEV) ## rewrite to the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

pictures: $(READY_DEV) ## make the documentation's pictures anew
	$(BIN)/python docs/make_pictures.py

screens: $(READY_DEV) ## remake the golden screens that tests compare with; read the diff
	$(BIN)/python tests/client/golden/remake.py

recording: $(READY_DEV) ## record a game anew, for the documentation (a few minutes)
	$(BIN)/python docs/make_recording.py

dist: $(READY_DEV) ## build what can be handed on: sdist and wheel, in dist
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	$(BIN)/python -m build --outdir dist .

bench: $(READY_DEV) ## server CPU per action, against a bare websockets server
	$(BIN)/python bench/gateway.py

thousand: $(READY_DEV) ## a thousand bot games over real sockets, without an error, a refusal or a leak
	$(BIN)/python bench/thousand.py

clean: ## remove the environment, what was built, and caches
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

.PHONY: help setup play test lint types format pictures screens recording dist bench thousand clean
