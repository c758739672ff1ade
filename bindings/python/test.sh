#!/usr/bin/env bash
# Tests the Python package as a user would get it: test.sh [PYTHON]. Packs the sdist, builds the wheel
# from it, installs that in a new virtual environment and runs all tests; then again with the native
# module built for the address and undefined-behaviour sanitizers; then tries the package on the other
# interpreters that are here. What it makes is below build-python/; the sanitized module is made in
# build-asan/, where `make test` has the engine already. Needs the packages of .ci/packages-*.txt named
# build, test and python, and PyPI for what the build and the tests need.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

# Debian's own, whatever else comes first on the PATH.
python=${1:-${CODECARBON_PYTHON:-/usr/bin/python3}}
[ -x "$python" ] || python=$(command -v python3)
jobs=${CODECARBON_JOBS:-$(nproc)}
read -r -a launcher <<<"${CODECARBON_LAUNCHER:-}"
root=$PWD
out=$root/build-python
build_needs=('build==1.*' 'scikit-build-core==1.1.2' 'nanobind==3.1.0')
# pyright's extra brings the Node.js that it runs on.
test_needs=('pytest==9.*' 'nanobind==3.1.0' 'mypy==2.*' 'pyright[nodejs]==1.*')
failed=()
summary=()

export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

# step NAME COMMAND...: runs it, says how long it took, and remembers when it failed.
step() {
  local name=$1 begin=$SECONDS result=passed
  shift
  printf '\n---- python: %s\n' "$name"
  "$@" || { result=FAILED && failed+=("$name"); }
  summary+=("$(printf '%-30s %-6s %4d s' "$name" "$result" $((SECONDS - begin)))")
  [ "$result" = passed ]
}

new_venv() {  # new_venv FOLDER PYTHON [what to install]
  local folder=$1 with=$2
  shift 2
  "$with" -m venv --clear "$folder" || return
  [ $# -eq 0 ] || "$folder/bin/pip" install -q "$@"
}

pack_sdist() {
  rm -rf "$out/sdist" "$out"/wheels/*.whl
  new_venv "$out/venv-build" "$python" "${build_needs[@]}" &&
    "$out/venv-build/bin/python" -m build -q --no-isolation --sdist -o "$out/sdist" . &&
    "$python" bindings/python/tests/unpack_sdist.py "$out"/sdist/*.tar.gz "$out/source"
}

build_wheel() {  # build_wheel VENV
  bindings/python/wheel.sh "$1/bin/python" "$out/wheels" "$out/source"
}

install_wheel() {  # install_wheel VENV [more to install]
  local venv=$1
  shift
  "$venv/bin/pip" install -q --no-index --find-links "$out/wheels" codecarbon-cpp || return
  [ $# -eq 0 ] || "$venv/bin/pip" install -q "$@"
}

first_wheel() { new_venv "$out/venv" "$python" && build_wheel "$out/venv"; }

# Outside the source tree: what is tested is what is installed.
run_pytest() {  # run_pytest VENV [environment]
  local venv=$1
  shift
  (cd "$out" && env "$@" "$venv/bin/python" -m pytest -q -p no:cacheprovider --durations=5 \
    "$root/bindings/python/tests")
}

build_sanitized() {
  cmake --preset asan "${launcher[@]}" -DCODECARBON_TESTS=ON -DCODECARBON_PYTHON=ON \
    -DPython_EXECUTABLE="$out/venv/bin/python" >/dev/null &&
    cmake --build build-asan -j "$jobs" --target _native
}

# The installed module is replaced by the sanitized one, which needs its runtimes loaded first.
run_sanitized() {
  local installed runtimes
  new_venv "$out/venv-asan" "$python" && install_wheel "$out/venv-asan" 'pytest==9.*' || return
  installed=$("$out/venv-asan/bin/python" -c \
    'import importlib.util as u; print(u.find_spec("codecarbon._native").origin)') || return
  cp build-asan/bindings/python/_native*.so "$installed" || return
  runtimes="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
  run_pytest "$out/venv-asan" CODECARBON_SANITIZED=1 "LD_PRELOAD=$runtimes" \
    ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
}

# Name and path of each other interpreter, one a line.
other_interpreters() {
  local own name found
  own=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  for name in 3.10 3.11 3.12 3.13 3.13t 3.14 3.14t; do
    [ "$name" = "$own" ] && continue
    for found in "$(command -v "python$name")" "$HOME/.pyenv/versions/$name".*/bin/python; do
      if [ -x "$found" ] && "$found" -c 'import venv, ensurepip' 2>/dev/null; then
        echo "$name $found"
        break
      fi
    done
  done
}

# From 3.12 on one wheel serves all, so the oldest of them builds it.
smoke() {  # smoke NAME PYTHON
  local name=$1 venv=$out/venv-$1
  new_venv "$venv" "$2" || return
  case $name in
    3.10 | 3.11 | *t) build_wheel "$venv" || return ;;
    *) compgen -G "$out/wheels/*-abi3-*.whl" >/dev/null || build_wheel "$venv" || return ;;
  esac
  install_wheel "$venv" &&
    (cd "$out" && "$venv/bin/python" "$root/bindings/python/tests/smoke.py" &&
      "$venv/bin/codecarbon" --version)
}

mkdir -p "$out"
if step "sdist" pack_sdist && step "wheel" first_wheel &&
  step "install" install_wheel "$out/venv" "${test_needs[@]}"; then
  step "tests" run_pytest "$out/venv"
  if step "sanitized module" build_sanitized; then step "sanitized tests" run_sanitized; fi
  while read -r name path; do
    step "smoke on $name" smoke "$name" "$path" </dev/null
  done < <(other_interpreters)
fi

printf '\n---- python: summary, %d s\n' $SECONDS
printf '%s\n' "${summary[@]}"
if [ ${#failed[@]} -gt 0 ]; then
  printf 'python: FAILED: %s\n' "$(IFS=, && echo "${failed[*]}")"
  exit 1
fi
echo "python: all passed"
