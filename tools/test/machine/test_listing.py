# SPDX-License-Identifier: BSD-2-Clause
"""The list of a machine's parameters."""

import json

import pytest
from tools_support.command import mcpi, refused

from mcpi.machine import listing
from mcpi.machine.profile import load


@pytest.mark.parametrize("name", ["dec3000-600", "dec3000-tlb"])
def test_each_parameter_is_there_with_its_value(name):
    rows = listing.of(name, {})
    machine = load(name)
    assert {row.key for row in rows} == set(machine.parameters)
    for row in rows:  # the value is one that --set takes, and that changes nothing
        assert load(name, {row.key: row.value}).parameters == machine.parameters, row
        assert row.doc and row.acts in ("run", "elaborate", "firmware", "host")


def test_a_setting_is_shown_in_its_unit():
    rows = {row.key: row for row in listing.of("dec3000-600", {"dcache.size": "16384"})}
    assert (rows["dcache.size"].value, rows["dcache.size"].range) == ("16KB", "1KB … 256KB")


def test_the_command_finds_a_word_and_shows_a_setting():
    done = mcpi("parameters", "DCACHE.SIZE", "--set", "dcache.size=16384")
    assert "16KB" in done.stdout and "1KB … 256KB" in done.stdout
    rows = json.loads(mcpi("parameters", "memory.", "--json").stdout)
    assert any(row["key"] == "memory.read_ticks" and row["unit"] == "ticks" for row in rows)
    assert "no parameter" in refused("parameters", "memory.reed_ticks")
