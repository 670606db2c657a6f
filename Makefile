# make run starts everything, make test proves everything; both install what they need into .venv.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet

.PHONY: install run test check format openapi conformance demo bench mutants lock clean always

run: .venv/run.stamp
	$(BIN)/bricabrac serve

install: .venv/dev.stamp

# Four processes on two cores: while some wait, others compute. What is compiled is kept, whatever is usual here.
test: export PYTHONDONTWRITEBYTECODE =
test: .venv/node.stamp
	$(BIN)/python -m pytest -n 4 --dist loadgroup --no-loadscope-reorder

check: .venv/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.openapi --check openapi.yaml

format: .venv/dev.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Recorded twice, for one answer shows what the file says of another.
openapi: .venv/dev.stamp
	$(BIN)/python -m tests.recorded service/http/examples.json
	$(BIN)/python -m tests.recorded service/http/examples.json
	$(BIN)/python -m tests.openapi openapi.yaml

conformance: .venv/node.stamp
	$(BIN)/python -m tests.conformance

demo: .venv/dev.stamp
	$(BIN)/python -m tests.e2e.demo

bench: .venv/dev.stamp
	$(BIN)/python -m bench

# ONLY=core is a part, ONLY='domain.chance*' some functions. It remembers, in mutants/, what it has tried.
mutants: .venv/mutants.stamp
	$(BIN)/python -m tests.mutants "$(ONLY)"

# Needs uv; the locks are installed by plain pip.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --extra build pyproject.toml \
		-o requirements.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --extra build --extra dev \
		pyproject.toml -c requirements.txt -o requirements-dev.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --extra build --extra dev \
		--extra mutants pyproject.toml -c requirements-dev.txt -o requirements-mutants.txt

# Checked every time. It changes only if it has to be built again, and then everything is installed again.
.venv/pyvenv.cfg: always
	@sh .ci/venv "$(PYTHON)"

# If pip is interrupted, the mark stays, and the next make builds .venv again.
.venv/run.stamp: .venv/pyvenv.cfg requirements.txt pyproject.toml
	@echo "Installing what Bricabrac needs into .venv: this takes about a minute."
	@touch .venv/unfinished
	@$(PIP) --require-hashes -r requirements.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@rm .venv/unfinished
	@touch $@

.venv/dev.stamp: .venv/run.stamp requirements-dev.txt
	@echo "Installing what tests and checks need into .venv: this takes about a minute."
	@touch .venv/unfinished
	@$(PIP) --require-hashes -r requirements-dev.txt
	@rm .venv/unfinished
	@touch $@

.venv/mutants.stamp: .venv/dev.stamp requirements-mutants.txt
	@echo "Installing what changes the code under the tests into .venv: this takes a few seconds."
	@touch .venv/unfinished
	@$(PIP) --require-hashes -r requirements-mutants.txt
	@rm .venv/unfinished
	@touch $@

# Node itself is among the packages of Python; what it runs is pinned in a lock of its own.
.venv/node.stamp: .venv/dev.stamp tests/conformance/package.json tests/conformance/package-lock.json
	cd tests/conformance && ../../$(BIN)/npm ci --ignore-scripts --silent
	$(BIN)/node tests/conformance/chromium.mjs .venv/chromium
	cd .venv/chromium && tar -xf al2023.tar && tar -xf fonts.tar && rm *.tar
	touch $@

clean:
	rm -rf .venv build mutants *.egg-info tests/conformance/node_modules
