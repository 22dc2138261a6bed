# SPDX-License-Identifier: BSD-2-Clause
"""Tests of ``./mcpi scenario`` as people type it."""

import json

from tools_support.command import mcpi


def test_consoles_tables_and_the_record(tmp_path):
    done = mcpi("scenario", "examples/scenarios/count.toml", "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    firsts = {f"server: 1 for client {n} on node {n}" for n in (1, 2)}
    assert len(firsts.intersection(lines)) == 1
    assert sum(line.removeprefix("first: ").isdigit() for line in lines) == 3
    assert any(line.split()[:3] == ["switch", "forwarded", "flooded"] for line in lines)
    assert "again: ./mcpi scenario examples/scenarios/count.toml" in done.stdout
    again = mcpi(
        "scenario", "examples/scenarios/count.toml", "--json", "--out", str(tmp_path / "run")
    )
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout) == json.loads((tmp_path / "run/scenario.json").read_text())
    assert "server: 1 for client" in again.stderr


def test_an_end_by_ticks_says_so(tmp_path):
    words = ("--max-ticks", "100000", "--out", str(tmp_path / "run"))
    done = mcpi("scenario", "examples/scenarios/count.toml", *words)
    assert done.returncode == 1
    assert "gave up at tick" in done.stderr


def test_a_file_that_is_not_there():
    done = mcpi("scenario", "no.toml")
    assert done.returncode == 2 and "no.toml: No such file" in done.stderr
