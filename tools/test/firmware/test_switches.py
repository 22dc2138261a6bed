# SPDX-License-Identifier: BSD-2-Clause
"""Which firmware switches there are, and that a define that would change nothing is refused."""

import re
import tomllib

import pytest

from mcpi.base.errors import UserError
from mcpi.firmware import images, recipes, switches
from mcpi.machine import profile
from mcpi.spec.run_spec import RunSpec
from mcpi.studies.sigcomm96.plan import TECHNIQUES


def test_every_switch_that_a_recipe_or_the_study_names_is_there():
    """But XK_OUTLINE, the mark that mcpi.firmware.outline needs: no switch of its own."""
    named = set(TECHNIQUES)
    for path in recipes.VARIANTS.glob("*.toml"):
        named |= set(tomllib.loads(path.read_text()).get("compile", {}).get("defines", []))
    assert {switches.name(define) for define in named} - {"XK_OUTLINE"} <= set(switches.there())
    text = (switches.HEADERS / "switches.h").read_text()
    assert set(re.findall(r"^#ifndef (XK_\w+)", text, re.M)) - {"XK_SWITCHES_H"} == {
        name for name in switches.there() if name.startswith("XK_")
    }


@pytest.mark.parametrize(
    ("defines", "said"),
    [
        (("XK_NODVI=0",), "no such switch. Did you mean XK_NODIV"),
        (("xk_usc=0",), "no such switch. Did you mean XK_USC"),
        (("NDEBUG",), "no such switch. There are: "),
        (("XK_USC=2",), "write XK_USC=0 or XK_USC=1"),
        (("XK_USC=",), "write XK_USC=0 or XK_USC=1"),
        (("XK_USC=off",), "write XK_USC=0 or XK_USC=1"),
        (("XK_USC=0", "XK_USC=1"), "XK_USC is given twice"),
        (("XK_CONNECTIONS=7",), "write XK_CONNECTIONS=1 or XK_CONNECTIONS=8 or XK_CONNECTIONS=64"),
        (("XK_CONNECTIONS=8", "XK_STREAM=1"), "XK_STREAM is of one connection"),
        (
            ("XK_FAST_GUARD=0",),
            "XK_FAST_GUARD=0 changes nothing without XK_FAST_IN: choose --define XK_FAST_GUARD=1, "
            "or --define XK_FAST_IN=1 besides.",
        ),
        (
            ("XK_FAST_TABLE",),
            "XK_FAST_TABLE=1 changes nothing without XK_FAST_IN: choose --define XK_FAST_TABLE=0, ",
        ),
        (("XK_FAST_OWN=1", "XK_FAST_TABLE=1", "XK_FAST_IN=1"), "a recipe names functions"),
        (
            ("XK_NODIV=0", "PIN_GUARD=1"),
            "--define PIN_GUARD=1: no source of stack tcp, variant std",
        ),
    ],
)
def test_what_is_no_switch_is_refused(defines, said):
    with pytest.raises(UserError) as refused:
        RunSpec(defines=defines).check()
    assert said in str(refused.value)


def test_a_switch_must_matter_to_an_image_of_the_run():
    RunSpec(defines=("XK_WORDS=0", "XK_USC")).check()
    RunSpec(variant="pin", defines=("PIN_GUARD=1",)).check()
    RunSpec(variant="std", peer_variant="pin", defines=("PIN_GUARD=1",)).check()
    RunSpec(stack="rpc", variant="all", defines=("PIN_GUARD=1",)).check()
    RunSpec(variant="all", defines=("PIN_GUARD_INSIDE=1",)).check()
    for wrong in (
        RunSpec(stack="rpc", defines=("XK_WORDS=0",)),  # TCP's alone
        # RPC's server is compiled without the client's switches.
        RunSpec(stack="rpc", variant="std", peer_variant="pin", defines=("PIN_GUARD=1",)),
    ):
        with pytest.raises(UserError, match="depends on it; leave it out"):
            wrong.check()


def test_a_define_takes_the_place_of_the_recipes():
    """Both at once are a redefinition, which the compiler refuses."""
    assert switches.over(["XK_A=0", "XK_B=0"], ("XK_A",)) == ["XK_B=0", "XK_A"]
    made = images.plan(profile.load("dec3000-600"), "original", "tcp", ("XK_USC=1",))
    flags = [
        [word for word in step.command if str(word).startswith("-DXK_USC")]
        for step in made.steps
        if "-c" in step.command
    ]
    assert ["-DXK_USC=1"] in flags and ["-DXK_USC=0", "-DXK_USC=1"] not in flags


def test_a_switch_that_needs_another_is_refused_without():
    """XK_FAST_RING is about short frames, which XK_FAST_OUT makes."""
    off = ("XK_FAST_IN=0", "XK_FAST_OUT=0")
    with pytest.raises(UserError, match="XK_FAST_RING=1 changes nothing without XK_FAST_OUT or"):
        RunSpec(variant="flat", defines=off).check()
    RunSpec(variant="flat", defines=off[:1]).check()
    RunSpec(variant="flat", defines=(*off, "XK_FAST_RING=0")).check()
    assert set(switches.NEEDS) | {n for needed in switches.NEEDS.values() for n in needed} <= set(
        switches.there()
    )
