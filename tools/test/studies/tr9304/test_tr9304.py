# SPDX-License-Identifier: BSD-2-Clause
"""The study of TR 93-04: its generator, its values by hand, and a small run of it."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from scapy.layers.inet import IP, UDP, fragment
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from tools_support import figure_standard

from mcpi import studies
from mcpi.base import run_store
from mcpi.base.errors import RunError, UserError
from mcpi.batch.plan import Wanted
from mcpi.engines import simulate
from mcpi.firmware import elf, images
from mcpi.machine.profile import load
from mcpi.spec.run_spec import EXACT, RTL, RunSpec
from mcpi.studies.tr9304 import (
    details,
    drops,
    evictors,
    figure1,
    figures,
    footprint,
    frames,
    histograms,
    plan,
    probes,
    saturation,
    steps,
    tables,
    values,
)
from mcpi.studies.tr9304.evictors import Domains
from mcpi.studies.tr9304.plan import Configuration
from mcpi.studies.tr9304.probes import Probe
from mcpi.studykit import claims, command
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured


@pytest.mark.parametrize("checksums", [False, True])
@pytest.mark.parametrize("size", [frames.DATA, 0, 100])
def test_frames_are_those_of_scapy(size: int, checksums: bool) -> None:
    data = bytes(n * 31 % 256 for n in range(size))
    udp = UDP(sport=9000, dport=7) if checksums else UDP(sport=9000, dport=7, chksum=0)
    packet = IP(src="10.0.0.2", dst="10.0.0.1", id=77, ttl=64) / udp / Raw(data)
    ether = Ether(src="08:00:2b:00:00:02", dst="08:00:2b:00:00:01", type=0x800)
    wanted = [bytes(ether / part) for part in fragment(packet, fragsize=frames.FRAGMENT)]
    found = frames.frames(data, 77, checksums)
    assert [f[: len(w)] for f, w in zip(found, wanted, strict=True)] == wanted
    assert all(len(f) >= 60 for f in found)


def test_a_message_is_ten_full_frames() -> None:
    machine = load(plan.MACHINE)
    assert {len(f) for f in frames.frames(bytes(frames.DATA), 1, False)} == {1514}
    assert frames.message_ticks(machine) == 12_304 * 50  # µs and ticks, the report's 12.3 ms
    lines = frames.script(machine, 2, 20, 1000, False).splitlines()
    assert len(lines) == 2 * frames.FRAMES + frames.LATEST_ENDS
    ticks = [int(line.split()[1]) for line in lines]
    assert ticks[: frames.FRAMES] == [1000] * frames.FRAMES
    assert ticks[frames.FRAMES] == 1000 + (12_304 + 20_000) * 50


STAMPS = """node,tick,stamp
1,1,probe_close
0,100,probe_open
0,1099,probe_close
1,1100,probe_again
0,1988,probe_again
0,3000,probe_open
0,3889,probe_close
0,4779,probe_again
0,9000,probe_again
"""


def test_the_second_pass_is_read() -> None:
    assert probes.again(STAMPS) == [889, 890]


PASSAGES = """tick,open,close,passages,ticks,dcache.misses,dcache.dirty_misses,dtb.misses,\
dtb.refill_ticks,bus.core_waits_dma,pal_ticks,refill.dcache.misses,refill.dcache.dirty_misses,\
icache.misses
5,1f0,2f0,1,1052,3,2,1,91,7,80,1,1,0
9,1f0,2f0,1,1500,0,0,0,0,0,300,0,0,0
11,1f0,2f0,1,932,0,0,0,0,0,0,0,0,1
13,1f0,2f0,1,1300,0,0,1,91,0,130,0,0,0
strays,1
"""


def test_a_probes_ticks_are_told_apart() -> None:
    """The first probe has a clean line and a dirty one, a refill that missed a dirty one itself,
    and seven ticks of DMA; the second an interrupt; the third code; the fourth an interrupt and a
    refill."""
    first, second, third, fourth = probes.read(PASSAGES, 913)
    assert first == Probe(139, 1, 1, 1, 91, 7, 0, 0) and first.quiet
    assert first.rest(18, 23) == 0 and first.rest(18, 24) == -1
    assert second.interrupted and second.rest(18, 23) == 587 and not second.quiet
    assert third.code == 1 and third.rest(18, 23) == 19 and not third.quiet
    assert fourth.interrupted and fourth.refills == 1 and fourth.rest(18, 23) == 296


def study(**overheads: list[int]) -> Measured:
    """With these overheads of configurations."""
    about = {"overheads": [], "runs": [{"offered": 1, "received": 1}], "probes": 1, "measured": 1}
    about |= {"causes": {}, "counters": {}}
    results = {k.replace("_", "-"): about | {"overheads": [v]} for k, v in overheads.items()}
    every = {key: one | {"owners": {"issue": 3}} for key, one in results.items()}
    return Measured({"results": every, "absent": {}})


ONE = [0, 9, 10, 827, 828, 1057, 1058, 1059, 2000, 2001]


def test_values_by_hand() -> None:
    found = values.of(study(mach_20=ONE), "mach-20")
    assert len(found) == 9 and values.beyond(study(mach_20=ONE), "mach-20") == 1
    ninth = 100 / 9
    assert values.wholly(found) == pytest.approx(2 * ninth)
    assert values.below_clean(found) == pytest.approx(4 * ninth)
    assert values.below_dirty(found) == pytest.approx(6 * ninth)
    assert values.above_dirty(found) == pytest.approx(2 * ninth)
    assert values.cycles_a_word([365, 730]) == 1.5
    with pytest.raises(Missing, match="bsd-0: not measured"):
        values.of(study(mach_20=ONE), "bsd-0")


def test_figures_by_hand() -> None:
    mach, bsd = [365 * 4] * 10, [365 * 2] * 10
    both = study(mach_20=mach, bsd_20=bsd)
    assert figures.FIGURES["cycles_ratio"](both, "", "mach-20", "bsd-20") == 2
    assert figures.FIGURES["more_percent"](both, "", "mach-20", "bsd-20") == 100
    assert figures.FIGURES["refills"](both, "", "mach-20", "bsd-20") == pytest.approx(730 / 170)
    falling = study(mach_20=list(range(100, 0, -10)) * 30)
    assert figures.FIGURES["later_places"](falling, "", "mach-20") == -50
    assert figures.FIGURES["far_places"](falling, "", "mach-20") == 100
    assert values.kolmogorov_smirnov([1, 2, 3] * 30, [1, 2, 3] * 30) == 1


def test_kolmogorov_smirnov_is_the_textbooks() -> None:
    """Two samples of 100 whose largest distance is 0.2: p = 0.0366 ... 0.031 with the correction
    for finite samples."""
    a, b = list(range(100)), [n + 20 for n in range(100)]
    assert values.kolmogorov_smirnov(a, b) == pytest.approx(0.0314, abs=0.002)


def test_papers_letters_have_their_places() -> None:
    letters = {
        letter: at
        for title, own in histograms.FIGURES.items()
        for c in own
        for at, letter in histograms.letters(title, c)
    }
    assert letters["D"] == 0 and letters["B"] == 840 and letters["J"] == 1228
    assert set("ADGHIJKM") <= set(letters)


def test_figures_keep_the_standard() -> None:
    """A histogram has n and the paper's letters; a point of the footprint a whisker over boots."""
    plain = Configuration("mach", plan.LARGE)
    large = plan.sized(plain, plan.FOOTPRINT)
    boots = {plain.key: [[0, 365], [730, 730]], large.key: [[365, 365], [1095, 1095]]}
    study = Measured({"results": {key: {"overheads": all_} for key, all_ in boots.items()}})
    panel = footprint.panel(study)
    assert "0 pages: 1.25 (0.50 to 2.00), 80 pages: 2.00 (1.00 to 3.00)" in panel.about
    assert "the report's Mach: 0.96" in panel.drawing().svg()
    shown = histograms.panels(study)["Figure 2: large gap"]
    assert "A at 0" in shown[0].about and "n = 4 mbufs of 2 boots" in shown[0].sample
    drawn = [panel.drawing(), *(one.drawing() for one in shown)]
    figure_standard.check(drawn)
    figure_standard.check_axes(drawn, "ticks")


