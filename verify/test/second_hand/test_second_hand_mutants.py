# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes between run files and printed figures, which the second hand must find."""

import pytest

from verify.long_tests import sampled
from verify.second_hand import fixtures, mutants

MUTANTS = mutants.read()
USUAL = MUTANTS[0].name


def test_every_mistake_has_its_place():
    """Its text stands in its module once; no two have a name in common."""
    assert len({m.name for m in MUTANTS}) == len(MUTANTS) >= 28
    for mutant in MUTANTS:
        assert mutant.source() != mutant.place.read_text()


@pytest.mark.parametrize(
    "mutant", sampled(MUTANTS, lambda m: m.name == USUAL), ids=lambda m: m.name
)
def test_a_mistake_in_a_study_is_found(mutant, tmp_path):
    if mutant.of_a_study:
        fixtures.unpack(mutant.where, tmp_path)
    assert mutants.found(mutant, tmp_path), f"nobody sees: {mutant.name}"
