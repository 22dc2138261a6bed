# SPDX-License-Identifier: BSD-2-Clause
"""The cold invocation's trace: replayed by the model, counted once more here, and in situ."""

import csv
import json
from pathlib import Path

import pytest

from mcpi.base.errors import RunError
from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.machine import profile
from mcpi.results import cold_replay
from mcpi.results.cold_replay import Function
from verify.long_tests import sampled

BLOCK, SETS = 32, 256  # of both first-level caches


@pytest.fixture(scope="module", params=sampled(["tcp", "rpc", "bsd"], "rpc".__eq__))
def run(request, tmp_path_factory) -> tuple[str, Path, dict]:
    """A run of each stack. The RTL leaves the same trace (test_exact_pair.py)."""
    out = tmp_path_factory.mktemp("replay") / request.param
    command = ["./mcpi", "run", "--stack", request.param, "--cold", "--round-trips", "2", "--json"]
    done = heard([*command, "--out", str(out)], cwd=ROOT)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr[-4000:]}"
    return request.param, out, json.loads(done.stdout)


def rows(out: Path) -> list[dict]:
    with (out / "cold" / "cold_trace.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def direct_mapped(blocks: list[int]) -> tuple[int, int]:
    """Misses and replacement misses from empty; a block that misses is there from then on."""
    there, before, misses, replaced = {}, set(), 0, 0
    for block in blocks:
        if there.get(block % SETS) != block:
            misses += 1
            replaced += block in before
            before.add(block)
            there[block % SETS] = block
    return misses, replaced


def test_first_level_caches_counted_once_more(run):
    _, out, result = run
    replay = result["replay"]["client"]
    trace = rows(out)
    fetched = [int(r["pc"], 16) // BLOCK for r in trace]
    # An access counts in the tick after its issue: that of the last instruction is outside.
    loaded = [int(r["address"], 16) // BLOCK for r in trace[:-1] if r["kind"] == "load"]
    icache = replay["icache"]
    assert (icache["misses"], icache["replacement_misses"]) == direct_mapped(fetched)
    misses, replaced = direct_mapped(loaded)  # stores do not allocate
    counts = json.loads((out / "cold" / "replay.json").read_text())
    assert (counts["dcache.misses"], counts["dcache.replacement_misses"]) == (misses, replaced)
    stores = sum(r["kind"] == "store" for r in trace[:-1])
    assert replay["dcache_write_buffer"]["accesses"] == len(loaded) + stores
    assert replay["icache"]["accesses"] == len(trace) == replay["instructions"]


def test_the_second_level_misses_each_block_once(run):
    """Nothing of an image meets itself in 2 MB: a miss for each block that was ever asked for."""
    _, out, result = run
    counts = json.loads((out / "cold" / "replay.json").read_text())
    bcache = result["replay"]["client"]["bcache"]
    assert bcache["replacement_misses"] == 0
    trace = rows(out)
    touched = {int(r["pc"], 16) // BLOCK for r in trace}
    touched |= {int(r["address"], 16) // BLOCK for r in trace if r["kind"] in ("load", "store")}
    assert bcache["misses"] <= len(touched) + counts["bcache.prefetches"]
    assert bcache["misses"] >= len(touched) - 4  # what the write buffer still has
    kinds = ("fetches", "prefetches", "loads", "writes")
    assert bcache["accesses"] == sum(counts[f"bcache.{kind}"] for kind in kinds)


def test_replay_and_hardware_differ_by_what_was_left_out_alone(run):
    """The same invocation: as many instructions, loads and stores; handler and DMA move misses."""
    _, _, result = run
    replay, situ = result["replay"]["client"], result["cold"]["client"]
    assert replay["instructions"] == situ["instructions"]
    for cache in ("icache", "dcache_write_buffer"):
        assert replay[cache]["accesses"] == situ[cache]["accesses"]
    for cache in ("icache", "dcache_write_buffer", "bcache"):
        assert replay[cache]["misses"] == pytest.approx(situ[cache]["misses"], rel=0.03)
    for kind in ("blocks", "words"):
        assert replay["fetch"][kind] == situ["fetch"][kind]


def test_a_cold_invocation_is_a_whole_one(run):
    """The RPC client's has two parts, with a switch of threads between them."""
    _, out, result = run
    steady, cold = result["steady"]["client"], result["cold"]["client"]
    assert cold["instructions"] == pytest.approx(steady["instructions"], rel=0.02)
    assert cold["invocations"] == 1
    known = {f.start: f.name for f in cold_replay.functions(out / "image.elf")}
    entered = [known[pc] for pc in (int(r["pc"], 16) for r in rows(out)) if pc in known]
    first = "ipintr" if run[0] == "bsd" else "eth_demux"
    assert entered.index("transmit_frame") > entered.index(first)


def test_controllers_and_wire_add_up(run):
    _, _, result = run
    trip, parts, wire = (result[k] for k in ("round_trip", "breakdown_us", "wire_us"))
    assert sum(parts.values()) == pytest.approx(trip["mean_us"], abs=1e-3)
    assert trip["adjusted_us"] == pytest.approx(trip["mean_us"] - 2 * trip["controller_us"])
    for way in ("request", "reply"):
        assert 0 < wire[way] < parts[f"{way}_controller_and_wire"]
    frame = 98 if result["provenance"]["stack"] == "rpc" else 64
    assert wire["request"] == pytest.approx((frame + 8) * 0.8, abs=1.0)  # 10 Mb/s, preamble


def test_ranges_are_counted_from_entry_to_entry():
    known = [Function("a", 100, 8), Function("b", 200, 8), Function("c", 300, 8)]
    pcs = [300, 100, 104, 8, 200, 204, 300, 100]
    assert cold_replay.distance(pcs, known, "a", "b") == 3
    assert cold_replay.distance(pcs, known, "b", "c") == 2
    assert cold_replay.distance(pcs, known, "b", "none") is None
    assert cold_replay.distance(pcs, known[:1], "a", "b") is None


def test_rows_of_table_3_are_of_the_functions_that_are_there():
    known = [Function("ipintr", 100, 8), Function("tcp_input", 200, 8), Function("other", 300, 8)]
    known += [Function("tcp_input.cold", 208, 8), Function("sowakeup", 400, 4)]
    code = [100, 300, 104, 200, 300, 208, 204, 400, 104]
    assert cold_replay.ranges(code, known) == {
        "ip_input_to_tcp_input": 3,
        "tcp_input_to_socket_input": 4,
        "in_ipintr": 3,
        "in_tcp_input": 3,
    }
    assert cold_replay.ranges(code, known[2:3]) == {}


def test_the_size_is_of_every_function_entered_and_no_other():
    known = [Function("a", 100, 16), Function("alias", 100, 16), Function("a.cold", 116, 40)]
    known += [Function("b", 200, 8)]
    assert cold_replay.static_size([104], known) == 4
    assert cold_replay.static_size([104, 120], known) == 4 + 10
    assert cold_replay.static_size([96, 156, 208], known) == 0


def test_outlined_code_is_a_part_of_its_own():
    image = cold_replay._parts(Function("a", 100, 40), {("a", 116): "a.cold", ("b", 120): "b.cold"})
    assert image == [Function("a", 100, 16), Function("a.cold", 116, 24)]
    assert cold_replay._parts(Function("a", 200, 8), {("a", 116): "a.cold"}) == [
        Function("a", 200, 8)
    ]


def test_a_replay_that_lost_an_instruction_is_refused(tmp_path):
    (tmp_path / "replay.json").write_text(json.dumps({"instructions": 3, "icache.accesses": 2}))
    with pytest.raises(RunError, match="3 instructions, but 2"):
        cold_replay.replay(tmp_path / "replay.json", [0], profile.load("dec3000-600"))
