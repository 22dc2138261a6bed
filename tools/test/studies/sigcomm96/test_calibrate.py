# SPDX-License-Identifier: BSD-2-Clause
"""The one fitted constant: which value is nearest, what the machine file keeps, what tables say."""

import dataclasses
import tomllib

import pytest

from mcpi.base.errors import UserError
from mcpi.base.repo import MACHINES
from mcpi.machine import calibrated
from mcpi.machine import profile as machine
from mcpi.machine.calibrated import KEY
from mcpi.studies.sigcomm96 import calibrate
from mcpi.studies.sigcomm96.calibrate import Found

ICPI = {3: 1.4334, 4: 1.5345, 5: 1.6355, 6: 1.7367, 7: 1.8376}
FILE = """[core]
taken_penalty = 4           # ticks; to be fitted

[memory]
ideal = false
"""


def test_the_nearest_is_taken_and_of_two_the_smaller():
    assert Found(1.72, ICPI).penalty == 6
    assert Found(1.63, ICPI).penalty == 5
    assert Found(9.0, ICPI).penalty == 7
    assert Found(1.5, {3: 1.4, 4: 1.6}).penalty == 3


def test_the_machine_file_keeps_value_and_how_it_was_found():
    text = calibrate.written(FILE, Found(1.72, ICPI), 100)
    kept = tomllib.loads(text)
    assert kept["core"] == {"taken_penalty": 6} and kept["memory"] == {"ideal": False}
    about = kept["calibration"][KEY]
    assert (about["wanted"], about["found"]) == (1.72, 1.7367)
    assert {int(p): icpi for p, icpi in about["icpi"].items()} == ICPI
    assert "./mcpi calibrate --round-trips 100 --write" in text
    assert calibrate.written(text, Found(1.72, ICPI), 100) == text
    again = tomllib.loads(calibrate.written(text, Found(1.63, ICPI), 100))
    assert again["core"]["taken_penalty"] == 5


def test_a_file_without_the_value_is_refused():
    with pytest.raises(UserError, match="has 0 lines of it"):
        calibrate.written("[core]\n", Found(1.72, ICPI), 100)


def test_every_result_says_where_the_value_came_from():
    some = machine.load("dec3000-600")
    about = {KEY: {"wanted": 1.72, "found": 1.7367, "icpi": {str(p): i for p, i in ICPI.items()}}}

    def said(value: int, calibration: dict) -> str:
        parameters = some.parameters | {KEY: value}
        made = dataclasses.replace(some, parameters=parameters, calibration=calibration)
        return calibrated.words(calibrated.status(made))[0]

    assert said(4, {}) == f"{KEY} = 4, not yet fitted"
    assert said(6, about) == f"{KEY} = 6, fitted: STD TCP/IP's iCPI 1.74, the paper's 1.72"
    assert said(4, about) == f"{KEY} = 4, not the fitted value"


def test_how_it_was_found_is_no_part_of_the_machine(tmp_path):
    profile = MACHINES / "dec3000-600.toml"
    plain = profile.read_text().partition(calibrate.HEADING)[0]
    (tmp_path / "dec3000-600.toml").write_text(plain)
    bare = machine.load(str(tmp_path / "dec3000-600.toml"))
    (tmp_path / "dec3000-600.toml").write_text(plain + calibrate.HEADING + "\nwanted = 1.72\n")
    about = machine.load(str(tmp_path / "dec3000-600.toml"))
    assert bare.calibration == {} and about.calibration == {KEY: {"wanted": 1.72}}
    assert bare.to_json() == about.to_json() and bare.digest == about.digest


def test_the_range_is_the_parameters():
    assert machine.load("dec3000-600").ranges[KEY] == (3, 7)
