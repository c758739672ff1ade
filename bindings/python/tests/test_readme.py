"""README.md tells a Python user the truth: its lines run and leave a row."""

from __future__ import annotations

import re
from pathlib import Path

from support import rows, run_script

README = Path(__file__).resolve().parents[3] / "README.md"


def test_its_python_comes_first_and_runs() -> None:
    languages = re.findall(r"^```(\w+)$", README.read_text(), re.M)
    assert languages[:2] == ["sh", "python"]
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.M | re.S)
    for number, block in enumerate(blocks, 1):
        done = run_script(block)
        assert done.returncode == 0, done.stderr
        assert re.fullmatch(r"[\d.e-]+ kWh\n", done.stdout)
        assert len(rows()) == number
