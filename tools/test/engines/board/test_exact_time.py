# SPDX-License-Identifier: BSD-2-Clause
"""Exact time of two boards, as the host sets it: what it writes, what it refuses, whom it names."""

from types import SimpleNamespace

import pytest

from mcpi.base.errors import RunError, UserError
from mcpi.engines.base import of
from mcpi.engines.board import exact_time, session
from mcpi.engines.board.node import BoardNode
from mcpi.machine import boards, profile
from mcpi.spec.node_image import phase_from_seed
from mcpi.spec.run_spec import RunSpec

REGISTERS = "exact", "exact_state", "exact_waits", "record_waits", "sent"
NAMES = {f"board.{name}": f"board.{name}" for name in REGISTERS}
MACHINE = profile.load("dec3000-600")


def board(path: str = "A", name: str = "ecpix5", nibble: int = 70, state: int = 0) -> BoardNode:
    held = {"board.exact": nibble << exact_time.NIBBLE, "board.exact_state": state}
    link = SimpleNamespace(port=SimpleNamespace(path=path), read=held.__getitem__, held=held)
    link.write = held.__setitem__
    node = BoardNode(link, NAMES, [])
    node.about["board"] = name
    return node


def test_both_get_the_session_and_each_its_phase():
    pair = [board("A"), board("B")]
    assert not exact_time.hindrance(pair, MACHINE)
    exact_time.begin(pair, exact=True)
    words = [node.link.held["board.exact"] for node in pair]
    assert words[0] >> exact_time.SESSION == words[1] >> exact_time.SESSION < 1 << 16
    for number, word in enumerate(words):
        phase = phase_from_seed(1, 2 + number, 70)
        assert word & 0xFFFF_FFFF == exact_time.ON | phase << exact_time.PHASE
    exact_time.begin(pair, exact=False)
    assert not any(node.link.held["board.exact"] for node in pair)


def test_both_record():
    pair = [board("A"), board("B")]
    exact_time.begin(pair, exact=True, records=True)
    bits = exact_time.ON | exact_time.RECORDS
    assert all(node.link.held["board.exact"] & 0xFFFF == bits for node in pair)


@pytest.mark.parametrize(
    ("settings", "second", "why"),
    [
        ({"lance.profile": "ideal"}, board(), "lance.profile = ideal"),
        ({"clock.ticks_per_us": "35", "clock.real_time": "on"}, board(), "clock.real_time = on"),
        ({}, board("B", nibble=0), "B: this bitstream has no exact time"),
        ({}, board(name=boards.SIMULATED), "simulated boards"),
    ],
)
def test_who_has_a_live_cable(settings, second, why):
    machine = profile.load("dec3000-600", settings)
    assert exact_time.hindrance([board(), second], machine).startswith(why)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"settings": {"link.duplex": "half"}}, "link.duplex = half"),
        ({"loss": 0.1}, "its wire has no faults yet"),
        ({"machine": "challenge-100"}, "bcache.private"),
    ],
)
def test_what_boards_do_not_have(changes, why):
    spec = RunSpec(engine="board", ports=("A", "B"), **changes)
    with pytest.raises(UserError, match=why):
        of("board").check(spec, profile.load(spec.machine, spec.settings))


def test_the_cable_is_fast_whatever_the_wire():
    assert str(exact_time.mode(MACHINE)) == "100BASE-TX full duplex, negotiated"


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (1, "A: exact time is silent: .* in both jacks"),
        (2, "A: exact time is stalled: "),
        (4 | exact_time.FOREIGN, "A: exact time is broken: .* of another session came"),
        (16, "A: exact time is not recorded: an entry of the record was lost"),
    ],
)
def test_an_error_of_the_gateway_ends_the_run(state, said):
    exact_time.check(board())
    with pytest.raises(RunError, match=said):
        exact_time.check(board(state=state))


@pytest.mark.parametrize("exact", [True, False])
def test_a_slow_board_is_not_still(monkeypatch, exact):
    """In exact time the board's own clock counts, too, which is its messages."""
    now = [0.0]
    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: now[0]))
    node = board()
    sent = node.link.held
    sent["board.sent"] = (1 << 32) - 5
    still = session.Stillness(node, exact)
    assert not still.too_long(3)
    now[0] = session.SECONDS
    assert not still.too_long(3)
    now[0] += 1
    assert still.too_long(3) is not exact
    sent["board.sent"] = session.MESSAGES - 5
    assert still.too_long(3) is not exact
    sent["board.sent"] += 1
    assert still.too_long(3)
    assert not still.too_long(4) and not still.too_long(4)
