// SPDX-License-Identifier: BSD-2-Clause
// Files that a run left, as numbers, and rounding and statistics as tools/mcpi/results/ has them.
'use strict';

const CLIENT = 0, SERVER = 1;
const START = 1, END = 2, HAND_OVER = 3, NET_INTERRUPT = 4, MEASURE_START = 5, MEASURE_END = 6;
const WORD = 4; // bytes of an instruction

// A value as Python rounds it: to the nearest of so many digits, of two the even one.
function rounded(value, digits = 6) {
  const [whole, fraction] = Math.abs(value).toFixed(60).split('.'); // every digit of a double
  const kept = BigInt(whole + fraction.slice(0, digits)), rest = fraction.slice(digits);
  const half = '5'.padEnd(rest.length, '0');
  const up = rest > half || (rest === half && kept % 2n === 1n);
  const text = String(kept + (up ? 1n : 0n)).padStart(digits + 1, '0');
  const cut = text.length - digits;
  return Math.sign(value) * Number(`${text.slice(0, cut)}.${text.slice(cut)}`) + 0;
}

const mean = values => values.reduce((a, b) => a + b, 0) / values.length;
function deviation(values) {
  const middle = mean(values);
  return Math.sqrt(values.reduce((a, b) => a + (b - middle) ** 2, 0) / (values.length - 1));
}

const textOf = bytes => new TextDecoder().decode(bytes);
const rowsOf = bytes => textOf(bytes).trimEnd().split('\n').slice(1).map(line => line.split(','));
const clientOf = files => JSON.parse(textOf(files['counters.json'])).nodes[CLIENT].path;

// Events of events.csv while the client measured.
function measuredEvents(files) {
  const all = rowsOf(files['events.csv']).map(row => row.map(Number));
  const at = mark => all.find(([, node, number]) => node === CLIENT && number === mark)[0];
  const low = at(MEASURE_START), high = at(MEASURE_END);
  return all.filter(([tick]) => low <= tick && tick <= high);
}

// Ticks of each round trip: a trip begins where the one before has ended.
function tripTicks(events) {
  const found = [];
  let start = events.find(([, node, number]) => node === CLIENT && number === MEASURE_START)[0];
  for (const [tick, node, number] of events)
    if (node === CLIENT && number === END) {
      found.push(tick - start);
      start = tick;
    }
  return found;
}
