# SPDX-License-Identifier: BSD-2-Clause
"""A whole run with a small program in the simulator's place that keeps contracts.md 8."""

import errno
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tools_support import fake_simulator

from mcpi.api import perform, single_run
from mcpi.base import staging
from mcpi.base.errors import RunError, UserError
from mcpi.build import graph, run_folder
from mcpi.cli import main
from mcpi.machine import profile
from mcpi.results.record import read
from mcpi.spec import run_jobs, run_spec
from mcpi.spec.run_spec import RunSpec

# Both nodes have one PALcode, and as many images as is said.
IMAGES = """read = lambda name: Path(given[name]).read_bytes()
assert read("0:pal") == read("1:pal")
assert (read("0:image") == read("1:image")) is not {peer}
"""


@pytest.fixture
def house(tmp_path, monkeypatch):
    """Results in a folder of the test; built things in the graph's place."""
    monkeypatch.setattr(single_run, "RESULTS", tmp_path / "results")

    def place(spoil: str = "", peer: bytes = b"") -> None:
        begins = IMAGES.format(peer=bool(peer)) + spoil
        files = fake_simulator.place(tmp_path / "built", begins)
        if peer:
            files.append(tmp_path / "built" / "peer.elf")
            files[-1].write_bytes(peer)
        monkeypatch.setattr(graph, "build", lambda *_: graph.Built(*files))

    place()
    return place


def test_the_same_run_twice_differs_in_its_times_only(house, tmp_path):
    results = []
    for name in ("a", "b"):
        place, result = perform(RunSpec(round_trips=3), tmp_path / name)
        assert place == tmp_path / name and result == read(place / "result.json")
        assert None not in (result.time.started, result.time.ticks_per_second)
        results.append(msgspec.structs.replace(result, time=None))
    assert results[0] == results[1]


def test_what_a_run_leaves_behind(house, tmp_path, capsys):
    main.app("run --round-trips 3 --samples 2".split(), standalone_mode=False)
    (place,) = (tmp_path / "results").iterdir()
    names = {str(p.relative_to(place)) for p in place.rglob("*") if p.is_file()}
    assert {"result.json", "report.txt", "spec.json", "machine.json", "Node.json"} <= names
    assert {"image.elf", "pal.elf"} <= names
    for folder in ("", "ideal/", "sample-2/"):
        assert {f"{folder}{f}" for f in ("events.csv", "counters.json", "wire.pcap")} <= names
    result = read(place / "result.json")
    client = result.steady.client
    assert (client.cpi, client.icpi, client.mcpi) == (4.0, 2.0, 2.0)
    assert result.round_trip.sd_over == "samples"
    for text in (capsys.readouterr().out, (place / "report.txt").read_text()):
        assert "who owns the ticks" in text


def test_what_is_watched_is_asked_of_the_simulator(house, tmp_path, monkeypatch):
    """Logs of the run itself, not of the same under ideal memory; faults of the wire in all."""
    monkeypatch.setattr(run_folder, "write_allocators", lambda *_: None)  # the image is no ELF file
    house("(out / 'words').write_text(' '.join(sys.argv))")
    spec = {"tick_log": "client", "trace": "server", "wire": ("server:lose=0.5",)}
    spec |= {"lockstep": False, "seed": 9, "warmup": 7}
    perform(RunSpec(round_trips=2, samples=2, **spec), tmp_path / "x")
    for folder in ("", "ideal", "sample-2"):
        words = (tmp_path / "x" / folder / "words").read_text()
        assert ("--tick-log 0 --trace 1" in words) == (not folder), folder
        for word in ("--no-lockstep", "--wire 1:lose=0.5", "boot.seed=9", "boot.warmup=7"):
            assert word in words, (folder, word)


