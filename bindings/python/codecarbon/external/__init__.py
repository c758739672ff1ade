"""Names that programs import from here: logger, places, hardware, tasks, a scheduler."""

from codecarbon._lazy import modules_of

__getattr__ = modules_of(__name__, "geography", "hardware", "logger", "ram", "scheduler", "task")
