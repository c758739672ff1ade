"""The parts of the machine that are measured: processor, GPUs and (in ``external.ram``) memory.

Made by a tracker (``tracker._hardware``) they show that tracker's figures; made by hand they
measure from the first question on. The engine measures in either case.
"""

from __future__ import annotations

from codecarbon import _native
from codecarbon.core.units import Energy, Power

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeVar

    _Self = TypeVar("_Self", bound="BaseHardware")


class BaseHardware:
    """One kind of hardware, all devices of it together."""

    _part = "cpu"
    """How the engine's columns call it: cpu, gpu or ram."""

    def __init__(self, engine: Any = None) -> None:
        self._given_engine = engine
        self._options: dict[str, str] = {}
        self._last_ujoules: int | None = None

    @classmethod
    def of_tracker(cls: type[_Self], engine: Any) -> _Self:
        """The hardware as a tracker's engine sees it."""
        made = cls.__new__(cls)
        BaseHardware.__init__(made, engine)
        return made

    def start(self) -> None:
        """Begins to measure. Not needed: the first question does the same."""
        self._engine()

    def description(self) -> str:
        """For a person: what it is, and how its figures are obtained."""
        model = self._column(f"{self._part}_model")
        method = self._column(f"{self._part}_method")
        return f"{type(self).__name__}({', '.join(text for text in (model, method) if text)})"

    def total_power(self) -> Power:
        """The mean power since the measuring began."""
        return Power.from_watts(float(self._column(f"{self._part}_power") or 0))

    def measure_power_and_energy(self, last_duration: float) -> tuple[Power, Energy]:
        """The energy since the last call, and that energy over ``last_duration`` seconds."""
        ujoules = self._ujoules()
        last, self._last_ujoules = self._last_ujoules, ujoules
        energy = Energy.from_ujoules(ujoules - (last or 0))
        hours = last_duration / 3600
        return Power(kW=energy.kWh / hours if hours > 0 else 0.0), energy

    def __repr__(self) -> str:
        return self.description()

    def _engine(self) -> Any:
        if self._given_engine is None:
            options = {"save_to_file": "false", "offline": "true", "save_to_logger": "false"}
            self._given_engine = _native.Tracker({**options, **self._options}, None, [], "")
            self._given_engine.start()
        return self._given_engine

    def _column(self, name: str) -> str:
        columns = _native.extended_columns()
        return self._engine().report()[columns.index(name)] if name in columns else ""

    def _ujoules(self) -> int:
        return int(self._engine().energies_uj()[("cpu", "gpu", "ram").index(self._part)])


class CPU(BaseHardware):
    """The processors of the machine.

    What the arguments of the constructor say is found out by the engine: they are accepted and, but
    for ``tdp`` in mode ``constant``, not used.

    >>> CPU.from_utils(mode="constant", tdp=65).description()
    'CPU(...forced)'
    """

    _part = "cpu"

    def __init__(
        self,
        output_dir: str = ".",
        mode: str = "",
        model: str | None = None,
        tdp: float | None = None,
        rapl_dir: str = "",
        tracking_mode: str = "machine",
        rapl_include_dram: bool = False,
        rapl_prefer_psys: bool = False,
    ) -> None:
        super().__init__()
        if mode == "constant" and tdp is not None:
            self._options["force_cpu_power"] = str(tdp)

    @classmethod
    def from_utils(
        cls, output_dir: str = ".", mode: str = "", *arguments: Any, **options: Any
    ) -> CPU:
        """The same as the constructor."""
        return cls(output_dir, mode, *arguments, **options)

    def get_model(self) -> str:
        """The processor's name, ``""`` when unknown."""
        return self._column("cpu_model")


class GPU(BaseHardware):
    """The GPUs with these identifiers; None is all that the process may see, ``[]`` none."""

    _part = "gpu"

    def __init__(self, gpu_ids: Iterable[int | str] | None = None) -> None:
        super().__init__()
        if gpu_ids is not None:
            self._options["gpu_ids"] = f"[{', '.join(map(str, gpu_ids))}]"

    @classmethod
    def from_utils(cls, gpu_ids: Iterable[int | str] | None = None) -> GPU:
        """The same as the constructor."""
        return cls(gpu_ids)
