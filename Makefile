# Two commands for everyone: `make try` (an edit from start to finish, offline) and `make test`.
# Each sets up what it needs in .venv; nothing outside this folder is touched.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: try test check format bench soak clean

try: $(VENV)/core
	@$(BIN)/python tests/try.py $(BIN)/script-editor

# Two at a time: much of what is tested waits for processes, locks and clocks. A file's tests stay together.
test: $(VENV)/dev
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/dev
	$(BIN)/python -m tests.benchmarks

soak: $(VENV)/dev
	SCRIPT_EDITOR_SOAK=1 $(BIN)/python -m pytest -n 2 --dist loadfile -m soak

clean:
	rm -rf $(VENV) build dist

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "script-editor needs Python 3.11 or newer: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/core: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP_INSTALL) -e .
	@touch $@

$(VENV)/dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP_INSTALL) -e '.[dev]'
	@touch $@ $(VENV)/core
