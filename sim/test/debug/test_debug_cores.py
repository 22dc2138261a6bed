# SPDX-License-Identifier: BSD-2-Clause
"""Cores of a coherent machine in GDB: each is a thread."""

import pytest
from sim_support.debugging import checks, gdb, prepared

from mcpi.spec.program_spec import ProgramSpec

FAILS = """\
#include <assert.h>
#include <mcpi_cores.h>
static void all(void *none) { assert(mcpi_core() != 2 || none); }
int main(void) { mcpi_on_all_cores(all, 0); }
"""


@pytest.mark.parametrize("check", checks.OF_CORES, ids=lambda check: check.__name__)
def test_cores(check, tmp_path):
    check(prepared(checks.spec_of(check), tmp_path / "run"))


def test_the_core_that_fails_is_shown(tmp_path):
    (source := tmp_path / "fails.c").write_text(FAILS)
    spec = ProgramSpec((str(source),), machine="challenge-100", cores=4)
    run = prepared(spec, tmp_path / "run", at_failure=True)
    said = gdb(run, "monitor tick\nbacktrace\ncontinue\nmonitor failure")
    assert "core 2: " in said[0] and "all (none=" in said[1] and "fails.c:3" in said[1], said
    assert "core 2 ended itself with exit code" in said[3]
