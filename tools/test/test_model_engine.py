# SPDX-License-Identifier: BSD-2-Clause
"""Engine ``model`` (model.md): to the tick on what was recorded, near on what was not."""

import dataclasses
import json
import struct
from pathlib import Path

import pytest
from command import mcpi

from mcpi.base import run_store
from mcpi.base.errors import UserError
from mcpi.base.process import Stop
from mcpi.base.progress import Bar
from mcpi.build import graph, run_folder
from mcpi.engines import simulate
from mcpi.engines.model import engine, predictions, recording, remap
from mcpi.engines.model.engine import Predicted
from mcpi.engines.model.remap import Range
from mcpi.results import measure
from mcpi.results.measure import Event
from mcpi.spec import numbers, run_jobs
from mcpi.spec.run_spec import MODELLED, RunSpec
from mcpi.study import model_check

MAP = """
 .text.start    0xfffffc0000100000       0x7c objects/boot-crt0.S.o
 .text.a_function_with_a_long_name
                0xfffffc000010007c       0x20 objects/a.o
 .text          0xfffffc0000100100        0x0 objects/empty.o
 .rodata.str1.8 0xfffffc0000100200       0x18 objects/a.o
 .got           0xfffffc0000100300       0x18 objects/a.o
 .debug_str     0x0000000000000043       0x10 objects/a.o
 .bss           0xfffffc0000100400       0x40 objects/a.o
"""


def test_sections_of_a_link_map(tmp_path):
    """Not the empty, not the merged, not the linker's own, not what is not loaded."""
    (tmp_path / "image.map").write_text(MAP)
    found = remap.sections(tmp_path / "image.map")
    assert {name: place for (name, _, _), place in found.items()} == {
        ".text.start": (0x100000, 0x7C),
        ".text.a_function_with_a_long_name": (0x10007C, 0x20),
        ".bss": (0x100400, 0x40),
    }


def test_a_slot_of_the_got_follows_its_address(monkeypatch, tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    elf = {
        old: ({".got": (0x900, struct.pack("<3Q", 0x100, 0x208, 0x5000))}, {}),
        new: ({".got": (0xA00, struct.pack("<3Q", 0x5000, 0x708, 0x600))}, {}),
    }
    monkeypatch.setattr(remap, "_elf_cached", elf.get)
    moved = [Range(0x100, 0x600, 0x20), Range(0x200, 0x700, 0x20)]
    assert remap._got(old, new, moved) == [
        Range(0x900, 0xA10, 8),
        Range(0x908, 0xA08, 8),
        Range(0x910, 0xA00, 8),
    ]


def test_busy_times_are_the_models_and_the_others_the_recordings():
    """One exchange: controllers take 100 and 200 ticks whatever the processors do."""
    start, end, sent, came = measure.START, measure.END, measure.HAND_OVER, measure.NET_INTERRUPT
    first, last = measure.MEASURE_START, measure.MEASURE_END
    client = [(0, first), (0, start), (50, sent), (60, came), (400, came), (450, end), (450, last)]
    server = [(150, came), (200, sent)]
    recorded = [Event(t, n, e) for n, one in ((0, client), (1, server)) for t, e in one]
    recorded.sort(key=lambda e: (e.tick, e.node))
    slower = [(0, first), (0, start), (70, sent), (80, came), (500, came), (580, end), (590, last)]
    real = [Predicted({}, slower), Predicted({}, [(1000, came), (1040, sent)])]
    window = engine.timeline(recorded, real)
    assert measure.round_trips(window) == [(0, 70 + 100 + 40 + 200 + 80)]
    parts = measure.breakdown(window, 1)
    assert list(parts.values()) == [70, 100, 40, 200, 80]


def test_ranks():
    assert model_check.rank([1, 2, 3, 4], [10, 20, 30, 40]) == 1
    assert model_check.rank([1, 2, 3, 4], [4, 3, 2, 1]) == -1
    assert model_check.rank([1, 1, 2], [5, 5, 9]) == pytest.approx(1)
    assert model_check.rank([1, 1, 1], [1, 2, 3]) is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cold"], "--cold has no effect with --engine model"),
        (["--set", "core.prediction=ev4"], "ev4 is not modelled"),
        (["--layout", "micro"], "variant std does not clone"),
    ],
)
def test_what_it_cannot_is_refused(words, said):
    done = mcpi("run", "--engine", "model", *words)
    assert done.returncode == 2 and said in " ".join(done.stderr.split()), done.stderr


