# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi exec`` on machines with several cores: what each core does, and how they fail."""

import csv
import json
import re
from pathlib import Path

import pytest
from tools_support.command import mcpi

from mcpi.analysis.profile import Profile
from mcpi.api import single_run as api
from mcpi.base.errors import RunError
from mcpi.base.repo import FIRMWARE, ROOT
from mcpi.firmware import program
from mcpi.results import folders, record
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RTL

CORES = str(FIRMWARE / "test" / "programs" / "cores.c")
FLOATS = str(FIRMWARE / "test" / "programs" / "float_cores.c")
LOCK = str(ROOT / "examples" / "cores" / "lock.c")
WAITS = str(FIRMWARE / "test" / "programs" / "cores_wait.c")
MACHINE = "challenge-100"
FILES = folders.ALONE | {"result.json", "ticks.csv", "events.csv", "stamps.csv"}
FILES |= {"passages.0.csv", "passages.1.csv"}
FEW = {"timer.hz": "1000"}  # a short period of the timer: a standstill is noticed early


@pytest.fixture(scope="module")
def four(tmp_path_factory) -> Path:
    spec = ProgramSpec((CORES,), machine=MACHINE, cores=4, core=2, tick_log="client")
    place, _ = api.perform(spec, tmp_path_factory.mktemp("run") / "four")
    return place


def test_all_cores_run_and_none_loses_a_count(four):
    """The program checks numbers, the barrier, locks, additions and swaps; its exit code is 0."""
    assert (four / "console.txt").read_text() == "4 cores: 0 1 2 3\n"


def test_each_core_has_its_owners_causes_and_places(four):
    result = record.read(four / "result.json")
    assert result.provenance.cores is None and result.provenance.settings == {"core.count": "4"}
    assert len(result.cores.client) == 4
    ticks = {core.whole.ticks for core in result.cores.client}
    assert len(ticks) == 1  # all cores are in the same tick
    for core in result.cores.client:
        assert sum(core.whole.owners.values()) == core.whole.ticks
        for owner, causes in core.causes.items():
            assert sum(causes.values()) == core.whole.owners[owner]
        for owner, causes in core.path_causes.items():
            assert sum(causes.values()) == core.path.totals.owners[owner] > 0
        assert core.regions["counting"].invocations == 2
    assert "of core 0" in result.cores.client[0].regions
    assert list(result.regions.client) == ["counting"]
    mine = result.cores.client[2].regions["counting"]
    assert result.regions.client["counting"].totals == mine.totals


def test_the_profile_is_that_of_the_core(four):
    found = Profile(four, "client")
    assert found.whose == "core 2" and found.invocations == 2
    assert (
        found.sum.total == record.read(four / "result.json").regions.client["counting"].totals.ticks
    )
    assert {"counts", "mcpi_lock", "mcpi_atomic_add"} <= {row.name for row in found.rows()}


def test_the_command_prints_a_column_for_each_core(tmp_path):
    words = ("exec", CORES, "--machine", MACHINE, "--cores", "3", "--core", "1", "--json")
    done = mcpi(*words, "--out", str(tmp_path / "a"))
    assert done.returncode == 0, done.stderr
    assert re.search(r"who owns the ticks of the run +core 0 +core 1 +core 2\n", done.stderr)
    assert "remote" in done.stderr and "again: ./mcpi exec" in done.stderr
    content = json.loads(done.stdout)
    assert list(content["regions"]["client"]) == ["counting"]  # core 1 runs no main
    again = re.search(r"again: \./mcpi (.*)", done.stderr)[1].split()
    assert again[again.index("--cores") :][:4] == ["--cores", "3", "--core", "1"]


def test_a_trace_shows_the_core(tmp_path):
    words = ("trace", CORES, "--machine", MACHINE, "--cores", "2", "--core", "1")
    done = mcpi(*words, "--around", "counts", "--rows", "5")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("core 1, ticks ") and "counts+0x0" in done.stdout


def test_one_core_is_enough(tmp_path):
    """Run the program on a machine that has no others, and on a part of one that has."""
    for machine in ("dec3000-600", "dec3000-mp"):
        cores = 1 if machine == "dec3000-mp" else 0
        spec = ProgramSpec((CORES,), machine=machine, cores=cores)
        place, _ = api.perform(spec, tmp_path / machine)
        assert api.printed(place)[0] == "1 cores: 0\n"


