# SPDX-License-Identifier: BSD-2-Clause
"""Nodes by their images on every engine: kept, swept, compared, traced, and what is refused."""

import dataclasses
import json
import shlex
from pathlib import Path

import pytest

import mcpi
from mcpi import api, studies
from mcpi.analysis.profile import Profile
from mcpi.base import run_store
from mcpi.base.errors import UserError
from mcpi.base.progress import Silent
from mcpi.batch import perform
from mcpi.batch.plan import Wanted
from mcpi.engines import base as engines
from mcpi.engines import simulate, span
from mcpi.results import folders
from mcpi.spec import node_spec
from mcpi.spec.node_spec import NodeImage, NodeSpec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RTL, RunSpec
from mcpi.spec.spec import Spec
from mcpi.studies.osdi94 import plan as osdi94
from mcpi.studies.tr9304 import plan as tr9304
from mcpi.studykit import collect

ONE = dataclasses.replace(tr9304.QUICK, samples={"udp": 1}, round_trips=1)
FEW = dataclasses.replace(osdi94.QUICK, round_trips=1, warmup=1)


def receiver(engine: str = EXACT) -> NodeSpec:
    """BSD's receiver of five messages, without a log that one engine lacks."""
    wanted = Wanted(RunSpec(engine=engine))
    (e,) = tr9304.boots(wanted, ONE, tr9304.Configuration("bsd", tr9304.SMALL))
    return dataclasses.replace(e.spec, evictions=False)


def several(point: osdi94.Point) -> osdi94.Experiment:
    return osdi94.experiment(Wanted(RunSpec(engine=EXACT)), FEW, point)


TWO = osdi94.Point(osdi94.Curve(osdi94.CHALLENGE, "tcp", "receive"), 2)


def test_a_kept_run_of_several_cores_is_not_run_again(tmp_path, monkeypatch):
    """Its record comes from the files that were kept."""
    monkeypatch.setattr(run_store, "BUILD", tmp_path)
    monkeypatch.setattr(run_store, "KEPT", tmp_path / "kept")
    wanted = several(TWO)
    study, records = studies.find("osdi94"), []
    for name in ("a", "b"):
        root = tmp_path / name / "runs"
        ran = perform.perform(perform.build([wanted], root, Silent()), 1, Silent())
        assert ran == (name == "a")
        records.append(collect.collect(study, root, FEW, [wanted]).record)
        monkeypatch.setattr(simulate, "simulate", None)  # nothing is started
    assert records[0] == records[1]
    (run,) = records[0]["results"][TWO.key]["runs"]
    assert run["mbps"] > 0 and run["locks"]


def test_another_image_switch_machine_or_field_is_another_run(tmp_path):
    """Everything that a run depends on is in its key."""
    plain = several(TWO)
    changed = [
        {},
        {"seed": 2},
        {"fields": plain.spec.fields | {"round_trips": 2}},
        {"settings": plain.spec.settings | {"bus.miss_ticks": "99"}},
        {"images": (NodeImage("mpbench-tcp", ("XK_MP_CHECKSUM=0",)),)},
        {"locks": False},
    ]
    found = [
        dataclasses.replace(plain, name=str(n), spec=dataclasses.replace(plain.spec, **more))
        for n, more in enumerate(changed)
    ]
    tasks = perform.build(found, tmp_path, Silent())
    keys = {run_store.key(simulate.command(*task.how()), task.place) for task in tasks}
    assert len(keys) == len(changed)


def test_a_receiver_leaves_the_same_files_on_the_rtl(tmp_path):
    for engine in (EXACT, RTL):
        place, result = api.perform(receiver(engine), tmp_path / engine, Silent())
        assert result.provenance.program == "udprecv-bsd" and result.steady.client.ticks > 0
    assert not folders.differences(tmp_path / EXACT, tmp_path / RTL, below=False)
    assert json.loads((tmp_path / RTL / "oracle.json").read_text())


@pytest.mark.long  # another simulator is built; sim/test has mcpi-cores of each machine
def test_a_node_of_two_cores_leaves_the_same_files_on_the_rtl(tmp_path):
    spec = dataclasses.replace(several(TWO).spec, locks=False)
    for engine in (EXACT, RTL):
        api.perform(dataclasses.replace(spec, engine=engine), tmp_path / engine, Silent())
    names = folders.ALONE
    assert not folders.differences(tmp_path / EXACT, tmp_path / RTL, below=False, names=names)


