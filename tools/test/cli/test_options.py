# SPDX-License-Identifier: BSD-2-Clause
"""No option is ignored, and whatever a user can type is judged before anything is started."""

import dataclasses
import subprocess
import sys

import pytest
from typer.main import get_command

from mcpi import api
from mcpi.api import checking
from mcpi.base import staging
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.cli import main, options, run
from mcpi.results.live import Screen
from mcpi.spec.run_spec import BOARD, ENGINES, EXACT, RTL, RunSpec
from mcpi.studykit import command as study

COMMAND = get_command(main.app)
# Every option of ./mcpi run: how it is typed, on which engines it acts, what it changes.
FREE = "not of the spec"
RUN = {
    "stack": ("--stack rpc", ENGINES, {"stack": "rpc"}),
    "variant": ("--variant out", ENGINES, {"variant": "out"}),
    "peer_variant": ("--peer-variant out", ENGINES, {"peer_variant": "out"}),
    "machine": ("--machine dec3000-pmad", ENGINES, {"machine": "dec3000-pmad"}),
    "set_": ("--set icache.size=16KB", ENGINES, {"settings": {"icache.size": "16KB"}}),
    "engine": ("", ENGINES, {}),
    "check": ("--check", (EXACT, BOARD), {}),
    "twice": ("--twice", (EXACT, RTL), {}),
    "port": ("--port A --port B", (BOARD,), {"ports": ("A", "B")}),
    "baud": ("--baud 9600", (BOARD,), {"baud": 9600}),
    "layout": ("--layout shuffle-7", ENGINES, {"layout": "shuffle-7"}),
    "path": ("--variant pin --path a", ENGINES, {"variant": "pin", "path": "a"}),
    "define": ("--define XK_USC=0", ENGINES, {"defines": ("XK_USC=0",)}),
    "round_trips": ("--round-trips 7", (RTL, EXACT, BOARD), {"round_trips": 7}),
    "warmup": ("--warmup 7", (RTL, EXACT, BOARD), {"warmup": 7}),
    "samples": ("--samples 7", (RTL, EXACT, BOARD), {"samples": 7}),
    "seed": ("--seed 7", ENGINES, {"seed": 7}),
    "image": ("--image x.elf", (RTL, EXACT, BOARD), {"image": "x.elf"}),
    "cold": ("--cold", (RTL, EXACT), {"cold": True}),
    "tick_log": ("--tick-log client", (RTL, EXACT), {"tick_log": "client"}),
    "trace": ("--trace server", (RTL, EXACT), {"trace": "server"}),
    "loss": ("--loss 0.01", (RTL, EXACT), {"loss": 0.01}),
    "corruption": ("--corruption 1e-3", (RTL, EXACT), {"corruption": 0.001}),
    "duplication": ("--duplication 1", (RTL, EXACT), {"duplication": 1.0}),
    "reordering": ("--reordering 0.5", (RTL, EXACT), {"reordering": 0.5}),
    "delay": ("--delay 0.5", (RTL, EXACT), {"delay": 0.5}),
    "delay_us": ("--delay 1 --delay-us 7", (RTL, EXACT), {"delay": 1.0, "delay_us": 7}),
    "half_duplex": ("--half-duplex", (RTL, EXACT), {"settings": {"link.duplex": "half"}}),
    "wire": ("--wire client:lose=0.1", (RTL, EXACT), {"wire": ("client:lose=0.1",)}),
    "live": ("--live", (RTL, EXACT), FREE),
    "lockstep": ("--no-lockstep", (RTL,), {"lockstep": False}),
    "debug": ("--debug", (EXACT, RTL), {}),
    "out": ("--out a", ENGINES, FREE),
    "json": ("--json", ENGINES, FREE),
}
PAPER = {
    "all_studies": ("", ENGINES),  # its own test
    "quick": ("--quick", ENGINES),
    "stack": ("--stack tcp", ENGINES),
    "variant": ("--variant std", ENGINES),
    "table": ("--table 7", ENGINES),
    "samples": ("--samples 3", (RTL, EXACT, BOARD)),
    "round_trips": ("--round-trips 3", (RTL, EXACT, BOARD)),
    "shuffles": ("--shuffles 3", (RTL, EXACT)),
    "machine": ("--machine dec3000-pmad", ENGINES),
    "set_": ("--set icache.size=16KB", ENGINES),
    "engine": ("", ENGINES),
    "port": ("--port A --port B", (BOARD,)),
    "baud": ("--baud 9600", (BOARD,)),
    "seed": ("--seed 7", ENGINES),
    "jobs": ("--jobs 3", (RTL, EXACT)),
    "out": ("--out a", ENGINES),
    "name": ("", ENGINES),  # its own test: studykit/test_command.py
    "update_docs": ("--update-docs", (RTL, EXACT)),
    "pdf": ("--pdf", ENGINES),
    "alive": ("--alive", (EXACT,)),
}