def test_without_the_option_all_cores_run(tmp_path):
    place, result = api.perform(ProgramSpec((CORES,), machine=MACHINE), tmp_path / "a")
    assert (place / "console.txt").read_text() == "8 cores: 0 1 2 3 4 5 6 7\n"
    assert len(result.cores.client) == 8


@pytest.mark.parametrize(("wait", "functions"), [(1, "mcpi_lock both"), (2, "mcpi_barrier alone")])
def test_cores_that_all_wait_are_named(wait, functions, tmp_path):
    spec = ProgramSpec((WAITS,), machine=MACHINE, settings=FEW, cores=3, defines=(f"WAIT={wait}",))
    with pytest.raises(api.Failed) as failed:
        api.perform(spec, tmp_path / "a")
    said = str(failed.value)
    assert said.startswith("no core can go on at tick "), said
    assert len(re.findall(r"core \d in ", said)) == 3 and "\n" not in said
    for name in functions.split():
        assert re.search(rf"{name}\+0x", said), said
    assert failed.value.printed == ["begin\n"]


@pytest.mark.parametrize("wait", [3, 4])
def test_cores_that_wait_for_something_go_on(wait, tmp_path):
    """Another core computes in registers for long; the timer's handler ends the loop."""
    spec = ProgramSpec((WAITS,), machine=MACHINE, settings=FEW, cores=2, defines=(f"WAIT={wait}",))
    place, _ = api.perform(spec, tmp_path / "a")
    assert (place / "console.txt").read_text() == "begin\nend\n"


def test_a_run_that_is_too_long_names_each_core(tmp_path):
    spec = ProgramSpec((WAITS,), machine=MACHINE, cores=2, defines=("WAIT=3",), max_ticks=100_000)
    with pytest.raises(api.Failed, match=r"gave up at tick 100000 .*core 0 in .*; core 1 in "):
        api.perform(spec, tmp_path / "a")


@pytest.mark.parametrize(
    ("fault", "said"), [(5, "core 1: the program stopped itself"), (6, "code 7")]
)
def test_a_core_that_fails_ends_the_run(fault, said, tmp_path):
    done = mcpi(
        *("exec", WAITS, "--machine", MACHINE, "--cores", "2", "--define", f"WAIT={fault}"),
        *("--out", str(tmp_path / "a")),
    )
    assert done.returncode == 1 and said in done.stderr, done.stderr
    assert done.stderr.splitlines()[-1].startswith("again: ./mcpi exec ")


