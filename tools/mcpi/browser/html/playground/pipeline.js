// SPDX-License-Identifier: BSD-2-Clause
// Each instruction in the seven stages, from owners and issues alone. All waits are in D or before
// it. The rules are those of tools/mcpi/tracing/pipeline.py.
'use strict';

const STAGES = ['F1', 'F2', 'D', 'E1', 'E2', 'E3', 'W'];
const BEHIND_D = ['E1', 'E2', 'E3', 'W'];
const OF_THE_ONE_BEFORE = new Set(['taken_bubble', 'mispredict', 'exception', 'idle']);
const IN_F2 = new Set(['i_demand', 'i_stream', 'refill_restart']);

// Instructions {pc, enters, waits, missed, loaded}: `enters`, the tick in which each stage has it;
// `waits`, ticks by owner that belong to it, without its issue; `missed`: its fetch missed the
// I-cache; `loaded`: its load missed the D-cache.
function passagesOf(rows) {
  const found = [];
  let last = null, waits = {}, fetch = null, decode = null, turned = false, missed = false;
  for (const row of rows) {
    missed ||= row.events.includes('icache.misses');
    if (last && row.events.includes('dcache.misses')) last.loaded = true;
    if (row.pc === null) {
      if (OF_THE_ONE_BEFORE.has(row.owner)) {
        [turned, fetch, decode] = [true, null, null];
        if (last) last.waits[row.owner] = (last.waits[row.owner] ?? 0) + row.count;
        continue;
      }
      waits[row.owner] = (waits[row.owner] ?? 0) + row.count;
      if (IN_F2.has(row.owner)) [fetch, decode] = [fetch ?? row.tick, null];
      else decode ??= row.tick;
      continue;
    }
    decode ??= row.tick;
    const second = last === null || turned ? (fetch ?? decode) - 1 : last.frees;
    const before = last && !turned ? last.enters.D : second;
    const frees = fetch !== null || missed ? decode : Math.max(second, before) + 1;
    const enters = {F1: second - 1, F2: second, D: decode};
    BEHIND_D.forEach((stage, n) => { enters[stage] = row.tick + n + 1; });
    last = {pc: row.pc, enters, frees, waits, missed, loaded: false};
    found.push(last);
    [waits, fetch, decode, turned, missed] = [{}, null, null, false, false];
  }
  return found;
}

// Where an instruction is in a tick; nothing if nowhere.
function stageIn({enters}, tick) {
  if (tick > enters.W) return '';
  return STAGES.findLast(stage => enters[stage] <= tick) ?? '';
}
