# fitbench. `make test` runs the tests; `make check` everything that must hold before a change lands.

GO          ?= go
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
SYSTEMS     := linux darwin windows
ARCHS       := amd64 arm64
TAGS        := none purego

.PHONY: build test race check vet format tidy staticcheck cross clean

build:
	$(GO) build -o fitbench ./cmd/fitbench

test:
	$(GO) test ./...

race:
	$(GO) test -race ./...

check: vet format tidy staticcheck race cross

vet:
	$(GO) vet ./...
	$(GO) vet -tags purego ./...

format:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "not gofmt'ed:"; echo "$$unformatted"; exit 1; fi

tidy:
	$(GO) mod tidy -diff
	$(GO) mod verify

staticcheck:
	$(GO) run $(STATICCHECK) ./...

# Every system builds, tests included, with and without the assembly.
cross:
	@set -e; for os in $(SYSTEMS); do for arch in $(ARCHS); do for tag in $(TAGS); do \
	  echo "build $$os/$$arch tag $$tag"; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -tags $$tag ./...; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) vet -tags $$tag ./...; \
	done; done; done

clean:
	rm -f fitbench
