# SPDX-License-Identifier: BSD-2-Clause
"""Counts beside a configuration's result: which part of the path nobody waits for."""

from mcpi.studykit import provenance

# Tick and stamp of node 0: before the measurement; two round trips, of which the second is paused.
STAMPS = """\
0 window_open
4 hand_over
9 window_close
25 round_trip_end
50 measure_start
100 window_open
130 hand_over
140 window_close
200 rx_last_bit
210 window_open
230 window_close
230 round_trip_end
300 window_open
330 hand_over
334 window_pause
360 window_resume
366 window_close
400 rx_last_bit
405 window_open
425 round_trip_end
431 hand_over
432 window_close
440 measure_end
500 window_open
600 window_close
"""


def after(tmp_path, *gone: str) -> dict[str, float]:
    rows = (line.split() for line in STAMPS.splitlines())
    kept = (f"{tick},0,{stamp}\n{tick},1,hand_over\n" for tick, stamp in rows if stamp not in gone)
    file = tmp_path / "stamps.csv"
    file.write_text("tick,node,stamp\n" + "".join(kept))
    return provenance.after_hand_over(file, 2)


def test_the_path_is_hidden_from_the_hand_over_until_the_reply(tmp_path):
    """10 ticks of the first round trip and 4 + 6 of the second, then one of the third, which is
    handed over within the measurement; of both replies 20, before a frame is handed over 30."""
    assert after(tmp_path) == {"hidden": 21 / 2, "reply": 40 / 2}


def test_without_the_reply_all_of_it_is_hidden(tmp_path):
    """The mistake that was in here: the reply's processing counted as what nobody waits for."""
    assert after(tmp_path, "rx_last_bit") == {"hidden": 61 / 2, "reply": 0}
