// SPDX-License-Identifier: BSD-2-Clause
// Who evicts whom in a direct-mapped cache: each miss fills the set of its block.
'use strict';

// By set: [{set, misses, pairs}], most misses first; `pairs`: times of each eviction. `addresses`: of
// the misses, in order. What filled a set before the first of them has no name.
function evictionsOf(addresses, bytes, block, nameAt) {
  const sets = bytes / block, holds = new Map(), found = new Map();
  for (const address of addresses) {
    const number = Math.floor(address / block), set = number % sets;
    const one = found.get(set) ?? {set, misses: 0, pairs: new Map()};
    found.set(set, one);
    one.misses++;
    const before = holds.get(set);
    holds.set(set, number);
    if (before === undefined || before === number) continue;
    const pair = `${nameAt(address)} evicts ${nameAt(before * block)}`;
    one.pairs.set(pair, (one.pairs.get(pair) ?? 0) + 1);
  }
  return [...found.values()].sort((a, b) => b.misses - a.misses || a.set - b.set);
}
