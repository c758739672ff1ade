"""The keywords of trackers and decorators: which there are, and how they become texts.

The engine's table of options is the truth; here stand only those that Python alone knows. Nothing
else lists keywords, but for their types in ``_typing`` (a test holds the two together).
"""

from __future__ import annotations

import os
import warnings

from codecarbon import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PYTHON_OPTIONS: dict[str, object] = {
    "api_call_interval": 8,
    "api_endpoint": None,
    "api_key": None,
    "output_methods": None,
    "save_to_api": False,
    "logging_logger": None,
    "save_to_prometheus": False,
    "save_to_logfire": False,
    "prometheus_url": "localhost:9091",
    "output_handlers": None,
    "emissions_endpoint": None,
    "electricitymaps_api_token": None,
    "co2_signal_api_token": None,
    "allow_multiple_runs": True,
    "metadata": None,
}
"""Those that the engine does not know, and their defaults."""

RETIRED = ("misfire_grace_time", "max_instances")
"""Accepted with a DeprecationWarning: they set up a Python thread that is not there any more."""

POSITIONAL = (
    "project_name",
    "measure_power_secs",
    "api_call_interval",
    "api_endpoint",
    "api_key",
    "output_dir",
    "output_file",
    "output_methods",
    "save_to_file",
    "save_to_api",
    "save_to_logger",
    "logging_logger",
    "save_to_prometheus",
    "save_to_logfire",
    "prometheus_url",
    "output_handlers",
    "gpu_ids",
    "emissions_endpoint",
    "experiment_id",
    "experiment_name",
)
"""The order of arguments without a keyword."""

_LONGEST_SHOWN = 100
_ACCEPTED_TRUE = ("true", "1", "yes", "on")
_ACCEPTED_FALSE = ("false", "0", "no", "off")


def engine_options() -> dict[str, dict[str, object]]:
    """The engine's table by option name."""
    return {str(row["name"]): row for row in _native.options()}


def all_keywords() -> list[str]:
    """Every keyword that is not retired, those with a place in the order first."""
    names = dict.fromkeys(POSITIONAL)
    names.update(dict.fromkeys((*engine_options(), *PYTHON_OPTIONS)))
    return list(names)


def bind(arguments: tuple[object, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, by name; None is the same as not given.

    Raises TypeError for an unknown keyword, for too many arguments and for one given twice. Warns
    of retired ones in the name of the caller's caller.
    """
    if len(arguments) > len(POSITIONAL):
        raise TypeError(
            f"{len(arguments)} arguments without a keyword are not accepted: at most "
            f"{len(POSITIONAL)}"
        )
    given: dict[str, Any] = dict(zip(POSITIONAL, arguments, strict=False))
    for name, value in keywords.items():
        if name in given:
            raise TypeError(f"{name} is given twice: once without and once with its keyword")
        given[name] = value
    _drop_retired(given)
    _refuse_unknown(given)
    return {name: value for name, value in given.items() if value is not None}


def _drop_retired(given: dict[str, object]) -> None:
    for name in RETIRED:
        if name in given:
            del given[name]
            warnings.warn(
                f"{name} has no effect any more: no Python thread measures; leave it out",
                DeprecationWarning,
                stacklevel=4,
            )


def _refuse_unknown(given: dict[str, object]) -> None:
    known = all_keywords()
    for name in given:
        if name not in known:
            from difflib import get_close_matches

            near = get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]}?" if near else f": accepted are {', '.join(known)}"
            raise TypeError(f'"{name}" (from keyword) is not an option{hint}')


def text_of(name: str, value: object) -> str:
    """A value as the engine takes it. Raises ValueError for a text that no bytes stand for."""
    try:
        text = _text(value)
    except Exception:  # a number of thousands of digits, a list that holds itself
        kind = type(value).__name__
        raise refusal(name, kind, "keyword", "a value that can be written as a text") from None
    try:
        # A path may hold bytes that are no UTF-8; the engine takes them as they are.
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise refusal(name, ascii(text), "keyword", "a text in UTF-8") from None
    return text


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (bytes, os.PathLike)):
        return os.fsdecode(value)
    if isinstance(value, (list, tuple, set, range)):
        return f"[{', '.join(map(_text, value))}]"
    # The value of an enumeration, not its name, and of NumPy's numbers not their type.
    return str(getattr(value, "value", value))


def shown(value: object) -> str:
    """Any object in a message."""
    try:
        return value if isinstance(value, str) else repr(value)
    except Exception:
        return type(value).__name__


def flag_of(name: str, value: object, origin: str) -> bool:
    """A yes or no, as the engine reads it. Raises ValueError for anything else."""
    text = _text(value).strip().lower()
    if text in _ACCEPTED_TRUE:
        return True
    if text in _ACCEPTED_FALSE:
        return False
    raise refusal(name, shown(value), origin, "true or false (also 1/0, yes/no, on/off)")


def refusal(name: str, text: str, origin: str, accepted: str) -> ValueError:
    """The engine's form of every message about a value: on one line, and not longer than that."""
    shown = text if text.isprintable() else ascii(text)[1:-1]
    if len(shown) > _LONGEST_SHOWN:
        shown = shown[:_LONGEST_SHOWN] + "..."
    return ValueError(f'{name}: "{shown}" (from {origin}) is not accepted: {accepted}')
