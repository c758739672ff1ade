#!/usr/bin/env bash
# Writes the stub of the native module as the module describes itself: stub.sh PYTHON [FILE]. PYTHON
# must have this package and nanobind installed; without FILE the one in the source tree is renewed.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
exec "$1" -m nanobind.stubgen -q -m codecarbon._native -p "$here/native/stub_patterns.txt" \
  -o "${2:-$here/codecarbon/_native.pyi}"
