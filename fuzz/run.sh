#!/usr/bin/env bash
# Runs every fuzzer of a build folder for some seconds, from its corpus: run.sh build-fuzz 300
# What it finds on the way stays in the build folder; an input that fails is named and kept there.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

build=$1
seconds=$2
failed=0
# One of them writes files: a folder in memory makes it ten times as fast.
if [ -w /dev/shm ]; then export TMPDIR=/dev/shm; fi

for fuzzer in "$build"/bin/fuzz_*; do
  name=$(basename "$fuzzer")
  name=${name#fuzz_}
  found=$build/found/$name
  log=$build/found/$name.log
  mkdir -p "$found"
  if "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
      -print_final_stats=1 -artifact_prefix="$found-" "$found" "fuzz/corpus/$name" >"$log" 2>&1; then
    printf 'fuzz %-10s passed, %s inputs\n' "$name" \
      "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
  else
    failed=1
    printf 'fuzz %-10s FAILED\n' "$name"
    grep -v '# Uses:' "$log" | tail -n 60
  fi
done
exit "$failed"
