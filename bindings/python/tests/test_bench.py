"""The benchmark of the package works. Its figures are `make bench`'s business."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


COST = Path(__file__).resolve().parents[3] / "bench" / "python_cost.py"


def test_it_shows_every_figure_with_and_without_another_package_beside() -> None:
    ours = [sys.executable, str(COST), "--quick", "--ours", sys.executable]
    for peer in ([], ["--peer", sys.executable]):
        done = subprocess.run([*ours, *peer], capture_output=True, text=True, timeout=300)
        assert (done.returncode, done.stderr) == (0, "")
        for figure in (
            *("import, beyond", "first construct", "later ones", "append, 10 rows"),
            *("update, 10 rows", "busy Python loop", "asyncio echo", "threads that"),
        ):
            assert figure in done.stdout