REFUSED = {
    "--cores 2": "dec3000-600 has one core. Take a machine with several",
    "--machine challenge-100 --cores 9": "challenge-100 has 8 cores; 1 to 8 is wanted",
    "--machine challenge-100 --cores 2 --set core.count=3": "says another",
    "--machine challenge-100 --cores 2 --core 2": "cores 0 to 1",
    "--core 1": "has one core, core 0",
    "--machine challenge-100 --cold": "has no --cold",
    "--machine challenge-100 --peer a.c": "has no --peer",
    "--machine challenge-100 --repeat 2": "has no --repeat",
    "--machine challenge-100 --check memory": "has no --check memory",
    "--machine challenge-100 --pal a.S": "has no --pal",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_is_refused_before_anything_is_built(words, tmp_path):
    done = mcpi("exec", CORES, *words.split(), "--out", str(tmp_path / "run"))
    assert done.returncode == 2 and REFUSED[words] in done.stderr, done.stderr
    assert not (tmp_path / "run").exists()


def console_of_floats(place: Path, cores: int) -> str:
    """The text of numbers that core 0 has computed alone, and all cores at once with the same
    bits."""
    api.perform(ProgramSpec((FLOATS,), machine=MACHINE, cores=cores), place)
    return (place / "console.txt").read_text()


def test_floating_point_on_four_cores_has_the_bits_of_one_core(tmp_path):
    text = console_of_floats(tmp_path / "one", 1)
    assert len(set(text.splitlines())) == 8
    assert console_of_floats(tmp_path / "four", 4) == text


def test_cores_that_share_floating_point_registers_are_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(program, "_has_several", lambda machine: False)
    with pytest.raises(api.Failed):
        console_of_floats(tmp_path / "four", 4)


def test_programs_on_several_cores_are_swept(tmp_path):
    words = ["sweep", LOCK, "--machine", MACHINE, "--set", "core.count=1,2"]
    done = mcpi(*words, "--out", str(tmp_path / "sweep"))
    assert done.returncode == 0, done.stderr
    with (tmp_path / "sweep" / "sweep.csv").open(newline="") as stream:
        ticks = {(row["core_count"], row["place"]): row["ticks"] for row in csv.DictReader(stream)}
    assert ticks["1", "one core"] == ticks["2", "one core"]  # nobody else wants the lock
    assert float(ticks["1", "all cores"]) < float(ticks["2", "all cores"])


def test_a_core_that_measures_nothing_is_said(tmp_path):
    spec = ProgramSpec((CORES,), machine=MACHINE, cores=2, core=1, measure=("main",))
    with pytest.raises(RunError, match="core 1 has passed no measured place; core 0 has: --core 0"):
        api.perform(spec, tmp_path / "a")


@pytest.mark.long
def test_both_engines_leave_the_same_folder(tmp_path):
    spec = {"machine": MACHINE, "cores": 2, "core": 1, "tick_log": "client"}
    for engine in ("exact", RTL):
        api.perform(ProgramSpec((CORES,), engine=engine, **spec), tmp_path / engine)
    assert not folders.differences(tmp_path / "exact", tmp_path / RTL, names=FILES)


@pytest.mark.long
def test_both_engines_notice_a_standstill(tmp_path):
    said = []
    for engine in ("exact", RTL):
        spec = ProgramSpec(
            (WAITS,),
            engine=engine,
            machine=MACHINE,
            settings={"timer.hz": "10000"},
            cores=2,
            defines=("WAIT=1",),
        )
        with pytest.raises(api.Failed) as failed:
            api.perform(spec, tmp_path / engine)
        said.append(str(failed.value).partition(":")[0])
    assert said[0] == said[1] and said[0].startswith("no core can go on at tick ")


def test_the_examples_are_in_no_page():
    """The playground's machines have one core."""
    assert {path.name for path in (ROOT / "examples" / "cores").iterdir()} == {
        *("atomic.c", "lock.c", "own-parts.c")
    }


# Planted mistakes in the runtime: a file of firmware/runtime/cores, a text there, what it becomes,
# and what the run then says.
MISTAKES = {
    "a lock that is taken is taken": (
        "lock",
        "while (!atomic_take(&lock->taken));",
        "while (0);",
        "exit code 1",
    ),
    "a lock stays taken": (
        "lock",
        "atomic_publish(&lock->taken, 0)",
        "(void)0",
        "no core can go on",
    ),
    "an addition is two steps": (
        "lock",
        "return atomic_add(word, what);",
        "return *(volatile uint64_t *)word += what;",
        "exit code 2",
    ),
    "a swap is two steps": (
        "lock",
        "return atomic_compare_swap(word, old, value);",
        "return *(volatile uint64_t *)word == old ? (*(volatile uint64_t *)word = value, 1) : 0;",
        "exit code 3",
    ),
    "a barrier lets all pass": ("cores", "< cores()) {", "< 1) {", "exit code 4"),
    "a barrier counts on": (
        "cores",
        "atomic_write(&arrived.word, 0)",
        "(void)0",
        "exit code 4|no core",
    ),
    "nobody tells that it is done": (
        "cores",
        "atomic_add(&done.word, 1)",
        "(void)0",
        "no core can go on",
    ),
}


@pytest.mark.parametrize("title", MISTAKES)
def test_a_mistake_in_the_runtime_is_found(title, tmp_path):
    """The program has the file with the mistake among its sources, in place of the library's."""
    name, right, wrong, said = MISTAKES[title]
    text = (FIRMWARE / "runtime" / "cores" / f"{name}.c").read_text()
    assert text.count(right) == 1
    (tmp_path / f"{name}.c").write_text(text.replace(right, wrong))
    sources = (CORES, str(tmp_path / f"{name}.c"))
    spec = ProgramSpec(
        sources, machine=MACHINE, settings=FEW, cores=4, defines=("CORE_STACK_BITS=20",)
    )
    with pytest.raises(api.Failed, match=said):
        api.perform(spec, tmp_path / "run")
