# SPDX-License-Identifier: BSD-2-Clause
"""Paths whose frames the controller recognises (docs/reference/lance.md, Classifier), on the exact
engine: the wire is the same, and so is the path, but for a comparison."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from mcpi import api
from mcpi.api.finished_run import Run
from mcpi.base.errors import UserError
from mcpi.machine import profile
from mcpi.results import pcap

ON = {"lance.classifier": "on"}
NONE, SOFTWARE = {"fast": ("XK_FAST_GUARD=0",)}, {"fast": ()}  # defines of a variant
CASES = [(stack, variant) for stack in ("tcp", "rpc") for variant in ("pin", "all", "fast")]


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Callable[..., Run]:
    folder: Path = tmp_path_factory.mktemp("classifier")

    @cache
    def made(stack: str, variant: str, on: bool, defines: tuple[str, ...] = (), loss: float = 0):
        out = folder / f"{stack}-{variant}-{on}-{len(defines)}-{loss}"
        more = {"set": ON if on else {}, "defines": defines, "loss": loss, "round_trips": 20}
        return api.run(stack=stack, variant=variant, out=out, **more)

    return made


def frames(run: Run) -> list[bytes]:
    return list(pcap.frames(run.folder / "wire.pcap"))


@pytest.mark.parametrize(("stack", "variant"), CASES)
def test_same_frames_and_path(run: Callable[..., Run], stack: str, variant: str) -> None:
    """The frames are those of the path without a classifier, and of the guard in software. Nearly
    all invocations take the path: its length is a few instructions more than without."""
    none = run(stack, variant, False, NONE.get(variant, ()))
    software = run(stack, variant, False, SOFTWARE.get(variant, ("PIN_GUARD_INSIDE=1",)))
    controller = run(stack, variant, True)
    assert frames(none) == frames(software) == frames(controller)
    lengths = [r.client.instructions for r in (none, controller, software)]
    assert lengths[0] < lengths[1] < lengths[0] + 10 < lengths[2], lengths


@pytest.mark.parametrize(("stack", "variant"), [("tcp", "pin"), ("rpc", "pin"), ("tcp", "fast")])
def test_frames_that_are_lost(run: Callable[..., Run], stack: str, variant: str) -> None:
    """Frames that are sent again are on the path or not, and the run comes to its end."""
    lossy = run(stack, variant, True, loss=0.05)
    assert len(frames(lossy)) > len(frames(run(stack, variant, True)))


def test_more_connections_than_entries(run: Callable[..., Run]) -> None:
    """Eight of 64 connections have an id; software compares the frames of the others."""
    several = ("XK_CONNECTIONS=64",)
    assert frames(run("tcp", "shared", True, several)) == frames(
        run("tcp", "shared", False, several)
    )


def test_a_card_without_room_for_entries_is_refused() -> None:
    with pytest.raises(UserError, match="entries are registers of the IOASIC"):
        profile.load("dec3000-pmad", ON)


def test_other_stacks_ignore_the_id(run: Callable[..., Run]) -> None:
    """STD's frames are the same: drivers mask the bits of the id."""
    assert frames(run("tcp", "std", True)) == frames(run("tcp", "std", False))
