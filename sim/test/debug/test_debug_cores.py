# SPDX-License-Identifier: BSD-2-Clause
"""Cores of a coherent machine in GDB: each is a thread."""

import pytest
from sim_support.debugging import checks, prepared


@pytest.mark.parametrize("check", checks.OF_CORES, ids=lambda check: check.__name__)
def test_cores(check, tmp_path):
    check(prepared(checks.spec_of(check), tmp_path / "run"))
