"""Where figures go: the outputs, each in a module of its own."""

from codecarbon._lazy import modules_of

__getattr__ = modules_of(__name__, "base_output", "emissions_data", "file", "http", "logger")
