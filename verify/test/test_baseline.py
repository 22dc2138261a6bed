# SPDX-License-Identifier: BSD-2-Clause
"""Tests of the baseline: the comparison by hand, the mistakes it must see, and the study itself."""

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from mcpi import studies
from mcpi.base import run_store
from mcpi.results import files
from mcpi.spec.run_spec import EXACT
from verify import baseline, baseline_parts
from verify.long_tests import sampled

COUNTERS = {
    "clocks": 99,
    "nodes": [
        {"bank": 1, "counters": {"ticks": 120, "instructions": 40}, "clocks": 7},
        {"bank": 1, "counters": {"ticks": 80, "instructions": 30}, "withheld": 3},
    ],
}


@pytest.fixture
def runs(tmp_path, monkeypatch) -> Path:
    """A folder of two small runs; counters of a path come from their plain form."""
    monkeypatch.setattr(
        baseline.measure,
        "counters",
        lambda path: [{"path": n["counters"]} for n in json.loads(path.read_text())["nodes"]],
    )
    for name in ("tcp-std", "tcp-std/cold"):
        folder = tmp_path / "runs" / name
        folder.mkdir(parents=True)
        (folder / "events.csv").write_text("tick,node,event\n1,0,5\n")
        (folder / "counters.json").write_text(json.dumps(COUNTERS))
        (folder / "run.json").write_text('{"wall_seconds": 1}')
    return tmp_path / "runs"


def _moved(runs: Path, change, names: dict | None = None) -> list[baseline.Moved]:
    before = baseline.of(runs, {})
    other = runs.with_name("other")
    shutil.copytree(runs, other)
    change(other)
    return baseline.moved(before, baseline.of(other, names or {}))


def _rewrite(path: Path, change) -> None:
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def test_the_same_files_have_not_moved(runs):
    assert _moved(runs, lambda place: None) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda p: (p / "tcp-std/run.json").write_text("{}"),
        lambda p: _rewrite(p / "tcp-std/counters.json", lambda c: c.update(clocks=1)),
        lambda p: _rewrite(p / "tcp-std/counters.json", lambda c: c["nodes"][1].update(withheld=9)),
        lambda p: _rewrite(p / "tcp-std/counters.json", lambda c: c["nodes"][0].pop("clocks")),
        lambda p: (p / "tcp-std/counters.json").write_text(json.dumps(COUNTERS, indent=4)),
    ],
    ids=["wall time", "clocks", "withheld", "no clocks", "layout of the file"],
)
def test_what_does_not_count_has_not_moved(runs, change):
    assert _moved(runs, change) == []


def test_one_tick_of_one_counter_is_named_with_both_figures(runs):
    def change(place):
        path = place / "tcp-std/cold/counters.json"
        _rewrite(path, lambda c: c["nodes"][0]["counters"].update(ticks=121))

    (found,) = _moved(runs, change)
    assert (found.run, found.files) == ("tcp-std/cold", ("counters.json",))
    assert found.figures == (("client.ticks", 120, 121),)


def test_one_byte_of_an_exact_file_moves_a_run(runs):
    (found,) = _moved(runs, lambda p: (p / "tcp-std/events.csv").write_text("tick,node,event\n"))
    assert (found.run, found.files, found.figures) == ("tcp-std", ("events.csv",), ())


def test_a_file_too_many_and_one_too_few(runs):
    def change(place):
        (place / "tcp-std/events.csv").rename(place / "tcp-std/stamps.csv")

    (found,) = _moved(runs, change)
    assert found.files == ("events.csv missing", "stamps.csv new")


def test_a_renamed_key_counts_under_its_old_name_and_only_there(runs):
    def change(place):
        for path in place.rglob("counters.json"):
            path.write_text(path.read_text().replace('"bank"', '"window"'))

    assert _moved(runs, change, {"window": "bank"}) == []
    shutil.rmtree(runs.with_name("other"))
    assert len(_moved(runs, change)) == 2


LOG = "tick,count,owner,pc,events\n0,1,agen,,\n1,2,issue,1f00,dcache.agen,\n"


@pytest.mark.parametrize(
    "changed, same",
    [
        (LOG.replace("1,agen", "1,address_use"), True),
        (LOG, False),
        (LOG.replace("1,agen", "2,address_use"), False),
        (LOG.replace("1,agen", "1,address_use").replace("dcache.agen", "dcache.x"), False),
    ],
    ids=["renamed", "not renamed", "another count", "another event"],
)
def test_a_renamed_owner_in_a_tick_log_counts_under_its_old_name(tmp_path, changed, same):
    (log := tmp_path / "ticks.csv").write_text(LOG)
    before = baseline.digest(log, {})
    log.write_text(changed)
    names = {"address_use": "agen", "agen": "before"}
    assert (baseline.digest(log, names) == before) == same


def test_every_file_that_a_run_leaves_counts():
    """But for what tells how it was started and how long it took. Only runs that are longer than
    the baseline's leave compressed files."""
    plain = {name for name in run_store.LEFT if not name.endswith(files.SUFFIX)}
    assert plain - {*baseline.BYTES, baseline.TICK_LOG, *baseline.READ} == {
        "run.json",
        "command.txt",
        "stderr.txt",
    }


STUDY = {e.name: e for e in baseline.experiments()}
# All runs of a version on the RTL; of the other versions and of one switch the first run alone, on
# the exact engine, which leaves the same bytes. The rest is long.
WHOLE, SWITCH = "tcp-std", "tcp-std-XK_INLINE"
FIRST = [n for n, e in STUDY.items() if e.whole and n != WHOLE or n == SWITCH]


