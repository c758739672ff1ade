# The project's commands. `make` alone lists them.

BUILD := build
JOBS ?= $(shell nproc)
CCACHE := $(shell command -v ccache)
LAUNCHER := $(if $(CCACHE),-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
SOURCES = $(shell git ls-files '*.cpp' '*.hpp' '*.c' '*.h')
FUZZ_SECONDS ?= 300
PYTHON ?= /usr/bin/python3

export CODECARBON_JOBS := $(JOBS)
export CODECARBON_LAUNCHER := $(LAUNCHER)

.PHONY: help deps build demo wheel test test-python test-frameworks bench fuzz format format-check \
        tidy clean

help:
	@echo "make demo    build the command, measure a sample program, show report and CSV"
	@echo "make test    everything: build, tests, sanitizers, fuzz corpora, install (from nothing)"
	@echo "make build   the command at $(BUILD)/bin/codecarbon and the library"
	@echo "make wheel   the Python package for \$$PYTHON=$(PYTHON), in $(BUILD)/wheels"
	@echo "make test-python      of all tests, those of the Python package"
	@echo "make test-frameworks  the Python package beside PyTorch, Keras, Optuna and others"
	@echo "make bench   the budget table"
	@echo "make fuzz    fuzz each text format for FUZZ_SECONDS=$(FUZZ_SECONDS)"
	@echo "make format  clang-format over all sources"
	@echo "make tidy    clang-tidy over all sources"
	@echo "make deps    install what the build needs (Debian; as root or with sudo)"

deps:
	@.ci/install-packages build

# A build folder that make test made keeps its tests; a new one does without them.
configure: deps
	@cmake --preset release $(LAUNCHER) $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DCODECARBON_TESTS=OFF)
.PHONY: configure

build: configure
	@cmake --build $(BUILD) -j $(JOBS) --target codecarbon_cli codecarbon

demo: build
	@cmake --build $(BUILD) -j $(JOBS) --target burn
	@examples/demo.sh $(BUILD)

wheel:
	@.ci/install-packages build python
	@bindings/python/wheel.sh $(PYTHON) $(BUILD)/wheels

test:
	@.ci/install-packages build test python launchers
	@tests/all.sh

test-python:
	@.ci/install-packages build test python
	@bindings/python/test.sh

test-frameworks:
	@.ci/install-packages build python frameworks
	@bindings/python/frameworks/run.sh

bench:
	@.ci/install-packages build test python
	@cmake --preset release $(LAUNCHER) -DCODECARBON_TESTS=ON
	@cmake --build $(BUILD) -j $(JOBS)
	@bench/run $(BUILD)

fuzz:
	@.ci/install-packages build test
	@cmake --preset fuzz $(LAUNCHER)
	@cmake --build build-fuzz -j $(JOBS)
	@fuzz/run.sh build-fuzz $(FUZZ_SECONDS)

format:
	@clang-format -i $(SOURCES)

format-check:
	@clang-format --dry-run -Werror $(SOURCES)

tidy:
	@cmake --preset dev $(LAUNCHER)
	@git ls-files '*.cpp' | grep -v _test.cpp | xargs -P $(JOBS) -n 1 clang-tidy --quiet -p build-dev

clean:
	@rm -rf build build-*
