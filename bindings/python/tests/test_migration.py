"""docs/migration.md tells the truth: its lines run, one after the other, and show what they say."""

from __future__ import annotations

import doctest
import re
from pathlib import Path


from codecarbon._options import PYTHON_OPTIONS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "migration.md"


def blocks() -> list[tuple[int, str]]:
    """Each Python block with the number of the line before it."""
    text = PAGE.read_text()
    found = re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)
    return [(text.count("\n", 0, match.start(1)), match.group(1)) for match in found]


def test_its_lines_run() -> None:
    parser, runner, names = doctest.DocTestParser(), doctest.DocTestRunner(), {}
    attempted = 0
    reports: list[str] = []
    for line, block in blocks():
        test = parser.get_doctest(block, names, f"line {line}", str(PAGE), line)
        attempted += len(test.examples)
        runner.run(test, clear_globs=False, out=reports.append)
        names = test.globs
    assert attempted > 40
    assert not reports, "".join(reports)


def test_every_demonstration_is_short() -> None:
    for line, block in blocks()[1:]:
        shown = [text for text in block.splitlines() if text.startswith(">>>")]
        assert len(shown) <= 4, f"line {line}"


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE.read_text()):
        assert (PAGE.parent / target).exists(), target


def test_every_keyword_of_python_alone_is_explained() -> None:
    _, _, table = PAGE.read_text().partition("## Keywords of Python alone")
    assert set(re.findall(r"`([a-z0-9_]+)`", table)) >= set(PYTHON_OPTIONS)