def _has_not_moved(experiment: baseline.Experiment, place: Path, without: str = "") -> None:
    """Its files have the digests that are checked in; to see more: ./mcpi baseline. ``without``: a
    file that it does not leave."""
    before = baseline.Baseline.read().part([experiment])
    before.digests.pop(f"{experiment.name}/{without}", None)
    now = baseline.of(baseline.measured([experiment], place, 1))
    assert now.compiler == before.compiler and now.figures.keys() == before.figures.keys()
    assert baseline.moved(before, now) == [], "meant? ./mcpi baseline --write"


@pytest.mark.parametrize("name", FIRST)
def test_its_first_run_has_not_moved(name, tmp_path):
    first = baseline.first(STUDY[name])
    on_engine = dataclasses.replace(first.spec, engine=EXACT)
    # Predictions that the RTL's counters are compared with are not the engine's to leave.
    _has_not_moved(dataclasses.replace(first, spec=on_engine), tmp_path, "oracle.json")


@pytest.mark.parametrize("name", sampled(STUDY, WHOLE.__eq__))
def test_the_study_has_not_moved(name, tmp_path):
    _has_not_moved(STUDY[name], tmp_path)


def test_the_baseline_is_of_all_runs_of_the_study_and_of_the_parts():
    before = baseline.Baseline.read()
    parts = {name: before.of_part(name) for name in baseline_parts.EACH}
    theirs = {f"{name}/{run}" for name, part in parts.items() for run in part.figures}
    assert before.figures.keys() - theirs == baseline.folders(list(STUDY.values()))
    assert len(before.part(list(STUDY.values())).digests) + sum(
        len(part.digests) for part in parts.values()
    ) == len(before.digests)
    assert before.engines == baseline.ENGINES


def test_a_part_of_each_other_study_and_programs_are_in_the_baseline():
    """Each study but the one that the RTL runs; nodes of several cores, dec3000-mp among them."""
    assert {*studies.there(), "exec"} == {studies.DEFAULT, *baseline_parts.EACH}
    part = baseline.Baseline.read().of_part("osdi94")
    assert "core 3.ticks" in part.figures["dec3000-mp-udp-send-4-1"]
    for name in baseline_parts.EACH:
        digests = baseline.Baseline.read().of_part(name).digests
        assert any(path.endswith("counters.json") for path in digests)
        assert name == "exec" or {"results.json", "tables/claims.csv"} <= digests.keys()


@pytest.mark.parametrize("name", sampled(baseline_parts.EACH, lambda name: name != "slides"))
def test_a_part_has_not_moved(name, tmp_path):
    place = baseline.part(name, tmp_path, 1)
    before = baseline.Baseline.read().of_part(name)
    assert baseline.moved(before, baseline.of(place)) == [], "meant? ./mcpi baseline --write"


def test_a_tick_more_of_a_machine_is_found(tmp_path, monkeypatch):
    """The program of the baseline on a machine whose memory takes a tick more."""
    slower = dataclasses.replace(
        baseline_parts.PROGRAMS["list-array"], settings={"memory.read_ticks": "49"}
    )
    monkeypatch.setattr(baseline_parts, "PROGRAMS", {"list-array": slower})
    now = baseline.of(baseline.part("exec", tmp_path, 1))
    before = baseline.Baseline.read().of_part("exec")
    found = {one.run: one for one in baseline.moved(before, now)}
    assert {"counters.json", "events.csv", "result.json", "ticks.csv"} & {
        *found["list-array"].files
    }
    (ticks,) = (f for f in found["list-array"].figures if f[0] == "client.ticks")
    assert ticks[1] < ticks[2]


def _cores(place: Path, ticks: int) -> baseline.Baseline:
    (run := place / "mp-2-1").mkdir(parents=True)
    cores = [{"all": {"ticks": n, "instructions": 5}} for n in (100, ticks)]
    (run / "counters.json").write_text(json.dumps({"ticks": 100, "cores": cores}))
    (run / "console.txt").write_text("data 4\n")
    (place / "results.json").write_text(json.dumps({"results": {"mp-2": {"ticks": ticks}}}))
    (place / "tables").mkdir()
    (place / "tables" / "claims.csv").write_text(f"T1,{ticks}\n")
    return baseline.of(place, {})


def test_a_tick_of_one_core_moves_the_run_its_figures_and_its_table(tmp_path):
    found = baseline.moved(_cores(tmp_path / "a", 200), _cores(tmp_path / "b", 201))
    assert [(one.run, one.files) for one in found] == [
        ("mp-2-1", ("counters.json",)),
        ("", ("results.json",)),
        ("tables", ("claims.csv",)),
    ]
    assert found[0].figures == (("core 1.ticks", 200, 201),)


def test_a_first_run_has_no_result_and_nothing_of_the_others():
    part = baseline.Baseline.read().part([baseline.first(STUDY["tcp-bad"])])
    assert set(part.figures) == {"tcp-bad"} and "tcp-bad/events.csv" in part.digests
    assert {path.rpartition("/")[0] for path in part.digests} == {"tcp-bad"}
    assert "tcp-bad/result.json" not in part.digests


def test_the_table_of_renamed_keys_names_each_key_once():
    names = baseline.renamed()
    assert len(set(names.values())) == len(names)
