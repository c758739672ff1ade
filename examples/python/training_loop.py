"""A plain training loop: validation is not counted, every epoch has its own energy.

  python training_loop.py [EPOCHS]

Writes emissions.csv (a row for each pause and each epoch, and one at the end) and a file with a row
for each epoch's task into the working directory.
"""

import sys

from codecarbon import OfflineEmissionsTracker

JOULES_PER_KWH = 3.6e6


def work(steps: int) -> int:
    """Stands for what a real program does."""
    return sum(number * number for number in range(steps))


def train(epochs: int) -> None:
    with OfflineEmissionsTracker(
        country_iso_code="FRA", project_name="training", log_level="error"
    ) as tracker:
        for epoch in range(epochs):
            tracker.start_task(f"epoch {epoch}")
            work(200_000)
            figures = tracker.stop_task(f"epoch {epoch}")
            tracker.pause()
            work(50_000)  # validation: nobody's energy
            tracker.resume()
            tracker.flush()
            print(f"epoch {epoch}: {figures.energy_consumed * JOULES_PER_KWH:.3f} J")
    data = tracker.final_emissions_data
    print(f"run: {data.energy_consumed * JOULES_PER_KWH:.3f} J, {data.emissions * 1e6:.3f} mg CO2e")


if __name__ == "__main__":
    train(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
