# SPDX-License-Identifier: BSD-2-Clause
"""Measurements on events and counters small enough to work out by hand."""

import pytest

from mcpi.base.errors import RunError
from mcpi.results import measure
from mcpi.results.measure import Event

# Two round trips of 1750 and 2100 ticks: 10 and 12 µs at 175 ticks a microsecond.
EVENTS = """tick,node,event
100,0,1
900,0,2
1000,0,5
1000,0,1
1350,0,3
1875,1,4
2225,1,3
2575,0,4
2750,0,2
2800,0,1
3100,0,3
3450,1,4
4150,1,3
4675,0,4
4850,0,2
5200,0,6
6000,0,1
"""

COUNT = {
    "ticks": 300,
    "instructions": 100,
    "owner.issue": 100,
    "owner.d_miss": 150,
    "owner.i_demand": 50,
    "owner.idle": 0,
    "icache.accesses": 100,
    "icache.misses": 8,
    "dcache.accesses": 30,
    "dcache.misses": 6,
    "write_buffer.accesses": 10,
    "write_buffer.merges": 7,
    "write_buffer.writes": 3,
    "bcache.accesses": 20,
    "bcache.misses": 1,
    "taken_branches": 14,
    "invocations": 2,
}
IDEAL = COUNT | {"ticks": 160, "owner.issue": 100, "owner.d_miss": 0, "owner.i_demand": 60}


@pytest.fixture
def window(tmp_path):
    (tmp_path / "events.csv").write_text(EVENTS)
    return measure.measured(tmp_path / "events.csv")


def test_round_trips_outside_the_measurement_do_not_count(window):
    assert list(measure.round_trips(window)) == [(1000, 2750), (2750, 4850)]


def test_one_sample_spreads_over_round_trips(window):
    trip = measure.round_trip([window], 2, 175)
    assert trip["mean_us"] == 11.0
    assert trip["sd_us"] == pytest.approx(2**0.5, abs=1e-6)
    assert trip["sd_over"] == "round trips"
    assert (trip["min_us"], trip["max_us"]) == (10.0, 12.0)


def test_several_samples_spread_over_their_means(window):
    slower = [Event(e.tick * 2, e.node, e.number) for e in window]
    trip = measure.round_trip([window, slower], 2, 175)
    assert trip["sample_means_us"] == [11.0, 22.0]
    assert trip["mean_us"] == 16.5
    assert trip["sd_us"] == pytest.approx(11 / 2**0.5, abs=1e-6)
    assert trip["sd_over"] == "samples"


def test_one_round_trip_has_no_deviation(window):
    one = [e for e in window if e.tick <= 2750]
    assert "sd_us" not in measure.round_trip([one], 1, 175)


def test_breakdown_sums_to_the_mean(window):
    parts = measure.breakdown(window, 175)
    # client 350+350, request 525+350, server 350+700, reply 350+525, client 175+175 ticks.
    assert list(parts.values()) == [2.0, 2.5, 3.0, 2.5, 1.0]
    assert sum(parts.values()) == measure.round_trip([window], 2, 175)["mean_us"]


def test_a_round_trip_may_be_shorter_than_the_papers_controllers():
    slow, fast = (measure.adjusted(us, {"request": 10.0, "reply": 20.0}) for us in (300.0, 150.0))
    assert slow == {"controller_us": 15, "adjusted_us": 270, "adjusted_paper_us": 90}
    assert fast == {"controller_us": 15, "adjusted_us": 120}


def test_breakdown_takes_the_interrupt_that_follows_the_frame(window):
    """Transmit interrupts of both machines lie between; they end no part."""
    extra = [Event(1500, 0, 4), Event(2300, 1, 4)]
    noisy = sorted([*window, *extra], key=lambda e: e.tick)
    assert measure.breakdown(noisy, 175) == measure.breakdown(window, 175)


def test_no_breakdown_when_a_frame_was_sent_twice(window):
    twice = sorted([*window, Event(1400, 0, 3)], key=lambda e: e.tick)
    assert measure.breakdown(twice, 175) is None


def test_wrong_number_of_round_trips_is_an_error(window):
    with pytest.raises(RunError, match="2 round trips were measured, 3 were asked for"):
        measure.round_trip([window], 3, 175)


def test_measurement_marks_must_come_once(tmp_path):
    (tmp_path / "events.csv").write_text(EVENTS.replace("5200,0,6\n", ""))
    with pytest.raises(RunError, match="ends' 0 times"):
        measure.measured(tmp_path / "events.csv")


