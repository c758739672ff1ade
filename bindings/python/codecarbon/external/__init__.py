"""Names that programs import from here: logger, places, hardware, tasks, a scheduler."""
