"""The processor and its rated power."""

from __future__ import annotations

from codecarbon import _native


class TDP:
    """The processor of this machine.

    ``model`` is its name (``""`` when unknown); ``tdp`` its rated power in watts, None when its
    name is in no table.

    >>> processor = TDP()
    >>> processor.tdp is None or processor.tdp > 0
    True
    """

    def __init__(self) -> None:
        self.model: str = _native.detect({})["cpu_model"]
        self.tdp: float | None = _native.cpu_rated_power(self.model)

    def start(self) -> None:
        """Does nothing: nothing has to be started."""