# ALL inlines and clones; RPC's client leaves its window in mid-path and has a server of its own.
CASES = [RunSpec(stack="tcp", variant="std"), RunSpec(stack="rpc", variant="all")]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Recordings of the cases, and each predicted on its own image."""
    place = tmp_path_factory.mktemp("model")
    wanted = {place / r.title: dataclasses.replace(r, engine="model") for r in CASES}
    with Bar() as bar:
        made = predictions.predict(wanted, 2, bar)
    return dict(zip(wanted, made, strict=True))


@pytest.mark.slow
def test_a_recording_is_kept_as_the_runs_it_is(tmp_path, monkeypatch):
    """``./mcpi paper --quick`` takes it for those: ``--trace-steps`` changes no other file."""
    monkeypatch.setattr(recording, "PLACE", tmp_path / "recordings")
    monkeypatch.setattr(run_store, "KEPT", tmp_path / "kept")
    record = recording.of(RunSpec())
    with Bar() as bar:
        recording.make([record], 2, bar, cold=True)
        built = graph.build(record, record.check(), bar)
    jobs = {
        run_jobs.Job(1, run_jobs.REAL): [],
        run_jobs.Job(1, run_jobs.COLD, short=True): ["--cold"],
    }
    place = tmp_path / "run"
    run_folder.prepare(place, record, built, list(jobs))

    def fail() -> None:
        raise AssertionError("the recording was not kept")

    for job, options in jobs.items():
        phases = run_jobs.phases_of(record.seed, job.sample, record.check())
        told = run_jobs.spec_of(record, job)
        words = (built.simulator, place, job.folder, told, phases, options)
        assert not run_store.once(simulate.command(*words), place, job.folder, fail)
        taken = _files(place / job.folder)
        assert simulate.simulate(*words, Stop(), lambda *_: None)
        assert taken == _files(place / job.folder)
        assert {"events.csv", "counters.json", "wire.pcap"} <= taken.keys()
        assert ("replay.json" in taken) == (job.memory == run_jobs.COLD)


def _files(place: Path) -> dict[str, bytes]:
    """What a run leaves, but for how it was called and how long it took."""
    found = {name: place / name for name in run_store.LEFT if (place / name).exists()}
    about = json.loads(found.pop("run.json").read_text())
    del found["command.txt"], about["wall_seconds"]
    found.pop("stderr.txt", None)
    return {name: path.read_bytes() for name, path in found.items()} | {"run.json": repr(about)}


# The model counts from a step, the hardware from a tick between two: idle ticks and a few others.
EDGE = 128


@pytest.mark.slow
def test_the_recorded_image_to_the_tick(recorded):
    """Counters, trace and cache model are compared by the run itself; here the whole pipeline, from
    instructions alone: every event from reset to exit in its tick, on both machines; of the path
    every owner and every counter; of everything all but the edges."""
    for place, made in recorded.items():
        hardware = measure.counters(made.folder / "counters.json")
        events = measure.events(made.folder / "events.csv")
        for n in numbers.SIDES.values():
            told = json.loads((place / f"machine.{n}").read_text())
            assert [tuple(e) for e in told["events"]] == [
                (e.tick, e.number) for e in events if e.node == n
            ], (place.name, n)
            for bank, edge in (("path", 0), ("all", EDGE)):
                known = {
                    k: v for k, v in hardware[n][bank].items() if k.startswith(engine.PREDICTED)
                }
                found = {k: told[bank].get(k, 0) for k in known}
                # A block first missed between the two edges is a replacement to one of them only.
                may = {k: max(edge, 2 * k.endswith("replacement_misses")) for k in known}
                differ = {k: (v, found[k]) for k, v in known.items() if abs(v - found[k]) > may[k]}
                assert not differ, (place.name, n, bank)


@pytest.mark.slow
@pytest.mark.parametrize(
    "record",
    [
        RunSpec(stack="tcp", variant="std", layout="shuffle-1"),
        RunSpec(stack="rpc", variant="all", layout="linear"),
    ],
    ids=lambda r: f"{r.title}-{r.layout}",
)
def test_another_layout_is_near_its_run(record, tmp_path):
    """What ``./mcpi run`` measures of the same image in the same round trips; 1 % is asked for."""
    short = [f"--{name.replace('_', '-')}={value}" for name, value in MODELLED.items()]
    words = ["--stack", record.stack, "--variant", record.variant, "--layout", record.layout]
    found = []
    for engine_ in ("rtl", "model"):
        command = ["run", *words, "--engine", engine_, "--out", str(tmp_path / engine_)]
        command += short if engine_ == "rtl" else []
        done = mcpi(*command, "--json")
        assert done.returncode == 0, f"./mcpi {' '.join(command)}\n{done.stderr}"
        found.append(json.loads(done.stdout))
    truth, predicted = found
    # What ran is what is said.
    for told in (truth["round_trip"], predicted["round_trip"]):
        assert (told["round_trips"], told["samples"]) == (8, 1)
    assert predicted["provenance"]["warmup"] == truth["provenance"]["warmup"] == 16
    assert "round-trips" not in predicted["provenance"]["command"]
    for get in (
        lambda r: r["round_trip"]["mean_us"],
        lambda r: r["steady"]["client"]["time_us"],
        lambda r: r["steady"]["client"]["icpi"],
        lambda r: r["steady"]["client"]["icache"]["misses"],
    ):
        assert get(predicted) == pytest.approx(get(truth), rel=0.01)


@pytest.mark.slow
def test_other_code_is_refused(recorded, tmp_path):
    made = next(iter(recorded.values()))
    with Bar() as bar:
        other = RunSpec(stack="tcp", variant="out")
        images = graph.images([other], other.check(), bar)[0]
        program = graph.model(bar)
    with pytest.raises(UserError, match="not made of the same objects"):
        engine.predict(other, made, images, program, tmp_path)
