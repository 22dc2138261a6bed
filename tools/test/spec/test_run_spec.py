# SPDX-License-Identifier: BSD-2-Clause
"""Layouts of a run: a link order, a layout of the copies, or both."""

import pytest

from mcpi.base.errors import UserError
from mcpi.spec.run_spec import RunSpec


@pytest.mark.parametrize(
    ("layout", "shuffle", "copies"),
    [
        ("default", None, None),
        ("shuffle-7", 7, None),
        ("micro", None, "micro"),
        ("linear-shuffle-12", 12, "linear"),
    ],
)
def test_a_layout_is_an_order_and_a_place_of_the_copies(layout, shuffle, copies):
    spec = RunSpec(variant="clo", layout=layout)
    spec.check()
    assert (spec.shuffle, spec.copies) == (shuffle, copies)
    assert spec.layout == "default" or f"--layout {layout}" in spec.command()


@pytest.mark.parametrize("layout", ["shuffle-7-linear", "default-shuffle-7", "micro-shuffle-"])
def test_other_words_are_no_layout(layout):
    with pytest.raises(UserError, match=f"no layout '{layout}'"):
        RunSpec(variant="clo", layout=layout).check()


def test_only_what_clones_has_copies_in_an_order():
    with pytest.raises(UserError, match="variant std does not clone"):
        RunSpec(variant="std", layout="micro-shuffle-7").check()
