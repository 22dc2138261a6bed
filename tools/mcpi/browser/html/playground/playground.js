// SPDX-License-Identifier: BSD-2-Clause
// The page: controls to a run, a run to tables, bars and the pipeline.
'use strict';

const read = id => JSON.parse(document.getElementById(id).textContent);
const page = read('data'), wire = read('engine');
const items = new Map(page.items.map(item => [item.key, item]));
const SHOWN = 12, WIDE = 44; // instructions and ticks of the pipeline
const CAUSES = Object.entries(page.owners);
const state = stateOf(location.hash);
const results = {}; // by side: what its last run gave
const count = value => value.toLocaleString('en', {maximumFractionDigits: 1});

function element(name, words = {}, ...inside) {
  const made = Object.assign(document.createElement(name), words);
  made.append(...inside);
  return made;
}
const table = (heads, rows) => {
  const cells = (row, kind) => row.map((one, n) => element(kind, {className: n ? '' : 'label'}, one));
  const head = element('thead', {}, element('tr', {}, ...cells(heads, 'th')));
  const body = element('tbody', {}, ...rows.map(row => element('tr', {}, ...cells(row, 'td'))));
  return element('div', {className: 'scroll'}, element('table', {}, head, body));
};

// Values of a machine as --set takes them, and as machine.json has them.
const SIZE = {KB: 1024, MB: 1048576};
function valueOf(text, before) {
  if (typeof before === 'boolean') return text === 'on';
  if (typeof before === 'string') return text;
  const [, number, unit] = /^(\d+)(KB|MB)?$/.exec(text) ?? [];
  if (!number) throw new Error(`${text} is no whole number`);
  return Number(number) * (SIZE[unit] ?? 1);
}

// A control for each parameter; `given` has the values that differ from the usual machine's.
function controls(side) {
  const given = state.sides[side].set;
  const made = page.parameters.map(one => {
    const choices = one.range.includes('|') ? one.range.split(' | ')
      : one.unit === 'bytes' ? sizes(one.range) : null;
    const control = choices
      ? element('select', {}, ...choices.map(text => element('option', {value: text}, text)))
      : element('input', {type: 'number', min: one.range.split(' … ')[0],
        max: one.range.split(' … ')[1], step: 1});
    control.value = given[one.key] ?? one.value;
    control.addEventListener('change', () => {
      if (control.value === one.value) delete given[one.key];
      else given[one.key] = control.value;
      changed(side);
    });
    const unit = one.unit && one.unit !== 'bytes' ? `, ${one.unit}` : '';
    const label = element('label', {title: one.doc}, `${one.key}${unit}`, control);
    label.classList.toggle('changed', one.key in given);
    return label;
  });
  document.querySelector(`#${side} .knobs`).replaceChildren(...made);
}
function sizes(range) {
  const [low, high] = range.split(' … ').map(text => valueOf(text, 0));
  const found = [];
  for (let bytes = low; bytes <= high; bytes *= 2)
    found.push(bytes >= SIZE.MB ? `${bytes / SIZE.MB}MB` : bytes >= SIZE.KB ? `${bytes / SIZE.KB}KB` : `${bytes}`);
  return found;
}

// The first condition of a changed parameter that the machine does not meet; nothing if all hold.
function withoutEffect(set, parameters) {
  for (const one of page.parameters)
    for (const condition of one.key in set ? one.acts_if : []) {
      const [what, relation, wanted] = condition.split(' ');
      if (!(what in parameters)) continue;
      const text = String(parameters[what]).replace(/^true$/, 'on').replace(/^false$/, 'off');
      const bound = wanted in parameters ? String(parameters[wanted]) : wanted;
      const met = {'=': text === bound, '!=': text !== bound,
        '>': Number(text) > Number(bound), '<=': Number(text) <= Number(bound)}[relation];
      if (!met) return `${one.key} changes nothing: it wants ${condition}.`;
    }
  return '';
}

