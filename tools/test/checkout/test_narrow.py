# SPDX-License-Identifier: BSD-2-Clause
"""Tables in a terminal of 40 columns: names and numbers are whole."""

from pathlib import Path

from tools_support.command import mcpi

COLUMNS = 40
SHORT = ("--round-trips", "2")


def drawn(*words: str) -> tuple[str, str]:
    """The output of a command in a narrow and in a wide terminal."""
    found = [mcpi(*words, COLUMNS=str(columns)) for columns in (COLUMNS, 160)]
    assert [done.returncode for done in found] == [0, 0], found[0].stderr
    return found[0].stdout, found[1].stdout


def test_a_run_keeps_owners_and_counts(tmp_path: Path) -> None:
    narrow, wide = drawn("run", "--engine", "exact", *SHORT, "--out", str(tmp_path / "a"))
    table = narrow[narrow.index("per path") : narrow.index("files:")]
    assert "\N{HORIZONTAL ELLIPSIS}" not in table
    assert max(map(len, table.splitlines())) <= COLUMNS
    wide = wide[wide.index("who owns the ticks") :]
    cells = wide[: wide.index("sum of owners")].splitlines()[1:]
    for owner, client, _, server, *_ in (line.split() for line in cells if line[:1] != " "):
        assert [owner, client, server] in [line.split() for line in table.splitlines()]
    assert table.split().count("ticks") == 4 and "\N{NOT EQUAL TO}" not in table


def test_a_comparison_keeps_functions_and_differences() -> None:
    narrow, wide = drawn("compare", "std", "all", "--layouts", "1", *SHORT)
    begins = "the client's path, means"
    table = narrow[narrow.index(begins) :]
    assert "\N{HORIZONTAL ELLIPSIS}" not in table
    assert max(map(len, table.splitlines())) <= COLUMNS
    of_wide = [line.split() for line in wide[wide.index(begins) :].splitlines()]
    last = {line.split()[-1] for line in table.splitlines() if line.strip()}
    for words in of_wide:
        if words[0] in ("i_demand", "taken_bubble", "memory_port", "ip_demux", "path_output"):
            assert words[3] in last, words


def test_a_sweep_keeps_names_and_figures(tmp_path: Path) -> None:
    sets = ("--set", "icache.size=4KB,8KB", "--set", "timer.hz=512,1024")
    words = ("sweep", "--variant", "std,all", *sets, *SHORT, "--out", str(tmp_path / "a"))
    narrow, wide = drawn(*words)
    table = narrow[: narrow.index("files:")]
    assert "\N{HORIZONTAL ELLIPSIS}" not in table
    assert max(map(len, table.splitlines())) <= COLUMNS
    for line in wide[: wide.index("files:")].splitlines()[2:]:
        for number in line.split()[-3:]:
            assert number in table.split(), number
