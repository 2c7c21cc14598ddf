# Every target sets itself up from a fresh clone; Python 3.11+ and g++ suffice.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := pyproject.toml CMakeLists.txt $(wildcard cpp/*.cpp cpp/*.hpp cpp/moves/*.hpp)
CPP := $(wildcard cpp/*.[ch]pp cpp/*/*.[ch]pp)

.PHONY: install demo test coverage test-e2e web serve sdist packages check audit paper records docs figures schemas peers clean

install: .venv/.installed

.venv/.installed: $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed; try: make PYTHON=python3.11 $(MAKECMDGOALS)")'
	@echo 'Installing into .venv and compiling; this takes a few minutes, once.'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: install
	@mkdir -p out
	$(BIN)/splitroute split examples/bakery.csv --rule pasa --levels 2 --base 2
	$(BIN)/splitroute solve examples/bakery.csv --rule pasa --levels 2 --base 2 --time 4 --improve 1 --bound 5 --seed 1 --baseline --out out/solution.json --plot out/routes.png

# Bytecode is kept even where the environment says otherwise: every child process imports the package.
test: export PYTHONDONTWRITEBYTECODE :=
test: install
	@$(MAKE) --no-print-directory --jobs=2 build/selftest
	build/selftest
	$(BIN)/python -m pytest -n 3 --dist worksteal --ignore tests/e2e --ignore tests/packages $(PYTEST)

# The same tests with coverage: files that are not fully covered, and every line in out/coverage.
coverage: PYTEST := --cov --cov-report term:skip-covered --cov-report html:out/coverage
coverage: test

# Tests of the page in the system's Chromium; screenshots go to out/e2e. What fails gets a second chance:
# on a busy machine the page may still move when a test clicks.
test-e2e: web
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || { echo 'a browser is needed: install chromium'; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[e2e]'
	$(BIN)/python -m pytest -n 2 tests/e2e || $(BIN)/python -m pytest --last-failed tests/e2e

# The core's self-test, with sanitizers and every move compared with a recomputation. Line tables (-g1)
# suffice for stack traces; with -Og, compiling takes less than half of the time of -O1 -g.
CORE := $(filter-out cpp/bindings.cpp,$(wildcard cpp/*.cpp cpp/selftest/*.cpp))
SELFTEST := $(CORE:%.cpp=build/selftest-objects/%.o)
SANITIZED := -std=c++20 -Og -g1 -Wall -Wextra -Wpedantic -DSPLITROUTE_CHECKS -fsanitize=address,undefined -fno-sanitize-recover=all -Icpp
build/selftest: $(SELFTEST)
	$(CXX) $(SANITIZED) -o $@ $^

build/selftest-objects/%.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) $(SANITIZED) -MMD -MP -c -o $@ $<

-include $(SELFTEST:.o=.d)

# The page of `splitroute serve`, built into the package. Not with `npm ci`: it requires packages for
# other platforms, which not every registry has.
PAGE := $(shell find page -path page/node_modules -prune -o -type f -print) $(wildcard src/splitroute/web/*.py examples/*.csv)
web: src/splitroute/web/page/index.html

src/splitroute/web/page/index.html: $(filter-out page/openapi.json page/src/lib/schema.ts,$(PAGE)) | install
	@sh page/check-node.sh
	$(BIN)/python -m splitroute.web.openapi > page/openapi.json
	cd page && npm install --no-save && npm run types && npm run check && npm run build

# The page and the HTTP API on http://127.0.0.1:8765.
serve: web
	$(BIN)/splitroute serve

# The sdist contains the page, so that wheels and their users need no Node.
sdist: web
	rm -f dist/splitroute-*.tar.gz
	$(BIN)/python -m build --sdist --outdir dist

# Wheels for all versions of Python, built from the sdist; each is tried in empty environments without
# a compiler.
packages: sdist
	rm -f dist/splitroute-*.whl
	$(BIN)/python -m pytest tests/packages

# The paper's tables and figures next to ours. Instances come from INSTANCES=FOLDER, from the variable
# SPLITROUTE_INSTANCES, or from `splitroute bench fetch`.
SECONDS ?= 2
SEEDS ?= 1
METHODS := pasa:L=3+rtr,coins:20/10/5/1+rtr,none+rtr,pasa:L=3+native,coins:20/10/5/1+native,none+native,native
paper: install
	@mkdir -p out
	$(BIN)/splitroute bench run --instances all $(if $(INSTANCES),--data $(INSTANCES)) --methods $(METHODS) --metric exact --time $(SECONDS) --seeds $(SEEDS) --jobs 2 --records out/paper-$(SECONDS)s.jsonl
	$(BIN)/splitroute bench report --records out/paper-$(SECONDS)s.jsonl --methods $(METHODS) --out out/paper.html
	$(BIN)/splitroute bench table --records out/paper-$(SECONDS)s.jsonl --methods $(METHODS) --overview

# The records of which the documentation makes its tables: the same costs on any machine, in some minutes.
# Without routes, which need far more room.
REPEATABLE := none+native,coins:20/10/5/1+native,pasa:L=3+native,native
records: install
	@mkdir -p out
	$(BIN)/splitroute bench run --instances all $(if $(INSTANCES),--data $(INSTANCES)) --methods $(REPEATABLE) --metric exact --iterations 200000 --jobs 2 --records out/records.jsonl
	$(BIN)/python -c "import json, pathlib; from splitroute.bench.records import read_records; [print(json.dumps(r)) for r in read_records([pathlib.Path('out/records.jsonl')])]" > docs/results/records.jsonl

# The documentation as a site, in out/docs; warnings and dead links are errors.
docs: install
	@mkdir -p out
	$(BIN)/python -m sphinx -W --keep-going -q -E -b html -d build/doctrees docs out/docs
	@$(BIN)/python docs/check_site.py out/docs

# The figures of the documentation, from the code.
figures: install
	$(BIN)/python docs/figures/draw.py

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/hadolint Dockerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@printf '%s\n' $(CORE) | xargs -P 2 -I FILE $(BIN)/clang-tidy --quiet FILE -- -std=c++20 -DSPLITROUTE_CHECKS -Icpp

# Known vulnerabilities of the installed packages and of the page's dependencies; needs the network.
audit: install
	@$(BIN)/python .ci/audit.py

clean:
	rm -rf .venv build out

schemas: install
	$(BIN)/python -c "import json, pathlib; from splitroute.formats.json import schemas; [pathlib.Path(f'src/splitroute/schemas/{k}.schema.json').write_text(json.dumps(v, indent=2) + '\n') for k, v in schemas().items()]"

# Solvers to compare with; the package does not need them.
peers: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'sdvrp-py==0.1.1'
