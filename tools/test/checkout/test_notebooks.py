# SPDX-License-Identifier: BSD-2-Clause
"""The notebooks of ``notebooks/``: each runs from the top, and says what its text says."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from mcpi.base.repo import ROOT
from verify.long_tests import sampled

PLACE = ROOT / "notebooks"
WAITS = re.compile(r"another mcpi builds \(pid \d+\), waiting\n$")
# Conditions after the last cell, besides that no cell has failed.
HOLDS = {
    "first-steps": """
assert abs(owners.sum() - run.client.ticks) < 1e-6
assert abs(functions.ticks.sum() - run.client.ticks) < 1e-6
waits = owners.sum() - owners.issue
assert owners[["i_demand", "i_stream", "refill_restart"]].sum() > 0.5 * waits
assert abs(difference.owners.difference.sum() - difference.figures.difference.ticks) < 1e-6
assert difference.figures.high.ticks < 0
""",
    "your-own-machine": """
assert len(found) == 2 * 4 * 4
left = found.frame.groupby(["variant", "icache_size"]).t_p_us.median().unstack()
assert (left.diff(axis=1).dropna(axis=1) < 0).all(axis=None)
assert quick.result.provenance.machine == "quick-memory"
assert abs(usual.client.ticks - quick.client.ticks) < 0.01 * usual.client.ticks
assert larger.client.t_p_us < usual.client.t_p_us
""",
    "your-own-protocol": """
assert set(own.index) == {"tag_push", "tag_demux", "tag_pop"}
assert (own.a == 0).all() and 0 < own.difference.sum() < functions.difference.sum()
assert functions.difference.sum() > 0.02 * usual.client.ticks
assert not (ROOT / "firmware/protocols/tag").exists()
shutil.rmtree(copy.parent)
""",
}


def performed(book: nbformat.NotebookNode, place: Path, holds: str) -> nbformat.NotebookNode:
    """The notebook with its outputs; runs go below ``place``."""
    aside = f"""
from pathlib import Path
from mcpi.api import single_run, comparing
single_run.RESULTS = comparing.RESULTS = Path({str(place)!r})
"""
    cells = [nbformat.v4.new_code_cell(aside), *book.cells, nbformat.v4.new_code_cell(holds)]
    whole = nbformat.v4.new_notebook(cells=cells, metadata=book.metadata)
    NotebookClient(whole, timeout=500, resources={"metadata": {"path": str(place)}}).execute()
    return whole


def test_each_is_tested() -> None:
    assert {path.stem for path in PLACE.glob("*.ipynb")} == HOLDS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(HOLDS, "first-steps".__eq__))
def test_a_notebook_runs_and_says_what_its_text_says(name: str, tmp_path: Path) -> None:
    whole = performed(nbformat.read(PLACE / f"{name}.ipynb", 4), tmp_path, HOLDS[name])
    cells = [cell for cell in whole.cells if cell.cell_type == "code"]
    shown = [output for cell in cells for output in cell.outputs]
    assert any("text/plain" in output.get("data", {}) for output in shown)
    for cell in cells:  # a run prints nothing, in a notebook too; but that it waits for a build
        if "mcpi.run(" in cell.source and "print(" not in cell.source:
            said = [o for o in cell.outputs if not WAITS.match(o.get("text", ""))]
            assert len(said) <= 1, cell.source


@pytest.mark.parametrize("name", HOLDS)
def test_a_notebook_is_kept_without_outputs(name: str) -> None:
    book = nbformat.read(PLACE / f"{name}.ipynb", 4)
    nbformat.validate(book)
    for cell in book.cells:
        if cell.cell_type == "code":
            assert not cell.outputs and cell.execution_count is None


def test_a_cell_that_fails_fails_the_test(tmp_path: Path) -> None:
    """So does a notebook that runs, and whose figures are others."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import mcpi; x = 1")])
    performed(book, tmp_path, "assert x == 1")
    with pytest.raises(CellExecutionError, match="AssertionError"):
        performed(book, tmp_path, "assert x == 2")
    book.cells.append(nbformat.v4.new_code_cell("mcpi.runs()"))
    with pytest.raises(CellExecutionError, match="no attribute 'runs'"):
        performed(book, tmp_path, "")