def test_figure_1_has_the_reports_scheduling_points() -> None:
    """Three in a kernel; Mach has one more after its timed copy, and another when the emulator has
    replied, which no message waits for."""
    assert set(figure1.WAYS) == set(plan.SYSTEMS)
    marks = {s: sum(figure1.SCHEDULED in step for step in way) for s, way in figure1.WAYS.items()}
    assert marks == {"bsd": 3, "hpux": 3, "mach": 4, "xkernel": 3}
    figure_standard.check(figure1.drawings())
    text = "".join(one.svg() for one in figure1.drawings())
    assert all(t in text for t in ("soreceive: probe, copy", "NetworkInput", "x-kernel"))


def test_every_claim_has_its_configurations() -> None:
    keys = {c.key for c in plan.configurations()}
    assert len(keys) == len(plan.configurations())
    empty = Measured({"results": {}, "absent": {}})
    assert all(one.labels[1] == "" for one in tables.judged(empty).rows)
    for claim in claims.listed(Path(tables.__file__).parent / "claims.csv"):
        assert claim["versions"] and set(claim["versions"].split()) <= keys, claim


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(RunSpec(engine=EXACT), stacks=("tcp",)), "structures"),
        (Wanted(RunSpec(engine="board")), "no board is a hp720"),
        (Wanted(RunSpec(engine=EXACT, machine="dec3000-pmad")), "leave --machine"),
    ],
)
def test_what_it_has_not_is_refused(wanted: Wanted, said: str) -> None:
    with pytest.raises(UserError, match=said):
        plan.plan(wanted, plan.QUICK)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (
            lambda: images.plan(load(plan.MACHINE), "std", "udprecv-bds"),
            "'udprecv-bds': no structure 'bds'. There are: bsd, hpux, mach, library, xkernel. Did",
        ),
        (lambda: load(plan.MACHINE, {"tlb.data_entires": "4"}), "Did you mean tlb.data_entries"),
        (lambda: load("hp72"), "Did you mean hp720?"),
        (lambda: load(plan.MACHINE, {"tlb.data_entries": "3"}), "outside 4 to 128 entries"),
        (lambda: load(plan.MACHINE, {"tlb.page": "16KB"}), "4KB"),
    ],
)
def test_unknown_names_are_told(made: Callable, said: str) -> None:
    with pytest.raises(UserError) as refused:
        made()
    assert said in str(refused.value)


