# `make run` starts the companion; `make test` checks what every push must pass, `make test-all` what a release must pass.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Compiled modules are kept: a process that a test starts would compile all of them again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test test-all lint wheel audit clean

run: $(VENV)/.run
	$(BIN)/companion serve

test: lint
	$(BIN)/pytest

test-all: lint
	$(BIN)/pytest -m "not long"

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

wheel: $(VENV)/.test
	PYTHON=$(abspath $(BIN)/python) .ci/wheel

# Known weaknesses and licences of what is installed; needs a package index and its advisories.
audit: $(VENV)/.test
	$(BIN)/python -m pip install --quiet pip-licenses
	$(BIN)/pip-licenses --order=license --from=mixed
	BIN=$(abspath $(BIN)) .ci/audit strict

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.run: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable . --constraint constraints.txt
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test]' --constraint constraints.txt
	@touch $@ $(VENV)/.run

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
