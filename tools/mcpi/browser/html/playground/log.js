// SPDX-License-Identifier: BSD-2-Clause
// ticks.csv: each tick of what is measured, its owner, and the instruction that issues in it.
'use strict';

const FIRST = 60000; // rows that are read: what a reader steps through

// Rows {tick, count, owner, pc, events}: `count` ticks from `tick` on, all alike. `pc` is physical,
// null if nothing issues.
function ticksOf(bytes) {
  const lines = textOf(bytes.subarray(0, 64 * FIRST)).split('\n').slice(1, FIRST);
  return lines.slice(0, -1).map(line => {
    const [tick, count, owner, pc, events] = line.split(',');
    return {
      tick: Number(tick),
      count: Number(count),
      owner,
      pc: pc ? parseInt(pc, 16) & ~1 : null,
      events: events ? events.split(' ') : [],
    };
  });
}
