"""Options from the environment and from configuration files, for this package's own use.

The engine reads the same sources itself and is the judge of what they say; here they are read
leniently, for the options that only Python knows.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PREFIX = "CODECARBON_"
_FILE = ".codecarbon.config"

Layer = dict[str, tuple[str, str]]
"""Option name -> its text and where that is from."""


def clean_env_key(k: str) -> str:
    """The option that an environment variable sets.

    >>> clean_env_key("CODECARBON_PUE")
    'pue'
    """
    return k[len(_PREFIX) :].lower() if k.upper().startswith(_PREFIX) else k.lower()


def _from_environment() -> Layer:
    found: Layer = {}
    # Sorted, so that CODECARBON_PUE goes before CODECARBON_pue, as in the engine.
    for name in sorted(name for name in os.environ if name.startswith(_PREFIX)):
        found.setdefault(clean_env_key(name), (os.environ[name], f"environment {name}"))
    return found


def _from_file(folder: str) -> Layer:
    path = os.path.join(folder, _FILE)
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:  # not there, or not readable: the engine says so
        return {}
    found: Layer = {}
    section = ""
    for number, line in enumerate(map(str.strip, lines), 1):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif section == "codecarbon" and line and line[0] not in "#;":
            key, value = _split(line)
            found.setdefault(key, (value, f"file {path} line {number}"))
    return found


def _split(line: str) -> tuple[str, str]:
    places = [place for place in (line.find("="), line.find(":")) if place >= 0]
    place = min(places, default=len(line))
    return line[:place].strip().lower(), line[place + 1 :].strip()


def layered_config() -> Layer:
    """What environment, ``./.codecarbon.config`` and ``~/.codecarbon.config`` say, the stronger
    one where several do."""
    merged = _from_file(os.environ["HOME"]) if os.environ.get("HOME") else {}
    merged.update(_from_file(os.curdir))
    merged.update(_from_environment())
    return merged


def parse_env_config() -> dict[str, dict[str, str]]:
    """The options in the environment, under the name of the section that they would have in a file.

    >>> os.environ["CODECARBON_WUE"] = "1.8"
    >>> parse_env_config()["codecarbon"]["wue"]
    '1.8'
    >>> del os.environ["CODECARBON_WUE"]
    """
    return {"codecarbon": {name: text for name, (text, _) in _from_environment().items()}}


def get_hierarchical_config() -> dict[str, str]:
    """All options from environment and files as texts, the stronger source first: environment,
    then the file in the working directory, then the one in the home directory."""
    return {name: text for name, (text, _) in layered_config().items()}


def parse_gpu_ids(gpu_ids: str | Sequence[int | str]) -> list[str]:
    """GPU identifiers as texts.

    >>> parse_gpu_ids("[0, 1]"), parse_gpu_ids([0, "GPU-3f1c"]), parse_gpu_ids("")
    (['0', '1'], ['0', 'GPU-3f1c'], [])
    """
    items = gpu_ids.strip().strip("[]").split(",") if isinstance(gpu_ids, str) else gpu_ids
    texts = (str(item).strip().strip("'\"") for item in items)
    return [text for text in texts if text]


def normalize_gpu_ids(gpu_ids: str | Sequence[int | str] | None) -> list[int | str] | None:
    """GPU identifiers as a list; None (all GPUs) stays None, numbers in a list stay numbers.

    >>> normalize_gpu_ids("[0, 1]"), normalize_gpu_ids([0, "1"]), normalize_gpu_ids(None)
    (['0', '1'], [0, '1'], None)
    """
    if gpu_ids is None:
        return None
    if isinstance(gpu_ids, str):
        return list(parse_gpu_ids(gpu_ids))
    return list(gpu_ids)
