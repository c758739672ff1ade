#!/usr/bin/env bash
# Measures a sample program with the command that was just built and shows what comes out.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

bin=${1:-build}/bin
out=${1:-build}/demo
node=tests/simulated_machines/node-2s8g.json
rm -rf "$out"
mkdir -p "$out"

show() { printf '\n$ %s\n' "$*"; "$@"; }

# The last row of a CSV file as one "name value" line a column.
show_last_row() {
  printf '\nlast row of %s\n' "$1"
  awk '
    function split_record(text, fields,    i, c, n, quoted) {
      n = 1; fields[1] = ""
      for (i = 1; i <= length(text); ++i) {
        c = substr(text, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) fields[++n] = ""
        else if (c != "\r") fields[n] = fields[n] c
      }
      return n
    }
    NR == 1 { columns = split_record($0, names) }
    { last = $0 }
    END {
      split_record(last, values)
      for (i = 1; i <= columns; ++i) printf "  %-26s %s\n", names[i], values[i]
    }' "$1"
}

echo "1. A program on this machine. Where the machine has no counters the figures are modelled, and"
echo "   the report says so."
show "$bin/codecarbon" monitor --offline --country-iso-code FRA --project-name demo \
  --output-dir "$out" -- "$bin/burn" 3 2
show_last_row "$out/emissions.csv"

if [ -e "$node" ]; then
  echo
  echo "2. The same on a simulated node with two processors and eight GPUs."
  show "$bin/codecarbon" monitor --offline --country-iso-code FRA --project-name node \
    --output-dir "$out" --machine "$node" -- sleep 2
fi

echo
echo "Each run is one row of $out/emissions.csv. Try it on a program of yours:"
echo "  $bin/codecarbon monitor -- your-program its-arguments"
