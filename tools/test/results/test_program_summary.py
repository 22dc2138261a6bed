# SPDX-License-Identifier: BSD-2-Clause
"""Tables of a program on narrow terminals, with source text, and what is said next to them."""

import io
import re
import shutil
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table
from tools_support.command import mcpi, refused

import mcpi as python
from mcpi.analysis import source_lines
from mcpi.api import single_run as api
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.results import fitted, program_summary, record
from mcpi.spec.program_spec import ProgramSpec

SOURCE = ROOT / "examples" / "list-array.c"


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """With a tick log, of a copy in a folder with a long name."""
    place = tmp_path_factory.mktemp("screen") / ("long " * 12)
    place.mkdir()
    shutil.copyfile(SOURCE, place / "list.c")
    spec = ProgramSpec((str(place / "list.c"),), tick_log="client")
    return api.perform(spec, place / "run")[0]


def _screen(folder: Path, width: int) -> str:
    page = io.StringIO()
    result = record.plain(record.read(folder / "result.json"))
    program_summary.show(result, Console(file=page, width=width, highlight=False))
    return page.getvalue()


@pytest.mark.parametrize("width", [30, 40, 60, 80])
def test_exec_tables_keep_names_and_figures_on_a_narrow_terminal(width, run):
    """No line is wider; each figure of the wide screen is there, none cut; rows have names."""
    wide, narrow = _screen(run, 200), _screen(run, width)
    head, *lines = narrow.splitlines()
    assert all(len(line) <= width for line in lines if "owner" not in line), narrow
    assert "…" not in narrow
    figures = re.compile(r"\d[\d,]*\.?\d*")
    assert not set(figures.findall(wide)) - set(figures.findall(narrow)), narrow
    for name in ("array", "list"):
        assert narrow.count(name) >= wide.count(name)


@pytest.mark.parametrize("width", ["30", "40", "60"])
def test_profile_keeps_function_names_on_a_narrow_terminal(width, run):
    done = mcpi("profile", "--run", str(run), COLUMNS=width)
    lines = done.stdout.splitlines()
    assert all(len(line) <= int(width) for line in lines) and "…" not in done.stdout
    assert sum("sum_of_list" in line for line in lines) == done.stdout.count("sum_of_array") >= 2
    for head in ("ticks", "%", "issue", "fetch", "branch", "load", "I-miss", "D-miss"):
        assert head in done.stdout
    assert (
        "sum_of_list" in mcpi("profile", "--run", str(run), "--calls", "main", COLUMNS=width).stdout
    )


def test_a_share_stays_with_its_figure():
    table = Table(box=None, padding=(0, 0, 0, 1))
    for head in ("name", "first", "%", "second", "%", ""):
        table.add_column(head)
    table.add_row("row", "123456", "50.0", "654321", "50.0", "words that only explain")
    page = io.StringIO()
    fitted.show(table, Console(file=page, width=24))
    heads = [line.split() for line in page.getvalue().splitlines() if "%" in line]
    assert heads == [["name", "first", "%"], ["second", "%"]]
    assert "explain" not in page.getvalue()


def test_exec_does_not_name_the_papers_constant(run):
    """A constant that is fitted to the paper says nothing of a program of one's own; the record has
    it."""
    assert "taken_penalty" not in _screen(run, 100)
    assert "core.taken_penalty" in record.read(run / "result.json").provenance.calibration


def test_profile_by_line_is_short_and_has_the_text(run):
    done = mcpi("profile", "--run", str(run), "--by", "line", COLUMNS="160")
    rows = [line for line in done.stdout.splitlines() if "list.c:" in line]
    assert rows and all(row.startswith(" list.c:") for row in rows)
    lines = (run.parent / "list.c").read_text().splitlines()
    for row in rows:
        number = int(re.match(r" list\.c:(\d+)", row)[1])
        assert row.rstrip().endswith(lines[number - 1].strip())
    (run.parent / "list.c").touch()
    done = mcpi("profile", "--run", str(run), "--by", "line", COLUMNS="160")
    assert "list.c:" in done.stdout and lines[29].strip() not in done.stdout


def test_lines_of_two_files_of_one_name_keep_their_folders():
    names = ["/a/x.c:1", "/b/x.c:2", "/b/y.c:3", "firmware/boot/crt0.S:4", "main"]
    shown = source_lines.short(names)
    assert shown == {
        "/a/x.c:1": "/a/x.c:1",
        "/b/x.c:2": "/b/x.c:2",
        "/b/y.c:3": "y.c:3",
        "firmware/boot/crt0.S:4": "firmware/boot/crt0.S:4",
    }


@pytest.mark.parametrize("option", ["--listing", "--calls"])
def test_profile_refuses_a_function_before_it_runs(option, run, tmp_path):
    """With the nearest name, or a way to find one; no folder is left."""
    source, out = str(run.parent / "list.c"), str(tmp_path / "out")
    words = refused("profile", source, option, "sum_of_lst", "--out", out)
    assert "Did you mean sum_of_list?" in words
    words = refused("profile", source, option, "quick", "--out", out)
    assert "noinline" in words and not list(tmp_path.iterdir())
    assert "--calls, profile lists them" in refused(
        "profile", "--run", str(run), "--calls", "quick"
    )
    assert "noinline" in refused("trace", source, "--around", "quick")


def test_misses_of_tlbs_have_columns_where_pages_are_mapped(tmp_path):
    done = mcpi("exec", str(SOURCE), "--machine", "dec3000-tlb", "--out", str(tmp_path / "a"))
    assert done.returncode == 0 and " b-miss ITB DTB\n" in done.stdout, done.stderr
    done = mcpi("exec", str(SOURCE), "--out", str(tmp_path / "b"))
    assert done.returncode == 0 and "DTB" not in done.stdout


def test_a_folder_of_exec_is_loaded(run, tmp_path):
    """The folder is a ProgramRun, with places instead of round trips."""
    found = python.load(run)
    assert isinstance(found, python.ProgramRun)
    assert list(found.regions) == ["array", "list in order", "scattered list"]
    total = sum(one.path.totals.ticks for one in found.regions.values())
    assert total == found.client.path.totals.ticks and found.server is None
    for one in [found.client, *found.regions.values()]:
        assert one.owners.sum() == pytest.approx(one.ticks)
        assert one.mcpi == pytest.approx(one.cpi - one.icpi, abs=1e-5)
    assert "list.c on dec3000-600: " in repr(found) and found.console == ""
    table = found.profile()
    assert table.ticks.sum() == pytest.approx(found.client.ticks)
    with pytest.raises(UserError, match="side is one of"):
        found.profile(side="server")
    place, _ = api.perform(ProgramSpec((str(SOURCE),)), tmp_path / "plain")
    again = python.load(place).profile("function")  # runs again, with its images
    assert again.ticks.sum() == pytest.approx(table.ticks.sum())
