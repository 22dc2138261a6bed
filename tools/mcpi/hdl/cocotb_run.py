# SPDX-License-Identifier: BSD-2-Clause
"""Elaborate a block and run cocotb tests on it; for ``<room>/test/test_*.py``."""

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from mcpi.base import ccache, reuse
from mcpi.base.errors import RunError
from mcpi.base.file_lock import hold
from mcpi.base.repo import BUILD, ROOT
from mcpi.hdl import blocks, scala, verilator
from mcpi.machine import profile

_SHOWN = 4000
_SUPPORT = re.compile(r"^ *from (\w+_support)\b", re.M)
_WORD, _PORT = re.compile(r"[A-Za-z_]\w*"), re.compile(r"(\w+)\s*(?:,|$)", re.M)
WAVES = "dump.vcd"  # as cocotb's Verilator main calls it
# How Verilator is called. What it makes, clang++ compiles in two thirds of g++'s time; it runs as
# fast.
BENCH = ["-Wno-fatal", "-Wno-WIDTH", "-O2", "-CFLAGS", "-O1", "-LDFLAGS", "-latomic"]
MAKE = f"CXX={verilator.CLANG}"


def elaborate(
    block: str, name: str = "dec3000-600", settings: dict[str, str] | None = None
) -> Path:
    """The Verilog of ``block`` for a machine; returns the path of ``<block>.v``.

    The Scala is compiled first if it changed; the folder is named by the machine and the Scala, so
    that a second call has nothing to do. Safe when several processes call it at once.
    """
    return elaborate_all(block, [profile.load(name, settings)])[0]


def elaborate_all(block: str, machines: list[profile.Machine]) -> list[Path]:
    """Elaborate ``block`` for several machines with one start of Java, as ``elaborate`` does for
    one."""
    with ExitStack() as locks:
        places: dict[Path, profile.Machine] = {}
        for resolved in machines:
            blocks.check(block, resolved)
            key = hashlib.sha256(f"{scala.digest()} {resolved.to_json()}".encode()).hexdigest()[:16]
            places[BUILD / "blocks" / f"{block}-{key}"] = resolved
        for folder in sorted(places):
            locks.enter_context(hold(folder.with_suffix(".lock"), f"elaborates {block}"))
        wanted = {f: m for f, m in places.items() if not (f / f"{block}.v").exists()}
        for folder in places:
            reuse.note("elaborations", folder not in wanted)
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
            scala.elaborate(words)
        for folder in wanted:
            shutil.rmtree(folder, ignore_errors=True)
            _stage(folder).rename(folder)
    return [folder / f"{block}.v" for folder in places]


