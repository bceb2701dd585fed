# make modules   check every module and build what there is to build
# make test      the project's tests, then every module's own cases
# make lint      style and types
# make bench     speed, as ratios to a floor measured in the same run
# The environment is made in .venv on the first run. PYTHON=python3.12 make ... picks another interpreter.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: modules test lint bench clean
.DELETE_ON_ERROR:

modules: $(VENV)/.ready
	$(BIN)/vmodc build

test: $(VENV)/.ready
	$(BIN)/vmodc test
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict

bench: $(VENV)/.ready
	$(BIN)/python -m benchmarks.bench

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "vmodc needs Python 3.11 or newer; this is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.11" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,fast,geo]'
	@touch $@
