# SPDX-License-Identifier: BSD-2-Clause
"""A protocol graph of the user's own, a file: UDP echo of examples/ is run, and its layout
searched, in one command; what cannot be built or counted is refused."""

import re
import shutil
from pathlib import Path

import pytest

from mcpi import api
from mcpi.base.errors import UserError
from mcpi.base.progress import Silent
from mcpi.base.repo import ROOT
from mcpi.firmware import protocol_graph, sources
from mcpi.layout.placing import search
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.tuning import placing

ECHO = ROOT / "examples" / "udpecho" / "udpecho.graph"


def copied(to: Path, change: str = "") -> Path:
    """The example, without what matches ``change`` in its protocol."""
    folder = shutil.copytree(ECHO.parent, to / "echo")
    own = folder / "udpping" / "udpping.c"
    text = own.read_text()
    assert not change or re.search(change, text)
    own.write_text(re.sub(change, "", text) if change else text)
    return folder / ECHO.name


@pytest.mark.long
def test_a_search_of_udp_echo(tmp_path, monkeypatch) -> None:
    """A single call makes order and positions. A search that finds nothing is no worse than the
    best of the layouts made by hand; a real one is faster, and its file gives the same run."""
    spec = RunSpec(stack=str(ECHO), variant="clo", engine=EXACT, round_trips=8)
    with monkeypatch.context() as nothing:
        nothing.setattr(search, "anneal", lambda _, p, *__: search.Found(p.positions, 0, 0))
        wanted = placing.Wanted(spec, 1, 1, search.Limits(1))
        judged, _ = placing.run(wanted, tmp_path / "none", Silent())
    by_name = {one.name: one for one in judged}
    best, bipartite, linear = (by_name[n] for n in (placing.SEARCHED, "bipartite", "linear"))
    assert best.trained == linear.trained < bipartite.trained == by_name[placing.WORST].trained
    some = placing.Wanted(spec, 1, 1, search.Limits(20_000))
    judged, bound = placing.run(some, tmp_path / "some", Silent())
    assert judged[0].median < best.median and judged[0].median > bound.time_us
    layout = str(tmp_path / "some" / "searched.positions.csv")
    place = tmp_path / "run"
    words = {"stack": str(ECHO), "variant": "clo", "engine": EXACT, "layout": layout}
    run = api.run(**words, round_trips=8, out=place)
    assert run.result.steady.client.time_us == pytest.approx(judged[0].trained)


def test_no_markers(tmp_path) -> None:
    graph = copied(tmp_path, r"\tMARK\(MARK_INVOCATION, WINDOW_PATH\);\n")
    spec = RunSpec(stack=str(graph), variant="clo", engine=EXACT)
    with pytest.raises(UserError, match="udpecho.graph: none of its protocols marks.*MARK_INVOC"):
        placing.run(placing.Wanted(spec, 1, 1, search.Limits(1)), tmp_path / "out", Silent())


def test_what_cannot_be_built(tmp_path) -> None:
    graph = copied(tmp_path)
    shutil.rmtree(graph.parent / "udpping")
    for stack, variant, said in (
        (str(tmp_path / "none.graph"), "clo", "none.graph: no such file. There are: bsd, rpc, tcp"),
        (str(graph), "clo", "protocol 'udpping': no folder .*udpping, nor one beside the graph"),
        (str(ECHO), "all", "all: it makes one function of a path that firmware/paths/ describes"),
        ("udp", "clo", "no stack 'udp'. There are: tcp, rpc"),
    ):
        with pytest.raises(UserError, match=said):
            RunSpec(stack=stack, variant=variant, engine=EXACT).check()


def test_two_graphs_of_one_name_do_not_meet(tmp_path) -> None:
    other = copied(tmp_path)
    names = {protocol_graph.name_of(str(path)) for path in (ECHO, other)}
    assert len(names) == 2 and all(name.startswith("udpecho.") for name in names)
    found, _ = sources.of(str(other), tmp_path)
    assert [sources.label(p) for p in found if "udpping" in str(p)] == ["udpping/udpping.c"]
    assert str(other.parent) in str(found)