def _stage(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.new")


def run_cocotb(
    test_file: str,
    block: str,
    name: str = "dec3000-600",
    settings: dict[str, str] | None = None,
) -> None:
    """Build ``block`` with Verilator and run the cocotb tests in ``test_file`` (a ``__file__``).

    Use it as ``def test_x(): run_cocotb(__file__, "Block")`` with ``@cocotb.test()`` coroutines in
    the same file. Fails with the reproduce line of every test that failed.
    """
    verilog = elaborate(block, name, settings)
    of_machine(name, settings)
    simulate(verilog, Path(test_file))


def of_machine(name: str, settings: dict[str, str] | None) -> None:
    """Set the machine that a later simulation reads from its environment (``mcpi.cocotb``)."""
    os.environ["MCPI_MACHINE"] = name
    os.environ["MCPI_SETTINGS"] = json.dumps(settings or {})


def simulate(
    verilog: Path,
    path: Path,
    only: str = "",
    named: bool = True,
    anew: bool = False,
    waves: Path | None = None,
    initial: int | None = None,
) -> None:
    """The cocotb tests in ``path`` on ``verilog``, ``<block>.v`` beside its ``machine.json``.

    ``only`` is the name of one coroutine; AssertionError when a test fails, or when there is none.
    ``waves``: a file for every signal over time, VCD; its folder is made.
    Seen are ports, what the Verilog says is public, and, if ``named``, each signal whose name is a
    word of Python in the test's folder (in full, not made of parts): to see all of them takes twice
    as long. ``anew``: build also what was built before. ``initial``: registers and memories that
    nothing has written hold anything, of this seed; else zeros.
    """
    from cocotb_tools.check_results import get_results

    runner = _runner()
    # cocotb hands sys.path on to the simulation: this folder's modules come first in it.
    here = [str(path.parent), *_helpers(), str(ROOT / "tools")]
    sys.path[:] = here + [entry for entry in sys.path if entry not in here]
    os.environ["MCPI_MACHINE_JSON"] = str(verilog.parent / "machine.json")
    chosen = {"test_filter": rf"\.{only}(/.*)?$"} if only else {}
    names = _named(verilog, _tests_of(path)) if named else []
    more, words = (), []
    if initial is not None:
        more = verilator.UNIQUE
        words = ["+verilator+rand+reset+2", f"+verilator+seed+{initial}"]
    program = _bench(runner, verilog, names, anew, bool(waves), more)
    with tempfile.TemporaryDirectory(prefix="cocotb-") as scratch:
        try:
            results = runner.test(
                hdl_toplevel=verilog.stem,
                hdl_toplevel_lang="verilog",
                test_module=path.stem,
                build_dir=program,
                test_dir=scratch,
                waves=bool(waves),
                plusargs=words,
                **chosen,
            )
        finally:
            if waves and Path(scratch, WAVES).exists():
                waves.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(Path(scratch, WAVES), waves)
        count, failed = get_results(results)
    assert failed == 0, f"{failed} of {count} failed"
    assert count > 0, f"no cocotb test {only} in {path}"


def _tests_of(path: Path) -> Path:
    """The room's folder ``test`` that has a test file, at any depth, or else the file's own: its
    tests share one program."""
    above = (folder for folder in path.resolve().parents if ROOT in folder.parents)
    return next((folder for folder in above if folder.name == "test"), path.parent)


def _helpers() -> list[str]:
    """Folders of the packages ``<room>_support``, which hold helpers of the rooms' tests."""
    found = (p for depth in ("*", "*/*") for p in ROOT.glob(f"{depth}/test/*_support/__init__.py"))
    return sorted({str(p.parents[1]) for p in found})


def _runner():
    from cocotb_tools.runner import Verilator

    class Runner(Verilator):
        def _build_command(self):
            commands = super()._build_command()
            kept = ([word for word in words if word != "--public-flat-rw"] for words in commands)
            return [[*words, MAKE] if words[0] == "make" else words for words in kept]

    return Runner()


def _named(verilog: Path, folder: Path) -> list[str]:
    """Ports of the block, and what both its Verilog and the Python in ``folder`` name, and in the
    packages of helpers that it uses."""
    text = verilog.read_text()
    texts = [p.read_text(errors="replace") for p in folder.rglob("*.py")]
    used = set[str]().union(*(_SUPPORT.findall(text) for text in texts))
    packages = [Path(f) / name for f in _helpers() for name in used]
    texts += [p.read_text() for package in packages for p in package.glob("*.py")]
    said = set[str]().union(*(_WORD.findall(text) for text in texts))
    head = re.search(rf"^module {verilog.stem}\s*\((.*?)\);", text, re.M | re.S)
    ports = _PORT.findall(head[1]) if head else []
    return sorted({*(said & set(_WORD.findall(text))), *ports})


def _bench(
    runner,
    verilog: Path,
    names: Sequence[str],
    anew: bool = False,
    waves: bool = False,
    more: Sequence[str] = (),
) -> Path:
    """The folder with the program that Verilator makes of ``verilog``: one for all test files.

    It depends on the Verilog, on how it is translated, and on the tools.
    """
    how = [
        verilog.read_text(),
        verilog.stem,
        *BENCH,
        MAKE,
        *more,
        "traced" if waves else "",
        *names,
        os.environ.get("MCPI_ENV", ""),
    ]
    key = hashlib.sha256("\0".join(how).encode()).hexdigest()[:16]
    folder = BUILD / "benches" / f"{verilog.stem}-{key}"
    with hold(folder.with_suffix(".lock"), f"builds {verilog.stem}"):
        built = folder / "built"
        wanted = anew or not built.exists()
        reuse.note("simulators", not wanted)
        if wanted:
            shutil.rmtree(folder, ignore_errors=True)
            os.environ.update(ccache.environment())
            if words := ccache.words():
                os.environ.setdefault("OBJCACHE", " ".join(words))
            chosen = []
            if names:
                folder.mkdir(parents=True)
                lines = (f'public_flat_rw -module "*" -var "{name}"\n' for name in names)
                chosen = [folder / "public.vlt"]
                chosen[0].write_text("`verilator_config\n" + "".join(lines))
            folder.mkdir(parents=True, exist_ok=True)
            log = folder / "build.log"
            try:
                runner.build(
                    sources=[*chosen, verilog],
                    hdl_toplevel=verilog.stem,
                    build_dir=folder,
                    always=True,
                    timescale=("1ns", "1ps"),
                    build_args=[*BENCH, *more],
                    waves=waves,
                    log_file=log,
                )
            except RuntimeError:
                said = log.read_text(errors="replace")[-_SHOWN:]
                raise RunError(f"building {verilog.stem} failed ({log}):\n{said}") from None
            built.touch()
    return folder