const kept = new Map();
const file = digest => {
  if (!kept.has(digest)) kept.set(digest, unpacked(page.files[digest]));
  return kept.get(digest);
};
// The image with what was typed in the room of the function `typed`.
const EXAMPLE = `# sums 512 numbers, one after the other
	lda	$t0, 512($31)
	clr	$v0
loop:	ldq	$t1, 0($a0)
	addq	$v0, $t1, $v0
	lda	$a0, 8($a0)
	subq	$t0, 1, $t0
	bne	$t0, loop
	ret
`;
function typedInto(image, text) {
  const room = functionsOf(image).find(one => one.name === 'typed');
  const words = assemble(text, room.start, page.isa);
  if (4 * words.length > room.size)
    throw new Error(`${words.length} words are typed; there is room for ${room.size / 4}`);
  const made = image.slice(), view = new DataView(made.buffer);
  words.forEach((word, n) => view.setUint32(offsetOf(made, room.start) + 4 * n, word, true));
  return made;
}

// The image of a side: the item's, or the item's with what was typed.
async function imageOf({item, text}) {
  const image = await file(items.get(item).image);
  return item === 'typed' ? typedInto(image, text) : image;
}

let machines;
async function answerOf(request, resolved, image) {
  machines ??= unpacked(wire.program).then(bytes => new Machines(wire.script, bytes));
  const files = {};
  for (const [path, digest] of Object.entries(request.files)) files[path] = await file(digest);
  files['image.elf'] = image;
  files['machine.json'] = new TextEncoder().encode(JSON.stringify(resolved));
  const answer = await (await machines).run({words: request.words, files, wanted: request.wanted});
  if (answer.status !== 0) throw new Error(answer.said.at(-1) ?? `status ${answer.status}`);
  return answer.files;
}

// machine.json with the settings of a side. An error says which setting is wrong.
async function machineOf({item, set}) {
  const resolved = JSON.parse(textOf(await file(items.get(item).machine)));
  for (const [key, text] of Object.entries(set)) {
    const one = page.parameters.find(each => each.key === key);
    if (!one) throw new Error(`there is no control ${key}`);
    resolved.parameters[key] = valueOf(text, resolved.parameters[key]);
    const [low, high] = one.range.split(' … ').map(end => valueOf(end, resolved.parameters[key]));
    if (high !== undefined && !(low <= resolved.parameters[key] && resolved.parameters[key] <= high))
      throw new Error(`${key} ${text}: ${one.range} is wanted`);
  }
  const useless = withoutEffect(set, resolved.parameters);
  if (useless) throw new Error(useless);
  return resolved;
}

// What the tables show.
async function run(side) {
  const {request, copies, places, trips} = items.get(side.item);
  const machine = await machineOf(side), code = await imageOf(side);
  const files = await answerOf(request, machine, code);
  return {
    machine, image: code, functions: [...functionsOf(code), ...copies], objects: objectsOf(code),
    parts: trips ? ofStack(files) : ofProgram(files, places),
    trip: trips ? tripOf(files, machine) : null,
  };
}

// Another run of the same, which logs each tick: what the pipeline and the sets show.
async function passagesIn(side, {machine, image}) {
  const {request, logged} = items.get(side.item);
  const words = [...request.words, ...logged.words];
  const files = await answerOf({...request, words, wanted: logged.wanted}, machine, image);
  const found = passagesOf(ticksOf(files['ticks.csv']));
  accessesOf(files['trace.csv'], found.length).forEach((at, n) => { found[n].access = at; });
  return found;
}

// Measured parts: {name, times, ticks, instructions, owners, caches}, all means of one passage.
function part(name, times, counts) {
  const owners = {};
  for (const [key] of CAUSES) {
    const ticks = counts[`owner.${key}`] ?? 0;
    if (ticks) owners[key] = ticks / times;
  }
  return {name, times, ticks: counts.ticks / times, instructions: counts['owner.issue'] / times,
    owners, missed: ['icache', 'dcache', 'bcache'].map(cache =>
      (counts[`${cache}.misses`] ?? 0) / times)};
}
function ofStack(files) {
  const counts = clientOf(files);
  return [part("client's path", counts.invocations, counts)];
}
function ofProgram(files, places) {
  const [head, ...lines] = textOf(files['passages.0.csv']).trimEnd().split('\n');
  const names = head.split(','), sums = new Map(), opens = new Map();
  for (const place of places) for (const at of place.opens) opens.set(at, place.name);
  for (const line of lines) {
    const cells = line.split(','), name = opens.get(cells[1]);
    const sum = sums.get(name) ?? {};
    sums.set(name, sum);
    names.forEach((key, n) => { if (n > 2) sum[key] = (sum[key] ?? 0) + Number(cells[n]); });
  }
  return [...sums].map(([name, sum]) => part(name, sum.passages, sum));
}

