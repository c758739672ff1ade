"""Names that programs import from here: units, configuration, emissions of an energy."""

from codecarbon._lazy import modules_of

__getattr__ = modules_of(__name__, "config", "cpu", "emissions", "units", "util")
