# SPDX-License-Identifier: BSD-2-Clause
"""Parts of a sweep, of runs that nothing starts."""

import pytest

from mcpi.api.sweeping import perform
from mcpi.base.progress import Silent


@pytest.mark.parametrize("parts", [1, 2, 3, 8])
def test_each_run_is_of_one_part(parts, monkeypatch):
    ran = []
    monkeypatch.setattr(perform, "_points", lambda *_: list(range(7)))
    monkeypatch.setattr(perform, "run", lambda points, *_: ran.append(points) or len(points))
    monkeypatch.setattr(perform, "cores", lambda: 1)
    counts = [perform.shard(None, (k, parts), "", 0, Silent()) for k in range(1, parts + 1)]
    assert sorted(n for points in ran for n in points) == list(range(7))
    assert max(map(len, ran)) - min(map(len, ran)) <= 1
    assert counts == [(len(points), len(points)) for points in ran]
