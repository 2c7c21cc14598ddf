# Each target does all its own set-up from a bare checkout; Python 3.11+ and g++ are all it needs.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := pyproject.toml CMakeLists.txt $(wildcard cpp/*.cpp cpp/*.hpp cpp/moves/*.hpp)

.PHONY: install demo test check schemas peers clean

install: .venv/.installed

.venv/.installed: $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed; try: make PYTHON=python3.11 $(MAKECMDGOALS)")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: install
	@mkdir -p out
	$(BIN)/splitroute split examples/bakery.csv --rule pasa --levels 2 --base 2
	$(BIN)/splitroute solve examples/bakery.csv --rule pasa --levels 2 --base 2 --time 4 --improve 1 --seed 1 --baseline --out out/solution.json --plot out/routes.png

test: install build/selftest
	build/selftest
	$(BIN)/python -m pytest -n 2

# The core by itself, with every move checked against a recomputation, and with sanitizers.
CORE := $(filter-out cpp/bindings.cpp,$(wildcard cpp/*.cpp cpp/selftest/*.cpp))
build/selftest: $(CORE) $(wildcard cpp/*.hpp cpp/moves/*.hpp cpp/selftest/*.hpp)
	@mkdir -p build
	$(CXX) -std=c++20 -O1 -g -Wall -Wextra -Wpedantic -DSPLITROUTE_CHECKS -fsanitize=address,undefined -fno-sanitize-recover=all -Icpp -o $@ $(CORE)

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf .venv build out

schemas: install
	$(BIN)/python -c "import json, pathlib; from splitroute.formats.json import schemas; [pathlib.Path(f'docs/schemas/{k}.schema.json').write_text(json.dumps(v, indent=2) + '\n') for k, v in schemas().items()]"

# Peers to compare with; never needed by the package itself.
peers: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'sdvrp-py==0.1.1'