def test_the_server_may_run_another_image(house, tmp_path):
    house(peer=b"another image")
    about = perform(RunSpec(round_trips=3, peer_variant="out"), tmp_path / "a")[1].provenance
    assert (about.variant, about.peer_variant) == ("std", "out")
    assert set(about.images) == {"image.elf", "pal.elf", "peer.elf"}
    assert "--peer-variant out" in about.command
    # Once more in the same folder, and the peer is like the client again.
    house()
    perform(RunSpec(round_trips=3), tmp_path / "a")
    assert not (tmp_path / "a" / "peer.elf").exists()


def test_the_usual_peer(monkeypatch):
    """TCP/IP has the same at both ends, RPC's server is ALL as soon as there is one."""
    assert RunSpec(stack="tcp", variant="out").peer == "out"
    monkeypatch.setattr(run_spec.recipes, "variants", lambda: ("out", "std"))
    assert RunSpec(stack="rpc", variant="out").peer == "out"
    monkeypatch.setattr(run_spec.recipes, "variants", lambda: ("all", "out", "std"))
    assert RunSpec(stack="rpc", variant="out").peer == "all"
    assert RunSpec(stack="tcp", variant="out").peer == "out"
    assert RunSpec(stack="rpc", variant="out", peer_variant="std").peer == "std"


def test_json_leaves_only_the_record_on_standard_output(house, capsys):
    main.app("run --round-trips 2 --json".split(), standalone_mode=False)
    said = capsys.readouterr()
    assert json.loads(said.out)["schema"] == 2
    assert "who owns the ticks" in said.err


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("print('node 1: machine check at tick 7', file=sys.stderr); sys.exit(1)", "machine check"),
        (
            "print('mcpi-sim: node 0 ended with exit code 1', file=sys.stderr)\n"
            "(out / 'console.0.txt').write_text('boot\\nprotocol failed to start: tag\\n\\n')\n"
            "sys.exit(1)",
            "exit code 1\n  node 0 printed last: protocol failed to start: tag",
        ),
        ("import os; os.kill(os.getpid(), 9)", "status -9"),
        ("import atexit; atexit.register((out / 'run.json').write_text, '{')", "Is the disk full"),
        ("trips -= 1", "1 round trips were measured, 2 were asked for"),
    ],
)
def test_a_failing_simulation_says_why(house, tmp_path, spoil, said):
    house(spoil)
    with pytest.raises(RunError, match=said):
        perform(RunSpec(round_trips=2), tmp_path / "x")
    assert not (tmp_path / "x" / "result.json").exists()


def test_a_run_that_does_not_end_looks_like_none(house, tmp_path, monkeypatch):
    """Failed, interrupted, killed: what was in --out stays, what is new says incomplete."""
    out = tmp_path / "x"
    perform(RunSpec(round_trips=2), out)
    before = (out / "result.json").read_bytes()
    house("print('spoilt', file=sys.stderr); sys.exit(1)")
    with pytest.raises(RunError, match=r"x\.incomplete"):
        perform(RunSpec(round_trips=2), out)
    house()
    with monkeypatch.context() as changed, pytest.raises(KeyboardInterrupt):
        changed.setattr(single_run.record, "text", interrupted)
        perform(RunSpec(round_trips=2), out)
    house("import os, signal; os.kill(os.getppid(), signal.SIGKILL)")
    child = os.fork()
    if not child:
        perform(RunSpec(round_trips=2), out)
        os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert (out / "result.json").read_bytes() == before
    left = tmp_path / "x.incomplete"
    assert (left / "spec.json").exists() and not (left / "result.json").exists()
    with pytest.raises(UserError, match="a run that did not end left it"):
        perform(RunSpec(round_trips=2), left)


def interrupted(*_) -> None:
    raise KeyboardInterrupt


def test_the_next_run_takes_the_place_of_what_was_left(house, tmp_path):
    out, left = tmp_path / "x", tmp_path / "x.incomplete"
    left.mkdir()
    (left / "spec.json").write_text("{}")
    (left / "old").write_text("")
    perform(RunSpec(round_trips=2), out)
    perform(RunSpec(round_trips=3), out)
    assert {p.name for p in tmp_path.glob("x*")} == {"x"}
    assert not (out / "old").exists()
    left.mkdir()
    (left / "letter.txt").write_text("dear")  # somebody else's
    with pytest.raises(UserError, match=r"x\.incomplete: is there already"):
        perform(RunSpec(round_trips=2), out)


