PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)

# Compiled modules are kept: without them every process of the tests compiles everything again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo native sanitize test test-engines quick coverage lint docs build bench clean

# One virtual environment; each target installs the extras that it needs, once.
$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.%: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	touch $@

# The reader in C, where there is a compiler; everything works without it, but large files take longer.
native: $(VENV)/.made
	@command -v $${CC:-cc} >/dev/null || echo "no C compiler: large TREC files are read by the slower reader"
	@! command -v $${CC:-cc} >/dev/null || $(BIN)/python -m pip install --quiet --disable-pip-version-check ./native

# The reader in C with sanitizers, on a million random texts; `make sanitize TEXTS=50000` tries so many.
TEXTS ?= 1000000
SANITIZE := -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
sanitize: $(VENV)/.test
	mkdir -p $(VENV)/sanitized
	$${CC:-cc} $(SANITIZE) -shared -fPIC -I$$($(BIN)/python -c "import sysconfig; print(sysconfig.get_paths()['include'])") \
	  -o $(VENV)/sanitized/plumbline_core.abi3.so native/*.c
	LD_PRELOAD="$$($${CC:-cc} -print-file-name=libasan.so) $$($${CC:-cc} -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
	  PYTHONMALLOC=malloc PYTHONPATH=$(VENV)/sanitized $(BIN)/python -m tests.helpers.native_fuzzing 0 $(TEXTS)

demo: $(VENV)/.report native
	$(BIN)/plumbline demo --force demo

test: $(VENV)/.test native
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

# Clusters on this machine: Spark with two executors, Ray and Dask with two workers. Spark needs Java 17.
test-engines: $(VENV)/.engines
	command -v java >/dev/null || { echo "installing openjdk-17-jre-headless: Spark needs Java"; apt-get update -qq && apt-get install -qq --yes --no-install-recommends openjdk-17-jre-headless; }
	PLUMBLINE_CLUSTERS=1 $(BIN)/python -m pytest tests/clusters

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

bench: $(VENV)/.bench native
	$(BIN)/python benchmarks/run.py $(if $(TREC_EVAL),--trec-eval $(TREC_EVAL))
	$(BIN)/python benchmarks/dicts.py
	$(BIN)/python benchmarks/clusters.py
	$(BIN)/python benchmarks/relations.py
	$(BIN)/python benchmarks/comparing.py
	$(BIN)/python benchmarks/auditing.py
	$(BIN)/python benchmarks/judging.py
	$(BIN)/python benchmarks/experiments.py

clean:
	rm -rf $(VENV) demo site dist coverage.xml .coverage