// The mean round trip, and the first as a time line; no time line if it is no clean exchange.
function tripOf(files, machine) {
  const perUs = machine.parameters['clock.ticks_per_us'], events = measuredEvents(files);
  const at = (from, node, number) => events.find(one => one[0] > from && one[1] === node &&
    one[2] === number)?.[0];
  const start = events[0][0], sent = at(start, CLIENT, HAND_OVER);
  const arrived = at(sent, SERVER, NET_INTERRUPT), answered = at(arrived, SERVER, HAND_OVER);
  const end = at(answered, CLIENT, END);
  const back = events.filter(one => answered < one[0] && one[0] < end && one[1] === CLIENT &&
    one[2] === NET_INTERRUPT).at(-1)?.[0];
  return {us: mean(tripTicks(events)) / perUs, perUs,
    line: timeLineOf(files, [start, sent, arrived, answered, back, end])};
}

// Client, wire and server, each stretch where it is, owner by owner.
function timeLine({line, perUs}) {
  const all = line.flatMap(([, stretches]) => stretches), start = all[0].start;
  const whole = all.at(-1).end - start, us = ticks => (ticks / perUs).toFixed(1);
  const lanes = ['client', 'wire', 'server'].map(where => {
    const spans = [];
    for (const one of all.filter(each => each.where === where)) {
      let at = one.start;
      for (const [owner, ticks] of Object.entries(one.owners)) {
        const {words, colour} = page.owners[owner] ?? page.trip[owner];
        spans.push(element('span', {title: `${owner}: ${us(ticks)} µs (${count(ticks)} ticks), ${words}`,
          style: `left:${100 * (at - start) / whole}%;width:${100 * ticks / whole}%;background:${colour}`}));
        at += ticks;
      }
    }
    return [element('b', {}, where), element('div', {className: 'lane'}, ...spans)];
  });
  const legs = line.map(([name, stretches]) =>
    `${name} ${us(stretches.at(-1).end - stretches[0].start)}`).join(' → ');
  const owned = ownersOfTrip(line, page.trip);
  const order = ['path, client', 'path, server', ...Object.keys(page.trip)].filter(name => owned.has(name));
  const label = name => element('span', {title: page.trip[name]?.words ?? 'protocol code that the frame waits for'},
    element('span', {className: 'dot', style: `background:${page.trip[name]?.colour ?? 'none'}`}), name);
  return [
    element('h4', {}, 'the first round trip: what the frame waits for'),
    element('div', {className: 'lanes', role: 'img', ariaLabel: `time line in µs: ${legs}`}, ...lanes.flat()),
    element('p', {className: 'legs'}, `${legs} µs`),
    table(['owner', 'µs', '%'], [
      ...order.map(name => [label(name), us(owned.get(name)), (100 * owned.get(name) / whole).toFixed(1)]),
      ['sum of owners', us(whole), '100.0'],
    ]),
  ];
}

