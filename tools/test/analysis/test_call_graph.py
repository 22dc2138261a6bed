# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi profile``: callers and callees, and the file for the Firefox profiler, which is read
here as the format's description says (firefox-devtools/profiler, src/types/profile.ts and
docs-developer/CHANGELOG-formats.md, version 58)."""

import json
from collections import Counter
from pathlib import Path

import pytest
from tools_support.command import mcpi, refused

from mcpi import api
from mcpi.analysis import attribution, call_graph
from mcpi.analysis.profile import Profile
from mcpi.base.errors import UserError
from mcpi.export import firefox


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    place = tmp_path_factory.mktemp("calls") / "run"
    api.run(variant="std", engine="exact", tick_log="client", round_trips=3, warmup=2, out=place)
    return Profile(place, "client")


def test_callers_and_callees_sum_to_the_function(profile: Profile) -> None:
    node = call_graph.around(profile, "ip_push")
    for edges in (node.callers, node.callees):
        assert attribution.total(edge.cost for edge in edges) == node.total
    assert sum(edge.calls for edge in node.callers) == profile.invocations
    callees = {edge.name: edge for edge in node.callees}
    assert callees["vnet_push"].calls == profile.invocations
    own = next(row for row in profile.rows() if row.name == "ip_push")
    assert callees[call_graph.ITSELF].cost == own.cost
    assert callees["vnet_push"].cost == call_graph.around(profile, "vnet_push").total
    with pytest.raises(UserError, match="Did you mean ip_push"):
        call_graph.around(profile, "ip_pusj")


def test_the_outermost_frames_are_the_whole_path(profile: Profile) -> None:
    """Frames without a caller are those where the window opens; together they are the whole
    path."""
    names = {row.name for row in profile.rows()}
    opened = [
        edge.cost
        for name in names
        for edge in call_graph.around(profile, name).callers
        if edge.name == call_graph.OPENED
    ]
    assert attribution.total(opened) == profile.sum


COLOURS = "transparent purple green orange yellow lightblue blue brown magenta red lightred"
COLOURS = (COLOURS + " darkgrey grey").split()
# Columns of each table of a thread, and what is in them.
INDEX, NULL, TRUTH = int, type(None), bool
TABLES = {
    "samples": {"stack": (INDEX, NULL), "time": (int, float), "weight": (int,)},
    "stackTable": {"frame": (INDEX,), "prefix": (INDEX, NULL)},
    "frameTable": {
        **dict.fromkeys(("address", "inlineDepth", "func"), (INDEX,)),
        **dict.fromkeys(("category", "subcategory", "nativeSymbol", "line"), (INDEX, NULL)),
        **dict.fromkeys(("column", "innerWindowID"), (INDEX, NULL)),
    },
    "funcTable": {
        **dict.fromkeys(("isJS", "relevantForJS"), (TRUTH,)),
        **dict.fromkeys(("name", "resource"), (INDEX,)),
        **dict.fromkeys(("source", "lineNumber", "columnNumber"), (INDEX, NULL)),
    },
    "resourceTable": dict.fromkeys(("lib", "name", "host", "type"), (INDEX, NULL)),
    "nativeSymbols": dict.fromkeys(("libIndex", "address", "name", "functionSize"), (INDEX, NULL)),
    "markers": dict.fromkeys(("data", "name", "startTime", "endTime", "phase", "category"), ()),
}
META = {"interval", "startTime", "processType", "product", "stackwalk", "version", "markerSchema"}
THREAD = {"processType", "processStartupTime", "processShutdownTime", "registerTime", "name"}
THREAD |= {"unregisterTime", "pausedRanges", "isMainThread", "pid", "tid", *TABLES}


class Reader:
    """A viewer's reading of a file: the samples as (time, functions, category, owner, weight).
    AssertionError for a file that the description does not allow."""

    def __init__(self, text: str) -> None:
        self.file = json.loads(text)
        meta, shared = self.file["meta"], self.file["shared"]
        assert set(self.file) >= {"meta", "libs", "shared", "threads"} and META <= set(meta)
        assert meta["preprocessedProfileVersion"] == 58
        self.strings, self.categories = shared["stringArray"], meta["categories"]
        sources = shared["sources"]
        assert len(sources["uuid"]) == len(sources["filename"]) == sources["length"]
        assert any(one["color"] == "grey" for one in self.categories)
        for one in self.categories:
            assert one["color"] in COLOURS and one["subcategories"][0] == "Other"
        (self.thread,) = self.file["threads"]
        assert THREAD <= set(self.thread) and isinstance(self.thread["pid"], str)
        for name, columns in TABLES.items():
            self._table(name, columns)
        assert self.thread["samples"]["weightType"] in ("samples", "tracing-ms", "bytes")
        self.samples = list(self._samples())

    def _table(self, name: str, columns: dict) -> None:
        table = self.thread[name]
        extra = set(table) - set(columns) - {"length", "weightType"}
        assert not extra, f"{name} has {extra}"
        for column, kinds in columns.items():
            assert len(table[column]) == table["length"], (name, column)
            assert {type(value) for value in table[column]} <= set(kinds), (name, column)

    def _samples(self):
        samples, stacks = self.thread["samples"], self.thread["stackTable"]
        frames, functions = self.thread["frameTable"], self.thread["funcTable"]
        for at, prefix in enumerate(stacks["prefix"]):
            assert prefix is None or 0 <= prefix < at, "a caller comes before its callee"
        for stack, time, weight in zip(samples["stack"], samples["time"], samples["weight"]):
            names, kind = [], None
            while stack is not None:
                frame = stacks["frame"][stack]
                names.append(self.strings[functions["name"][frames["func"][frame]]])
                if kind is None and (number := frames["category"][frame]) is not None:
                    category = self.categories[number]
                    sub = category["subcategories"][frames["subcategory"][frame]]
                    kind = category["name"], sub
                stack = stacks["prefix"][stack]
            yield time, tuple(reversed(names)), *kind, weight


def test_the_firefox_profiler_s_file_is_as_described(profile: Profile) -> None:
    """Every tick of every owner is in it, at its time, below its callers."""
    read = Reader(firefox.text(profile))
    owners, inclusive = Counter(), Counter()
    for _, names, _, owner, weight in read.samples:
        owners[owner] += weight
        for name in set(names):
            inclusive[name] += weight
    assert owners == profile.sum.ticks
    for name in ("ip_push", "vnet_push", "lance_push"):
        assert inclusive[name] == call_graph.around(profile, name).total.total
    assert any(names[-2:] == ("ip_push", "vnet_push") for _, names, *_ in read.samples)
    times = [time for time, *_ in read.samples]
    assert times == sorted(times)
    first, last = profile.segments[0][0].first, profile.segments[-1][-1].first
    per_ms = profile.ticks_per_us * 1000
    assert times[0] == pytest.approx(first / per_ms) and times[-1] <= (last + 1) / per_ms


def test_one_owner_alone(profile: Profile) -> None:
    read = Reader(firefox.text(profile, "d_miss"))
    assert {owner for *_, owner, _ in read.samples} == {"d_miss"}
    assert {category for _, _, category, *_ in read.samples} == {"D-cache"}
    assert sum(weight for *_, weight in read.samples) == profile.sum.ticks["d_miss"]


@pytest.mark.parametrize(
    "mistake",
    [
        lambda file: file["meta"].pop("interval"),
        lambda file: file["meta"].update(preprocessedProfileVersion=57),
        lambda file: file["meta"]["categories"][0].update(color="pink"),
        lambda file: file["threads"][0]["stackTable"]["prefix"].append(None),
        lambda file: file["threads"][0]["stackTable"]["prefix"].__setitem__(0, 3),
        lambda file: file["threads"][0]["samples"]["stack"].__setitem__(0, 10**6),
        lambda file: file["threads"][0]["funcTable"]["name"].__setitem__(0, 10**6),
        lambda file: file["threads"][0]["frameTable"].update(implementation=[]),
        lambda file: file["threads"][0].pop("markers"),
        lambda file: file["threads"][0].update(pid=0),
    ],
)
def test_the_reader_refuses_what_the_format_does_not_allow(profile: Profile, mistake) -> None:
    file = json.loads(firefox.text(profile))
    mistake(file)
    with pytest.raises((AssertionError, KeyError, IndexError)):
        Reader(json.dumps(file))


def test_the_command_prints_callers_and_writes_the_file(profile: Profile, tmp_path: Path) -> None:
    run, file = str(profile.folder), tmp_path / "tcp.json"
    done = mcpi("profile", "--run", run, "--calls", "ip_push", "--firefox", str(file))
    assert done.returncode == 0, done.stderr
    assert "vnet_push" in done.stdout and "itself" in done.stdout
    assert Reader(file.read_text()).samples
    content = json.loads(mcpi("profile", "--run", run, "--calls", "ip_push", "--json").stdout)
    ticks = [
        sum(sum(e["ticks"].values()) for e in content[side]) for side in ("callers", "callees")
    ]
    assert ticks[0] == ticks[1] == call_graph.around(profile, "ip_push").total.total
    assert "has no function" in refused("profile", "--run", run, "--calls", "nothing_like_it")
    assert "has no effect" in refused("profile", "--run", run, "--calls", "ip_push", "--by", "line")
