#!/usr/bin/env python3
"""Holds every #include against the layer rules.

A folder under src/ is one library. Its codecarbon_part(... DEPENDS ...) says which parts it may
include, and MAY_DEPEND below says what DEPENDS may say. Run with the root of the tree as argument;
prints one line per breach and ends with 1 if there is one.
"""

import re
import sys
from pathlib import Path

SENSORS = "sensors_"  # every back-end: sensors_rapl, sensors_modelled, ...

MAY_DEPEND = {
    "base": [],
    "units": [],
    "host": ["base"],
    "readings": ["base", "units"],
    "sensors_files": ["host", "readings"],  # what back-ends share that read files
    SENSORS: ["host", "readings", "sensors_files"],
    "sensors": ["host", "readings", SENSORS],
    "sampling": ["readings"],
    "node": ["host", "readings"],
    "carbon": ["base", "units"],
    "carbon_live": ["host", "carbon"],
    "report": ["readings", "carbon"],
    "sinks": ["host", "report"],
    "config": ["host"],
    "tracker": ["sensors", "sampling", "node", "sinks", "config", "carbon_live"],
    "capi": ["tracker"],
}

# The lowest part that may use a public header.
PUBLIC_HOME = {
    "clock.hpp": "base", "csv.hpp": "base", "error.hpp": "base", "log.hpp": "base",
    "method.hpp": "base", "version.hpp": "base",
    "units.hpp": "units",
    "place.hpp": "carbon",
    "report.hpp": "report", "sink.hpp": "report",
    "memory_sink.hpp": "sinks",
    "options.hpp": "config",
    "tracker.hpp": "tracker", "codecarbon.hpp": "tracker",
    "codecarbon.h": "capi",
}

# Tests, and what only they share.
TEST_CODE = r"_(test|fixture)\.[ch]pp$|^(tests|apps/\w+/tests)/"

# Header of a library: where alone it may be included (a pattern over path from the root).
VENDORS = [
    ("CLI/", r"^apps/cli/"),
    ("nlohmann/json.hpp", r"\.cpp$"),  # slow to compile; headers take json_fwd.hpp
    ("nlohmann/", r"^(?!include/)"),
    ("ini.h", r"^src/config/.*\.cpp$"),
    ("fmt/", r"\.cpp$|^(?!include/)"),
    ("gtest/", TEST_CODE),
    ("gmock/", TEST_CODE),
    ("rapidcheck", TEST_CODE),
    ("benchmark/", r"^bench/"),
]

CODE = (".hpp", ".h", ".cpp", ".c")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
PART = re.compile(r"\bcodecarbon_part\s*\(([^)]*)\)")
KEYWORDS = {"SOURCES", "DEPENDS", "LINK", "TESTS", "TEST_LINK"}


class Part:
    def __init__(self, folder, words):
        self.folder = folder
        self.name = words[0]
        self.lists = {key: [] for key in KEYWORDS}
        key = None
        for word in words[1:]:
            if word in KEYWORDS:
                key = word
            elif key is not None:
                self.lists[key].append(word)
        self.depends = self.lists["DEPENDS"]
        self.test_parts = [w.removeprefix("codecarbon_") for w in self.lists["TEST_LINK"]
                           if w.startswith("codecarbon_")]


def read_parts(source_folder):
    """Part name -> Part, from every CMakeLists.txt below `source_folder`."""
    parts = {}
    for path in sorted(source_folder.rglob("CMakeLists.txt")):
        text = re.sub(r"#.*", "", path.read_text())
        for match in PART.finditer(text):
            words = match.group(1).replace('"', " ").split()
            part = Part(path.parent.relative_to(source_folder), words)
            parts[part.name] = part
    return parts


def family(name):
    """The key of MAY_DEPEND that rules this part."""
    return SENSORS if name.startswith(SENSORS) and name not in MAY_DEPEND else name


def closure(start, arrows):
    """Everything reachable from `start` (not itself, unless there is a cycle)."""
    seen, todo = set(), list(arrows(start))
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(arrows(name))
    return seen