function draw(side) {
  const found = results[side], box = document.querySelector(`#${side} .found`);
  const head = document.querySelector(`#${side} .head`);
  head.classList.toggle('wrong', Boolean(found.wrong));
  if (found.wrong) {
    head.textContent = found.wrong;
    box.replaceChildren();
    return;
  }
  const {parts, trip} = found;
  head.textContent = trip ? `round trip ${trip.us.toFixed(1)} µs` :
    parts.map(one => `${one.name}: ${count(one.ticks)} ticks`).join('; ');
  const inside = [];
  if (trip?.line) inside.push(...timeLine(trip));
  for (const one of parts) {
    inside.push(element('h4', {}, `${one.name}: who owns the ticks`),
      element('div', {className: 'bar', role: 'img', ariaLabel: `ticks of ${one.name} by owner`},
        ...Object.entries(one.owners).map(([key, ticks]) => element('span', {
          title: `${key}: ${count(ticks)}`,
          style: `width:${100 * ticks / one.ticks}%;background:${page.owners[key].colour}`}))));
  }
  const all = CAUSES.filter(([key]) => parts.some(one => one.owners[key]));
  const mark = key => {
    const dot = element('span', {className: 'dot'});
    dot.style.background = page.owners[key].colour;
    return element('span', {title: page.owners[key].words}, dot, key);
  };
  inside.push(table(['owner', ...parts.map(one => one.name)], [
    ...all.map(([key]) => [mark(key), ...parts.map(one => count(one.owners[key] ?? 0))]),
    ['sum = ticks', ...parts.map(one => count(one.ticks))],
    ['instructions', ...parts.map(one => count(one.instructions))],
    ['CPI', ...parts.map(one => (one.ticks / one.instructions).toFixed(2))],
    ...['I-cache misses', 'D-cache misses', 'b-cache misses'].map((name, n) =>
      [name, ...parts.map(one => count(one.missed[n]))]),
  ]));
  if (found.passages) inside.push(...setsOf(found));
  box.replaceChildren(...inside);
}

// The name of what lies at a physical address.
const named = (parts, other) => at =>
  parts.find(one => one.start <= at && at < one.start + one.size)?.name ?? other(at);
const nameAt = ({functions}) => named(functions, pc => `0x${pc.toString(16)}`);
const dataAt = ({objects}) => named(objects, () => 'stack or heap');

function setsOf(found) {
  const {parameters} = found.machine, block = parameters['cache.block'];
  const fetched = found.passages.filter(one => one.missed).map(one => one.pc);
  const loaded = found.passages.filter(one => one.loaded).map(one => one.access);
  const first = `first ${count(found.passages.length)} instructions`;
  return [
    setsTable(`I-cache sets with most misses, and who evicts whom (${first})`,
      evictionsOf(fetched, parameters['icache.size'], block, nameAt(found))),
    setsTable(`D-cache sets with most misses of loads, and who evicts whom (${first})`,
      evictionsOf(loaded, parameters['dcache.size'], block, dataAt(found))),
  ];
}

function setsTable(title, sets) {
  const pairs = one => [...one.pairs].sort((a, b) => b[1] - a[1]).slice(0, 2)
    .map(([pair, times]) => `${pair} ${times}×`).join('; ');
  return element('details', {className: 'sets'}, element('summary', {}, title),
    table(['set', 'misses', 'evictions'],
      sets.slice(0, 8).map(one => [`${one.set}`, `${one.misses}`, pairs(one)])));
}

// Ticks in which an instruction comes into a stage, and the tick after each; null for what lies
// between.
function columnsOf(passages) {
  const from = passages[0].enters.E1 - 2;
  const marks = passages.flatMap(one => Object.values(one.enters)).filter(tick => tick >= from);
  const wanted = [...new Set(marks.flatMap(tick => [tick, tick + 1]))].sort((a, b) => a - b);
  return wanted.flatMap((tick, n) => n && tick > wanted[n - 1] + 1 ? [null, tick] : [tick]);
}

function drawPipe(side) {
  const box = document.getElementById(`pipe-${side}`), found = results[side];
  if (!found?.passages?.length) {
    box.replaceChildren();
    return;
  }
  const first = Math.min(state.at, found.passages.length - 1);
  const shown = found.passages.slice(first, first + SHOWN), name = nameAt(found);
  const ticks = columnsOf(shown).slice(0, WIDE);
  const rows = shown.map(one => {
    const word = wordAt(found.image, one.pc);
    const text = word === null ? ''
      : instructionText(word, one.pc, found.machine.instructions.rows);
    const waits = Object.entries(one.waits).map(([key, ticks]) => `${key} ${ticks}`).join(', ');
    const cells = ticks.map(tick => tick === null ? '⋯' : stageIn(one, tick));
    return element('tr', {title: waits ? `waits: ${waits}` : 'no wait'},
      element('td', {}, `${name(one.pc)} ${text}`),
      element('td', {}, waits),
      ...cells.map(stage => element('td', {className: STAGES.includes(stage) ? `s ${stage}` : ''}, stage)));
  });
  rows[0].className = 'now';
  box.replaceChildren(
    element('h4', {}, `${side.toUpperCase()}: instruction ${first} of ${found.passages.length}, ` +
      `tick ${shown[0].enters.E1 - 1}`),
    element('div', {className: 'scroll'},
      element('table', {className: 'pipe'}, element('tbody', {}, ...rows))));
}