@pytest.fixture
def nothing_starts(monkeypatch):
    """Fail the test if a process is started."""

    def start(self, words, *_, **__):
        raise AssertionError(f"{words} was started")

    monkeypatch.setattr(subprocess.Popen, "__init__", start)


def mcpi(words: str) -> None:
    COMMAND.main(words.split(), prog_name="./mcpi", standalone_mode=False)


def parameters(name: str) -> set[str]:
    return {p.name for p in COMMAND.commands[name].params if p.name != "help"}


def test_the_tables_have_every_option():
    assert parameters("run") == set(RUN)
    assert parameters("paper") == set(PAPER)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("option", RUN)
def test_an_option_of_run_acts_or_is_refused(option, engine, monkeypatch, nothing_starts):
    """An option that is taken is in the spec, and in the line that repeats it."""
    asked, shown, checked = [], [], []
    monkeypatch.setattr(api, "perform", lambda *words: asked.append(words) or (None, None))
    monkeypatch.setattr(run, "_show", lambda *words: shown.append(words))
    monkeypatch.setattr(run, "start", lambda spec, out, at_failure: asked.append((spec, out)))
    for name in ("check", "twice"):
        monkeypatch.setattr(checking, name, lambda *words: checked.append(words[1]))
    typed, acts, changes = RUN[option]
    words = f"run --engine {engine} {typed}"
    if engine not in acts:
        with pytest.raises(UserError, match=f"^{typed.split()[0]} has no effect with --engine"):
            mcpi(words)
        return
    mcpi(words)
    if option == "debug":
        assert asked == [(RunSpec(engine=engine), None)]
        return
    spec, out, bar = asked[0]
    assert isinstance(bar, Screen) == (option == "live")
    assert checked == ([spec] if option in ("check", "twice") else [])
    if option == "live":
        return
    if changes is FREE:
        assert (str(out), shown[0][2]) == (("a", False) if option == "out" else ("None", True))
        return
    assert spec == dataclasses.replace(RunSpec(engine=engine), **changes)
    mcpi(spec.command().removeprefix("./mcpi "))
    assert asked[1][0] == spec


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("option", PAPER)
def test_an_option_of_paper_acts_or_is_refused(option, engine, monkeypatch, nothing_starts):
    asked = []
    monkeypatch.setattr(study, "run", asked.append)
    typed, acts = PAPER[option]
    if engine not in acts:
        with pytest.raises(UserError, match=f"^{typed.split()[0]} has no effect with --engine"):
            mcpi(f"paper --engine {engine} {typed}")
        return
    mcpi(f"paper --engine {engine}")
    mcpi(f"paper --engine {engine} {typed}")
    assert (asked[0] != asked[1]) == bool(typed)
    mcpi(asked[1].command().removeprefix("./mcpi "))
    free = {"out": None, "docs": False, "tables": (), "cores": 1, "pdf": False, "alive": None}
    again, once = (dataclasses.replace(one, **free) for one in (asked[2], asked[1]))
    assert again == once


