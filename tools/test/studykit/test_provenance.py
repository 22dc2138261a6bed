# SPDX-License-Identifier: BSD-2-Clause
"""Parts of the client's path that a round trip waits for, and the part that it does not."""

from pathlib import Path

from mcpi.studykit import provenance

TRIP = """0,round_trip_start
0,window_open
10,hand_over
13,window_close
20,window_open
21,window_pause
22,window_resume
30,rx_last_bit
37,window_close
40,window_open
45,round_trip_end
50,window_close
"""
# Until the reply's last bit 10 to 13 and 20 to 30, less the pause; then 30 to 37 and 40 to 45.
HIDDEN, REPLY = 3 + 9, 7 + 5


def stamps(folder: Path, trips: list[str], begin: int, end: int) -> Path:
    """Round trips of 100 ticks, of which those from ``begin`` to ``end`` are measured."""
    rows = ["tick,node,stamp"]
    rows += [f"{begin},0,measure_start"] if not begin else []
    for n, trip in enumerate(trips):
        for line in trip.splitlines():
            tick, stamp = line.split(",")
            rows.append(f"{100 * n + int(tick)},0,{stamp}")
            rows.append(f"{100 * n + int(tick)},1,window_open")
        if begin == 100 * (n + 1):
            rows.append(f"{begin - 1},0,measure_start")
    rows.append(f"{end},0,measure_end")
    path = folder / "stamps.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_the_reply_is_not_hidden(tmp_path: Path):
    found = provenance.path_split(stamps(tmp_path, [TRIP] * 2, 0, 199), 2)
    assert found == {"hidden": HIDDEN, "reply": REPLY}


def test_round_trips_before_the_measurement_do_not_count(tmp_path: Path):
    found = provenance.path_split(stamps(tmp_path, [TRIP] * 3, 100, 299), 2)
    assert found == {"hidden": HIDDEN, "reply": REPLY}


def test_another_frame_than_the_reply_ends_nothing(tmp_path: Path):
    """A frame that comes before the hand-over is no reply."""
    early = TRIP.replace("10,hand_over", "5,rx_last_bit\n10,hand_over")
    found = provenance.path_split(stamps(tmp_path, [early], 0, 99), 1)
    assert found == {"hidden": HIDDEN, "reply": REPLY}
