"""The memory of the machine."""

from __future__ import annotations

import os

from codecarbon.external.hardware import BaseHardware


class RAM(BaseHardware):
    """All memory that the machine, or the limit of the job or container, offers.

    ``force_ram_power``: watts to count it at. The other arguments are accepted and not used.

    >>> RAM(force_ram_power=5).machine_memory_GB > 0
    True
    """

    _part = "ram"

    def __init__(
        self,
        pid: int | None = None,
        children: bool = True,
        tracking_mode: str = "machine",
        force_ram_power: float | None = None,
    ) -> None:
        super().__init__()
        if force_ram_power is not None:
            self._options["force_ram_power"] = str(force_ram_power)

    @property
    def machine_memory_GB(self) -> float:
        """Memory in GB (2^30 bytes), 0 when unknown."""
        return float(self._column("ram_total_size") or 0)

    @property
    def slurm_memory_GB(self) -> float:
        """The same: the engine knows the limits of a job itself."""
        return self.machine_memory_GB

    @property
    def process_memory_GB(self) -> float:
        """Resident memory of this process in GB (2^30 bytes), 0 where the system does not tell."""
        try:
            with open("/proc/self/statm", encoding="ascii") as file:
                pages = int(file.read().split()[1])
        except (OSError, ValueError, IndexError):
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**30
