# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi test``: a skip is counted, named with its reason, and refused if it has none of ours."""

from pathlib import Path

import pytest

from mcpi import needs, tests

CASES = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><failure message="no"/></testcase>{}
</testsuite></testsuites>"""
SKIPPED = '<testcase name="c"><skipped type="pytest.skip" message="{}"/></testcase>'


def tally(folder: Path, *reasons: str) -> tests.Tally:
    report = folder / "report.xml"
    report.write_text(CASES.format("".join(SKIPPED.format(r) for r in reasons)))
    return tests._tally(report, "sim/test/test_x.py")


@pytest.mark.parametrize("reason", needs.REASONS)
def test_what_a_machine_may_lack(tmp_path: Path, reason: str) -> None:
    found = tally(tmp_path, reason, reason)
    assert found.counts() == "1 passed, 1 failed, 2 skipped"
    assert found.reasons == {f"sim/test/test_x.py: {reason}": 2}


def test_any_other_skip_is_a_failure(tmp_path: Path, capsys) -> None:
    found = tally(tmp_path, "needs nc")
    assert found.counts() == "1 passed, 2 failed" and not found.reasons
    said = capsys.readouterr().out
    assert said == "sim/test/test_x.py::c: may not be skipped (needs nc)\n"


def test_the_last_lines(tmp_path: Path, monkeypatch, capsys) -> None:
    """Each reason in a line above the counts."""
    rooms = {"sim": tally(tmp_path, needs.TUN), "tools": tests.Tally(passed=3)}
    monkeypatch.setattr(tests, "tests", lambda *ignored: rooms)
    monkeypatch.setattr(tests.scala, "classpath", lambda: "")
    monkeypatch.setattr(tests, "BUILD", tmp_path)
    assert tests.run(tests.Kinds.USUAL, "x", 1) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "4 passed, 1 failed, 1 skipped"
    assert f"skipped 1: sim/test/test_x.py: {needs.TUN}" in lines


def test_board() -> None:
    with pytest.raises(pytest.skip.Exception, match=needs.BOARD):
        needs.board(None)
    needs.board("/dev/ttyUSB0")
