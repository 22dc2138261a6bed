# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi profile`` of a program, and which data miss."""

import json
import shutil
from pathlib import Path

import pytest
from tools_support.command import mcpi, refused

from mcpi import api as stacks
from mcpi.analysis import data_misses
from mcpi.analysis.profile import Profile
from mcpi.api import single_run as api
from mcpi.base.errors import RunError
from mcpi.results import record
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RunSpec

SOURCE = """\
#include <mcpi.h>
enum { COUNT = 256 };
long first[1024], second[1024];
__attribute__((noinline)) static long sum(const long *a, const long *b)
{
	long found = 0;
	for (int n = 0; n < COUNT; n++)
		found += a[n] ^ b[n];
	return found;
}
int main(void)
{
	mcpi_keep(sum(first, second));
	for (int n = 0; n < 2; n++)
		MCPI_MEASURE mcpi_keep(sum(first, second));
	return 0;
}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("profile")
    (place / "conflict.c").write_text(SOURCE)
    spec = ProgramSpec((str(place / "conflict.c"),), tick_log="client", recording=True)
    return api.perform(spec, place / "run")[0]


def test_a_program_is_profiled(run):
    """Its sums are the record's, and its lines the source's."""
    profile = Profile(run, "client")
    steady = record.read(run / "result.json").steady.client
    assert profile.invocations == 2 and profile.sum.total == steady.totals.ticks
    lines = {row.name.rpartition("/")[2] for row in profile.rows("line")}
    assert "conflict.c:8" in lines
    assert profile.rows()[0].name.startswith("sum")


def test_two_arrays_put_each_other_out(run):
    """8 KB apart in a D-cache of 8 KB: every load misses, and puts the other array's block out."""
    rows = data_misses.by(Profile(run, "client"))
    assert {"first", "second"} == set(rows)
    for name, other in (("first", "second"), ("second", "first")):
        assert rows[name].misses == 2 * 256
        assert rows[name].puts_out[other] >= 511 and rows[name].puts_out[name] == 0


def test_data_of_a_stack(tmp_path):
    spec = RunSpec(engine=EXACT, round_trips=3, tick_log="client", recording=True)
    place, result = stacks.perform(spec, tmp_path / "run")
    rows = data_misses.by(Profile(place, "client"))
    assert (
        sum(one.misses for one in rows.values())
        == Profile(place, "client").sum.events["dcache.misses"]
    )
    assert len(rows) > 5 and result.steady.client.invocations == 3


def test_the_command_prints_and_refuses(run, tmp_path):
    done = mcpi("profile", "--run", str(run), "--data")
    assert done.returncode == 0 and "first" in done.stdout and "sum = the counter" in done.stdout
    source = str(run.parent / "conflict.c")
    content = json.loads(mcpi("profile", source, "--json", "--out", str(tmp_path / "a")).stdout)
    assert content["rows"][0]["name"].startswith("sum")
    for words in (["--stack", "rpc"], ["--run", str(run)], ["--round-trips", "3"]):
        assert "has no effect" in refused("profile", source, *words)
    assert "symbol, site, object are known" in refused(
        "profile", "--run", str(run), "--data", "--by", "line"
    )
    assert "function, line" in refused("profile", "--run", str(run), "--by", "object")
    assert "has no effect" in refused("profile", "--run", str(run), "--data", "--owner", "issue")


def test_ticks_that_are_not_the_counters_are_refused(run, tmp_path):
    place = tmp_path / "run"
    shutil.copytree(run, place)
    text = (run / "ticks.csv").read_text()
    (place / "ticks.csv").write_text(text.replace(",d_miss,", ",load_use,", 1))
    with pytest.raises(RunError, match="but its instructions have"):
        Profile(place, "client")
