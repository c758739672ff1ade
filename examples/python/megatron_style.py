"""Large-scale training: one global tracker a process, one file a rank, checkpoints and restarts.

  python megatron_style.py --ranks 8 --steps 6 --folder RESULTS
  python megatron_style.py --ranks 8 --steps 6 --folder RESULTS     (again: goes on from there)

Each rank writes <folder>/emissions_<rank>.csv and says nothing. A row of the totals so far is left
after every step (flush) and at every checkpoint (pause), so a job that is killed loses nothing before
that; saving the checkpoint is not counted. A job that is started again keeps its experiment_id; each
attempt is a run, and `total_joules` adds them up.

Every tracker measures its whole machine: on one node add nothing up over ranks, local rank 0 has it.
"""

from __future__ import annotations

import argparse
import csv
import json
import multiprocessing
import uuid
from pathlib import Path

from codecarbon import OfflineEmissionsTracker

JOULES_PER_KWH = 3.6e6
STEPS_PER_CHECKPOINT = 2

_TRACKER: OfflineEmissionsTracker | None = None


def tracker_start(folder: Path, rank: int, job: str) -> None:
    """Starts the process's tracker."""
    global _TRACKER
    _TRACKER = OfflineEmissionsTracker(
        country_iso_code="FRA",
        project_name="pretraining",
        output_dir=folder,
        output_file=f"emissions_{rank}.csv",
        experiment_id=job,
        log_level="error",
    )
    _TRACKER.start()


def tracker_pause() -> None:
    if _TRACKER is not None:
        _TRACKER.pause()


def tracker_resume() -> None:
    if _TRACKER is not None:
        _TRACKER.resume()


def tracker_flush() -> None:
    if _TRACKER is not None:
        _TRACKER.flush()


def tracker_stop() -> None:
    """Ends the measurement; `tracker_restart` can take it up again."""
    if _TRACKER is not None:
        _TRACKER.stop()


def tracker_restart() -> None:
    """The same run goes on; what lay between belongs to nobody."""
    if _TRACKER is not None:
        _TRACKER.start()


def load_checkpoint(file: Path) -> dict:
    return json.loads(file.read_text()) if file.exists() else {"step": 0, "job": str(uuid.uuid4())}


def save_checkpoint(file: Path, state: dict) -> None:
    tracker_pause()
    new = file.with_suffix(".new")
    new.write_text(json.dumps(state))
    new.replace(file)
    tracker_resume()


def train_step() -> int:
    """Stands for forward, backward and optimizer."""
    return sum(number * number for number in range(100_000))


def run_rank(rank: int, folder: Path, steps: int) -> None:
    file = folder / f"checkpoint_{rank}.json"
    state = load_checkpoint(file)
    tracker_start(folder, rank, state["job"])
    for _ in range(steps):
        train_step()
        state["step"] += 1
        tracker_flush()
        if state["step"] % STEPS_PER_CHECKPOINT == 0:
            save_checkpoint(file, state)
    tracker_stop()
    tracker_restart()  # say, for a last evaluation that counts
    train_step()
    tracker_stop()


def total_joules(file: Path) -> float:
    """Energy of all attempts in a rank's file: rows hold totals, so the last of each run counts."""
    with open(file, newline="") as rows:
        last = {row["run_id"]: float(row["energy_consumed"]) for row in csv.DictReader(rows)}
    return JOULES_PER_KWH * sum(last.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--folder", type=Path, default=Path("."))
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    processes = multiprocessing.get_context("spawn")
    ranks = [processes.Process(target=run_rank, args=(rank, arguments.folder, arguments.steps))
             for rank in range(arguments.ranks)]
    for process in ranks:
        process.start()
    for process in ranks:
        process.join()
    if any(process.exitcode for process in ranks):
        raise SystemExit("a rank failed")
    print(f"node: {total_joules(arguments.folder / 'emissions_0.csv'):.3f} J")


if __name__ == "__main__":
    main()
