# SPDX-License-Identifier: BSD-2-Clause
"""Files that appear whole, however many write them at once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mcpi.base import staging
from mcpi.build import graph


def test_several_write_one_file(tmp_path):
    path, texts = tmp_path / "new" / "kept.txt", [str(n) * 100_000 for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            list(pool.map(lambda text: staging.write(path, text), texts))
            assert path.read_text() in texts
    assert list(path.parent.iterdir()) == [path]
    staging.write(path, b"\0", 0o755)
    assert path.read_bytes() == b"\0" and path.stat().st_mode & 0o777 == 0o755


def test_a_generated_file_stays_whole_until_the_new_one_is(tmp_path, monkeypatch):
    """Another process may read it at any time."""

    def stopped(*_):
        raise KeyboardInterrupt

    path = tmp_path / "machine.json"
    graph.write(path, "old")
    monkeypatch.setattr(Path, "rename", stopped)
    with pytest.raises(KeyboardInterrupt):
        graph.write(path, "new")
    assert path.read_text() == "old"
