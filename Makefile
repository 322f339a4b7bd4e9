PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)

.PHONY: demo test quick coverage lint docs build bench clean

# One virtual environment; each target installs the extras that it needs, once.
$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.%: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	touch $@

demo: $(VENV)/.report
	$(BIN)/plumbline demo --force demo

test: $(VENV)/.test
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

quick: $(VENV)/.test
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal -m "not slow and not browser"

coverage: $(VENV)/.test
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal --quiet --cov --cov-report term:skip-covered --cov-report xml

lint: $(VENV)/.lint $(VENV)/.test $(VENV)/.docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/.docs $(VENV)/.report
	$(BIN)/python docs/generate.py
	$(BIN)/mkdocs build --strict

# The wheel is installed where nothing else is, and run away from the sources.
build: $(VENV)/.build
	rm -rf dist $(VENV)/installed
	$(BIN)/python -m build
	$(BIN)/python -m twine check --strict dist/*
	$(PYTHON) -m venv $(VENV)/installed
	$(subst $(VENV),$(VENV)/installed,$(BIN))/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	cd docs/examples && $(abspath $(subst $(VENV),$(VENV)/installed,$(BIN))/plumbline) evaluate qrels.txt bm25.run dense.run --quiet

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/dicts.py
	$(BIN)/python benchmarks/clusters.py
	$(BIN)/python benchmarks/relations.py
	$(BIN)/python benchmarks/comparing.py
	$(BIN)/python benchmarks/auditing.py
	$(BIN)/python benchmarks/judging.py

clean:
	rm -rf $(VENV) demo site dist coverage.xml .coverage
