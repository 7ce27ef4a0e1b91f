# Everything from a fresh checkout, set-up included: `make demo` shows the main job, `make test` runs the tests.
# Another interpreter: make test PYTHON=python3.12 (with VENV=.venv-3.12 to keep both environments)

PYTHON ?= python3
SECONDS ?= 60

TAG := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
VENV ?= .venv
PY := $(VENV)/bin/python
# What was done is remembered by version: an environment of another Python counts as missing and is made anew.
DONE := $(VENV)/done-$(TAG)
# The build backend's requirements, as pyproject.toml has them, for builds without isolation.
BUILD_REQUIRES := $(shell sed -n 's/^requires = \[\(.*\)\]$$/\1/p' pyproject.toml | sed 's/", "/" "/g')
# Some of the plain modules are compiled as well (setup.py).
NATIVE := $(shell find src -name '*.pyx' -o -name '*.pxd' -o -name '*.h') $(wildcard src/schemafuse/*.py)
PIP := $(PY) -m pip --disable-pip-version-check -qq

.DEFAULT_GOAL := help
.PHONY: help demo test bench lint format types werror sanitize fuzz fuzz-guided hostile conformance sdist build clean distclean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

demo: $(DONE)-built ## Compile real tools, a good call, a bad call, a hostile schema
	@$(PY) examples/demo.py

test: $(DONE)-with-test ## Run all tests (downloads the official test suite once)
	@$(PY) tests/suite/fetch.py
	@$(PY) -m pytest $(ARGS)

bench: $(DONE)-with-bench ## Measure against jsonschema-rs, interleaved
	@$(PY) -m pytest bench $(ARGS)
	@$(PY) -m bench.report
	@$(PY) -m bench.readability

lint: $(DONE)-with-lint ## Check style
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

format: $(DONE)-with-lint ## Put the sources in the house format
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

types: $(DONE)-with-lint ## Check the types of the package
	@$(PY) -m mypy --strict src

werror: $(DONE)-tools ## Compile the extension with warnings as errors
	@SCHEMAFUSE_WERROR=1 $(PY) setup.py -q build --build-lib build/werror --build-temp build/werror-temp
	@echo "no compiler warnings"

# The interpreter itself is not built with the sanitizers, so their runtime has to be loaded first; it leaks by design.
SANITIZED = PYTHONPATH=$(CURDIR)/build/sanitize PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16 \
  UBSAN_OPTIONS=print_stacktrace=1 \
  LD_PRELOAD="$$($${CC:-cc} -print-file-name=libasan.so) $$($${CC:-cc} -print-file-name=libstdc++.so)" $(PY)
# Left out is what bounds its own memory or stack (the sanitizers need far more of both), what measures time, and what
# calls the installed command.
UNSANITIZED = --ignore=tests/isolated --ignore=tests/test_cases.py --ignore=tests/test_budgets.py -k 'not small_stack \
  and not linear_time and not threads_share and not counts_as_what and not shared_many_times and not are_bounded \
  and not slow_tools and not hangs and not console_block and not another_process and not explaining_is_bounded \
  and not search_is_bounded and not linear_in_their_size'

sanitize: $(DONE)-with-test ## Run the tests and a fuzz slice on an extension built with ASan and UBSan
	@SCHEMAFUSE_SANITIZE=1 $(PY) setup.py -q build --build-lib build/sanitize --build-temp build/sanitize-temp
	@$(SANITIZED) -m pytest -p no:cacheprovider $(UNSANITIZED) $(ARGS)
	@$(SANITIZED) -m fuzz --seconds 30 --only schemas
	@$(SANITIZED) -m fuzz --seconds 20 --only malformed

fuzz: $(DONE)-with-test ## Look for inputs that break a promise, SECONDS=60
	@$(PY) -m fuzz --seconds $(SECONDS) $(ARGS)

# gcc marks each basic block; fuzz/counters.c hands the marks to libFuzzer, which comes with atheris.
fuzz-guided: $(DONE)-with-test ## The same, guided by coverage (atheris; Python 3.11 or newer), SECONDS=60
	@$(PIP) install 'atheris>=3,<4'
	@CFLAGS=-fsanitize-coverage=trace-pc $(PY) setup.py -q build --build-lib build/guided --build-temp build/guided-temp
	@$${CC:-cc} -O2 -shared -fPIC -o build/guided/counters.so fuzz/counters.c
	@mkdir -p .cache/corpus
	@PYTHONPATH=build/guided LD_PRELOAD=build/guided/counters.so $(PY) -m fuzz.guided -max_total_time=$(SECONDS) \
	  -max_len=2000 -len_control=0 -timeout=60 -artifact_prefix=.cache/ $(ARGS) .cache/corpus

conformance: $(DONE)-with-test ## Run the MCP conformance suite (npm), write docs/conformance.md
	@$(PY) tests/conformance/run.py --write $(ARGS)

hostile: $(DONE)-with-test ## Run the hostile cases against three validators, write docs/hostile.md
	@$(PY) -m fuzz.hostile --write $(ARGS)

sdist: $(DONE)-tools ## Make the source distribution in dist/
	@$(PY) setup.py -q sdist

build: $(DONE)-built ## Build and install into the environment

$(DONE)-tools: pyproject.toml .ci/preflight.py
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
	  echo "cannot build: there is no $(PYTHON); install Python 3.10 or newer, or choose one with PYTHON=" >&2; exit 1; }
	@$(PYTHON) .ci/preflight.py
	@[ -e $@ ] || { echo "making the environment $(VENV)"; $(PYTHON) -m venv --clear $(VENV); }
	@$(PIP) install $(BUILD_REQUIRES)
	@touch $@

$(DONE)-built: $(DONE)-tools setup.py $(NATIVE)
	@echo "building the extension and installing schemafuse into $(VENV)"
	@$(PIP) install --no-build-isolation -e .
	@touch $@

# schemafuse itself is installed already: pip adds only what the extra names.
$(DONE)-with-%: $(DONE)-built
	@$(PIP) install 'schemafuse[$*]'
	@touch $@

clean: ## Remove what builds and tests leave behind
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks src/*.egg-info
	find src tests bench fuzz examples \( -name __pycache__ -o -name '*.so' \) -exec rm -rf {} + 2>/dev/null || true
	rm -f .venv*/done-*-built

distclean: clean ## Remove the environments and downloads as well
	rm -rf .venv .venv-* .cache
