# SPDX-License-Identifier: BSD-2-Clause
"""Verdicts on claims: three words from a distribution, and the share of samples that turn."""

import pytest

from mcpi.studykit.verdicts import FAILS, HOLDS, UNDECIDED, Distribution, judge, line


def of(*values: float) -> Distribution:
    return Distribution(tuple(values), ("link orders",))


@pytest.mark.parametrize(
    ("values", "low", "high", "word", "turned"),
    [
        ((3.0,), 2, 10, HOLDS, 0),
        ((2.0,), 2, None, FAILS, 0),  # the bound itself is outside
        ((10.0,), None, 10, FAILS, 0),
        ((3, 4, 9), 2, 10, HOLDS, 0),
        ((11, 12, 13), 2, 10, FAILS, 0),
        ((-1, 0, 1), 2, 10, FAILS, 0),
        ((9, 9, 9, 11), 2, 10, UNDECIDED, 0.25),
        ((1, 11, 12, 13), 2, 10, UNDECIDED, 0.25),  # from one side to the other
        ((1, 1, 1, 3), 2, None, UNDECIDED, 0.25),
        ((2, 3), 2, None, UNDECIDED, 0.5),
        ((5, -5), None, None, HOLDS, 0),
    ],
)
def test_verdicts_have_three_words_and_the_share_that_turns(values, low, high, word, turned):
    verdict = judge(of(*values), low, high)
    assert (verdict.word, verdict.turned) == (word, turned)


def test_a_claim_whose_median_holds_is_undecided_if_the_range_straddles_a_bound():
    verdict = judge(of(8, 9, 9.4, 9.9, 10.1), 2, 10)
    assert verdict.word == UNDECIDED
    assert (verdict.distribution.median, verdict.distribution.range) == (9.4, (8, 10.1))
    assert (verdict.distribution.n, verdict.turned) == (5, 0.2)


def test_a_distribution_has_a_value():
    with pytest.raises(ValueError, match="at least one"):
        Distribution(())


def test_the_claims_line_counts_each_verdict():
    words = [HOLDS, HOLDS, FAILS, UNDECIDED, ""]
    assert line(words) == "Claims: 2 hold, 1 do not hold, 1 undecided, 1 not judged."
    assert line([HOLDS]) == "Claims: 1 hold, 0 do not hold, 0 undecided."
