# SPDX-License-Identifier: BSD-2-Clause
"""Two exact nodes and the wire leave the same files as two Verilated ones, and the same ticks."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from sim_support import PAL_BASE, different, machine_json, simulate
from test_exact import difference

from mcpi.base.progress import Bar
from mcpi.build import graph, models
from mcpi.spec.run_spec import RunSpec

FILES = ["events.csv", "stamps.csv", "wire.pcap", "console.0.txt", "console.1.txt"]
FAULTS = ["0:lose=0.1", "1:duplicate=0.1", "0:delay=0.2", "1:corrupt=0.1", "1:reorder=0.1"]


def words(stack: str, seed: int, round_trips: int = 3) -> list[str]:
    boot = {"stack": ("tcp", "rpc").index(stack), "round_trips": round_trips, "warmup": 2}
    items = [f"{n}:boot.{key}={value}" for n in (0, 1) for key, value in boot.items()]
    return [*(word for item in items for word in ("--node", item)), "--seed", str(seed)]


def images(stack: str, variant: str = "std", **more) -> graph.Built:
    spec = RunSpec(stack=stack, variant=variant, **more)
    with Bar() as bar:
        return graph.build(spec, spec.check(), bar)


def both(
    built: graph.Built,
    folder: Path,
    *options: object,
    settings: dict[str, str] | None = None,
    wrong: dict[str, str] | None = None,
) -> tuple[Path, Path]:
    """The folders of RTL and exact engine; `wrong`: what only the engine's machine says."""
    settings = settings or {}
    for name in ("rtl", "exact"):
        (folder / name).mkdir()
    rtl, exact = folder / "rtl", folder / "exact"
    more = ["--no-lockstep", "--no-oracle"]
    done = simulate(built, rtl, machine_json(folder, settings), *options, *more)
    assert done.returncode == 0, done.stderr
    program = models.build("mcpi-exact")
    simulate(built, exact, machine_json(exact, settings | (wrong or {})), *options, program=program)
    return rtl, exact


@pytest.mark.parametrize("stack, seed", [("tcp", 1), ("tcp", 2), ("rpc", 3)])
def test_the_same_bytes(stack, seed, tmp_path):
    rtl, exact = both(images(stack), tmp_path, *words(stack, seed))
    assert not different(rtl, exact, FILES)


@pytest.mark.parametrize("setting", ["link.duplex=half", "lance.wiring=pmad", "lance.chip=c-lance"])
def test_the_same_bytes_with_another_card(setting, tmp_path):
    settings = dict([setting.split("=")])
    pmad = {"machine": "dec3000-pmad"} if setting.endswith("pmad") else {"settings": settings}
    built = images("tcp", **pmad)
    rtl, exact = both(built, tmp_path, *words("tcp", 1), settings=settings)
    assert not different(rtl, exact, FILES)


def test_the_same_ticks(tmp_path):
    """Every tick of node 0, with its owner, pc and events, from reset to exit."""
    markers = tmp_path / "markers"
    markers.write_text(f"{int(PAL_BASE, 16):#x},1,1\n")
    options = [*words("tcp", 1), "--tick-log", "0", "--node", f"0:markers={markers}"]
    rtl, exact = both(images("tcp"), tmp_path, *options)
    assert not (found := difference(rtl / "ticks.csv", exact / "ticks.csv")), found


def test_the_same_bytes_when_frames_are_lost(tmp_path):
    built = images("tcp")
    faults = [word for fault in FAULTS for word in ("--wire", fault)]
    options = [*words("tcp", 4, 12), *faults, "--max-ticks", 20_000_000]
    machine = machine_json(tmp_path)
    for name in ("rtl", "exact"):
        program = models.build("mcpi-exact") if name == "exact" else None
        done = simulate(built, tmp_path / name, machine, *options, program=program)
        assert done.returncode == 1 and "gave up at tick" in done.stderr
    assert not different(tmp_path / "rtl", tmp_path / "exact", FILES)


@pytest.mark.parametrize(
    "wrong", ["lance.gap_ns=708", "lance.interrupt_ns=3306", "bcache.dma_ticks=11"]
)
def test_a_machine_that_is_not_what_it_says_is_seen(wrong, tmp_path):
    rtl, exact = both(images("tcp"), tmp_path, *words("tcp", 1), wrong=dict([wrong.split("=")]))
    assert "stamps.csv" in different(rtl, exact, FILES)


@pytest.mark.parametrize(
    "option", [["--cold"], ["--trace", "0"], ["--trace-steps"], ["--measure-by-registers"]]
)
def test_what_is_not_there_is_refused_by_name(option, tmp_path):
    built = images("tcp")
    program = models.build("mcpi-exact")
    done = simulate(built, tmp_path, machine_json(tmp_path), *option, program=program)
    assert done.returncode == 2 and option[0] in done.stderr
