# SPDX-License-Identifier: BSD-2-Clause
"""Placements that need no search: what others have proposed, and the bound below them all.

Each is a list of positions, a piece each, in bytes below the I-cache size.
"""

from collections import Counter
from collections.abc import Sequence

from mcpi.layout.placing.problem import FIXED, Problem, Run

CHUNK = 256  # bytes: the grain of temporal ordering (Gloy and Smith 1999)


def packed(problem: Problem, order: Sequence[int]) -> list[int]:
    """Positions of the pieces one after the other in this order."""
    found, at = [0] * len(problem.pieces), 0
    for n in order:
        found[n] = at % problem.cache
        at += problem.pieces[n].size
    return found


def pettis_hansen(problem: Problem) -> list[int]:
    """Chains of functions that call each other most, one chain behind the other (Pettis and Hansen
    1990): the heaviest edge joins the chains of its two functions, at the ends that are nearest."""
    edges: Counter = Counter()
    last = FIXED
    for run in problem.runs:
        if run.function not in (FIXED, last) and last != FIXED:
            edges[tuple(sorted((run.function, last)))] += 1
        last = run.function if run.function != FIXED else last
    chains = {n: [n] for n in range(len(problem.pieces))}
    for (a, b), _ in sorted(edges.items(), key=lambda item: (-item[1], item[0])):
        one, two = chains[a], chains[b]
        if one is two:
            continue
        joined = min(
            (first + second for first in (one, one[::-1]) for second in (two, two[::-1])),
            key=lambda chain: abs(chain.index(a) - chain.index(b)),
        )
        chains |= dict.fromkeys(joined, joined)
    order = [n for chain in {id(c): c for c in chains.values()}.values() for n in chain]
    return packed(problem, order)


def temporal(problem: Problem) -> list[int]:
    """Gloy and Smith's temporal ordering: chunks that are used in turns within a cache size must
    not meet. Pieces are placed by their weight, each at the block where it meets least."""
    weight = _turns(problem)
    by_piece: Counter = Counter()
    for pair, n in weight.items():
        for piece, _ in pair:
            by_piece[piece] += n
    sets = problem.cache // problem.block
    users: list[list[tuple[int, int]]] = [[] for _ in range(sets)]
    found = [0] * len(problem.pieces)
    for n in sorted(range(len(problem.pieces)), key=lambda p: (-by_piece[p], p)):
        size = problem.pieces[n].size
        blocks = range(-(-size // problem.block))
        chunks = [(n, b * problem.block // CHUNK) for b in blocks]

        def cost(start: int, chunks=chunks) -> tuple[int, int, int]:
            """Weight of the pairs that meet in turns from ``start``; of equals, the number of
            placed chunks."""
            there = [(c, o) for b, c in enumerate(chunks) for o in users[(start + b) % sets]]
            return sum(weight[frozenset(pair)] for pair in there), len(there), start

        start = min(range(sets), key=cost)
        found[n] = start * problem.block
        for b, chunk in enumerate(chunks):
            users[(start + b) % sets].append(chunk)
    return found


def _turns(problem: Problem) -> Counter:
    """How often two chunks of code that can be moved are used in turns, with less than a cache size
    of other code between."""
    found: Counter = Counter()
    recent: dict[tuple[int, int], None] = {}
    for run in problem.runs:
        if run.function == FIXED:
            continue
        for at in range(run.offset // CHUNK, (run.offset + 4 * run.words - 1) // CHUNK + 1):
            chunk = run.function, at
            if chunk in recent:
                between = list(recent)
                for other in between[between.index(chunk) + 1 :]:
                    if other[0] != chunk[0]:
                        found[frozenset((chunk, other))] += 1
                del recent[chunk]
            recent[chunk] = None
            while len(recent) * CHUNK > 2 * problem.cache:
                del recent[next(iter(recent))]
    return found


def least_misses(problem: Problem) -> int:
    """Least number of misses of the path in the recorded period. The cache is fully associative and
    replaces what is needed last (Belady 1966); pieces lie without a gap, in the order of first use.
    A function that begins elsewhere in a block may have a block less than here."""
    order = list(dict.fromkeys(r.function for r in problem.runs if r.function != FIXED))
    order += [n for n in range(len(problem.pieces)) if n not in order]
    starts, at = {}, 1 << 40  # away from all other code
    for n in order:
        starts[n] = at
        at += problem.pieces[n].size
    touches = [touch for run in problem.runs for touch in _blocks(problem, run, starts)] * 2
    return _belady(touches, problem.cache // problem.block, len(touches) // 2)


def _blocks(problem: Problem, run: Run, starts: dict[int, int]) -> list[tuple[int, bool]]:
    first = run.offset + (starts[run.function] if run.function != FIXED else 0)
    last = first + 4 * run.words - 4
    return [(b, run.counted) for b in range(first // problem.block, last // problem.block + 1)]


def _belady(touches: list[tuple[int, bool]], ways: int, after: int) -> int:
    """Misses among the counted touches from ``after`` on."""
    following = [len(touches)] * len(touches)
    seen: dict[int, int] = {}
    for i in range(len(touches) - 1, -1, -1):
        following[i] = seen.get(touches[i][0], len(touches))
        seen[touches[i][0]] = i
    there: dict[int, int] = {}
    misses = 0
    for i, (block, counted) in enumerate(touches):
        if block not in there:
            misses += counted and i >= after
            if len(there) >= ways:
                del there[max(there, key=there.get)]
        there[block] = following[i]
    return misses
