# SPDX-License-Identifier: BSD-2-Clause
"""A standstill of several cores is noticed, and nothing else is taken for it; planted mistakes."""

import pytest
from sim_support import planted
from sim_support.simulators import run

from mcpi.build import models

MISTAKES = planted.mistakes("standstill_mutants")


def test_what_stands_still():
    run(models.build("unit_standstill"))


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.title)
def test_a_mistake_is_found(mistake, monkeypatch):
    mistake.acts(monkeypatch)
    assert run(planted.program("unit_standstill"), check=False).returncode, mistake.title
