# SPDX-License-Identifier: BSD-2-Clause
"""Settings act: each parameter changes the record of a machine on which it acts, and is refused
on one where it cannot. Each parameter with each kind of value is a bin: a test of its own."""

from pathlib import Path

import pytest
from tools_support.acting_cases import ACTS, BROKEN, SCHEMA, Acts, text, trip, values
from tools_support.command import refused

from mcpi.base.errors import UserError
from mcpi.machine import acting, profile
from verify.long_tests import sampled

# Parameters of which there is one value yet: each other one is refused (test_profile_settings.py).
SINGLE = {key for key in SCHEMA if len(values(key)) == 1}
ACTING = [(key, value) for key in SCHEMA if key not in SINGLE for value in values(key)]
IDLE = [(key, condition) for key, row in SCHEMA.items() for condition in row.get("acts_if", ())]
records: dict[tuple, str] = {}


def record(acts: Acts, settings: dict[str, str], place: Path) -> str:
    """The record of the machine with these settings; equal ones are made once."""
    key = (acts.shows, acts.machine, tuple(sorted(settings.items())))
    if key not in records:
        machine = profile.load(acts.machine, settings)
        records[key] = acts.shows(machine, place)
    return records[key]


def usual(key: str) -> str:
    """The value that a parameter has on the machine on which it acts."""
    acts = ACTS[key]
    return text(profile.load(acts.machine, acts.settings).parameters.get(key, False))


# Settings that a value at an end of its range wants of others.
NEEDS = {
    ("clock.ticks_per_us", "1000"): {"lance.profile": "ideal"},
    **{("bcache.block", size): {"cache.block": "16B"} for size in ("16", "32", "128")},
    ("bus.data_ticks", "63"): {"bus.miss_ticks": "1023", "bus.remote_ticks": "1023"},
}


def first(key: str) -> str:
    """The value of the usual test run."""
    return next(value for value in values(key) if value != usual(key))


def _name(case: tuple[str, str]) -> str:
    return "=".join(case)


@pytest.mark.parametrize("case", sampled(ACTING, lambda case: case[1] == first(case[0])), ids=_name)
def test_what_is_set_acts(case: tuple[str, str], tmp_path: Path) -> None:
    """The record with this value is another than with the least, or the usual one."""
    key, value = case
    acts, others = ACTS[key], [values(key)[0], usual(key), *values(key)]
    other = next(some for some in others if some != value)
    settings = {**acts.settings, **NEEDS.get((key, value), {})}
    found = [record(acts, settings | {key: some}, tmp_path) for some in (value, other)]
    assert found[0] != found[1], f"{key}={value} changes nothing"


@pytest.mark.parametrize("case", IDLE, ids=" where not ".join)
def test_what_cannot_act_is_refused(case: tuple[str, str], tmp_path: Path) -> None:
    """A value that is set all the same does not act."""
    key, condition = case
    name, settings, facts = BROKEN[condition]
    shows = ACTS[key].shows if "core.count" in condition else trip
    base = dict(settings)
    before = base.pop(key, text(profile.load(name, settings).parameters.get(key, False)))
    other = next(value for value in reversed(values(key)) if value != before)
    machine = profile.load(name, base | {key: other})
    with pytest.raises(UserError, match=rf"--set:? {key}.*(no effect|or less)"):
        machine.check_acts(base | {key: other}, **facts)
    if key != "tlb.page":  # it is in the firmware's header
        idle = Acts(shows, name)
        found = [record(idle, base | {key: some}, tmp_path) for some in (before, other)]
        assert found[0] == found[1], f"{key} acts without {condition}"


def test_every_condition_is_broken_once_and_every_parameter_acts_somewhere() -> None:
    assert {condition for _, condition in IDLE} == BROKEN.keys()
    assert ACTS.keys() == SCHEMA.keys() == {key for key, _ in ACTING} | SINGLE
    for condition in BROKEN:
        what, _, wanted = acting.split(condition)
        assert what in {*SCHEMA, *acting.FACTS}
        assert "." not in wanted or wanted in SCHEMA


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("run --set tlb.page=4KB", "core.translation = tlb"),
        ("run --machine dec3000-tlb --set tlb.page=4KB", "KSEG"),
        ("run --set link.autonegotiation=off", "engine exact: only a board has it"),
        ("run --set sync.bus=on", "only with bcache.private = on"),
        ("exec examples/conflict.c --set sync.bus=on", "only with bcache.private = on"),
        ("exec examples/conflict.c --set dcache.victim_ticks=4", "dcache.victims > 0"),
        ("sweep --set core.predicted_penalty=1,2", "core.prediction = ev4"),
        ("compare std std,dcache.dirty_ticks=9", "dcache.policy = back"),
        ("profile --set write_buffer.drain_at=4 --set write_buffer.entries=2", "Give 2 or less"),
        ("trace --set clock.real_time=on", "engine exact: only a board has it"),
        ("board build ecpix-5 --set icache.victim_ticks=4", "icache.victims > 0"),
        ("board report --set dcache.dirty_ticks=4", "dcache.policy = back"),
        ("cocotb examples/cocotb/count.py --top AlphaLite --set tlb.asn=off", "tlb.asn"),
        ("layout conflicts std --set core.predicted_penalty=3", "core.prediction = ev4"),
        ("paper --quick --set core.predicted_penalty=3", "core.prediction = ev4"),
    ],
)
def test_each_command_refuses_what_does_not_act(words: str, said: str) -> None:
    """Before it builds anything."""
    assert said in refused(*words.split())
