// SPDX-License-Identifier: BSD-2-Clause
// Who evicts whom in a direct-mapped I-cache: each miss fills the set of its block.
'use strict';

// By set: [{set, misses, pairs}], most misses first; `pairs`: [evictor, evicted, times] by function.
// What filled a set before the log began has no name.
function evictionsOf(passages, bytes, block, nameAt) {
  const sets = bytes / block, holds = new Map(), found = new Map();
  for (const {pc, missed} of passages) {
    if (!missed) continue;
    const number = Math.floor(pc / block), set = number % sets;
    const one = found.get(set) ?? {set, misses: 0, pairs: new Map()};
    found.set(set, one);
    one.misses++;
    const before = holds.get(set);
    holds.set(set, number);
    if (before === undefined || before === number) continue;
    const pair = `${nameAt(pc)} evicts ${nameAt(before * block)}`;
    one.pairs.set(pair, (one.pairs.get(pair) ?? 0) + 1);
  }
  return [...found.values()].sort((a, b) => b.misses - a.misses || a.set - b.set);
}
