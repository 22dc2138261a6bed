# SPDX-License-Identifier: BSD-2-Clause
"""Experiments that the report leaves open: shares of summed messages, the queue's length, layers in
one pass, protocols in the application's domain."""

import dataclasses
from collections import Counter
from pathlib import Path

import pytest
from tools_support import figure_standard

from mcpi.batch.plan import Wanted
from mcpi.machine.profile import load
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.studies.tr9304 import figures, frames, plan, tables, values
from mcpi.studies.tr9304.left_open import domains, layers, mixtures, queues
from mcpi.studies.tr9304.plan import Configuration
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured


def study(**overheads: list[int]) -> Measured:
    """A study with these overheads of configurations."""
    about = {"runs": [{"offered": 1, "received": 1}], "probes": 1, "measured": 1}
    about |= {"causes": {}, "counters": {}}
    results = {k.replace("_", "-"): about | {"overheads": [v]} for k, v in overheads.items()}
    return Measured({"results": results, "absent": {}})


@pytest.mark.parametrize(("share", "summed"), [(25, [3]), (50, [1, 3]), (75, [1, 2, 3])])
def test_a_share_of_the_messages_has_a_sum(share: int, summed: list[int]) -> None:
    """Evenly among all; the others are as in traffic without sums."""
    machine = load(plan.MACHINE)
    lines = {
        n: frames.script(machine, 8, 1, 1000, n).splitlines()[: 8 * frames.FRAMES]
        for n in (0, share, 100)
    }
    heads = {n: every[:: frames.FRAMES] for n, every in lines.items()}
    for at in range(8):
        own = 100 if at % 4 in summed else 0
        assert heads[share][at] == heads[own][at] != heads[100 - own][at]
        assert frames.has_sum(at, share) == (own == 100)
    rest = {n: [e for at, e in enumerate(every) if at % 10] for n, every in lines.items()}
    assert rest[share] == rest[100] == rest[0]  # the sum is in the first frame's header


def test_messages_without_a_sum_are_told_from_those_with_one() -> None:
    """They are kept apart in each boot; a boot that lost a message is not judged."""
    key = "bsd-1-mixed50"
    found = study(bsd_1_mixed50=[0] * 10 + [365] * 10, plain=[365] * 20)
    assert values.of_sums(found, key, summed=False) == [0] * 10
    assert values.of_sums(found, key, summed=True) == [365] * 10
    found.record["results"][key]["overheads"].append([730] * 10 + [0] * 10)
    assert figures.FIGURES["without_sums"](found, "", key, "plain") == 1
    assert figures.FIGURES["without_sums_wholly"](found, "", key, "plain") == -50
    found.record["results"][key]["runs"] = [{"offered": 5, "received": 4}]
    with pytest.raises(Missing, match="lost"):
        values.of_sums(found, key, summed=False)


def test_the_table_of_shares_by_hand() -> None:
    """At 25 % the fourth message has a sum; the ends have messages of one kind alone."""
    keys = {share: plan.summed(plan.unsummed()[0], share).key for share in (0, 25, 100)}
    found = study(a=[730] * 40, b=[365] * 30 + [1_095] * 10, c=[0] * 40)
    results = found.record["results"]
    results |= dict(zip(keys.values(), (results["a"], results["b"], results["c"]), strict=True))
    rows = {row.labels: row.cells for row in mixtures.table(found).rows}
    none, some, all_ = (rows["BSD", share] for share in ("0", "25", "100"))
    assert (none["without"].ours, none["with"].ours) == (2, None)
    assert (some["without"].ours, some["with"].ours, some["over"].ours) == (1, 3, 0.5)
    assert (all_["without"].ours, all_["with"].ours, all_["wholly_with"].ours) == (None, 0, 100)
    assert rows["BSD", "75"]["without"].why and len(rows) == 20


def test_a_train_is_followed_by_a_rest() -> None:
    """Whole trains: the warm-up is the first of them."""
    machine = load(plan.MACHINE, Configuration("bsd", 0, mbps=plan.FAST).settings)
    lines = frames.script(machine, 8, 0.5, 1000, 0, 4).splitlines()[: 8 * frames.FRAMES]
    starts = [int(line.split()[1]) for line in lines[:: frames.FRAMES]]
    gaps = [(b - a) / 50 for a, b in zip(starts, starts[1:])]
    assert gaps == pytest.approx([1_730.4] * 3 + [41_730.4] + [1_730.4] * 3)
    [c] = [c for c in plan.integrated() if c.train and c.structure == "bsd" and c.copied]
    extent = dataclasses.replace(plan.QUICK, round_trips=5)
    [e] = plan.boots(Wanted(RunSpec(engine=EXACT)), extent, c, count=1)
    assert len(frames.starts(Path(e.spec.script))) == 12


@pytest.mark.parametrize("length", plan.LENGTHS)
def test_a_queue_has_room_for_its_messages(length: int) -> None:
    """Limits of BSD's sockets are of bytes and of mbufs (docs/explanation/udp-receive.md)."""
    queue = plan.queued("bsd", length).queue
    mbufs, held, used = min(2 * queue, 262_144), 0, 0
    message, buffers = frames.DATA + 8, 128 + 10 * 128 + 10 * (128 + 2048)
    while queue - held * message >= message and mbufs - used >= message:
        held, used = held + 1, used + buffers
    assert held == length
    [switch] = [s for s in plan.queued("bsd", length).switches if s.startswith("QUEUE_BYTES")]
    assert switch == f"QUEUE_BYTES={queue}"


