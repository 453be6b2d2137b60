# Everything here is plain make (GNU make 3.81 or later) around the go command.
# "make help" lists the targets.

GO     ?= go
GOFMT  ?= gofmt
BQGEN   = $(GO) run ./cmd/bqgen
CATALOG = examples/urns.yaml
OUT     = examples/orders/orderevents

# How long the tests of one package may take. The slowest start their own broker.
TEST_TIMEOUT ?= 15m

# Most tests on a broker wait: more of them, and more packages, run at once than there are processors. Without DWARF,
# linking takes half as long; stack traces stay as they are.
PACKAGES = $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1))
TEST     = $(GO) test -vet=off -ldflags=-w -p $(PACKAGES) -parallel 4 -timeout $(TEST_TIMEOUT)

# The race detector needs cgo, and with it a C compiler, on most systems.
RACE = $$($(GO) env CGO_ENABLED | sed -n 's/^1$$/-race/p')

# Words in the names of tests that the race detector makes slow or useless. They run without it.
WITHOUT_RACE = Allocations RealSchemas Suite Judge Scripts Hostile[PY] SameBytes ACommandOf TooMuch DocumentsIs \
	InOnePass TheMeaning TableTells TopicMoves Costly CountOver LimitedNumber AFindingIsShort \
	ReachesEveryTool FaultOfShape OnItsOrder ExtentOf SitesAre CatalogAreEscaped

either = $(subst $(space),|,$(strip $(1)))
space  = $(empty) $(empty)

# Where make fuzz looks for targets, and how long it runs each. The other tests try the seeds of all targets.
FUZZ_FOLDERS ?= runtime schema templates
FUZZTIME     ?= 30s

# How many inputs the go command tries to make an interesting one smaller. By default it tries for a minute.
FUZZMINIMIZE ?= 20x

# What make walk, make bench and make soak go through.
WALK_DELIVERIES ?= 200000
BENCH_PAIRS     ?= 7
BENCH_MESSAGES  ?= 300000
SOAK_MESSAGES   ?= 1000000

# The folder of event catalogs of others that make real goes through.
REAL ?= ../shared/real

.PHONY: help demo test test-on-broker lint generate check fmt fmt-check tidy-check pulsar crash fuzz walk real bench \
	soak hostile

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 18

demo: generate ## generate the example's code and run the example in memory
	$(GO) run ./examples/orders

test: lint check ## run all checks and all tests, with a real Pulsar broker
	@test -n "$(RACE)" || echo "note: the tests run without the race detector, which needs a C compiler"
	$(GO) run ./dev/pulsar exec -- $(MAKE) --no-print-directory test-on-broker

test-on-broker:
	$(TEST) $(RACE) ./...
	$(TEST) -run '$(call either,$(WITHOUT_RACE))' ./cmd/bqgen ./gen_test ./runtime/... \
		./schema/catfmt ./schema/compat ./schema/importer ./schema/load ./templates/docs ./templates/golang

lint: fmt-check tidy-check ## formatting, line length, go.mod, vet and staticcheck
	$(GO) run ./dev/lint
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

generate: ## generate the example's code from its catalog
	$(BQGEN) generate --catalog $(CATALOG) --out $(OUT)

check: ## check that the example's generated code is up to date and its catalog in order
	$(BQGEN) check --catalog $(CATALOG) --out $(OUT)
	$(BQGEN) lint --strict --catalog $(CATALOG)
	$(BQGEN) fmt --check --catalog $(CATALOG)

fmt: ## format the Go code
	$(GOFMT) -w .

fmt-check:
	@unformatted=$$($(GOFMT) -l .) || exit 1; test -z "$$unformatted" || \
		{ echo "not formatted, run make fmt:"; echo "$$unformatted"; exit 1; }

tidy-check:
	$(GO) mod tidy -diff

CRASH_TEST = $(GO) run ./dev/pulsar exec -- $(GO) test $(RACE) -count=1 -timeout 60m -parallel 12 -v ./runtime/crash

crash: ## kill consumers and brokers for longer than make test does
	$(CRASH_TEST) -crash.kills=100 -crash.restarts=10
	$(CRASH_TEST) -run Broker -crash.restarts=10 -crash.ackrate=1
	$(CRASH_TEST) -run Broker -crash.restarts=2 -crash.outage=40s
	$(GO) run ./dev/pulsar exec -- $(GO) test -count=1 -timeout 30m -v ./cmd/bqgen -run 'Kills|FlatMemory|Needle' \
		-dead-letters=10000 -tailed=100000 -behind=60000
	$(GO) test -count=1 -v ./dev/pulsar/standalone -run RealBrokerEnds -kill.parent

walk: ## consume at random through all faults for longer than make test does, and check that mutants are found
	$(GO) test $(RACE) -count=1 -timeout 60m -v ./runtime -run RandomWalk -walk.deliveries=$(WALK_DELIVERIES)
	@for mutant in ackfirst ackcopies firstid freeunsure; do \
		if $(GO) test -count=1 -tags mutant_$$mutant ./runtime -run RandomWalk -walk.deliveries=20000 >/dev/null; then \
			echo "the mutant $$mutant is not found"; exit 1; \
		else \
			echo "the mutant $$mutant is found"; \
		fi; \
	done

real: ## generate and compile code for the real event catalogs in REAL, and compare its verdicts with the originals
	$(GO) test -count=1 -timeout 2h -v ./gen_test -run 'RealSchemas|TheJudgeAgrees' \
		-real=$(abspath $(REAL)) -real.all -judge.schemas=500

bench: ## measure consumers compared with the Pulsar client alone, on a real broker
	$(GO) run ./dev/pulsar exec -- $(GO) test -count=1 -timeout 4h -v ./runtime/bench -run Bench \
		-bench.pairs=$(BENCH_PAIRS) -bench.messages=$(BENCH_MESSAGES)
	$(GO) test -run '^$$' -bench 'Pipeline|Decode|Publish' -benchmem ./runtime

soak: ## send a million messages through one consumer on a real broker
	$(GO) run ./dev/pulsar exec -- $(GO) test -count=1 -timeout 2h -v ./runtime/bench -run Soak \
		-soak.messages=$(SOAK_MESSAGES)

fuzz: ## run every fuzz target for FUZZTIME (30s)
	@for folder in $$(grep -rl --include='*_test.go' '^func Fuzz' $(FUZZ_FOLDERS) | xargs -n 1 dirname | sort -u); do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$folder/*_test.go); do \
			echo "$$folder $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) \
				-fuzzminimizetime $(FUZZMINIMIZE) ./$$folder || exit 1; \
		done; \
	done

hostile: ## run every command on catalogs that were built to hang it
	$(GO) run ./dev/hostile

pulsar: ## run a Pulsar broker in the foreground until ctrl-C
	$(GO) run ./dev/pulsar run
