# Each target does its own set-up and may be the first command in a fresh clone.
#
#   make run      build Notifio and start it (ARGS="check --json" for a command)
#   make test     every check, the builds for other systems, and all tests
#   make check    the fast part of that: format, vet, staticcheck, go.mod
#   make chaos    kill Notifio 200 times, make 1,000 checks, tell 10,000 random stories (half an hour)
#   make rules    take each rule of the reader out in turn, and show which page fails without it
#   make lines    count the code of each package, without blanks and comments
#   make pages    read the captured pages in PAGES, and show what was read of each
#   make bench    measure how fast and how light it is, in half an hour (BENCH=quick: a short form)
#   make build    write ./notifio
#   make dist     write archives and packages for Linux and Windows into dist/
#   make pictures take the pictures of the README anew, into docs/
#   make simulate a hundred thousand copies on one host: tables, and plots into docs/
#   make clean    remove what was built

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help run build test check chaos rules lines pages bench bench-docs cross dist pictures simulate clean go tools driver

# Some services and containers have no home, or one that nobody may write to.
home := $(shell [ -n "$$HOME" ] && mkdir -p "$$HOME" 2>/dev/null && [ -w "$$HOME" ] && echo "$$HOME" || echo "$(CURDIR)/.cache/home")
export HOME := $(home)

# A clone that git will not read, such as somebody else's, builds without a version.
export GOFLAGS := $(strip $(GOFLAGS) $(shell git rev-parse HEAD >/dev/null 2>&1 || echo -buildvcs=false))

targets := linux/amd64 linux/arm64 windows/amd64 windows/arm64

help:
	@sed -n 's/^#   //p' Makefile

run: build
	@exec ./notifio $(ARGS)

build: go
	@[ -e notifio ] || echo '== building Notifio; the first time takes a minute or two'
	@CGO_ENABLED=0 go build -o notifio .

# One package at a time: several of them keep browsers busy, and a whole machine each.
test: tools check cross driver
	@echo '== tests, with the race detector'
	@CGO_ENABLED=1 go test -race -timeout 60m -p 1 ./...

check: go
	@echo '== gofmt'
	@bad=$$(find . -name '*.go' -not -path './.*/*' -exec gofmt -l {} +) && [ -z "$$bad" ] || { echo "$$bad"; echo 'run gofmt -w on these'; exit 1; }
	@echo '== go vet'
	@go vet ./...
	@echo '== staticcheck'
	@go tool staticcheck ./...
	@echo '== go mod tidy'
	@go mod tidy -diff || { echo 'run go mod tidy'; exit 1; }

cross: go
	@for t in $(targets); do \
		echo "== build for $$t"; \
		GOOS=$${t%/*} GOARCH=$${t#*/} CGO_ENABLED=0 go build -o /dev/null ./... || exit 1; \
	done
	@echo '== go vet for windows'
	@GOOS=windows CGO_ENABLED=0 go vet ./...

# The long forms of three tests: what they count is printed.
KILLS ?= 200
CHECKS ?= 1000
STORIES ?= 10000
chaos: driver
	@CGO_ENABLED=0 go test . -run TestKills -count=1 -v -timeout 2h -kills $(KILLS)
	@CGO_ENABLED=0 go test . -run TestChecksLeaveNothingBehind -count=1 -v -timeout 2h -checks $(CHECKS)
	@CGO_ENABLED=0 go test ./monitor -run TestRandomStories -count=1 -v -timeout 2h -rapid.checks=$(STORIES)

# Each definition and each row of the reader's tables must be needed by a page or a text of ours.
rules: driver
	@go test ./browser -run '^TestRules' -rules -count=1 -v -timeout 1h

# The script counts with the package that evaluates it.
lines:
	@for d in . assets browser config login mail monitor monitor/deliver monitor/store report tray; do \
		files=$$(ls $$d/*.go | grep -v _test.go); [ $$d = browser ] && files="$$files assets/extract.js"; \
		printf '%6d  %s\n' "$$(cat $$files | sed 's/^[[:space:]]*//' | grep -v -e '^$$' -e '^//' | wc -l)" $$d; \
	done

# Pages as portals really serve them belong to others and are not in this folder.
PAGES ?= ../shared/pages
pages: driver
	@NOTIFIO_PAGES=$(abspath $(PAGES)) go test ./browser -run '^Test(Captured|Small)Pages' -count=1 -v
	@echo '== what extraction costs, in milliseconds'
	@NOTIFIO_PAGES=$(abspath $(PAGES)) go test ./browser -run '^$$' -bench LargestPage -benchtime=20x

# Measured on a machine that does nothing else; bench.json has the figures.
bench: driver
	@NOTIFIO_PAGES=$(abspath $(PAGES)) go run ./scripts/bench $(if $(filter quick,$(BENCH)),-quick) $(if $(ONLY),-only $(ONLY))

# The tables of the last full run go into the README and docs/performance.md.
bench-docs: go
	@go run ./scripts/bench -docs

dist: go
	@sh scripts/dist

pictures: go
	@scripts/pictures/take docs

simulate: go
	@go run ./scripts/simulate

clean:
	@rm -rf notifio notifio.exe dist notifio_windows_*.syso

go:
	@sh scripts/need-go

tools: go
	@sh scripts/need-tools

# The browser driver, once, before the tests of several packages want it at a time.
driver: tools
	@echo '== browser driver'
	@go run ./scripts/prepare