def test_the_queues_table_and_curve_by_hand() -> None:
    keys = [plan.queued("bsd", n).key for n in (1, 11)]
    found = study(a=[0] * 3 + [365], b=[365] * 4)
    results = found.record["results"]
    results |= dict(zip(keys, (results["a"], results["b"]), strict=True))
    results[keys[1]] = results[keys[1]] | {"runs": [{"offered": 4, "received": 3}]}
    for one in results.values():
        one["causes"] = {"refills": 2}
    rows = {row.labels: row.cells for row in queues.table(found).rows}
    one, large = rows["BSD", "1"], rows["BSD", "11"]
    assert (one["wholly"].ours, one["wholly"].theirs, one["received"].ours) == (75, 60, 100)
    assert (large["wholly"].ours, large["wholly"].theirs, large["received"].ours) == (0, 52, 75)
    assert queues.curve(found, "bsd") == [(1, 75, [75]), (11, 0, [0])]
    figure_standard.check([queues.panel(found).drawing()])
    assert "BSD: 1 75, 11 0;" in queues.panel(found).about


def test_what_the_report_leaves_open_has_fewer_boots() -> None:
    """Its claims are judged on the boots that every configuration has."""
    every = plan.plan(Wanted(RunSpec(engine=EXACT)), plan.FULL)
    of = Counter(e.part[1] for e in every if e.part[0] == plan.RESULTS)
    assert {of[c.key] for c in plan.later()} == {8}
    assert {of[c.key] for c in plan.configurations() if c not in plan.later()} <= {30, 0}
    found = study(a=[365], b=[730])
    for key, boots in (("a", 3), ("b", 2)):
        one = found.record["results"][key]
        one |= {"runs": [{"measured": 1, "counters": {}}] * boots, "overheads": [[365]] * boots}
    assert [len(tables.boots(found, least).views) for least in (False, True)] == [3, 2]


def counted(of: dict[str, dict[str, float]]) -> Measured:
    """A study of configurations with these counters of one message."""
    found = study(**dict.fromkeys(of, [0]))
    for key, own in of.items():
        found.record["results"][key]["counters"] = own
    return found


def test_passes_are_switches_of_one_image() -> None:
    """The reader's copy sums only where it checks late; nothing is probed."""
    ways = plan.passes(Configuration("bsd", 0))
    of = {
        way: {s for s in c.switches if "SUM" in s and s[:6] != "READER"} for way, c in ways.items()
    }
    late = {"UDP_CHECKSUM=2"}
    wanted = [{"UDP_CHECKSUM=0"}, {"UDP_CHECKSUM=1"}, late, late | {"COPY_SUMS=1"}]
    assert list(of.values()) == wanted
    assert all("PROBE=0" in c.switches for c in ways.values())
    assert all("PROBE=0" not in c.switches for c in plan.domains())


def test_the_table_of_layers_by_hand() -> None:
    keys = [c.key for c in plan.passes(Configuration("bsd", 0)).values()]
    work = (800, 1_200, 1_200, 1_000)
    own = {key: {"ticks": n + 50, "owner.idle": 50} for key, n in zip(keys, work, strict=True)}
    own[keys[3]] |= {"dcache.misses": 7}
    rows = {row.labels: row.cells for row in layers.table(counted(own)).rows}
    copy = rows["BSD", "gap 0", plan.IN_COPY]
    assert (copy["work"].ours, copy["over"].ours, copy["misses"].ours) == (1_000, 1.2, 7)
    assert rows["BSD", "gap 0", plan.NO_SUM]["over"].ours == 1.5
    assert rows["HPUX", "trains", plan.IN_UDP]["work"].why and len(rows) == 20


def test_the_table_of_domains_by_hand() -> None:
    plain, larger = plan.domains()[0], plan.sized(plan.domains()[0], plan.FOOTPRINT)
    idle = {"ticks": 500, "owner.idle": 100}
    own = {plain.key: idle | {"context_switches": 3}, larger.key: idle | {"dtb.misses": 9}}
    rows = {row.labels: row.cells for row in domains.table(counted(own)).rows}
    one, large = (rows["Library", "20 ms", size] for size in ("none", "80 × 4"))
    assert (one["work"].ours, one["switches"].ours, one["wholly"].ours) == (400, 3, 100)
    assert large["refills"].ours == 9 and one["forced"].why
    assert rows["Mach", "0 ms", "none"]["work"].why and len(rows) == 12


def test_a_claim_of_fewer_boots_is_judged_on_them() -> None:
    """The library has two boots, BSD three, which another claim is judged on."""
    found = study(library_20=[100], bsd_20=[100], bsd_20_load144=[1_000])
    for key, boots in (("library-20", 2), ("bsd-20", 3), ("bsd-20-load144", 3)):
        one = found.record["results"][key]
        one["runs"] = [{"measured": 1, "counters": {}}] * boots
        one["overheads"] *= boots
    rows = {row.labels[0]: row for row in tables.judged(found).rows}
    [few] = [row for claim, row in rows.items() if "library over BSD" in claim]
    [every] = [row for claim, row in rows.items() if "144 bytes a word over unloaded" in claim]
    assert (few.labels[1], few.cells["n"].ours) == ("holds", 2)
    assert (every.labels[1], every.cells["n"].ours) == ("holds", 3)