def test_all_studies_are_asked_for_one_after_the_other(monkeypatch, nothing_starts):
    """The first study first; what it takes has an effect on each."""
    asked = []
    monkeypatch.setattr(study, "run", asked.append)
    mcpi("paper --all-studies --update-docs --jobs 3")
    assert [one.name for one in asked] == ["", "extensions", "osdi94", "slides", "tr9304"]
    assert all(one.docs and one.whole and one.cores == 3 for one in asked)
    mcpi("paper --all-studies --quick")
    assert [one.quick for one in asked] == [False] * 5 + [True] * 5
    for words in ("--stack tcp", "--out a", "--set icache.size=16KB", "osdi94"):
        with pytest.raises(UserError, match="--all-studies"):
            mcpi(f"paper --all-studies {words}")
    assert len(asked) == 10


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("run --image x --variant std", "--variant has no effect with --image"),
        ("run --image x --define XK_USC=0", "--define has no effect with --image"),
        ("run --engine board --port A --port B --lockstep", "--lockstep has no effect"),
        ("board run --port A --port B --cold", "--cold has no effect with --engine board"),
        ("board run --port A --port B --engine rtl", "--engine has no effect"),
        ("board run --port A --port B --engine=rtl", "--engine has no effect"),
        ("run --seed 100000000000000000000000000", "--seed 1000"),
        ("run --round-trips 100000000000", "outside 1 to 1000000"),
        ("run --layout shuffle-1000000000000", "no layout"),
        ("run --set icache.size=4KB --set icache.size=8KB", "icache.size is given twice"),
        ("run --set link.autonegotiation=off", "only a board has it"),
        ("run --out {file}/a", "Not a directory"),
        ("run --out {file}", "is not a run's folder"),
        ("run --out {long}", "File name too long"),
        ("run --out {foreign}", "is not a run's folder"),
        ("run --out {left}", "a run that did not end left it"),
        ("run --engine board --port {file} --port {file}x", "is no serial port"),
        ("run --engine board --port {file}x --port {file}", "no such port"),
        ("run --tick-log 0", "--tick-log 0: client or server is wanted"),
        ("run --trace both", "--trace both: client or server is wanted"),
        ("run --wire 0:lose=1", "write client:KEY=VALUE"),
        ("run --wire client:loose=1", "write client:KEY=VALUE"),
        ("run --wire client:lose=1.5", "a probability from 0 to 1"),
        ("run --wire client:lose=nan", "a probability from 0 to 1"),
        ("run --wire server:delay_ticks=-1", "a whole number"),
        ("run --wire server:delay=1 --wire server:delay_ticks=0", "1 tick or more"),
        ("run --wire server:delay_ticks=9", "has no effect without server:delay."),
        ("run --wire client:delay=1 --wire server:delay_ticks=9", "has no effect without"),
        ("run --wire server:patience_ticks=9", "without server:reorder or script."),
        ("run --wire client:seed=9", "has no effect without client:lose or corrupt"),
        ("run --wire client:lose=1 --wire client:lose=0", "client:lose is given twice"),
        ("run --wire server:script={file}x", "No such file"),
        ("run --wire server:script={file}", "line 1: 'a file' is neither `frame N"),
        ("run --wire server:replay={file}", "no pcap file"),
        ("run --wire client:lose=0.1 --set link.duplex=half", "has no faults on its segment"),
        ("run --loss 1.5", "--loss 1.5: a share of frames, 0 to 1"),
        ("run --delay nan", "a share of frames, 0 to 1"),
        ("run --reordering -1", "a share of frames, 0 to 1"),
        ("run --delay-us 5", "--delay-us has no effect without --delay"),
        ("run --delay 1 --delay-us 0", "outside 1 to 1000000"),
        ("run --loss 0.1 --half-duplex", "--loss: link.duplex = half has no faults"),
        ("run --half-duplex --set link.duplex=full", "--half-duplex is --set link.duplex=half"),
        ("run --loss 0.1 --wire server:lose=0.1", "leave out --wire server:lose"),
        ("run --delay 1 --wire client:delay_ticks=9", "its longest is --delay-us"),
        ("paper --seed 100000000000000000000000000", "--seed 1000"),
        ("paper --samples 1000000", "--samples 1000000: outside"),
        ("paper --stack rpc --variant original", "the study has none of rpc"),
        ("paper --out {file}/a", "Not a directory"),
        ("paper --engine board --port {file}x --port {file}", "no such port"),
        ("calibrate --round-trips 100000000000", "outside 1 to 1000000"),
        ("layout map std nope", "no variant 'nope'"),
        ("layout map std out --out {file}/a", "its folder is not there"),
        ("layout map std out --out {foreign}", "a file in a folder that you may write to"),
        ("layout conflicts std nope", "no variant 'nope'"),
        ("layout order --variant out --stack udp", "no stack 'udp'"),
        ("layout micro --variant clo --machine vax", "no machine 'vax'"),
        ("path find --stack udp", "no stack 'udp'"),
        ("debug {own} --machine dec3000-mp --define A=1", "--define has no effect: a program with"),
        ("debug {own} --machine dec3000-mp --cores 2", "takes --set core.count=N"),
        ("debug {own} {own} --machine dec3000-mp", "a program of several cores is one file"),
        ("debug {own} --cores 2", "several cores want bcache.private"),
        ("debug --stack udp --machine challenge-100 --cores 2", "a stack takes --set core.count=N"),
        ("path find --recordings {file}x", "no such folder"),
        ("path find --out {file}/a", "Not a directory"),
        ("board load ecpix-5 --bitstream {file} --set icache.size=4KB", "--set has no effect"),
        ("board embed ecpix-5 --peer-variant all", "--peer-variant has no effect with --node"),
        ("board embed ecpix-5", "has not been built yet"),
        ("board test --port {file}x", "no such port"),
        ("board attach --port {file}x", "no such port"),
        ("board simulate --out {file}/a", "Not a directory"),
        ("board netlist --out {foreign}", "is not a run's folder"),
        ("profile --flame {foreign}", "a file in a folder that you may write to"),
        ("profile --callgrind {file}/a", "its folder is not there"),
        ("profile --run {foreign}", "is no run's folder"),
        ("profile --run {file}x", "is no run's folder"),
        ("profile --by object", "function, line, instruction, set are known"),
        ("profile --data --by objekt", "Did you mean object?"),
        ("profile --side clinet", "Did you mean client?"),
        ("profile --stack tpc", "Did you mean tcp?"),
        ("trace --variant stdd", "Did you mean std?"),
        ("trace --last 5 --invocation 2", "--invocation has no effect with --last"),
        ("trace --last 5 --ticks 1:2", "--last has no effect with --ticks"),
        ("compare dec3000-pmad dec300-600", "Did you mean dec3000-600?"),
        ("exec examples/stride.c --machine dec300-600", "Did you mean dec3000-600?"),
        ("sweep --engine exat", "Did you mean exact?"),
        ("python nofile.py", "nofile.py: no such file"),
        ("notebook nofile.ipynb", "nofile.ipynb: no such file"),
        ("paper --variant stdd", "Did you mean std?"),
        ("board report --set memory.read_ticks=20", "--set memory.read_ticks has no effect"),
        ("board report --set link.autonegotiation=off", "--set link.autonegotiation has no"),
        ("board report --block phy --seeds 2", "--seeds has no effect with --block phy"),
        ("board report --block cores --seeds 2", "--seeds has no effect with --block cores"),
    ],
)
def test_a_slip_is_told_before_anything_starts(words, said, tmp_path, nothing_starts, monkeypatch):
    from mcpi.engines.board import program as board_load

    monkeypatch.setattr(board_load, "BUILD", tmp_path)
    (tmp_path / "file").write_text("a file")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "letter.txt").write_text("dear")
    places = {name: tmp_path / name for name in ("file", "foreign")}
    places |= {
        "own": ROOT / "examples/debug/mp.c",
        "long": tmp_path / (300 * "x"),
        "left": tmp_path / f"a{staging.SUFFIX}",
    }
    with pytest.raises(UserError) as refused:
        mcpi(words.format(**places))
    assert said in str(refused.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "foreign"]


