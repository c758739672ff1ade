"""What one tracker was told, seen through all layers: keyword, environment, files, default."""

from __future__ import annotations

from codecarbon._options import (
    PYTHON_OPTIONS,
    engine_options,
    flag_of,
    refusal,
    shown,
    text_of,
)
from codecarbon.core.config import layered_config
from codecarbon.external.logger import (
    level_number,
    logger,
    logger_as_it_is,
    set_logger_format,
    set_logger_level,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_OFFERED = {"csv": "save_to_file", "logger": "save_to_logger"}
_NOT_OFFERED = {
    "api": "save_to_api",
    "prometheus": "save_to_prometheus",
    "logfire": "save_to_logfire",
    "boamps": "",
}
_NEVER_SAMPLES = 2**31 - 1
"""So many samples that the engine need not count further."""
_TOKENS = ("electricitymaps_api_token", "co2_signal_api_token")


class Settings:
    """The options of one tracker. Environment and files are read once, here.

    ``given``: what was given by keyword, None left out. Raises ValueError for what Python alone
    judges; the engine judges the rest.
    """

    def __init__(self, given: dict[str, object]) -> None:
        self._given = given
        self._layers = layered_config()
        self._table = engine_options()
        self.methods = self._output_methods()
        self.api_call_interval = self._interval()

    def get(self, name: str) -> Any:
        """The value as it was given, else that of the strongest layer, else the default; None when
        there is none. Of an option of the engine's that the engine has accepted."""
        value, origin = self._look_up(name)
        if origin == "keyword" or name not in self._table:
            return value
        return self._typed(name, str(value))

    def _typed(self, name: str, text: str) -> bool | float | str | None:
        if self._table[name]["is_boolean"]:
            return self.flag(name)
        if not text:
            return None
        if str(self._table[name]["accepted"]).startswith("a number"):
            number = float(text)
            return int(number) if number.is_integer() else number
        return text

    def flag(self, name: str) -> bool:
        """The value of a yes/no option. Raises ValueError when it is neither."""
        value, origin = self._look_up(name)
        return flag_of(name, value, origin)

    def text(self, name: str) -> str:
        """The value as a text; ``""`` when there is none."""
        value = self.get(name)
        return "" if value is None else text_of(name, value)

    def number(self, name: str) -> float:
        """The value of a number that the engine has accepted."""
        return float(text_of(name, self.get(name)))

    def engine(self) -> dict[str, str]:
        """The keywords for the engine, which reads environment and files itself."""
        options = {
            name: text_of(name, value) for name, value in self._given.items() if name in self._table
        }
        if self.methods is not None:
            for method, option in _OFFERED.items():
                options[option] = "true" if method in self.methods else "false"
        if not self._said("log_level"):
            options["log_level"] = str(max(0, min(50, logger.level)))
        # The logger puts the preamble in front of Python's own messages too.
        options["logger_preamble"] = ""
        return options

    def wants_logger(self) -> bool:
        """Whether each row is to be logged."""
        if self.methods is not None:
            return "logger" in self.methods
        return self.flag("save_to_logger")

    def apply_to_logger(self) -> Callable[[], None]:
        """Sets level and preamble of the logger where they are said; a level that is none is left
        to the engine, which refuses it. Returns what undoes it."""
        put_back = logger_as_it_is()
        if self._said("log_level") and level_number(self.get("log_level")) is not None:
            set_logger_level(self.get("log_level"))
        preamble = self.text("logger_preamble")
        if not preamble.isprintable():
            put_back()
            value, origin = self._look_up("logger_preamble")
            raise refusal("logger_preamble", ascii(value)[1:-1], origin, "a text on one line")
        if preamble:
            set_logger_format(preamble)
        return put_back

    def not_offered(self) -> list[str]:
        """Options that name an output or a source which is not offered yet."""
        named = [name for name in _NOT_OFFERED.values() if name and self.flag(name)]
        if self.methods is not None:
            named = [
                f"output_methods={method}" for method in self.methods if method in _NOT_OFFERED
            ]
        return named + [name for name in _TOKENS if self.get(name)]

    def refuse(self, name: str, value: object, accepted: str) -> ValueError:
        """What to raise for a value of this option, or for a part of one."""
        return refusal(name, shown(value), self._look_up(name)[1], accepted)

    def _look_up(self, name: str) -> tuple[Any, str]:
        if name in self._given:
            return self._given[name], "keyword"
        if name in self._layers:
            return self._layers[name]
        if name in PYTHON_OPTIONS:
            return PYTHON_OPTIONS[name], "default"
        return self._table[name]["default"], "default"

    def _said(self, name: str) -> bool:
        return name in self._given or name in self._layers

    def _output_methods(self) -> list[str] | None:
        value, origin = self._look_up("output_methods")
        if value is None:
            return None
        items = value.strip().strip("[]").split(",") if isinstance(value, str) else value
        try:
            words = [text_of("output_methods", item).strip(" '\"").lower() for item in items]
        except TypeError:  # not a list
            words = [shown(value)]
        words = [word for word in words if word]
        for word in words:
            if word not in _OFFERED and word not in _NOT_OFFERED:
                accepted = f"a list of {', '.join((*_OFFERED, *_NOT_OFFERED))}"
                raise refusal("output_methods", word, origin, accepted)
        return words

    def _interval(self) -> int:
        value, origin = self._look_up("api_call_interval")
        try:
            number = float(value)
            if number == int(number):
                return min(int(number), _NEVER_SAMPLES)
        except (TypeError, ValueError, OverflowError):
            pass
        accepted = "a whole number of samples, such as 8; -1 for never"
        raise refusal("api_call_interval", shown(value), origin, accepted)
