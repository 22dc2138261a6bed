# SPDX-License-Identifier: BSD-2-Clause
"""Wrong usage: exit status 2, one clear message, never a stack trace."""

import errno
import fcntl
import inspect
import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import pytest
from tools_support.command import mcpi
from typer.main import get_command

from mcpi.base.errors import UserError
from mcpi.base.file_lock import hold
from mcpi.base.process import heard
from mcpi.base.repo import BUILD, PYTHONPATH, ROOT
from mcpi.cli import main
from mcpi.engines import simulate
from mcpi.spec import run_spec


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "--variant", "swift"], "no variant 'swift'. There are: "),
        (["run", "--variant", "swift"], "std"),
        (["run", "--peer-variant", "swift"], "no variant 'swift'. There are: "),
        (["run", "--stack", "udp"], "no stack 'udp'. There are: tcp, rpc"),
        (["run", "--stack", "mach"], "mach is a structure of UDP receive"),
        (["run", "--stack", "udprecv-bsd"], "./mcpi paper tr9304 measures it"),
        (["run", "--machine", "vax"], "no machine 'vax'. There are: alpha-265"),
        (["run", "--engine", "magic"], "no engine 'magic'. There are: rtl, exact, board"),
        (["run", "--engine", "board"], "give the client's serial port"),
        (["board", "run", "--port", "A"], "give the client's serial port"),
        (["board", "run", "--port", "A", "--port", "A"], "client and server are two boards"),
        (["board", "run", "--fly"], "No such option: --fly"),
        (["run", "--layout", "x"], "no layout 'x'. There are: default, shuffle-N"),
        (["run", "--layout", "shuffle-"], "no layout 'shuffle-'"),
        (["run", "--define", "XK_NODVI=0"], "Did you mean XK_NODIV"),
        (["run", "--set", "icache.size"], "--set key=value"),
        (["run", "--set", "icache.size=12KB"], "not a power of two"),
        (["run", "--set", "icache.sizes=8KB"], "Did you mean icache.size"),
        (["run", "--round-trips", "0"], "--round-trips"),
        (["run", "--round-trips", "many"], "--round-trips"),
        (["run", "--baud", "1000000000000"], "--baud"),
        (["board", "test", "--port", "A", "--seed", "-1"], "--seed"),
        (["board", "test", "--port", "A", "--frames", "1000000000000"], "--frames"),
        (["paper", "--shuffles", "1000000000000"], "--shuffles"),
        (["run", "--out", str(ROOT / "docs")], "name another"),
        (["run", "--image", ""], "--image: nothing is given after it"),
        (["run", "--tick-log="], "--tick-log: nothing is given after it"),
        (["test", "-k", ""], "-k: nothing is given after it"),
        (["test", "--quick", "--all"], "--quick and --all contradict each other"),
        (["board", "attach", "--port", "/dev/fly"], "/dev/fly: no such port"),
        (["notebook", "--port", "99999"], "--port 99999: a number from 1 to 65535"),
        (["notebook", "notebooks", "--port=x"], "--port x: a number"),
        (["trace", "docs"], "docs: no spec.json in it; it is no finished run's folder"),
        (["trace", "nowhere.d"], "nowhere.d"),
        (["test", "-k", ")"], "-k ')': expected"),
        (["test", "-k", "a==b"], "Write words, and, or, not"),
        (["test", "-k", "sta" + "lll and " + "sta" + "lls"], "no test or file has these words"),
        (["fly"], "fly"),
        (["run", "--fly"], "--fly"),
    ],
)
def test_wrong_usage(words, said):
    done = mcpi(*words)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_help_teaches_with_examples():
    done = mcpi("--help")
    assert done.returncode == 0
    for words in ("./mcpi run", "./mcpi doctor", "--set icache.size=16KB"):
        assert words in done.stdout
    for command in ("run", "test", "doctor"):
        assert mcpi(command, "--help").returncode == 0


def test_help_fits_a_terminal_of_80_columns():
    """Lines stand as they are written; rich takes no bracket for markup."""
    left = [("./mcpi", get_command(main.app))]
    while left:
        name, command = left.pop()
        left += [(f"{name} {n}", c) for n, c in getattr(command, "commands", {}).items()]
        wide = [line for line in inspect.cleandoc(command.help or "").splitlines() if line[78:]]
        assert not wide, name
    text = " ".join(mcpi("run", "--help", COLUMNS="200").stdout.split())
    assert "[tcp: the same; rpc: all]" in text
    assert "[all cores]" in " ".join(mcpi("paper", "--help", COLUMNS="200").stdout.split())


def test_a_terminal_that_lacks_characters_shows_the_rest():
    for words, status in ((("--help",), 0), (("run", "--set", "icache.siz=→"), 2)):
        done = mcpi(*words, PYTHONIOENCODING="ascii")
        assert done.returncode == status and "Traceback" not in done.stderr
    assert "icache.siz" in done.stderr


