# SPDX-License-Identifier: BSD-2-Clause
"""The order of a user's own graph: the first run of a variant that clones makes it."""

from pathlib import Path

import pytest

from mcpi.api import single_run
from mcpi.base.progress import Silent
from mcpi.base.repo import ROOT
from mcpi.firmware.clone import recipe
from mcpi.spec.run_spec import RunSpec
from mcpi.tuning import ordering

GRAPH = str(ROOT / "examples" / "udpecho" / "udpecho.graph")


@pytest.fixture
def orders(tmp_path: Path, monkeypatch) -> Path:
    """The folder of orders, as in a new checkout."""
    monkeypatch.setattr(recipe, "OWN_ORDERS", tmp_path / "orders")
    return tmp_path / "orders"


def spec(variant: str, **more) -> RunSpec:
    return RunSpec(stack=GRAPH, variant=variant, round_trips=2, warmup=2, **more)


@pytest.mark.parametrize("more", [{}, {"layout": str(ROOT / "course/3-layout/positions.csv")}])
def test_a_first_run_makes_the_order(orders: Path, tmp_path: Path, more: dict) -> None:
    _, result = single_run.perform(spec("clo", **more), tmp_path / "run")
    assert result.steady.client.invocations == 2
    (file,) = set(orders.glob("*.csv")) - set(orders.glob("*.data.csv"))
    assert file.name.startswith("out-udpecho.")
    made = file.stat().st_mtime_ns
    ordering.of_own_graph(spec("clo"), Silent())
    assert file.stat().st_mtime_ns == made, "nothing is cloned anew"


def test_a_server_that_clones_has_an_order_too(orders: Path, tmp_path: Path) -> None:
    single_run.perform(spec("std", peer_variant="clo"), tmp_path / "run")
    assert orders.is_dir()


def test_no_order_is_made_for_a_variant_that_does_not_clone(orders: Path) -> None:
    for one in (spec("out"), RunSpec(stack="tcp", variant="clo")):
        ordering.of_own_graph(one, Silent())
    assert not orders.exists()