def measured(
    monkeypatch: pytest.MonkeyPatch,
    own: list[Configuration],
    messages: int,
    out: Path,
    engine: str = EXACT,
) -> dict:
    """``study.json`` of these configurations, a boot of each, and no short runs of both engines."""
    monkeypatch.setattr(plan, "configurations", lambda: own)
    extent = dataclasses.replace(plan.QUICK, samples={"udp": 1}, round_trips=messages)
    study = dataclasses.replace(studies.find("tr9304"), pairs=lambda *_: [])
    wanted = Wanted(RunSpec(engine=engine))
    command.run(command.Request(study, wanted, extent, True, 2, out, name="tr9304"))
    return json.loads((out / "study.json").read_text())


def test_a_small_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All messages arrive; HPUX's bytes come from memory, line by line; the same again."""
    own = [Configuration("bsd", 20), Configuration("hpux", 20), Configuration("mach", 0)]
    first = measured(monkeypatch, own, 4, tmp_path / "a")
    for key, one in first["results"].items():
        assert [run["received"] for run in one["runs"]] == [4 + plan.WARMUP], key
        assert len(one["overheads"][0]) == 4 * probes.PROBES
        assert one["causes"]["unexplained"] == 0 and one["measured"] == 4, key
        # Sums of all ticks: 20 ms and 12.3 ms between the messages, or 12.3 ms alone.
        period = 615_200 + (1_000_000 if "-20" in key else 0)
        assert one["counters"]["ticks"] / 4 > period - 100_000, key
    assert set(first["steps"]) == {"bsd", "hpux"}
    for found in first["steps"].values():
        assert 0 < found["interrupt"]
    lines = (tmp_path / "a" / "probes.csv").read_text().splitlines()
    assert len(lines) == 1 + 3 * 4 * probes.PROBES
    hpux = values.of(Measured(first), "hpux-20")
    # IP has touched the first of 46 lines; a refill, and DMA that is waited for, may come on top.
    assert min(hpux) >= 44 * 18 and max(hpux) < 1_058 + 88 + 23
    monkeypatch.setattr(run_store, "BUILD", tmp_path)
    monkeypatch.setattr(run_store, "KEPT", tmp_path / "nothing kept")
    again = measured(monkeypatch, own, 4, tmp_path / "b")
    assert json.dumps(again["results"]) == json.dumps(first["results"])
    monkeypatch.setattr(simulate, "simulate", None)  # all is kept: nothing is started
    assert measured(monkeypatch, own, 4, tmp_path / "c")["steps"] == first["steps"]


