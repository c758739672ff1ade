"""Names that programs import from here: units, configuration, emissions of an energy."""