def test_a_sweep_over_a_receiver(tmp_path, monkeypatch):
    """A row for each TLB; more entries, no more ticks; the same again from what is kept."""
    monkeypatch.setattr(run_store, "KEPT", tmp_path / "kept")
    monkeypatch.setenv("MCPI_KEPT", str(tmp_path / "kept"))
    entries = (12, 128)
    found = api.sweep(of=receiver(), tlb_data_entries=entries, jobs=1, out=tmp_path / "out")
    assert found.ran == 2 and list(found.frame["tlb_data_entries"]) == list(entries)
    assert list(found.frame["program"]) == ["udprecv-bsd"] * 2
    small, large = found.frame["issue"]
    assert small >= large > 0
    again = api.sweep(of=receiver(), tlb_data_entries=entries, jobs=1)
    assert again.ran == 0 and list(again.frame["ticks"]) == list(found.frame["ticks"])
    with pytest.raises(UserError, match="layout: the image"):
        api.sweep(of=receiver(), layouts=2)
    with pytest.raises(UserError, match="pasages: no option of a run and no parameter"):
        api.sweep(of=receiver(), pasages=(1, 2))


def test_two_receivers_are_compared(tmp_path):
    slow = receiver()
    slow = dataclasses.replace(slow, settings=slow.settings | {"memory.read_ticks": "30"})
    for name, spec in (("a", receiver()), ("b", slow)):
        api.perform(spec, tmp_path / name, Silent())
    runs = [mcpi.load(tmp_path / name) for name in "ab"]
    found = mcpi.compare(*runs)
    assert found.comparison.owners() and "D-cache" in found.sentence
    assert "udprecv-bsd on hp720" in repr(runs[0]) and runs[0].console
    with pytest.raises(UserError, match="trace a span"):
        runs[0].profile()
    with pytest.raises(UserError, match="no path was measured: a node has none"):
        Profile(runs[0].folder, "client")


def test_a_span_of_a_finished_receiver(tmp_path):
    """Its spec comes from the run's folder, script and all."""
    from mcpi.api import tracing
    from mcpi.tracing.span_selection import Wanted as Span

    place, _ = api.perform(receiver(), tmp_path / "a", Silent())
    (tmp_path / "a" / "command.txt").unlink()
    assert span.recorded(place).script == str(place / "messages.txt")
    with tracing.trace(place, Span(ticks="9000000:9000500")) as found:
        assert sum(tick.count for tick in found.ticks("client")) == 500
        assert found.sides == ("client", "server")


def test_every_engine_says_what_it_cannot_do():
    alone, pair = several(TWO).spec, receiver()
    for spec, engine, said in (
        (alone, RTL, "engine rtl has no log of locks; engine exact has"),
        (dataclasses.replace(pair, evictions=True), RTL, "no log of evictions"),
        (dataclasses.replace(pair, machine="challenge-100", settings={}), EXACT, "no node on a wi"),
        (dataclasses.replace(alone, machine="hp720", settings={}), EXACT, "private b-caches"),
    ):
        with pytest.raises(UserError, match=said):
            engines.judged(dataclasses.replace(spec, engine=engine))
    with pytest.raises(UserError, match="boards run stacks"):
        engines.of("board").check(pair, pair.check())
    with pytest.raises(UserError, match="no application 'mpbnch'.*Did you mean"):
        spec = dataclasses.replace(alone, images=(NodeImage("mpbnch-udp"),))
        api.perform(spec, Path("never"), Silent())
    with pytest.raises(UserError, match="dcache.policy = back has no ideal memory"):
        engines.judged(RunSpec(machine="hp720"))


def test_the_command_repeats_the_run():
    text = shlex.split(several(TWO).spec.command())[-1]
    names: dict = {}
    exec(text.rpartition("; perform(")[0], names)
    spec = eval(text.rpartition("; perform(")[2].removesuffix(")"), names)
    assert spec == several(TWO).spec


@pytest.mark.parametrize(
    "spec",
    [RunSpec(), ProgramSpec(("hello.c",)), receiver(), several(TWO).spec],
    ids=["run", "program", "receiver", "several cores"],
)
def test_each_kind_of_spec_satisfies_the_protocol(spec):
    """Its attributes and methods, none of them made up for another kind's sake."""
    wanted = {*Spec.__annotations__, *(n for n in vars(Spec) if not n.startswith("_"))}
    assert wanted >= {"title", "check", "boot", "words"}
    assert not [name for name in wanted if not hasattr(spec, name)]
    assert isinstance(spec.nodes, tuple) and spec.longest > 0 and spec.boot()["seed"] == spec.seed
    assert type(spec) is RunSpec or not hasattr(spec, "round_trips")


def test_a_program_of_one_s_own_is_a_file_that_is_there(tmp_path: Path) -> None:
    """It is titled by its name alone."""
    file = tmp_path / "count.c"
    spec = NodeSpec("dec3000-mp", (NodeImage(str(file)),))
    assert (spec.title, spec.program) == ("count", "count.c")
    with pytest.raises(UserError, match=r"count\.c: no such file"):
        node_spec.wanted(spec)
    file.write_text("")
    assert node_spec.wanted(spec).sources == (file,)
    assert node_spec.wanted(spec).application == ""
