# SPDX-License-Identifier: BSD-2-Clause
"""A cocotb test of the user's on any top: checked first, then elaborated, built, run."""

import importlib.util
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base.errors import RunError, UserError, nearest
from mcpi.base.repo import RESULTS
from mcpi.cocotb import tops
from mcpi.hdl import cocotb_run
from mcpi.machine import profile


@dataclass(frozen=True)
class Wanted:
    """``only``: the name of one test; ``waves``: leave every signal in a file."""

    file: Path
    top: str
    machine: str
    settings: dict[str, str] = field(default_factory=dict)
    only: str = ""
    waves: bool = False

    @property
    def waves_file(self) -> Path | None:
        return RESULTS / "cocotb" / f"{self.file.stem}-{self.top}.vcd" if self.waves else None


def check(wanted: Wanted) -> None:
    """UserError for what is wrong, before anything is elaborated."""
    tops.check(wanted.top)
    machine = profile.load(wanted.machine, wanted.settings)
    machine.check_acts(wanted.settings, engine="cocotb")
    there = tests(wanted.file)
    if wanted.only and wanted.only not in there:
        hint = nearest(wanted.only, there)
        raise UserError(f"-k {wanted.only}: {wanted.file} has {', '.join(there)}.{hint}")


def tests(file: Path) -> list[str]:
    """Names of the cocotb tests in ``file``, which is imported. UserError if there are none."""
    from cocotb.regression import Test, TestGenerator

    if file.suffix != ".py" or not file.stem.isidentifier():
        raise UserError(f"{file}: a file of Python is wanted, whose name a module can have.")
    if not file.is_file():
        raise UserError(f"{file}: no such file.")
    sys.path.insert(0, str(file.resolve().parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UserError(f"{file}: {_where(error, file)}{type(error).__name__}: {error}") from None
    finally:
        sys.path.pop(0)
        del sys.modules[file.stem]
    found = [name for name, one in vars(module).items() if isinstance(one, Test | TestGenerator)]
    if not found:
        raise UserError(f"{file}: no test in it. A test is a coroutine below @cocotb.test().")
    return found


def _where(error: Exception, file: Path) -> str:
    """The line of ``file`` in which an exception came up."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f"line {error.lineno}: "
    lines, frame = [], error.__traceback__
    while frame:
        if frame.tb_frame.f_code.co_filename == str(file):
            lines.append(frame.tb_lineno)
        frame = frame.tb_next
    return f"line {lines[-1]}: " if lines else ""


def run(wanted: Wanted) -> None:
    """``check`` has passed. The log goes to standard output; RunError if a test has failed."""
    verilog = cocotb_run.elaborate(wanted.top, wanted.machine, wanted.settings)
    cocotb_run.of_machine(wanted.machine, wanted.settings)
    waves = wanted.waves_file
    if waves:
        waves.unlink(missing_ok=True)
    # Below a pytest cocotb's runner would end the process by itself.
    os.environ.pop("PYTEST_CURRENT_TEST", None)
    try:
        only = re.escape(wanted.only)
        cocotb_run.simulate(verilog, wanted.file.resolve(), only, waves=waves)
    except AssertionError as failed:
        raise RunError(f"{wanted.file} on {wanted.top}: {failed}") from None
    except SystemExit:
        raise RunError(f"{wanted.file} on {wanted.top}: the simulation has broken off") from None
    finally:
        if waves and waves.exists():
            print(f"waves: {waves}   to see them: surfer or gtkwave FILE")
