# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes put into the Verilog of the windows; ``mcpi.verify.verilog_mutants`` says how."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """``wrong`` in the place of ``right`` in module ``module``; ``test`` finds it."""

    title: str
    test: str
    module: str
    right: str
    wrong: str


MUTANTS = [
    Mutant(
        "a window that is closed can be paused",
        "every_pair_of_actions",
        "WindowTable",
        "paused <= (paused | (chosen_at & open_1))",
        "paused <= (paused | chosen_at)",
    ),
    Mutant(
        "a cell that was written in the clock before is read as it was",
        "boundaries",
        "WindowTable",
        "third_value <= third_sum",
        "third_value <= second_stored",
    ),
    Mutant(
        "a comparator's window is the next one's too",
        "nested_and_interleaved",
        "WindowTable",
        "open_1 <= (open_1 | chosen_at)",
        "open_1 <= (open_1 | (chosen_at | (chosen_at << 1)))",
    ),
    Mutant(
        "only the first comparator of an instruction acts",
        "one_instruction_for_all_windows",
        "WindowTable",
        "left <= (todo & (~ first))",
        "left <= 24'h0",
    ),
    Mutant(
        "an invocation counts while frozen",
        "frozen_and_cleared",
        "WindowTable",
        "next_valid = ((|(io_comparators_action_4 & first)) && head_counts)",
        "next_valid = (|(io_comparators_action_4 & first))",
    ),
    Mutant(
        "a clear leaves further windows open",
        "frozen_and_cleared",
        "WindowTable",
        "if(head_clear)",
        "if(1'b0)",
    ),
    Mutant(
        "ticks left out are counted once for all",
        "random_history",
        "WindowTable",
        "next_adds = ({1'b0,head_skipped} + _zz_next_adds)",
        "next_adds = _zz_next_adds",
    ),
    Mutant(
        "the path closes although it opens later at the same instruction",
        "every_pair_of_actions",
        "Windows",
        "open_1 <= open_before[24]",
        "open_1 <= (open_before[24] && (! (|closes)))",
    ),
]
