"""The one logger of the package.

It is called ``codecarbon``, passes nothing on to the root logger, and gets one handler of its own
(to stderr) when this module is imported. Handlers that a program adds, swaps or removes stay as it
left them, whatever is called later.
"""

from __future__ import annotations

import logging
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger("codecarbon")

_OWN = "_is_of_codecarbon"
_MOST_DIGITS = 9
_HEADER = "[%(name)s %(levelname)s @ %(asctime)s]"


def level_number(level: object) -> int | None:
    """The number that ``logging`` uses for a level given as a name in any case or as a number.

    None when there is no such level.

    >>> level_number("Error"), level_number(10), level_number("35"), level_number("loud")
    (40, 10, 35, None)
    """
    text = str(level).strip().upper()
    if text.isdecimal():
        return int(text) if len(text) <= _MOST_DIGITS else None
    number = logging.getLevelName(text)
    return number if isinstance(number, int) else None


def set_logger_level(level: str | int | None = None) -> None:
    """Sets the least important level that is shown: a name in any case, or a number of ``logging``.

    None takes ``CODECARBON_LOG_LEVEL`` from the environment and changes nothing without it. An
    unknown level is logged as an error and changes nothing.

    >>> set_logger_level("WARNING")
    >>> logger.level
    30
    >>> set_logger_level("info")
    """
    if level is None:
        level = os.environ.get("CODECARBON_LOG_LEVEL", "").strip()
        if not level:
            return
    number = level_number(level)
    if number is None:
        say(
            logging.ERROR,
            f"log_level: {str(level)[:100]!r} is not accepted: debug, info, warning, error, critical or "
            "a whole number from 0 to 50; the level stays as it is",
        )
        return
    logger.setLevel(number)


def say(level: int, line: str) -> None:
    """Logs what the package itself has to say. A handler of the program's own that raises keeps its
    trouble: it must not become the run's."""
    try:
        logger.log(level, line)
    except Exception:  # noqa: SIM105 (contextlib is an import more)
        pass


def in_one_line(error: BaseException) -> str:
    """An exception in a message: its type and its text, if it can be shown.

    >>> in_one_line(OSError("no route\\nto host"))
    'OSError: no route to host'
    """
    name = type(error).__name__
    try:
        return " ".join(f"{name}: {error}".split())
    except Exception:
        return f"{name}, which cannot be shown"


def set_logger_format(custom_preamble: str | None = "") -> None:
    """Puts a text in front of every message: ``[codecarbon INFO @ 15:44:49][rank 3] started``.

    Concerns this package's own handler only; none or an empty text takes the preamble away.
    """
    preamble = f"[{custom_preamble}]" if custom_preamble else ""
    # A preamble is text, not a format: what a percent sign means in one is not meant here.
    layout = logging.Formatter(f"{_HEADER}{preamble.replace('%', '%%')} %(message)s", "%H:%M:%S")
    for handler in logger.handlers:
        if hasattr(handler, _OWN):
            handler.setFormatter(layout)


def logger_as_it_is() -> Callable[[], None]:
    """What puts level and format back to what they are now."""
    level = logger.level
    formats = [(handler, handler.formatter) for handler in logger.handlers if hasattr(handler, _OWN)]

    def put_back() -> None:
        logger.setLevel(level)
        for handler, layout in formats:
            handler.setFormatter(layout)

    return put_back


def _put_own_handler() -> None:
    if any(hasattr(handler, _OWN) for handler in logger.handlers):  # the module was reloaded
        return
    handler = logging.StreamHandler()
    setattr(handler, _OWN, True)
    logger.addHandler(handler)
    set_logger_format()


logger.propagate = False
if logger.level == logging.NOTSET:  # a program that set a level before keeps it
    logger.setLevel(logging.INFO)
_put_own_handler()
set_logger_level()