// Run a side anew, `pause` ms later. A side that is changed again meanwhile starts no further run
// and draws no more.
const TYPING = 150; // ms
const latest = {a: 0, b: 0}; // turn of each side
async function changed(side, pause = 0) {
  const mine = ++latest[side], stale = () => mine !== latest[side];
  const typing = document.querySelector(`#${side} .typed`);
  typing.hidden = state.sides[side].item !== 'typed';
  if (!typing.hidden) state.sides[side].text ??= EXAMPLE;
  const area = typing.querySelector('textarea');
  if (area.value !== (state.sides[side].text ?? '')) area.value = state.sides[side].text ?? '';
  keep();
  controls(side);
  const head = document.querySelector(`#${side} .head`);
  head.textContent = 'runs …';
  const own = structuredClone(state.sides[side]);
  const show = found => {
    if (stale()) return;
    results[side] = found;
    draw(side);
    drawPipe(side);
  };
  await new Promise(done => setTimeout(done, pause));
  if (stale()) return;
  try {
    const found = await run(own);
    if (stale()) return;
    show(found);
    show({...found, passages: await passagesIn(own, found)});
  } catch (error) {
    show({wrong: error.message});
  }
  if (stale()) return;
  document.body.dataset.ran = Number(document.body.dataset.ran ?? 0) + 1;
}

function keep() {
  history.replaceState(null, '', fragmentOf(state));
}

function step(to) {
  const most = Math.max(0, ...['a', 'b'].map(side => (results[side]?.passages?.length ?? 1) - 1));
  state.at = Math.min(Math.max(0, to), most);
  document.getElementById('at').value = state.at;
  keep();
  for (const side of Object.keys(state.sides)) drawPipe(side);
}

function showSides() {
  const both = 'b' in state.sides;
  for (const box of document.querySelectorAll('.sides')) box.classList.toggle('both', both);
  document.getElementById('b').hidden = !both;
  document.getElementById('pipe-b').hidden = !both;
  document.getElementById('second').checked = both;
}

function begin(side) {
  const select = document.querySelector(`#${side} .item`);
  const own = state.sides[side];
  if (!items.has(own.item)) own.item = page.items[0].key;
  select.value = own.item;
  changed(side);
}

state.sides.a ??= {item: page.items[0].key, set: {}};
for (const side of ['a', 'b'])
  document.querySelector(`#${side} textarea`).addEventListener('input', event => {
    state.sides[side].text = event.target.value;
    changed(side, TYPING);
  });
for (const side of ['a', 'b'])
  document.querySelector(`#${side} .item`).addEventListener('change', event => {
    state.sides[side].item = event.target.value;
    changed(side);
  });
document.getElementById('second').addEventListener('change', event => {
  if (event.target.checked) {
    state.sides.b = structuredClone(state.sides.a);
    begin('b');
  } else {
    delete state.sides.b;
    delete results.b;
    latest.b++;
    keep();
  }
  showSides();
});
for (const button of document.querySelectorAll('.steps button'))
  button.addEventListener('click', () => step(state.at + Number(button.dataset.by)));
document.getElementById('at').addEventListener('change', event => step(Number(event.target.value)));
document.addEventListener('keydown', event => {
  if (['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName)) return;
  if (event.key === 'ArrowRight') step(state.at + 1);
  if (event.key === 'ArrowLeft') step(state.at - 1);
});
document.getElementById('at').value = state.at;
showSides();
for (const side of Object.keys(state.sides)) begin(side);
