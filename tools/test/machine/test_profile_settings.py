# SPDX-License-Identifier: BSD-2-Clause
"""``--set`` for every parameter of the machine file: both ends are taken, what lies beyond is
refused with a sentence that names parameter, value and range."""

import tomllib

import pytest
from tools_support.command import mcpi

from mcpi.base.errors import UserError
from mcpi.base.repo import MACHINES
from mcpi.machine import profile

MACHINE = "dec3000-600"
# A machine with what MACHINE has not, by the switch that says so.
HAS = {"bcache.private": "dec3000-mp", "sync.bus": "power-series-33"}
SCHEMA = {
    f"{table}.{key}": row
    for table, rows in tomllib.loads((MACHINES / "parameters.toml").read_text()).items()
    for key, row in rows.items()
}
GIVEN = {
    f"{table}.{key}"
    for table, rows in tomllib.loads((MACHINES / f"{MACHINE}.toml").read_text()).items()
    for key in rows
    if table != "calibration"  # how fitted values were found (mcpi.fitted)
}
# Settings that a value needs with it.
IDEAL = {"lance.profile": "ideal"}
PRIVATE = ("core.count", "bcache.private")  # more than one core wants private b-caches
WITH = {("link.mbps", 100): IDEAL, ("clock.ticks_per_us", 1000): IDEAL}
WITH |= {("bcache.block", 16): {"cache.block": "16B"}, ("sync.bus", True): {"sync.ticks": "25"}}
WITH[("bus.data_ticks", 63)] = {"bus.miss_ticks": "1023", "bus.remote_ticks": "1023"}
WITH[("bcache.private", False)] = {"core.count": "1"}


def machine_of(key: str) -> str:
    switch = "bcache.private" if key in PRIVATE else SCHEMA[key].get("when")
    return HAS.get(switch, MACHINE)


def of(*types: str) -> list[str]:
    return [key for key, row in SCHEMA.items() if row["type"] in types]


def only(row: dict) -> str:
    return " and ".join(map(str, row["only"]))


def said(key: str, value: object) -> str:
    """The error that the user reads after ``--set key=value``."""
    with pytest.raises(UserError) as error:
        profile.load(machine_of(key), {key: str(value)})
    text = str(error.value)
    assert text.startswith("--set") and key in text and "\n" not in text, text
    return text


def test_the_machine_file_has_every_parameter_and_no_other():
    assert {key for key, row in SCHEMA.items() if row.get("when", key) == key} == GIVEN
    assert len(GIVEN) > 40
    for key in set(SCHEMA) - GIVEN:
        assert key in profile.load(machine_of(key)).parameters
    assert set(SCHEMA) == set(of("int", "size", "bool", "choice"))


@pytest.mark.parametrize("key", of("int", "size"))
def test_a_number_is_taken_at_both_ends_and_refused_beyond(key):
    row = SCHEMA[key]
    low, high = row["range"]
    for end in {low, high}:
        if "only" in row and end not in row["only"]:
            assert f"only {only(row)} can be had yet" in said(key, end)
        else:
            settings = {key: str(end)} | WITH.get((key, end), {})
            assert profile.load(machine_of(key), settings).parameters[key] == end
    power = row.get("rule") == "power_of_two"
    for beyond in (low // 2, 2 * high) if power else (low - 1, high + 1):
        text = profile._size if row["type"] == "size" else str
        value, least, most = map(text, (beyond, low, high))
        assert f"{key} = {value}: outside {least} to {most}" in said(key, beyond)
    if power and low < high:
        assert "not a power of two" in said(key, high - 1)
    wanted = "a size from" if row["type"] == "size" else "a whole number"
    assert wanted in said(key, "many")


@pytest.mark.parametrize("key", of("bool"))
def test_a_switch_is_on_or_off(key):
    for text, value in (("on", True), ("off", False), ("true", True), ("0", False)):
        settings = {key: text} | WITH.get((key, value), {})
        # A setting that says that the machine has more is not there when it says no.
        assert profile.load(machine_of(key), settings).parameters.get(key, False) is value
    assert "on or off is wanted" in said(key, 2)


@pytest.mark.parametrize("key", of("choice"))
def test_a_choice_is_one_of_its_names(key):
    row = SCHEMA[key]
    for name in row["choices"]:
        if name in row.get("only", row["choices"]):
            assert profile.load(machine_of(key), {key: name}).parameters[key] == name
        else:
            assert f"only {only(row)} can be had yet" in said(key, name)
    assert f"one of {', '.join(row['choices'])} is wanted" in said(key, "perfect")


def test_the_command_says_it_and_ends_with_status_2():
    done = mcpi("run", "--set", "bcache.read_ticks=64")
    assert done.returncode == 2
    assert "bcache.read_ticks" in done.stderr and "3 to 63" in done.stderr, done.stderr
