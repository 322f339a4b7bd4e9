PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)

.PHONY: demo test lint docs bench clean

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
	$(BIN)/python -m pytest --numprocesses auto --quiet

lint: $(VENV)/.lint $(VENV)/.test $(VENV)/.docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/.docs
	$(BIN)/python docs/generate.py
	$(BIN)/mkdocs build --strict

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/clusters.py
	$(BIN)/python benchmarks/relations.py
	$(BIN)/python benchmarks/comparing.py
	$(BIN)/python benchmarks/auditing.py

clean:
	rm -rf $(VENV) demo site
