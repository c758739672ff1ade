"""Quantities with a unit: energy, power, time, emissions per energy, water.

Each is a number that adds, subtracts, compares with its like, and multiplies with a plain number.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    _Self = TypeVar("_Self", bound="_Quantity")

_JOULES_PER_KWH = 3.6e6
_POUNDS_TO_KG = 0.45359237


class _Quantity:
    """Arithmetic of a dataclass with one number."""

    def _amount(self) -> float:
        return float(getattr(self, fields(self)[0].name))  # type: ignore[arg-type]

    def _like(self: _Self, amount: float) -> _Self:
        return type(self)(amount)  # type: ignore[call-arg]

    def __add__(self: _Self, other: Any) -> _Self:
        if type(other) is not type(self):
            return NotImplemented
        return self._like(self._amount() + other._amount())

    def __radd__(self: _Self, other: Any) -> _Self:
        # So that sum() works, which begins with a plain zero.
        return self if type(other) is int and other == 0 else NotImplemented

    def __sub__(self: _Self, other: Any) -> _Self:
        if type(other) is not type(self):
            return NotImplemented
        return self._like(self._amount() - other._amount())

    def __mul__(self: _Self, factor: Any) -> _Self:
        return (
            NotImplemented if isinstance(factor, _Quantity) else self._like(self._amount() * factor)
        )

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Any:
        """A quantity over its like is a number, over a number a quantity."""
        if type(divisor) is type(self):
            return self._amount() / divisor._amount()
        if isinstance(divisor, _Quantity):
            return NotImplemented
        return self._like(self._amount() / divisor)

    def __float__(self) -> float:
        return self._amount()


@dataclass(order=True)
class Time(_Quantity):
    """A length of time.

    >>> Time.from_seconds(7200).hours
    2.0
    """

    seconds: float

    SECONDS_TO_HOURS = 3600

    @property
    def hours(self) -> float:
        """The same in hours."""
        return self.seconds / self.SECONDS_TO_HOURS

    @classmethod
    def from_seconds(cls, seconds: float) -> Time:
        """So many seconds."""
        return cls(seconds=seconds)


@dataclass(order=True)
class EmissionsPerKWh(_Quantity):
    """Carbon intensity of electricity.

    >>> EmissionsPerKWh.from_g_per_kWh(56).kgs_per_kWh
    0.056
    """

    kgs_per_kWh: float

    @classmethod
    def from_lbs_per_mWh(cls, lbs_per_mWh: float) -> EmissionsPerKWh:
        """From pounds per megawatt-hour."""
        return cls(kgs_per_kWh=lbs_per_mWh * _POUNDS_TO_KG / 1000)

    @classmethod
    def from_g_per_kWh(cls, g_per_kWh: float) -> EmissionsPerKWh:
        """From grams per kilowatt-hour."""
        return cls(kgs_per_kWh=g_per_kWh / 1000)

    @classmethod
    def from_kgs_per_kWh(cls, kgs_per_kWh: float) -> EmissionsPerKWh:
        """From kilograms per kilowatt-hour."""
        return cls(kgs_per_kWh=kgs_per_kWh)


@dataclass(order=True)
class Energy(_Quantity):
    """An amount of energy.

    >>> Energy.from_ujoules(3_600_000_000_000) + Energy(kWh=0.5)
    Energy(kWh=1.5)
    """

    kWh: float

    @classmethod
    def from_power_and_time(cls, *, power: Power, time: Time) -> Energy:
        """What ``power`` amounts to over ``time``."""
        return cls(kWh=power.kW * time.hours)

    @classmethod
    def from_ujoules(cls, energy: float) -> Energy:
        """From microjoules."""
        return cls(kWh=energy / 1e6 / _JOULES_PER_KWH)

    @classmethod
    def from_millijoules(cls, energy: float) -> Energy:
        """From millijoules."""
        return cls(kWh=energy / 1e3 / _JOULES_PER_KWH)

    @classmethod
    def from_energy(cls, kWh: float) -> Energy:
        """From kilowatt-hours."""
        return cls(kWh=kWh)


@dataclass(order=True)
class Power(_Quantity):
    """A rate of energy.

    >>> Power.from_watts(250).kW, Power(kW=0.25).W
    (0.25, 250.0)
    """

    kW: float

    @property
    def W(self) -> float:
        """The same in watts."""
        return self.kW * 1000

    @classmethod
    def from_watts(cls, watts: float) -> Power:
        """From watts."""
        return cls(kW=watts / 1000)

    @classmethod
    def from_milli_watts(cls, milli_watts: float) -> Power:
        """From milliwatts."""
        return cls(kW=milli_watts / 1e6)

    @classmethod
    def from_energies_and_delay(cls, e1: Energy, e2: Energy, delay: Time) -> Power:
        """The mean power with which a total went from one reading to another within ``delay``, in
        whatever order they are given; 0 over no time."""
        difference = abs(e2.kWh - e1.kWh)
        return cls.from_energy_delta_and_delay(Energy(kWh=difference), delay)

    @classmethod
    def from_energy_delta_and_delay(cls, e: Energy, delay: Time) -> Power:
        """The mean power of ``e`` over ``delay``; 0 over no time."""
        return cls(kW=e.kWh / delay.hours if delay.seconds > 0 else 0.0)


@dataclass(order=True)
class Water(_Quantity):
    """A volume of water.

    >>> sum([Water(litres=1.5), Water.from_litres(2)])
    Water(litres=3.5)
    """

    litres: float

    @classmethod
    def from_litres(cls, litres: float) -> Water:
        """So many litres."""
        return cls(litres=litres)
