"""Options from the environment and from configuration files, as the engine reads them."""

from __future__ import annotations

from codecarbon import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PREFIX = "CODECARBON_"


def clean_env_key(k: str) -> str:
    """The option that an environment variable sets.

    >>> clean_env_key("CODECARBON_PUE")
    'pue'
    """
    return k[len(_PREFIX) :].lower() if k.upper().startswith(_PREFIX) else k.lower()


def layered_config() -> dict[str, tuple[str, str]]:
    """Option name -> its text and where that is from: environment, ``./.codecarbon.config``,
    ``~/.codecarbon.config``, the first of them that says something.

    Raises ValueError or OSError for a file that is not INI or cannot be read.
    """
    merged: dict[str, tuple[str, str]] = {}
    for source in reversed(_native.sources()):
        merged.update(source)
    return merged


def parse_env_config() -> dict[str, dict[str, str]]:
    """The options in the environment, under the name of the section that they would have in a file.

    >>> import os
    >>> os.environ["CODECARBON_WUE"] = "1.8"
    >>> parse_env_config()["codecarbon"]["wue"]
    '1.8'
    >>> del os.environ["CODECARBON_WUE"]
    """
    return {"codecarbon": {name: text for name, (text, _) in _native.sources()[0].items()}}


def get_hierarchical_config() -> dict[str, str]:
    """All options from environment and files as texts, the stronger source first: environment,
    then the file in the working directory, then the one in the home directory.

    Raises ValueError or OSError for a file that is not INI or cannot be read.
    """
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
