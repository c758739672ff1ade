#!/usr/bin/env bash
# run.sh [WHEEL]: the package beside the real frameworks, in a virtual environment of its own.
#
# Uses the interpreter PYTHON (default /usr/bin/python3) with its torch: Debian's python3-torch, which
# brings no CUDA. Builds the wheel if none is given. Only pip touches the network.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
root=$(readlink -f "$here/../../..")
python=${PYTHON:-/usr/bin/python3}
build=${CODECARBON_BUILD:-$root/build}/frameworks

if ! "$python" -c 'import torch, venv' 2>/dev/null; then
  echo "frameworks: $python lacks torch or venv; on Debian: apt-get install python3-torch python3-venv" >&2
  exit 1
fi

mkdir -p "$build"
[ -x "$build/venv/bin/python" ] || "$python" -m venv --system-site-packages "$build/venv"
pip() { "$build/venv/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }
pip install --upgrade 'pip>=23.1'
pip install -r "$here/requirements.txt"

wheel=${1:-}
if [ -z "$wheel" ]; then
  wheel=$("$here/../wheel.sh" "$build/venv/bin/python" "$build/wheels")
fi
pip install --no-deps --force-reinstall "$wheel"

# Each in a process of its own, as in life: JAX's threads do not go with another test's fork.
cd "$build"
failed=0
for tests in "$here"/test_*.py; do
  "$build/venv/bin/python" -m pytest -p no:cacheprovider -q -ra "$tests" || failed=1
done
exit "$failed"
