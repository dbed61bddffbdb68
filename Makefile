# The commands of every day. Each stands for what the scripts and Cargo do; there is no logic here.

SHELL := bash
# rustup puts Cargo here; a shell that was open during the installation does not know it yet.
export PATH := $(PATH):$(HOME)/.cargo/bin
export DEBIAN_FRONTEND := noninteractive

.DEFAULT_GOAL := help
.PHONY: help demo test check mutants soak fuzz interop check-deploy bench run

help: ## what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## two samples from upload to text, a film from a magnet to a library; installs what that needs
	scripts/bootstrap --demo
	cargo build --locked -p verst
	scripts/demo

test: ## every check and every test, as the continuous integration runs them
	scripts/bootstrap --tests
	cargo xtask check
	scripts/test

check: ## the checks alone: format, lints, docs, arrows, sizes, scenarios
	cargo xtask check $(ARGS)

mutants: ## breaks the rules one at a time, and demands that a test turns red
	scripts/bootstrap --tests
	scripts/mutants

soak: ## kills a busy service a thousand times and counts what is left
	scripts/bootstrap --tests
	scripts/soak

fuzz: ## throws bytes at what reads torrents and magnets, five minutes long: make fuzz ARGS=60
	scripts/fuzz $(ARGS)

interop: ## OpenAI's client and schemathesis against the service, names against guessit's, a newer qBittorrent
	scripts/bootstrap --demo
	scripts/interop

check-deploy: ## checks deploy/, and builds and runs the image by hand; takes root, and minutes
	scripts/bootstrap --tests
	scripts/check-deploy $(ARGS)

run: ## the optimised binary: make run ARGS="transcribe talk.ogg"
	cargo run --release --locked -p verst -- $(if $(ARGS),$(ARGS),--help)

bench: ## measure the stores, beside other queues: a quarter of an hour of a quiet machine, and see bench/README.md
	scripts/bootstrap --tests
	bench/run $(ARGS)