@pytest.mark.long  # test_node_spec compares the files of a run
def test_the_study_by_engine_rtl_has_the_same_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for evictions, of which the RTL has no log."""
    own = [Configuration("hpux", 20)]
    found = [measured(monkeypatch, own, 1, tmp_path / e, e) for e in (EXACT, RTL)]
    exact, rtl = (one["results"]["hpux-20"] for one in found)
    assert exact.pop("evictors") and not rtl.pop("evictors") and exact == rtl
    assert found[0]["steps"] == found[1]["steps"]
    assert "exact engine alone" in found[0]["provenance"]["rtl_digest"]
    assert len(found[1]["provenance"]["rtl_digest"]) == 16


def test_three_ways_of_forcing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a TLB that misses: none of them leaves a refill in a probe; an ideal TLB has none at
    all."""
    own = plan.forcing("mach", False)
    found = Measured(measured(monkeypatch, own, 3, tmp_path / "a"))
    unforced, touched, filled, ideal = (values.causes(found, c.key)["refills"] for c in own)
    assert unforced > 0.2 and touched == filled == ideal == 0
    misses = [values.of_message(found, c.key, "dtb.misses") for c in own]
    assert min(misses[:3]) > 10 and misses[3] == 0
    with pytest.raises(Missing, match="misses"):
        figures.FIGURES["ideal_percent"](found, "", own[3].key, own[0].key)


