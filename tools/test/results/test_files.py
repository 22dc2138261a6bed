# SPDX-License-Identifier: BSD-2-Clause
"""A file of a run is read under the name that it has, compressed or not."""

import gzip

import pytest

from mcpi.results import files, folders, measure

ROWS = b"tick,node,stamp\n3,0,hand_over\n"


@pytest.mark.parametrize("packed", [False, True])
def test_a_reader_finds_the_file(tmp_path, packed):
    path = tmp_path / "stamps.csv"
    if packed:  # as two parts
        path.with_suffix(".csv.gz").write_bytes(gzip.compress(ROWS[:20]) + gzip.compress(ROWS[20:]))
    else:
        path.write_bytes(ROWS)
    assert files.place(path).is_file()
    with files.data(path) as stream:
        assert stream.read() == ROWS
    assert list(measure.stamped(path)) == [(3, 0, "hand_over")]


def test_a_compressed_file_is_compared_by_its_text(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    (one / "stamps.csv").write_bytes(ROWS)
    (other / "stamps.csv.gz").write_bytes(gzip.compress(ROWS))
    assert folders.differences(one, other) == {}
    (other / "stamps.csv.gz").write_bytes(gzip.compress(ROWS.replace(b"3", b"4")))
    assert [str(path) for path in folders.differences(one, other)] == ["stamps.csv"]
