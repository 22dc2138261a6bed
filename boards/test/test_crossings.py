# SPDX-License-Identifier: BSD-2-Clause
"""Between a board's clocks stand synchronisers, or a reason; mistakes are seen."""

import re

import pytest

from mcpi.base.errors import RunError
from mcpi.base.repo import BUILD
from mcpi.fpga import crossings
from mcpi.hdl import cocotb_run
from mcpi.machine import boards
from verify.long_tests import sampled

ALONE = "GatewayRgmii"  # gateway and adapter, with the clocks that a board has


def found(verilog, top):
    return crossings.crossings(crossings.read(verilog, top, BUILD / "crossings" / verilog.stem))


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(boards.names(), lambda name: name == "ecpix-5"))
def test_every_crossing_of_a_board(name):
    top = boards.load(name).top
    seen = found(cocotb_run.elaborate(top), top)
    assert not [c for c in seen if c.reason is None]
    kinds = {kind: sum(c.how == kind for c in seen) for kind in {c.how for c in seen}}
    # Frames, lengths and their pulses both ways, the link, the speed, resets into the PHY's clocks.
    assert kinds[crossings.SYNCHRONISER] >= 14
    assert kinds[crossings.MEMORY] >= 6 and kinds[crossings.RESET] >= 4


@pytest.mark.long
def test_every_reason_is_needed():
    """By one of the boards: what no board has is no reason."""
    seen = [
        c
        for name in boards.names()
        for c in found(cocotb_run.elaborate(boards.load(name).top), boards.load(name).top)
    ]
    for how, what in crossings.REASONS:
        assert any(c.how == how and re.search(what, f"{c.source} -> {c.to}") for c in seen), what


STAGE = "assign io_dataOut = buffers_1;"
# Content of each synchroniser, and what it becomes; how many are no mistake: without registers a
# reset taken over is a constant, three times; of one the reset is a pin, which is known already.
MISTAKES = {
    "one register": (STAGE, "assign io_dataOut = buffers_0;", 0),
    "none": (STAGE, "assign io_dataOut = io_dataIn;", 3),
    "a gate in front": ("buffers_0 <= io_dataIn;", "buffers_0 <= io_dataIn ^ buffers_1;", 1),
}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    """Its Verilog, and what of it nobody answers for: its ports are the node's, and no pins."""
    text = cocotb_run.elaborate(ALONE).read_text()
    return text, unanswered(text, tmp_path_factory.mktemp("right"))


def unanswered(text, place):
    file = place / f"{ALONE}.v"
    file.write_text(text)
    seen = crossings.crossings(crossings.read(file, ALONE, place))
    return {(c.source, c.to, c.how) for c in seen if c.reason is None}


@pytest.mark.parametrize("name", sampled(MISTAKES, lambda name: name != "none"))
def test_a_mistake_is_seen(gateway, tmp_path, name):
    """In each synchroniser by itself."""
    text, before = gateway
    old, new, unseen = MISTAKES[name]
    where = [hit.start() for hit in re.finditer(re.escape(old), text)]
    assert len(where) == 10
    seen = 0
    for at in where:
        changed = text[:at] + new + text[at + len(old) :]
        seen += bool(unanswered(changed, tmp_path) - before)
    assert seen == len(where) - unseen, f"{seen} of {len(where)}"


def test_what_a_board_is_told(gateway, tmp_path):
    text, _ = gateway
    file = tmp_path / f"{ALONE}.v"
    file.write_text(text.replace(*MISTAKES["one register"][:2]))
    with pytest.raises(RunError, match="(?s)without a synchroniser.* -> .*bare.*BufferCC"):
        crossings.check(file, ALONE, tmp_path)