def test_a_missing_compiler_is_named_with_what_to_type(tmp_path):
    done = mcpi("run", PATH=str(tmp_path))
    assert done.returncode == 2
    assert "is missing. Type: " in done.stderr
    assert "./mcpi doctor" in done.stderr


def test_doctor_with_an_empty_path(tmp_path):
    done = mcpi("doctor", PATH=str(tmp_path))
    assert done.returncode == 1
    for word in ("g++", "alpha-linux-gnu-gcc", "./mcpi setup exec", "./mcpi setup test"):
        assert word in done.stdout
    assert "cocotb" in done.stdout  # its Python packages are there all the same
    assert "Traceback" not in done.stderr


def test_a_start_is_quick():
    begin = time.monotonic()
    subprocess.run(["true"], check=True)
    mcpi("run", "--variant", "swift")
    # Alone 0.3 s; the bound leaves room for tests that run beside this one.
    assert time.monotonic() - begin < 3


def test_an_interrupted_command_says_so_and_ends_with_130():
    """While it waits for another build's lock; also when started with ^C ignored.

    One test for both signals: two at once would release the lock under each other."""
    words = [sys.executable, "-m", "mcpi", "test", "-k", "test_formats"]
    env = {**os.environ, "PYTHONPATH": PYTHONPATH}
    with hold(BUILD / "test.lock", "runs tests here") if not _held() else nullcontext():
        for number in (signal.SIGINT, signal.SIGTERM):
            child = subprocess.Popen(words, env=env, cwd=ROOT, stderr=subprocess.PIPE, text=True)
            assert "waiting" in child.stderr.readline()
            child.send_signal(number)
            said = child.communicate(timeout=30)[1]
            assert child.returncode == 130, said
            assert said.startswith("mcpi: interrupted")


def _held() -> bool:
    """Return true if this very test runs under ./mcpi test, which holds the lock already."""
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "test.lock").open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_settings_need_key_and_value():
    assert run_spec.settings(["a.b=1", "c.d = x=y"]) == {"a.b": "1", "c.d": "x=y"}
    for wrong in ("a.b", "=1", "a.b="):
        with pytest.raises(UserError):
            run_spec.settings([wrong])


def test_the_command_of_a_record_repeats_it():
    made = run_spec.RunSpec(settings={"icache.size": "16KB"}, round_trips=7, samples=3)
    assert made.command() == (
        "./mcpi run --stack tcp --variant std --machine dec3000-600 --set icache.size=16KB "
        "--round-trips 7 --seed 1 --samples 3"
    )


def test_the_simulator_is_told_the_users_line():
    made = run_spec.RunSpec(engine="rtl", seed=7, lockstep=False)
    words = simulate.command(Path("sim"), Path("."), ".", made, [1, 2], [])
    assert made.command().endswith(" --seed 7 --engine rtl --no-lockstep")
    assert words[words.index("--reproduce") + 1] == made.command()
    assert "--no-lockstep" in words and "--lockstep" not in words
    words = simulate.command(
        Path("sim"), Path("."), ".", run_spec.RunSpec(engine="rtl"), [1, 2], []
    )
    assert "--lockstep" in words


def test_an_image_that_is_not_for_alpha_is_refused(tmp_path):
    """Whatever this machine's own programs are for, it is not Alpha."""
    done = mcpi("run", "--image", sys.executable)
    assert done.returncode == 2
    assert "not for Alpha" in done.stderr, done.stderr
    done = mcpi("run", "--image", tmp_path / "missing.elf")
    assert done.returncode == 2
    assert "missing.elf" in done.stderr, done.stderr


def test_a_checkout_that_cannot_be_written_gets_advice(capsys) -> None:
    """The checkout is another user's, or lies on a medium that is read-only."""
    for number in (errno.EROFS, errno.EACCES):
        said = main._of_system(OSError(number, os.strerror(number), str(BUILD / "build.lock")))
        assert said.startswith(str(BUILD / "build.lock")) and "must be writable" in said
    elsewhere = main._of_system(OSError(errno.EACCES, "Permission denied", "/somewhere/else"))
    assert elsewhere == "/somewhere/else: Permission denied"


def test_board_run_has_a_help_of_its_own() -> None:
    done = mcpi("board", "run", "--help")
    assert done.returncode == 0 and "--port A --port B --stack rpc" in done.stdout
    assert "board run" in done.stdout.splitlines()[1] and "./mcpi run --help has" in done.stdout


def test_a_python_that_is_not_there_is_not_asked_for_its_home() -> None:
    """PYTHONHOME of another Python stops ours before it can say anything."""
    done = heard([ROOT / "mcpi", "--help"], env={**os.environ, "PYTHONHOME": "/nonexistent"})
    assert done.returncode == 0 and "Usage" in done.stdout, done.stderr