def test_a_larger_server_evicts_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of ten frames reads 320 lines; in the server's pages the TLB misses, in BSD's not."""
    plain = [Configuration(system, 20) for system in ("mach", "bsd")]
    own = [*plain, *(plan.sized(c, plan.FOOTPRINT) for c in plain)]
    found = Measured(measured(monkeypatch, own, 3, tmp_path / "a"))

    def more(system: str, counter: str) -> float:
        keys = (c.key for c in own if c.structure == system)
        without, with_ = (values.of_message(found, key, counter) for key in keys)
        return with_ - without

    assert more("mach", "dcache.misses") > 2_000 and more("mach", "dtb.misses") > 80
    assert more("bsd", "dcache.misses") > 2_000 and more("bsd", "dtb.misses") < 10
    shown = {row.labels: row.cells for row in footprint.table(found).rows}
    row = shown["Mach", "80", "4"]
    assert row["over"].theirs == 7.4 and row["wholly"].theirs == 5 and row["cycles_forced"].why
    assert row["cycles"].ours > shown["Mach", "0", "0"]["cycles"].ours
    assert [pages for pages, _ in footprint.curve(found, 4)] == [0, 80]
    assert "80 pages:" in footprint.drawn(found)


def test_saturation_is_found_by_bisection() -> None:
    """The least step of 100 µs without a drop, and what overloads by a quarter."""
    asked = []

    def drops(c: Configuration) -> bool:
        asked.append(c.gap)
        return c.gap < 5.13

    assert saturation.gap_us("bsd", drops) == 5_200
    assert len(asked) == 9 and saturation.gap_us("bsd", lambda c: False) is None
    assert saturation.overloaded(5_200, 1_230.4) == pytest.approx(3.914)  # 6.43 ms / 1.25 - 1.23


def test_what_a_boot_left_says_which_comes_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bisection, a boot at a time; then the saturated boots, with the gap that it found."""
    monkeypatch.setattr(plan, "configurations", lambda: [plan.saturated("bsd")])
    monkeypatch.setattr(saturation.frames, "starts", lambda path: [0] * 10)
    lost = lambda place: float(place.name.split("-")[1]) < 5.13  # noqa: E731
    monkeypatch.setattr(saturation.probes, "received", lambda place: 10 - lost(place))
    extent = dataclasses.replace(plan.QUICK, samples={"udp": 2}, round_trips=1)
    done: list = []
    while more := saturation.further(Path("runs"), done, Wanted(), extent):
        done += more
    assert [e.part[0] for e in done] == ["saturation"] * 9 + ["results"] * 2
    assert {e.part[1] for e in done[9:]} == {"bsd-saturated"} and saturation.saturated(done)
    found = saturation.limits(Path("runs"), done, ["bsd"])["bsd"]
    assert found["gap_us"] == 5_200 and found["ms"] == pytest.approx(3.914)
    monkeypatch.undo()
    first, second, *_ = frames.starts(Path(done[9].spec.script))
    assert (second - first) / done[9].machine.ticks_per_us == pytest.approx(1_230.4 + 3_914)


def test_the_knee_is_the_last_load_without_a_loss() -> None:
    found = study(**{f"bsd_20_load{n}": [0] for n in plan.LOADS})
    for one in found.record["results"].values():
        one["counters"] = {"owner.idle": 1}
    assert details.knee(found) == plan.LOADS[-1]
    found.record["results"]["bsd-20-load120"]["runs"] = [{"offered": 2, "received": 1}]
    assert details.knee(found) == 116
    assert details.nearest_load(116 * 24 / 25) == 112
    found.record["results"]["bsd-20-load112"]["counters"] = {"owner.idle": 0}
    assert details.knee(found) == 108


def test_every_table_can_be_drawn_of_nothing() -> None:
    empty = Measured({"results": {}, "absent": {}})
    for table in tables.of(empty):
        table.drawn().csv()


def test_drops_by_hand() -> None:
    """Three of ten were lost: two at the socket, one where nobody counts."""
    found = study(bsd_0=[1], bsd_20=[1])
    counts = {"socket: full by bytes": 2, "socket: read": 7, "driver: no buffer": 5}
    runs = [{"offered": 6, "received": 4, "counts": counts}]
    runs += [{"offered": 4, "received": 3, "counts": {}}]
    found.record["results"]["bsd-0"]["runs"] = runs
    [row] = drops.table(found, [Configuration("bsd", 0), Configuration("bsd", 20)]).rows
    assert {name: cell.ours for name, cell in row.cells.items()} == {
        "offered": 10,
        "received": 7,
        "lost": 3,
        "socket: full by bytes": 2,
        "driver: no buffer": 5,
        "elsewhere": 1,
    }


def test_details_by_hand() -> None:
    found = study(bsd_0=[365, 730], bsd_0_still_phase=[365])
    found.record["results"]["bsd-0"]["overheads"] = [[365], [1_095]]
    made = {table.key: table for table in tables.of(found)}
    [both] = [
        r for r in made["spread"].rows if r.labels == ("BSD", "timer's phase and pools' place")
    ]
    assert both.cells["mean"].ours == 2 and both.cells["sd"].ours == 1


