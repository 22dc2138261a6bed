# SPDX-License-Identifier: BSD-2-Clause
"""``lab.toml``: each slip is refused by name before a hand-in is read."""

from pathlib import Path

import pytest

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.grading import lab
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec

LABS = sorted((ROOT / "course").glob("*/lab.toml"))
GOOD = """title = "t"
files = { "sum.c" = "source" }
reference = ["key.c"]
[[run]]
name = "usual"
sources = ["main.c"]
measure = ["sum"]
[[part]]
name = "right"
points = 60
run = "usual"
output = "reference"
[[part]]
name = "quick"
points = 40
run = "usual"
place = "sum"
value = "ticks"
at_most = 100
needs = ["right"]
"""
MACHINE = """[machine]
base = "dec3000-600"
may_change = ["dcache.size"]
[[machine.limit]]
parameters = ["dcache.size"]
at_most = "8KB"
"""
# A text of the good lab, what stands in its place, and words of the refusal.
SLIPS = (
    ('title = "t"\n', "", "title"),
    ('title = "t"', "title = t", "Invalid value"),
    ("points = 60", "points = 0", "points"),
    ("points = 60", "points = 60\npoint = 1", "point"),
    ('"source"', '"sauce"', "sauce"),
    ('"sum.c" =', '"a/sum.c" =', "without folders"),
    ('"sum.c" = "source"', '"sum.c" = "source", "m.toml" = "machine"', "[machine]"),
    ('run = "usual"\noutput', 'run = "usal"\noutput', "Did you mean usual"),
    ('name = "quick"', 'name = "right"', "name of its own"),
    ('["right"]', '["wrong"]', "no earlier part"),
    ("measure =", "mesure =", "Did you mean measure"),
    ('["main.c"]', '["none.c"]', "none.c is not there"),
    ('["key.c"]', '["none.c"]', "none.c is not there"),
    ('["key.c"]', '["sum.c"]', "students change sum.c"),
    ('reference = ["key.c"]\n', "", "wants reference"),
    ('output = "reference"', 'output = "none.txt"', "none.txt is not there"),
    ('output = "reference"', 'output = "reference"\ncounter = "ticks"', "one of output"),
    ("at_most = 100\n", "", "at_most or at_least"),
    ('value = "ticks"', 'counter = "ticks"', "place goes with value"),
    ('measure = ["sum"]', 'measure = ["sum"]\nset = { "dcache.sizes" = 1 }', "dcache.sizes"),
    ('measure = ["sum"]', 'machine = "vax"', "no machine 'vax'"),
)


def written(place: Path, text: str) -> Path:
    for name in ("sum.c", "key.c", "main.c"):
        (place / name).write_text("")
    (place / "lab.toml").write_text(text)
    return place / "lab.toml"


def test_the_good_lab_is_read(tmp_path: Path) -> None:
    found = lab.read(written(tmp_path, GOOD))
    assert found.points == 100 and found.part[1].needs == ("right",)


@pytest.mark.parametrize(("old", "new", "words"), SLIPS, ids=lambda word: word[:30])
def test_a_slip_is_refused_by_name(old: str, new: str, words: str, tmp_path: Path) -> None:
    assert old in GOOD
    file = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(UserError) as found:
        lab.read(file)
    assert words in str(found.value) and str(file) in str(found.value)


def test_a_limit_of_a_machine_is_read_in_its_unit(tmp_path: Path) -> None:
    text = GOOD.replace('"sum.c" = "source"', '"sum.c" = "source", "m.toml" = "machine"') + MACHINE
    found = lab.read(written(tmp_path, text))
    assert lab.at_most(found.machine, found.machine.limit[0]) == 8192
    with pytest.raises(UserError, match="Did you mean dcache.size"):
        lab.read(written(tmp_path, text.replace('= ["dcache.size"]\nat', '= ["dcache.sze"]\nat')))


def test_no_lab_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"lab\.toml is wanted"):
        lab.read(tmp_path / "lab.toml")


def test_the_course_has_six_labs_of_100_points_and_every_kind_of_run() -> None:
    found = [lab.read(file) for file in LABS]
    assert [one.points for one in found] == [100] * 6
    kinds = set()
    for one in found:
        given = {name: one.folder / name for name in one.files}
        kinds |= {type(one.spec(row["name"], given)) for row in one.run}
    assert kinds == {ProgramSpec, RunSpec, NodeSpec}
    assert {role for one in found for role in one.files.values()} == set(lab.ROLES)
