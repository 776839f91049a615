# make install   a virtual environment with everything the tests need
# make demo      run BM25 on the embedded mini benchmark, through MTEB and through our own command
# make check     lint, format, types, doctests
# make test      the tests (SLOW=1: also those that need minutes or build environments)

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
MARKS := $(if $(SLOW),,-m "not slow")

.PHONY: install demo check test

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt $(wildcard startup/*)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, found " + sys.version.split()[0] + "; name one with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[dev]"
	@touch $@

demo: install
	@PATH="$(abspath $(BIN)):$$PATH" sh benchmarks/demo.sh

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -q --doctest-modules saber_mteb

test: install
	$(BIN)/pytest -q -n auto --dist loadfile $(MARKS) tests
