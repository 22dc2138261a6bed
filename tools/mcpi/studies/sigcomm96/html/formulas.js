// SPDX-License-Identifier: BSD-2-Clause
// How each cell of Tables 4 to 9 is computed: of which versions, from which of their runs.
'use strict';

const STACKS = {'TCP/IP': 'tcp', RPC: 'rpc'};
const ENDS = {tcp: 2, rpc: 1}; // TCP/IP changes at both ends, RPC at the client alone

// `of`: versions; `runs`: kinds of their runs; `value` and `sd` of as many `Version`s.
const own = (version, runs, value, sd) => ({of: [version], runs, value, sd});
const slower = (version, runs, value) =>
  ({of: [version, 'all'], runs, value: (one, best) => 100 * (value(one) / value(best) - 1)});
const less = (pair, runs, value, ends = 1) =>
  ({of: pair, runs, value: (before, after) => (value(before) - value(after)) / ends});

const REAL = ['real'], COLD = ['cold'];
const trip = name => version => version.trip()[name];

const OF_A_VERSION = {
  table4: {
    te_us: name => own(name, REAL, trip('mean_us'), trip('sd_us')),
    delta_pct: name => slower(name, REAL, trip('mean_us')),
  },
  table5: {
    te_us: name => own(name, REAL, trip('adjusted_us')),
    delta_pct: name => slower(name, REAL, trip('adjusted_us')),
    controller_us: name => own(name, REAL, trip('controller_us')),
    te_less_210_us: name => own(name, REAL, trip('adjusted_paper_us')),
  },
  table7: {
    tp_us: name => own(name, REAL, one => one.time().us, one => one.time().sd),
    length: name => own(name, REAL, one => one.path().instructions),
    mcpi: name => own(name, ['real', 'ideal'], one => one.path().mcpi),
    icpi: name => own(name, ['real', 'ideal'], one => one.path().icpi),
  },
};

const accesses = one => one.replay().bcache.acc;
const data = one => one.replay().dcache_write_buffer.miss;
const OF_A_STEP = {
  i_pct: pair => ({
    of: pair,
    runs: COLD,
    value(before, after) {
      const gained = accesses(before) - accesses(after);
      return 100 * (gained - (data(before) - data(after))) / gained;
    },
  }),
  dte_us: (pair, stack) => less(pair, REAL, trip('mean_us'), ENDS[stack]),
  dtp_us: pair => less(pair, REAL, one => one.time().us),
  dnb: pair => less(pair, COLD, accesses),
  dnm: pair => less(pair, COLD, one => one.replay().bcache.repl),
};

const SIDES = {without: 'std', with: 'out'};
const OF_CODE = {unused_pct: one => one.unused(), size: one => one.size()};

// The formula of a cell, with its stack. `labels`: of its row; `column`: its key.
function formula(table, labels, column) {
  const cut = column.indexOf('_'), first = column.slice(0, cut), rest = column.slice(cut + 1);
  if (table in OF_A_VERSION)
    return {stack: first, ...OF_A_VERSION[table][rest](labels[0].toLowerCase())};
  if (table === 'table8') {
    const pair = labels[0].toLowerCase().split(' → ');
    return {stack: first, ...OF_A_STEP[rest](pair, first)};
  }
  const stack = STACKS[labels[0]];
  if (table === 'table9') return {stack, ...own(SIDES[first], COLD, OF_CODE[rest])};
  const [, version, from] = labels, end = column.lastIndexOf('_');
  const [cache, kind] = [column.slice(0, end), column.slice(end + 1)];
  const counts = one => from === 'replay' ? one.replay() : one.inSitu();
  return {stack, ...own(version.toLowerCase(), COLD, one => counts(one)[cache][kind])};
}