def test_a_disk_that_is_nearly_full_is_refused_first(house, tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)._replace(free=staging.LEAST - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    monkeypatch.setattr(graph, "build", None)
    with pytest.raises(UserError, match="1,048,575 bytes are free there"):
        perform(RunSpec(), tmp_path / "new" / "x")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(("number", "said"), [(errno.ENOSPC, "Free some space"), (errno.EIO, "")])
def test_a_full_disk_is_one_line(house, tmp_path, monkeypatch, capsys, number, said):
    def full(path: Path, text: str) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(graph, "write", full)
    words = ["./mcpi", "run", "--round-trips", "2", "--out", str(tmp_path / "x")]
    monkeypatch.setattr(sys, "argv", words)
    handlers = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)}
    with pytest.raises(SystemExit) as ended:
        main.main()
    for name, handler in handlers.items():
        signal.signal(name, handler)
    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == 1
    assert line.startswith("mcpi: ") and os.strerror(number) in line and said in line
    assert not (tmp_path / "x").exists()


def test_phases_depend_on_seed_sample_and_node_and_stay_in_one_period():
    plain = profile.load("dec3000-600")
    period = 175_000_000 // 1024
    seen = {tuple(run_jobs.phases_of(seed, n, plain)) for seed in (1, 2) for n in (1, 2, 3)}
    assert len(seen) == 6
    assert all(1 <= p <= period for pair in seen for p in pair)
    assert run_jobs.phases_of(1, 1, plain) == run_jobs.phases_of(1, 1, plain)


def test_the_wire_digest_ignores_time_stamps(tmp_path):
    from mcpi.results import pcap

    def capture(name: str, stamp: int, frame: bytes) -> Path:
        head = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1)
        row = struct.pack("<IIII", 0, stamp, len(frame), len(frame)) + frame
        (tmp_path / name).write_bytes(head + row + row)
        return tmp_path / name

    first = pcap.summary(capture("a", 1, bytes(60)))
    assert first["frames"] == 2
    assert first["frame_bytes"] == {"60": 2}
    assert pcap.summary(capture("b", 2, bytes(60))) == first
    assert pcap.summary(capture("c", 1, b"\1" * 60))["digest"] != first["digest"]
    (tmp_path / "d").write_text("not a capture")
    with pytest.raises(RunError, match="not a nanosecond pcap"):
        pcap.summary(tmp_path / "d")


def test_the_folder_of_somebody_else_is_not_touched(house, tmp_path):
    mine = tmp_path / "letters"
    mine.mkdir()
    (mine / "dear.txt").write_text("x")
    with pytest.raises(Exception, match="name another"):
        perform(RunSpec(), mine)
    assert (mine / "dear.txt").exists()
    assert subprocess.run(["ls", mine], capture_output=True, check=True).stdout == b"dear.txt\n"


@pytest.mark.parametrize("settings", [{}, {"icache.size": "16KB", "memory.read_ticks": "30"}])
def test_a_run_parses_its_machine_once(tmp_path, monkeypatch, settings):
    """Its twin with ideal memory is made of it. With settings its file is parsed again for the
    plain machine, whose name the images have if their header is the same."""
    parsed, given = [], profile._given
    monkeypatch.setattr(profile, "_given", lambda *words: parsed.append(words) or given(*words))
    perform(RunSpec(settings=settings, round_trips=1, warmup=1), tmp_path / "run")
    assert len(parsed) == 1 + bool(settings)
    twin = json.loads((tmp_path / "run" / "ideal" / "machine.json").read_text())
    assert twin == json.loads(profile.load("dec3000-600", settings | IDEAL).to_json())


IDEAL = {"memory.ideal": "on"}
