"""Unpacks a source archive: unpack_sdist.py SDIST FOLDER. FOLDER then holds what the archive does and
nothing else; what was the same already keeps its time, so that a build in there is an incremental one
(all files of an archive have one time, whenever they changed). Fails when the archive holds what no
build needs."""

import filecmp
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path


FOLDERS = {"apps", "bindings", "cmake", "data", "include", "src"}
FILES = {"CMakeLists.txt", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"}
KINDS = {".cpp", ".hpp", ".h", ".txt", ".cmake", ".in", ".csv", ".md", ".py", ".pyi", ".typed"}


def check_content(names: set[Path]) -> None:
    top = {name.parts[0] for name in names}
    assert top == FOLDERS | FILES, top ^ (FOLDERS | FILES)
    strange = [str(name) for name in names if len(name.parts) > 1 and name.suffix not in KINDS]
    assert not strange, strange


def files_below(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def make_same(target: Path, source: Path) -> None:
    wanted = files_below(source)
    for name in files_below(target) - wanted:
        (target / name).unlink()
    for name in wanted:
        new, old = source / name, target / name
        if old.is_file() and filecmp.cmp(new, old, shallow=False):
            continue
        old.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(new, old)  # with the time of now
        shutil.copymode(new, old)


def main() -> None:
    archive, target = Path(sys.argv[1]), Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive) as packed:
        packed.extractall(folder)
        (root,) = Path(folder).iterdir()
        check_content(files_below(root))
        make_same(target, root)
        print(f"sdist: {len(files_below(root))} files, {archive.stat().st_size // 1024} KiB")


main()
