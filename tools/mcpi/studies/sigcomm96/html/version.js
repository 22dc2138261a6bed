// SPDX-License-Identifier: BSD-2-Clause
// A version of a stack: its figures, from the files that its runs left. Names and roundings are
// those of result.json (tools/mcpi/results/).
'use strict';

const PAPERS_CONTROLLER_US = 105;

// Mean µs of each machine from a hand-over to its next network interrupt.
function controllers(events, perUs) {
  const handed = [null, null], sum = [0, 0], count = [0, 0];
  for (const [tick, node, number] of events) {
    if (number !== HAND_OVER && number !== NET_INTERRUPT) continue;
    if (handed[node] !== null) {
      sum[node] += tick - handed[node];
      count[node]++;
    }
    handed[node] = number === HAND_OVER ? tick : null;
  }
  return [CLIENT, SERVER].map(node => rounded(sum[node] / count[node] / perUs));
}

// Accesses, misses and replacement misses of each cache, of an invocation.
function caches(count, times = 1) {
  const of = (...names) => names.reduce((sum, name) => sum + (count[name] ?? 0), 0) / times;
  const one = name => ({
    acc: of(`${name}.accesses`), miss: of(`${name}.misses`), repl: of(`${name}.replacement_misses`),
  });
  const data = one('dcache');
  data.acc += of('write_buffer.accesses');
  data.miss += of('write_buffer.writes');
  return {icache: one('icache'), dcache_write_buffer: data, bcache: one('bcache')};
}

// `machine`: machine.json; `image`: the client's ELF file; `runs`: files by name of each run, real
// (one of each sample), ideal and cold, as far as they ran.
class Version {
  constructor(machine, image, runs) {
    this.machine = machine;
    this.image = image;
    this.runs = runs;
    this.perUs = machine.parameters['clock.ticks_per_us'];
  }

  trip() {
    const events = this.runs.real.map(measuredEvents);
    const means = events.map(one => mean(tripTicks(one).map(ticks => ticks / this.perUs)));
    const both = controllers(events[0], this.perUs);
    const us = rounded(mean(means));
    return {
      mean_us: us,
      sd_us: means.length > 1 ? rounded(deviation(means)) : null, // over samples
      controller_us: rounded(mean(both)),
      adjusted_us: rounded(us - both[0] - both[1]),
      adjusted_paper_us: rounded(us - 2 * PAPERS_CONTROLLER_US),
    };
  }

  // T_p of the client, and its standard deviation over samples.
  time() {
    const ticks = this.runs.real.map(clientOf).map(count => count.ticks / count.invocations);
    const us = ticks.map(each => each / this.perUs);
    return {us: rounded(mean(us)), sd: us.length > 1 ? rounded(deviation(us)) : null};
  }

  path() {
    const [real, ideal] = [this.runs.real[0], this.runs.ideal].map(files => files && clientOf(files));
    const found = {instructions: real.instructions / real.invocations};
    if (!ideal) return found;
    const icpi = ideal.ticks / ideal.instructions;
    return {
      ...found,
      icpi: rounded(icpi),
      mcpi: rounded(real.ticks / real.instructions - icpi),
    };
  }

  inSitu() {
    const count = clientOf(this.runs.cold);
    return caches(count, count.invocations);
  }

  replay() {
    return caches(JSON.parse(textOf(this.runs.cold['replay.json'])));
  }

  // Addresses of the image from which the cold invocation issued.
  code() {
    const {base, size} = this.machine.memory_map.ram.image;
    const all = rowsOf(this.runs.cold['cold_trace.csv']).map(row => parseInt(row[0], 16));
    return new Set(all.filter(pc => base <= pc && pc < base + size));
  }

  // Per cent of the fetched slots that were never executed.
  unused() {
    const block = this.machine.parameters['cache.block'], code = this.code();
    const blocks = new Set([...code].map(pc => Math.floor(pc / block)));
    return rounded(100 * (1 - code.size * WORD / (blocks.size * block)));
  }

  // Instructions of every function, main line or outlined part, that was entered.
  size() {
    const code = this.code(), used = new Map();
    for (const {start, size} of functionsOf(this.image))
      for (let pc = start; pc < start + size; pc += WORD)
        if (code.has(pc)) {
          used.set(`${start} ${size}`, size);
          break;
        }
    return [...used.values()].reduce((a, b) => a + b, 0) / WORD;
  }
}
