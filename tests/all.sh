#!/usr/bin/env bash
# Everything that `make test` promises, step by step. A step that fails does not stop those that do
# not need it; the end says what failed, and the exit code too.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

jobs=${CODECARBON_JOBS:-$(nproc)}
read -r -a launcher <<<"${CODECARBON_LAUNCHER:-}"
fuzz_seconds=5
summary=()
failed=0

# step NAME COMMAND...: runs it, says how it went, and remembers for the summary.
step() {
  local name=$1 begin=$SECONDS result=passed
  shift
  printf '\n==== %s\n' "$name"
  "$@" || result=FAILED
  [ "$result" = passed ] || failed=1
  summary+=("$(printf '%-34s %-6s %4d s' "$name" "$result" $((SECONDS - begin)))")
  [ "$result" = passed ]
}

wrap=()  # in front of what builds and runs the tests
vendor=()  # cmake options that name headers of vendors

# The fake NVIDIA library is built against the vendor's own header, which lies on PyPI.
fetch_nvml_header() {
  local folder=$PWD/build-vendor/nvml include
  include=$(find "$folder" -name nvml.h -printf '%h' -quit 2>/dev/null)
  if [ -z "$include" ]; then
    rm -rf "$folder" && mkdir -p "$folder" &&
      python3 -m venv "$folder/venv" &&
      "$folder/venv/bin/pip" --disable-pip-version-check download -q --no-deps -d "$folder" \
        'nvidia-nvml-dev==13.*' &&
      python3 -m zipfile -e "$folder"/nvidia_nvml_dev-*.whl "$folder" || return
    rm -rf "$folder/venv"
    include=$(find "$folder" -name nvml.h -printf '%h' -quit)
    [ -n "$include" ] || return
  fi
  vendor+=("-DCODECARBON_NVML_INCLUDE=$include")
}

build() {  # build PRESET FOLDER [cmake options]
  local preset=$1 folder=$2
  shift 2
  cmake --preset "$preset" "${launcher[@]}" "${vendor[@]}" "$@" &&
    "${wrap[@]}" cmake --build "$folder" -j "$jobs"
}

run_tests() {  # run_tests PRESET [ctest options]
  local preset=$1
  shift
  "${wrap[@]}" ctest --preset "$preset" -j "$jobs" "$@"
}

format() {
  if ! clang-format --version | grep -q 'version 14\.'; then
    echo "skipped: the layout is that of clang-format 14"
    return 0
  fi
  git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "skipped: no git"; return 0; }
  make --no-print-directory format-check
}

step "layout of the sources" format
if ! fetch_nvml_header; then
  echo "WARNING: nvml.h could not be fetched: NVIDIA GPUs ARE NOT TESTED" >&2
  summary+=("$(printf '%-34s %-6s' "NVIDIA GPUs: vendor's header" MISSING)")
fi
if step "release: build" build release build -DCODECARBON_TESTS=ON; then
  step "release: tests" run_tests release
fi
if step "asan + ubsan: build" build asan build-asan; then
  step "asan + ubsan: tests" run_tests asan -LE bench
fi
# Uses the engine of build-asan.
step "python package" bindings/python/test.sh
# The thread sanitizer of g++ 12 cannot place its shadow memory on kernels that scatter addresses
# widely, so that is switched off for it where this is allowed.
if setarch -R true 2>/dev/null; then wrap=(setarch -R); fi
if step "tsan: build" build tsan build-tsan; then
  step "tsan: tests" run_tests tsan -LE bench
fi
wrap=()
if step "clang, fuzzers: build" build fuzz build-fuzz; then
  step "fuzzers: $fuzz_seconds s each" fuzz/run.sh build-fuzz "$fuzz_seconds"
fi

printf '\n==== summary, %d min %d s\n' $((SECONDS / 60)) $((SECONDS % 60))
printf '%s\n' "${summary[@]}"
if [ "$failed" -ne 0 ]; then
  echo "make test: FAILED"
  exit 1
fi
echo "make test: all passed"