def test_round_trips_must_alternate(window):
    with pytest.raises(RunError, match="in turn"):
        list(measure.round_trips([e for e in window if e.tick != 2750]))


def test_path_by_hand():
    path = measure.path(COUNT, IDEAL, 175)
    assert path["invocations"] == 2
    assert (path["instructions"], path["ticks"]) == (50, 150)
    assert path["time_us"] == pytest.approx(150 / 175, abs=1e-6)
    assert (path["cpi"], path["icpi"], path["mcpi"]) == (3.0, 1.6, 1.4)
    assert path["owners"] == {"issue": 50, "d_miss": 75, "i_demand": 25, "idle": 0}
    assert path["totals"]["owners"]["d_miss"] == 150
    assert path["icache"] == {"accesses": 50, "misses": 4}
    # Loads and stores; misses are load misses and what the write buffer sent on.
    assert path["dcache_write_buffer"] == {"accesses": 20, "misses": 4.5}
    assert path["bcache"] == {"accesses": 10, "misses": 0.5}
    assert path["taken_branches"] == 7


def test_without_an_ideal_run_there_is_no_icpi():
    assert not {"icpi", "mcpi"} & set(measure.path(COUNT, None, 175))


def test_replacements_slots_occupancy_and_pauses_by_hand():
    count = COUNT | {
        "icache.replacement_misses": 4,
        "dcache.replacement_misses": 2,
        "bcache.replacement_misses": 1,
        "bcache.victims": 0,
        "bus.core_ticks": 200,
        "bus.dma_ticks": 20,
        "paused.ticks": 50,
        "paused.instructions": 30,
        "fetch.words": 48,
        "fetch.blocks": 8,
        "fetch.outside": 10,
        "fetch.fill_words": 40,
    }
    path = measure.path(count, None, 175, 32)
    assert path["icache"]["replacement_misses"] == 2
    assert path["dcache_write_buffer"]["replacement_misses"] == 1
    assert (path["bcache"]["replacement_misses"], path["bcache"]["victims"]) == (0.5, 0)
    assert path["bus"] == {"core_ticks": 100, "dma_ticks": 10}
    assert path["paused"] == {"ticks": 25, "instructions": 15}
    assert path["fetch"] == {
        "blocks": 8,
        "words": 48,
        "outside": 5,
        "unused_percent": 25,
        "unused_per_fill_percent": 37.5,
    }
    assert measure.path(count, None, 175, 64)["fetch"]["unused_percent"] == 62.5
    few = count | {"fetch.fill_words": 8 * count["icache.misses"] + 1}  # of lines filled before
    assert "unused_per_fill_percent" not in measure.path(few, None, 175, 32)["fetch"]
    all_ = count | {"fetch.fill_words": 8 * count["icache.misses"]}
    assert measure.path(all_, None, 175, 32)["fetch"]["unused_per_fill_percent"] == 0


def test_a_counter_that_is_not_there_is_left_out():
    less = {k: v for k, v in COUNT.items() if not k.startswith("bcache") and k != "taken_branches"}
    assert not {"bcache", "taken_branches", "pal_ticks"} & set(measure.path(less, None, 175))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"owner.d_miss": 151}, "owners sum to 301, but 300 ticks"),
        ({"instructions": 99}, "100 issue ticks, but 99 instructions"),
        ({"invocations": 0}, "never invoked"),
    ],
)
def test_counters_that_contradict_each_other_are_refused(change, said):
    with pytest.raises(RunError, match=said):
        measure.path(COUNT | change, None, 175)


def test_windows_besides_the_path():
    spin = {"ticks": 30, "instructions": 10, "invocations": 4, "owner.issue": 10, "owner.io": 20}
    sets = {"": {"owner.issue": 7}, "path+spin": {"owner.issue": 10, "owner.io": 20}}
    plain = {"all": {}, "path": {}}
    assert measure.cores([plain, plain]) == {}
    found = measure.cores([plain | {"windows": {"spin": spin}, "sets": sets}, plain])
    owners = {"issue": 10, "io": 20}
    assert found == {
        "client": [
            {
                "spin": {"ticks": 30, "instructions": 10, "invocations": 4, "owners": owners},
                "sets": {"": {"issue": 7}, "path+spin": owners},
            }
        ],
        "server": [{}],
    }