def check_arrows(parts):
    """DEPENDS against the order of the layers, and cycles."""
    for part in parts.values():
        expected = "_".join(part.folder.parts)
        if part.name != expected:
            yield f"src/{part.folder}: part {part.name} should be called {expected}, as its folder"
        if family(part.name) not in MAY_DEPEND:
            yield f"src/{part.folder}: part {part.name} has no place in MAY_DEPEND of tests/layers.py"
            continue
        allowed = closure(family(part.name), lambda name: MAY_DEPEND[name])
        for other in part.depends:
            if other not in parts:
                yield f"src/{part.folder}: {part.name} depends on {other}, which does not exist"
            elif family(other) not in allowed:
                yield f"src/{part.folder}: {part.name} must not depend on {other}"
        if part.name in closure(part.name, lambda name: depends_of(parts, name)):
            yield f"src/{part.folder}: {part.name} depends on itself in a circle"


def depends_of(parts, name):
    return parts[name].depends if name in parts else []


def part_of(parts, path):
    """The part whose folder holds `path` (relative to src/), the deepest one."""
    holders = [p for p in parts.values() if path.is_relative_to(p.folder)]
    return max(holders, key=lambda p: len(p.folder.parts), default=None)


def includes_of(path):
    return [(kind == '"', name) for kind, name in INCLUDE.findall(path.read_text(errors="replace"))]


def target_of(parts, name):
    """The part that an include in quotes reaches into; missing if it is nobody's."""
    if name.startswith("codecarbon/"):
        return PUBLIC_HOME.get(name.removeprefix("codecarbon/"))
    owner = part_of(parts, Path(name))
    return owner.name if owner else None


def check_source(parts, source_folder, path):
    relative = path.relative_to(source_folder)
    owner = part_of(parts, relative)
    if owner is None:
        yield f"src/{relative}: belongs to no part"
        return
    allowed = closure(owner.name, lambda name: depends_of(parts, name)) | {owner.name}
    if re.search(TEST_CODE, relative.as_posix()):
        for name in owner.test_parts:
            allowed |= closure(name, lambda n: depends_of(parts, n)) | {name}
    for quoted, name in includes_of(path):
        if not quoted or name.startswith("embedded/"):
            continue
        target = target_of(parts, name)
        if target is None:
            yield f'src/{relative}: "{name}" is in no part: write the path from src/ or include/'
        elif target not in allowed:
            yield f'src/{relative}: "{name}" is of {target}, which {owner.name} does not depend on'


def check_public(path):
    home = PUBLIC_HOME.get(path.name)
    where = f"include/codecarbon/{path.name}"
    if home is None:
        yield f"{where}: has no home in PUBLIC_HOME of tests/layers.py"
        return
    allowed = closure(home, lambda name: MAY_DEPEND[name]) | {home}
    for quoted, name in includes_of(path):
        if not quoted:
            continue
        target = PUBLIC_HOME.get(name.removeprefix("codecarbon/"))
        if not name.startswith("codecarbon/") or target is None:
            yield f'{where}: "{name}" is not a public header'
        elif target not in allowed:
            yield f'{where}: of {home}, must not include "{name}" of {target}'


def check_vendors(root, path):
    relative = path.relative_to(root).as_posix()
    for _, name in includes_of(path):
        for prefix, allowed in VENDORS:
            if name.startswith(prefix) and not re.search(allowed, relative):
                yield f"{relative}: <{name}> is not used here (only where {allowed} matches)"


def code_below(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in CODE) if folder.is_dir() else []


def breaches(root):
    """All breaches of the rules in the tree at `root`, one line each."""
    source_folder = root / "src"
    parts = read_parts(source_folder)
    yield from check_arrows(parts)
    for path in code_below(source_folder):
        yield from check_source(parts, source_folder, path)
    for path in code_below(root / "include" / "codecarbon"):
        yield from check_public(path)
    for folder in ("src", "include", "apps", "tests", "bench", "fuzz", "examples"):
        for path in code_below(root / folder):
            yield from check_vendors(root, path)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    parts = read_parts(root / "src")
    if not parts:
        print(f"{root}/src: no codecarbon_part found", file=sys.stderr)
        return 1
    found = list(breaches(root))
    for line in found:
        print(line)
    print(f"layers: {len(parts)} parts, {len(found)} breaches")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