EVICTIONS = """page,displaced,lines,same
3130,3130,5,2
3130,,7,0
3131,1800,1,0
3131,2004,4,0
3131,fffffc0000021,3,0
3131,fffffc0000100,2,0
3131,fffffc0000131,6,0
"""


def test_steps_by_hand() -> None:
    """For a function that is entered for each frame, the last time before the probes counts."""
    entered = {"IP": [90, 95, 195, 210], "reader asks for the next": [40, 130, 290]}
    found = steps.of(entered, [80, 180], [(100, 120), (200, 280)])
    assert found == {
        "IP": 15,
        steps.FIRST_PROBE: 20,
        steps.LAST_PROBE: 70,
        "reader asks for the next": 80,
    }


def test_steps_of_a_kept_study_have_their_order(tmp_path: Path) -> None:
    """study.json has its keys in another order."""
    order = [*plan.BEFORE["bsd"], steps.FIRST_PROBE, steps.LAST_PROBE, *plan.AFTER]
    made = Measured({"steps": {"bsd": {step: 10.0 * n for n, step in enumerate(order, 1)}}})
    made.save(tmp_path / "study.json")
    for study in (made, Measured.read(tmp_path / "study.json")):
        rows = steps.table(study).rows
        assert [row.labels[1] for row in rows] == order
        assert {row.cells["since"].ours for row in rows} == {10}


def test_a_function_that_is_not_there_is_named() -> None:
    with pytest.raises(RunError, match="no function nobody in the image"):
        elf.functions([], ["nobody"])


def test_evictors_by_hand() -> None:
    """Clusters by both their addresses; DMA is told by the same block; the server has mbufs."""
    known = Domains({"clusters": (0x130800, 0x230000)}, {"mbufs": (0x2004FFF, 0x2006000)})
    assert evictors.read(EVICTIONS, known) == {
        "clusters": 3 + 6,
        "DMA": 2,
        "nobody": 7,
        "reader": 1,
        "mbufs": 4,
        "frames": 3,
        "kernel": 2,
    }
    library = Domains({}, {}, {"clusters": (0x1800000, 0x1801000)})
    assert evictors.read(EVICTIONS.splitlines()[0] + "\n3131,1800,1,0\n", library) == {
        "clusters": 1
    }


def test_a_claim_that_does_not_hold_says_why() -> None:
    found = study(mach_20=[0], bsd_20=[365])
    for key, misses in (("mach-20", 900), ("bsd-20", 600)):
        found.record["results"][key]["counters"] = {"dcache.misses": misses}
    notes = {note.partition(":")[0]: note for note in tables.judged(found).notes}
    assert "900 in Mach and 600 in BSD" in notes["K1"]
    assert {key for key in notes if key.startswith("K")} == {"K1"}  # the others were not measured


@pytest.mark.parametrize(
    ("mach", "word", "turned"),
    [
        ((900, 800, 700), "holds", 0),
        ((900, 800, 100), "undecided", 100 / 3),
        ((0, 100, 200), "does not hold", 0),
    ],
)
def test_a_claim_is_judged_on_the_boots(mach, word, turned) -> None:
    found = study(mach_20=[0], bsd_20=[100])
    results = found.record["results"]
    for key, overheads in (("mach-20", mach), ("bsd-20", (100, 100, 100))):
        one = results[key]
        one["overheads"] = [[n] for n in overheads]
        one["runs"] = [{"measured": 1, "counters": {}} for _ in overheads]
    row = tables.judged(found).rows[0]
    assert row.labels[1:] == (word, "boots")
    assert row.cells["figure"].ours == pytest.approx(sum(mach) / 300)  # of all mbufs
    assert row.cells["median"].ours == pytest.approx(sorted(mach)[1] / 100)
    assert (row.cells["n"].ours, row.cells["turned"].ours) == (3, pytest.approx(turned))


def test_a_ratio_of_nothing_is_infinite_and_of_two_nothings_one() -> None:
    assert figures.quotient(3, 0) == float("inf")
    assert figures.quotient(0, 0) == 1 and figures.quotient(3, 2) == 1.5
