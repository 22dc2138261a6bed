# SPDX-License-Identifier: BSD-2-Clause
"""A branch or jump directly after the wait register is written waits in stage D while the core
sleeps: it is predicted there, and its bubble is hidden (core.md, Prediction)."""

import pytest
from sim_support.line_programs import waits
from sim_support.simulators import both, build, logged_from_reset, machine_json

from mcpi.results import folders


@pytest.mark.parametrize("penalty", [1, 2, 7])
def test_a_branch_that_waits_asleep_is_predicted(penalty, tmp_path):
    settings = {"core.prediction": "ev4", "core.predicted_penalty": str(penalty)}
    options = [*logged_from_reset(tmp_path), "--max-ticks", 5_000_000]
    machine, own = machine_json(tmp_path, settings), waits(tmp_path)
    for done in both(build(), tmp_path, machine, *options, items=own):
        assert done.returncode == 0, done.stderr[-3000:]
    assert not (found := folders.differences(tmp_path / "rtl", tmp_path / "exact")), found
