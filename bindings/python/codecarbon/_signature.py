"""The signature that help() and inspect show for trackers and decorators."""

from __future__ import annotations

from inspect import Parameter, Signature

from codecarbon._options import POSITIONAL, all_keywords


def _parameters() -> list[Parameter]:
    return [
        Parameter(
            name,
            Parameter.POSITIONAL_OR_KEYWORD if name in POSITIONAL else Parameter.KEYWORD_ONLY,
            default=None,
        )
        for name in all_keywords()
    ]


def tracker_signature() -> Signature:
    """Every keyword that a tracker takes."""
    return Signature(_parameters())
