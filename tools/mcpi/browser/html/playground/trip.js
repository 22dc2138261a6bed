// SPDX-License-Identifier: BSD-2-Clause
// The time line of a round trip over both machines, by the rules of docs/reference/round-trip.md:
// a tick belongs to the part that the frame waits for. tools/mcpi/results/round_trip_owners.py
// makes the same of the same files.
'use strict';

const PLACES = ['client', 'server'], WORDS = ['read_word', 'write_word'];
const LEGS = ['client sends', 'request', 'server', 'reply', 'client receives'];
const DESCRIPTOR = 'controller.descriptor', SILO = 'controller.silo';

// Rows of a file with the names of its columns.
function recordsOf(bytes) {
  const [head, ...lines] = textOf(bytes).trimEnd().split('\n'), names = head.split(',');
  return lines.map(line => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, n) => [name, cells[n]]));
  });
}

// Ticks of a processor between two markers, and whether they are the path's.
function spellsOf(bytes) {
  let opened = false, running = false;
  return recordsOf(bytes).map(({from, until, mark, owners}) => {
    for (const one of mark.split(' ')) {
      if (one === 'window_open') [opened, running] = [true, running || !opened];
      if (one === 'window_close') opened = running = false;
      if (one === 'window_pause') running = false;
      if (one === 'window_resume') running = opened;
    }
    const pairs = owners.split(' ').filter(Boolean).map(one => one.split('='));
    return {start: Number(from), end: Number(until), onPath: running,
      owners: Object.fromEntries(pairs.map(([name, ticks]) => [name, Number(ticks)]))};
  });
}

const stepsOf = bytes => recordsOf(bytes).map(({from, until, step, moves, moved}) => ({
  start: Number(from), end: Number(until), kind: step, moves: Number(moves), moved: Number(moved),
  owner: WORDS.includes(step) ? DESCRIPTOR : SILO,
}));

const stretch = (owner, where, start, end) => ({start, end, where, owners: {[owner]: end - start}});

// The stretches of a round trip, leg by leg, without a gap. `chain`: the ticks that divide it. Null
// if a leg has not one frame.
function timeLineOf(files, chain) {
  const nodes = [0, 1].map(n => ({
    where: PLACES[n],
    spells: spellsOf(files[`spells.${n}.csv`]),
    steps: stepsOf(files[`lance.${n}.csv`]),
  }));
  const stamps = rowsOf(files['stamps.csv']);
  const way = (sender, low, high) => {
    const bits = stamps.map(([tick, node, stamp]) => [Number(tick), Number(node), stamp])
      .filter(([tick, node, stamp]) => low <= tick && tick < high &&
        (stamp === 'tx_first_bit' ? node === sender : stamp === 'rx_last_bit' && node !== sender));
    if (bits.map(bit => bit[2]).join() !== 'tx_first_bit,rx_last_bit') return null;
    const [first, last] = bits.map(bit => bit[0]);
    return [...sending(nodes[sender], low, first), stretch('wire', 'wire', first, last),
      ...receiving(nodes[1 - sender], last, high)];
  };
  const [start, sent, arrived, answered, returned, end] = chain;
  const legs = [processor(nodes[CLIENT], start, sent), way(CLIENT, sent, arrived),
    processor(nodes[SERVER], arrived, answered), way(SERVER, answered, returned),
    processor(nodes[CLIENT], returned, end)];
  return legs.includes(null) ? null
    : legs.map((stretches, n) => [LEGS[n], stretches.filter(one => one.end > one.start)]);
}

const processor = ({where, spells}, start, end) =>
  spells.filter(one => start <= one.start && one.start < end).map(one => ({
    start: one.start, end: one.end, where,
    owners: one.onPath ? one.owners : {off_path: one.end - one.start},
  }));

const within = (steps, kind, start, end) =>
  steps.filter(one => one.kind === kind && start <= one.start && one.start < end);
const ownerships = (steps, start, end) =>
  steps.filter(one => one.moved && one.end > start && one.start < end);

// From the hand-over to the first bit on the wire.
function sending({where, steps}, start, end) {
  const [demand] = within(steps, 'demand', start, end);
  let now = demand ? demand.start + 1 : start, before = '';
  const found = [stretch('hand_over', where, start, now)];
  for (const step of ownerships(steps, now, end)) {
    const waits = !before ? 'controller.poll'
      : before === DESCRIPTOR && step.owner === SILO ? 'controller.set_up' : step.owner;
    found.push(stretch(waits, where, now, Math.max(step.start, now)),
      ...ownership(step, where, now, end));
    now = Math.min(step.end, end);
    before = step.owner;
  }
  return [...found, stretch('controller.start', where, now, end)];
}

// From the last bit on the wire to the first instruction of the handler.
function receiving({where, steps}, start, end) {
  const raised = within(steps, 'interrupt', start, end).at(-1)?.start ?? end;
  const used = ownerships(steps, start, raised);
  while (used.length && !(used.at(-1).kind === 'write_word' && used.at(-1).end <= raised)) used.pop();
  const found = [];
  let now = start;
  for (const step of used) {
    found.push(stretch(step.owner === SILO ? SILO : 'controller.status', where, now,
      Math.max(step.start, now)), ...ownership(step, where, now, raised));
    now = Math.min(step.end, raised);
  }
  return [...found,
    stretch(used.length ? 'controller.raise' : 'controller.status', where, now, raised),
    stretch('interrupt', where, raised, end)];
}

function ownership(step, where, now, end) {
  const low = Math.max(step.start, now), high = Math.min(step.end, end);
  const [moves, moved] = [step.moves, step.moved].map(at => Math.min(Math.max(at, low), high));
  return [stretch(step.owner, where, low, moves), stretch('bus', where, moves, moved),
    stretch(step.owner, where, moved, high)];
}

// Ticks of each owner in a time line; those of the path's owners together, by machine.
function ownersOfTrip(line, names) {
  const found = new Map();
  for (const {where, owners} of line.flatMap(([, stretches]) => stretches))
    for (const [owner, ticks] of Object.entries(owners)) {
      const name = owner in names ? owner : `path, ${where}`;
      found.set(name, (found.get(name) ?? 0) + ticks);
    }
  return found;
}
