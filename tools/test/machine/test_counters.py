# SPDX-License-Identifier: BSD-2-Clause
"""machines/counters.toml: a wrong row is refused before anything is built; pages, header, order."""

import re
from pathlib import Path

import pytest

from mcpi.base.errors import UserError
from mcpi.machine import counters, cpp_counters, profile
from mcpi.results import causes, program_summary
from verify.docgen import counters as docgen

TEXT = counters.FILE.read_text()
ROW = '\n["demo"]\nof = "core"\nevent = "takenBranch"\ndoc = "a demo"\n'


def read(folder: Path, text: str) -> tuple[counters.Counter, ...]:
    path = folder / "counters.toml"
    path.write_text(text)
    return counters.table(path)


def test_a_right_row_is_taken(tmp_path):
    assert read(tmp_path, TEXT + ROW)[-1].name == "demo"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('event = "', 'evnet = "', "'demo': Object contains unknown field `evnet`"),
        ('"demo"', '"ticks"', "'ticks' has two rows"),
        ('"demo"', '"bus.dma.ticks"', "'bus.dma.ticks': Expected `str` matching regex"),
        ('"demo"', '"owner.demo"', "'owner.…' and of = \"owner\" go together"),
        ('"takenBranch"', '"takenBranhc"', "'takenBranhc' is no event: CoreEvents of rtl/counters"),
        ('"takenBranch"', '"translation.foult"', "Did you mean translation.fault?"),
        ('event = "takenBranch"\n', "", "the field 'event' is missing"),
        ('doc = "a demo"\n', "", "missing required field `doc`"),
        ('of = "core"', 'of = "cores"', "Invalid enum value 'cores'"),
        ('of = "core"', 'of = "clock"', 'of = "clock" has no bundle with events'),
        ('of = "core"', 'of = "memory"', "'takenBranch' is no event: MemoryEvents"),
        ('of = "core"', 'of = "core"\nlog = 10', "'icache.accesses' and 'demo' have the same log"),
        ('of = "core"', 'of = "core"\nlog = "10"', "Expected `int`, got `str` - at `$.log`"),
        ('of = "core"', 'of = "core"\nwhen = "ways"', "(=|!=|>|<=)"),
        ('of = "core"', 'of = "core"\nchecks = "oracle"', "(recount|predict|translation)"),
    ],
)
def test_a_wrong_row_is_refused(tmp_path, old, new, said):
    assert ROW.count(old) == 1
    with pytest.raises(UserError, match=re.escape(said)) as error:
        read(tmp_path, TEXT + ROW.replace(old, new))
    assert str(tmp_path / "counters.toml") in str(error.value)


def test_two_names_of_one_identifier_are_refused(tmp_path):
    with pytest.raises(UserError, match="'taken_branches' and 'taken.branches' have the same"):
        read(tmp_path, TEXT + ROW.replace('"demo"', '"taken.branches"'))


def test_a_wrong_table_stops_every_machine(monkeypatch, tmp_path):
    (tmp_path / "counters.toml").write_text(TEXT + ROW.replace("event", "evnet"))
    monkeypatch.setattr(counters, "FILE", tmp_path / "counters.toml")
    with pytest.raises(UserError, match="evnet"):
        profile.load("dec3000-600")


def test_pages_have_the_tables():
    for path, page in docgen.render().items():
        said = "type: ./mcpi python -m verify.docgen.counters"
        assert path.read_text() == page, (
            f"{path.name} is not as machines/counters.toml says; {said}"
        )


def test_each_counter_has_its_page():
    rows = [row for row in counters.table() if row.when and row.of not in ("owner", "cause")]
    without = [row.name for row in rows if not any(part in row.when for part in docgen.PARTS)]
    assert not without, f"verify/docgen/counters.py names no page of {without}"


@pytest.mark.parametrize(
    ("machine", "settings", "has", "lacks"),
    [
        ("dec3000-600", {}, (), ("itb.misses", "dcache.victim_hits", "bcache.remote")),
        ("dec3000-tlb", {}, ("context_switches",), ("dcache.store_misses",)),
        ("dec3000-600", {"dcache.policy": "back"}, ("bus.core_waits_dma",), ("itb.misses",)),
        ("dec3000-600", {"dcache.victims": "2"}, ("dcache.victim_hits",), ("icache.victim_hits",)),
        ("challenge-100", {}, ("owner.bus_wait", "cause.bus_wait.open"), ("itb.misses",)),
    ],
)
def test_a_machine_has_its_counters(machine, settings, has, lacks):
    names = list(counters.names(counters.of_machine(profile.load(machine, settings).parameters)))
    assert len(set(names)) == len(names)
    assert set(has) <= set(names) and not set(lacks) & set(names)


def test_owners_lie_together_after_the_instructions():
    names = list(counters.names(counters.table()))
    owners = [name for name in names if name.startswith("owner.")]
    assert names[: 2 + len(owners)] == ["ticks", "instructions", *owners]
    assert owners[0] == "owner.issue" and owners[-2:] == ["owner.bus_wait", "owner.idle"]


def test_the_header_has_the_owners_that_all_machines_have_first():
    text = cpp_counters.header()
    found = re.search(r"ownerNames = \{\{\n(.*?)\}\};", text, re.S)[1]
    names = re.findall(r'"(\w+)"', found)
    assert names == [*counters.owners(), "bus_wait"]
    assert f"commonOwners = {len(names) - 1};" in text


def test_groups_and_columns_of_owners_are_those_of_drawings_and_tables():
    assert set(counters.owners_by("group")) == set(causes.COLOURS)
    assert set(counters.owners_by("column")) == set(program_summary.COLUMNS)
