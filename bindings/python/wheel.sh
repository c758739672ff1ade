#!/usr/bin/env bash
# Builds the wheel for an interpreter: wheel.sh PYTHON FOLDER [SOURCE], of this tree if nothing else is
# said, and prints its path. pip brings what the build needs. What was compiled stays in FOLDER/cmake:
# the engine is the same for every interpreter, so for another one only the module is compiled anew.
set -euo pipefail
python=$1
mkdir -p "$2"
folder=$(readlink -f "$2")
source=$(readlink -f "${3:-$(dirname "$(readlink -f "$0")")/../..}")
read -r -a launcher <<<"${CODECARBON_LAUNCHER:-}"
# Each interpreter names the compiler it was made with, and another name compiles all anew.
export CC=${CC:-cc} CXX=${CXX:-c++}
export CMAKE_BUILD_PARALLEL_LEVEL=${CODECARBON_JOBS:-$(nproc)}

# Debian's interpreter has no pip of its own.
if ! "$python" -m pip --version >/dev/null 2>&1; then
  "$python" -m venv "$folder/venv"
  python=$folder/venv/bin/python
fi
settings=("--config-settings=build-dir=$folder/cmake")
if [ ${#launcher[@]} -gt 0 ]; then
  settings+=("--config-settings=cmake.args=$(IFS=';' && echo "${launcher[*]}")")
fi
rm -rf "$folder/new"
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps -w "$folder/new" \
  "${settings[@]}" "$source" >&2
wheel=$(basename "$folder"/new/*.whl)
mv "$folder/new/$wheel" "$folder/"
echo "$folder/$wheel"
