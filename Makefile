# Every target does its own set-up: a virtual environment in .venv, made anew when pyproject.toml changes.
PYTHON ?= python3
GAME ?= propuh
SCENARIO ?= $(if $(wildcard scenarios/$(GAME)/players.toml),players,policies)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CHECKED := $(VENV)/.checked

.DEFAULT_GOAL := help
.PHONY: help demo test check soak bench goldens reports clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("simkit needs Python 3.11, 3.12 or 3.13; call make with PYTHON=...") if not (3, 11) <= sys.version_info < (3, 14) else 0'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --editable . --group test
	@touch $@

$(CHECKED): $(READY)
	@$(BIN)/python -m pip install --quiet --group check
	@touch $@

demo: ## play a game's main scenario and write its report (GAME=propuh)
	@set -e; start=$$(date +%s); $(MAKE) --no-print-directory $(READY); ready=$$(date +%s); \
	rm -rf runs/demo-$(GAME); \
	$(BIN)/simkit run scenarios/$(GAME)/$(SCENARIO).toml --out runs/demo-$(GAME) --report; \
	end=$$(date +%s); echo "set-up $$((ready - start)) s, demo $$((end - ready)) s"

test: $(READY) ## the quick tests, in a few minutes
	@$(BIN)/python -m pytest -n auto

check: $(CHECKED) ## style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

soak: $(READY) ## what takes longer than CI may: twins at length, a hundred kills, ten thousand bad files, a thousand million games (two hours)
	@$(BIN)/python -m pytest -n auto -m soak

bench: $(READY) ## speed on this machine
	@$(BIN)/simkit bench

goldens: $(READY) ## rewrite recorded playouts and golden files, and show the difference
	@SIMKIT_GOLDENS=1 $(BIN)/python -m pytest tests/contract/test_recordings.py tests/report -k "recordings or as_it_was"
	@git diff --stat -- tests

reports: $(READY) ## make the committed reports anew
	@set -e; for page in reports/*/*/index.html; do \
	  folder=$$(dirname $$page); name=$${folder#reports/}; rm -rf runs/reports/$$name $$folder; \
	  $(BIN)/simkit run scenarios/$$name.toml --tally-only --out runs/reports/$$name; \
	  $(BIN)/simkit report runs/reports/$$name --out $$folder; done

clean: ## remove the environment and all runs
	@rm -rf $(VENV) runs