@pytest.mark.parametrize(
    "line",
    ["frame 3 drop", "frame 3", "frame 3 lose 4", "frame -3 lose", "frame 3 delay", "lose 3"]
    + ["frame 3 delay -1", "inject 5 123", "inject 5 12 34", "inject 5 xy", "frame ٣ lose"],
)
def test_a_script_is_read_first_as_the_simulator_reads_it(line, tmp_path):
    """sim/test/link/unit_faults.cpp refuses the same lines."""
    script = tmp_path / "script"
    script.write_text(
        "# all kinds\n\nframe 0 lose # a\n frame 1 duplicate\nframe 2  reorder\n"
        "frame 3 delay 70\nframe 4 corrupt 9\ninject 5 08002Bff\n"
    )
    spec = RunSpec(wire=(f"client:script={script}", "client:patience_ticks=9"))
    spec.check()
    script.write_text(f"frame 2 lose\n{line}\n")
    with pytest.raises(UserError, match="line 2: .* is neither"):
        spec.check()


def test_a_rule_names_options_that_there_are():
    """A renamed option must not slip through."""
    commands = COMMAND.commands
    board = commands["board"].commands
    for rules, command in (
        (options.RUN, commands["run"]),
        (options.PAPER, commands["paper"]),
        (options.LOAD, board["load"]),
        (options.EMBED, board["embed"]),
        (options.REPORT, board["report"]),
    ):
        names = {p.name for p in command.params}
        for rule in rules:
            assert {rule.when, *rule.options} <= names, rule


def test_a_start_loads_neither_pydantic_nor_what_compares(tmp_path):
    """Seconds that a user waits (bench/waits/interactive.py)."""
    program = tmp_path / "no.c"
    words = f"import sys; sys.argv[1:] = ['exec', {str(program)!r}, '--max-ticks=7']\n"
    words += "from mcpi.cli.main import main\ntry: main()\nexcept SystemExit as end: print(end)\n"
    words += "print(*{'mcpi.api.compared', 'mcpi.api.single_run'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True)
    assert done.stdout == "2\nmcpi.api.single_run\n", done.stderr
    assert "no.c: No such file" in done.stderr
    usual = words.replace(", '--max-ticks=7'", "")
    usual += "\nprint('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", usual], capture_output=True, text=True)
    assert done.stdout.endswith("False\n"), done.stderr
