# SPDX-License-Identifier: BSD-2-Clause
"""Elaborate a block and run cocotb tests on it; for ``<room>/test/test_*.py``."""

import hashlib
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from mcpi import machine, scala
from mcpi.lock import hold
from mcpi.paths import BUILD, ROOT

_SHOWN = 4000


def elaborate(
    block: str, name: str = "dec3000-600", settings: dict[str, str] | None = None
) -> Path:
    """The Verilog of ``block`` for a machine; returns the path of ``<block>.v``.

    The Scala is compiled first if it changed; the folder is named by the machine and the Scala, so
    that a second call has nothing to do. Safe when several processes call it at once.
    """
    return elaborate_all(block, [machine.load(name, settings)])[0]


def elaborate_all(block: str, machines: list[machine.Machine]) -> list[Path]:
    """As ``elaborate``, for several machines with one start of Java."""
    classpath = scala.classpath()
    with ExitStack() as locks:
        places: dict[Path, machine.Machine] = {}
        for resolved in machines:
            key = hashlib.sha256(f"{scala.digest()} {resolved.to_json()}".encode()).hexdigest()[:16]
            places[BUILD / "blocks" / f"{block}-{key}"] = resolved
        for folder in sorted(places):
            locks.enter_context(hold(folder.with_suffix(".lock"), f"elaborates {block}"))
        wanted = {f: m for f, m in places.items() if not (f / f"{block}.v").exists()}
        # Into folders of their own first: an interrupted elaboration leaves nothing behind.
        words: list[str] = []
        for folder, resolved in wanted.items():
            stage = _stage(folder)
            shutil.rmtree(stage, ignore_errors=True)
            stage.mkdir(parents=True)
            description = stage / "machine.json"
            description.write_text(resolved.to_json())
            words += [block, str(description), str(stage)]
        if wanted:
            command = [*scala.JAVA, "-cp", classpath, scala.MAIN, *words]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            if done.returncode:
                said = f"{done.stdout[-_SHOWN:]}\n{done.stderr[-_SHOWN:]}"
                raise RuntimeError(f"elaborating {block} failed:\n{said}")
        for folder in wanted:
            shutil.rmtree(folder, ignore_errors=True)
            _stage(folder).rename(folder)
    return [folder / f"{block}.v" for folder in places]


def _stage(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.new")


def make(target: str, out: Path = BUILD / "sim", *variables: str) -> None:
    """``make target`` in ``sim/``, which lands in ``out``; one at a time, as tests run side by
    side and a program that is being linked cannot be started."""
    words = ["make", "-s", "-C", str(ROOT / "sim"), target, f"OUT={out}", *variables]
    with hold(out / "make.lock", "builds models"):
        done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{done.stderr[-_SHOWN:]}")


def run_cocotb(
    test_file: str, block: str, name: str = "dec3000-600", settings: dict[str, str] | None = None
) -> None:
    """Build ``block`` with Verilator and run the cocotb tests in ``test_file`` (a ``__file__``).

    Use it as ``def test_x(): run_cocotb(__file__, "Block")`` with ``@cocotb.test()`` coroutines in
    the same file. Fails with the reproduce line of every test that failed.
    """
    simulate(elaborate(block, name, settings), Path(test_file))


def simulate(verilog: Path, path: Path, only: str = "", all_public: bool = True) -> None:
    """The cocotb tests in ``path`` on ``verilog``, ``<block>.v`` beside its ``machine.json``.

    ``only`` is the name of one coroutine; AssertionError when a test fails, or when there is none.
    Without ``all_public`` only what the Verilog says is public can be seen, and is faster.
    """
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import Verilator

    class Runner(Verilator):
        def _build_command(self):
            dropped = () if all_public else ("--public-flat-rw",)
            commands = super()._build_command()
            return [[word for word in words if word not in dropped] for words in commands]

    block = verilog.stem
    folder = verilog.parent / path.stem
    runner = Runner()
    if shutil.which("ccache"):
        os.environ.setdefault("OBJCACHE", "ccache")
    # cocotb hands sys.path on to the simulation: this folder's modules come first in it.
    here = [str(path.parent), str(ROOT / "tools")]
    sys.path[:] = here + [entry for entry in sys.path if entry not in here]
    os.environ["MCPI_MACHINE_JSON"] = str(verilog.parent / "machine.json")
    chosen = {"test_filter": rf"\.{only}$"} if only else {}
    with hold(folder.with_suffix(".lock"), f"tests {path.stem}"):
        runner.build(
            sources=[verilog],
            hdl_toplevel=block,
            build_dir=folder,
            always=True,
            timescale=("1ns", "1ps"),
            build_args=["-Wno-fatal", "-Wno-WIDTH", "-O2", "-CFLAGS", "-O1"],
        )
        results = runner.test(hdl_toplevel=block, test_module=path.stem, build_dir=folder, **chosen)
    count, failed = get_results(results)
    assert failed == 0, f"{failed} of {count} failed; again: ./mcpi test -k {path.stem}"
    assert count > 0, f"no cocotb test {only} in {path}"
