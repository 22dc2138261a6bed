// SPDX-License-Identifier: BSD-2-Clause
// ticks.csv: each tick of what is measured, its owner, and the instruction that issues in it.
// trace.csv: each of these instructions, and the address of its access.
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

// Physical address of each instruction's access, null for none, of as many instructions.
function accessesOf(bytes, many) {
  const lines = textOf(bytes.subarray(0, 64 * (many + 1))).split('\n').slice(1, many + 1);
  return lines.map(line => {
    const address = line.split(',')[4];
    return address ? Number(BigInt(`0x${address}`) & PHYSICAL) : null;
  });
}
