# SPDX-License-Identifier: BSD-2-Clause
"""Two result folders are the same or not: what counts, what does not, and what is said of it."""

import json
import shutil
from pathlib import Path

import pytest
from tools_support.command import mcpi

from mcpi.base.errors import UserError
from mcpi.results import folders

COUNTERS = {"nodes": [{"all": {"ticks": 12, "clocks": 40}, "path": {"ticks": 5}}]}
RESULT = {"schema": 2, "provenance": {"engine": "rtl"}, "steady": {"client": {"cpi": 2.5}}}


@pytest.fixture
def pair(tmp_path) -> tuple[Path, Path]:
    one, other = tmp_path / "one", tmp_path / "other"
    (one / "cold").mkdir(parents=True)
    (one / "events.csv").write_text("tick,node,event\n1,0,5\n9,0,6\n")
    (one / "ticks.csv").write_text("tick,count,owner,pc,events\n0,1,issue,1f00,\n")
    (one / "trace.csv").write_text("window,invocation,pc,kind,address\n1,0,1f00,,\n")
    (one / "wire.pcap").write_bytes(bytes(range(9)))
    (one / "cold" / "counters.json").write_text(json.dumps(COUNTERS))
    (one / "result.json").write_text(json.dumps(RESULT))
    (one / "run.json").write_text('{"wall_seconds": 1}')
    (one / "oracle.json").write_text("{}")
    shutil.copytree(one, other)
    return one, other


def rewrite(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


def test_a_copy_is_the_same(pair):
    assert folders.differences(*pair) == {}


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("run.json", "1", "2"),
        ("oracle.json", "{}", '{"a": 1}'),
        ("cold/counters.json", '"clocks": 40', '"clocks": 41'),
        ("cold/counters.json", ', "clocks": 40', ""),
        ("cold/counters.json", '": {', '":   {'),
        ("result.json", '"rtl"', '"exact"'),
        ("result.json", '"schema": 2', '"schema": 3'),
    ],
)
def test_what_does_not_count(pair, file, before, after):
    rewrite(pair[1] / file, before, after)
    assert folders.differences(*pair) == {}


@pytest.mark.parametrize(
    ("file", "before", "after", "said"),
    [
        ("events.csv", "9,0,6", "9,1,6", "line 3: '9,0,6' and '9,1,6'"),
        ("events.csv", "9,0,6\n", "", "line 3: '9,0,6' and nothing"),
        ("events.csv", "\n9", "\r\n9", "line 2: '1,0,5' and '1,0,5'"),
        ("ticks.csv", "1f00", "1f04", "line 2: '0,1,issue,1f00,' and '0,1,issue,1f04,'"),
        ("trace.csv", "1,0,", "1,1,", "line 2: '1,0,1f00,,' and '1,1,1f00,,'"),
        ("cold/counters.json", '"ticks": 12', '"ticks": 13', "nodes[0].all.ticks: 12 and 13"),
        ("cold/counters.json", '"ticks": 12, ', "", "nodes[0].all.ticks: 12 and None"),
        ("result.json", "2.5", "2.6", "steady.client.cpi: 2.5 and 2.6"),
        ("wire.pcap", "\x04", "\x05", "byte 4; 9 and 9 bytes"),
    ],
)
def test_one_mistake_is_found_and_named(pair, file, before, after, said):
    rewrite(pair[1] / file, before, after)
    found = folders.differences(*pair)
    assert list(found) == [Path(file)]
    assert found[Path(file)][0] == said or "\r" in after


@pytest.mark.parametrize(
    ("file", "before", "after", "said"),
    [
        (
            "counters.json",
            '"owner.issue": 7',
            '"owner.issue": 8',
            "cores[0].all.owner.issue: 7 and 8",
        ),
        (
            "counters.json",
            '"snoop.requests": 3',
            '"snoop.grants": 3',
            "machine.snoop.grants: None and 3",
        ),
        ("counters.json", '"clocks": 9', '"clocks": 10', None),
        ("history.csv", "5,0", "6,0", "line 2: '5,0,takes' and '6,0,takes'"),
        ("run.json", '"ticks": 12', '"ticks": 13', "byte"),
        ("console.txt", "done", "dead", "line 1: 'done' and 'dead'"),
        ("ticks.0.csv", "issue", "idle", None),
    ],
)
def test_of_a_node_alone_other_files_count(tmp_path, file, before, after, said):
    content = {
        "machine": {"snoop.requests": 3},
        "cores": [{"all": {"owner.issue": 7, "clocks": 9}}],
    }
    texts = {"counters.json": json.dumps(content), "run.json": '{"ticks": 12}'}
    texts |= {"history.csv": "tick,core,what\n5,0,takes\n", "console.txt": "done\n"}
    texts |= {"ticks.0.csv": "tick,owner\n0,issue\n"}
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        for name, text in texts.items():
            (folder / name).write_text(text)
    assert folders.differences(one, other, names=folders.ALONE) == {}
    rewrite(other / file, before, after)
    found = folders.differences(one, other, names=folders.ALONE)
    assert [path.name for path in found] == ([file] if said else [])
    assert not said or any(line.startswith(said) for line in found[Path(file)])


def test_a_file_too_many_and_one_too_few(pair):
    (pair[1] / "wire.pcap").unlink()
    (pair[0] / "cold" / "counters.json").unlink()
    assert folders.differences(*pair) == {
        Path("wire.pcap"): [f"only in {pair[0]}"],
        Path("cold/counters.json"): [f"only in {pair[1]}"],
    }


def test_the_first_few_are_shown(pair):
    (pair[1] / "events.csv").write_text("".join(f"{n},0,0\n" for n in range(9)))
    said = folders.differences(*pair)[Path("events.csv")]
    assert len(said) == folders.SHOWN + 1 and said[-1] == "and 6 more"


def test_what_is_no_folder_of_a_run(pair, tmp_path):
    for wrong in (tmp_path / "nothing", tmp_path):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with pytest.raises(UserError, match="no folder|no file of a run"):
            folders.differences(pair[0], wrong if wrong != tmp_path else tmp_path / "empty")


def test_the_command(pair):
    assert "6 files, the same" in mcpi("baseline", "--folders", *map(str, pair)).stderr
    rewrite(pair[1] / "events.csv", "9,0,6", "9,1,6")
    done = mcpi("baseline", "--folders", *map(str, pair))
    assert done.returncode == 1 and "1 of 6 files differ" in done.stderr
