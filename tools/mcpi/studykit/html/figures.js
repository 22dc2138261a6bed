// SPDX-License-Identifier: BSD-2-Clause
// The figures of a study's page. A choice of version, owner or function changes `state`, and every
// figure is drawn from it again; the address after # keeps it.
'use strict';
const read = id => JSON.parse(document.getElementById(id).textContent);
const data = read('figures'), specs = read('specs');
const state = {version: data.shown, owner: '', function: ''};
const panels = new Map(); // by element id: the view that draws it
const FUNCTIONS = 15;
const FAINT = 0.42;

const sum = values => values.reduce((a, b) => a + b, 0);
const title = version => version.toUpperCase();
const words = us => us.toFixed(us >= 100 ? 1 : us >= 0.995 ? 1 : 2);
const every = data.causes.flatMap(cause => cause.owners.map(owner => owner.key));

// The owners that are shown: all, those of a cause, or one.
function owners() {
  const cause = data.causes.find(one => one.title === state.owner);
  if (cause) return cause.owners.map(owner => owner.key);
  return state.owner ? [state.owner] : every;
}
function ownerWords() {
  const own = data.causes.flatMap(cause => cause.owners).find(one => one.key === state.owner);
  return own ? own.title : state.owner;
}
// Causes as far as they are shown, each with its owners.
function causes() {
  const wanted = owners();
  return data.causes
    .map(cause => ({...cause, own: cause.owners.map(o => o.key).filter(o => wanted.includes(o))}))
    .filter(cause => cause.own.length);
}
const versionsOf = figure => data.versions.filter(version => figure[version]);
const opacity = version => (version === state.version || version === data.base ? 1 : FAINT);

// The rows of one bar: its parts, and the whole with its range over link orders.
function bar(name, parts, more) {
  const all = sum(parts.map(part => part.us)), label = `${name}  ${words(all)}`;
  let at = 0;
  const rows = (parts.length ? parts : [{us: 0, colour: '#888888', tells: 'nothing'}]).map(part => {
    const from = at;
    at += part.us;
    const tells = `${name}: ${part.tells}, ${words(part.us)} µs`;
    const {colour} = part, {opacity} = more;
    return {kind: 'part', name, label, from, to: at, colour, opacity, tells};
  });
  const {low, high, mark} = more;
  let tells = `${name}: ${words(all)} µs`;
  if (low != null) tells += `; ${words(low)} to ${words(high)} over link orders`;
  if (mark != null) tells += `; ${more.whose}: ${words(mark)}`;
  const end = Math.max(all, high ?? 0, mark ?? 0);
  rows.push({kind: 'whole', name, label, end, low, high, mark, tells});
  return rows;
}
function range(orders, value) {
  const values = (orders ?? []).map(value);
  return values.length ? {low: Math.min(...values), high: Math.max(...values)} : {};
}

// µs by owner, of the path or the chosen function.
function ownersOf(stack, version) {
  if (!state.function) return data.path[stack][version].owners;
  return data.functions[stack]?.[version]?.[state.function] ?? {};
}

function pathRows(stack, own, marks) {
  const figure = data.path[stack];
  return versionsOf(figure).flatMap(version => {
    const one = figure[version];
    const ticks = ownersOf(stack, version);
    const shown = owners => sum(own.map(owner => owners?.[owner] ?? 0));
    const parts = causes().map(cause => ({
      us: sum(cause.own.filter(o => own.includes(o)).map(o => ticks[o] ?? 0)),
      colour: cause.colour, tells: cause.title})).filter(part => part.us);
    const more = state.function
      ? range(data.functionOrders[stack]?.[version], of => shown(of[state.function]))
      : range(one.orders, shown);
    const mark = marks && !state.function && !state.owner ? one.paper : null;
    const paper = {mark, whose: 'the paper'};
    return bar(title(version), parts, {...more, ...paper, opacity: opacity(version)});
  });
}
function tripRows(stack, keys, marks) {
  const figure = data.trip[stack];
  return versionsOf(figure).flatMap(version => {
    const one = figure[version];
    const parts = data.parts.filter(part => keys.includes(part.key))
      .map(part => ({us: one.parts[part.key], colour: part.colour, tells: part.title}));
    const more = range(one.orders, order => sum(keys.map(key => order[key])));
    return bar(title(version), parts, {...more, mark: marks ? one.paper : null,
      whose: 'the paper', opacity: opacity(version)});
  });
}
function functionRows(stack) {
  const all = data.functions[stack]?.[state.version], own = owners();
  const base = data.functions[stack]?.[data.base] ?? {};
  if (!all) return [];
  const ticks = (of, name) => sum(own.map(owner => of[name]?.[owner] ?? 0));
  const names = Object.keys(all).filter(name => ticks(all, name) > 0)
    .sort((a, b) => ticks(all, b) - ticks(all, a) || a.localeCompare(b));
  const shown = names.slice(0, FUNCTIONS);
  if (state.function && names.includes(state.function) && !shown.includes(state.function))
    shown.push(state.function);
  return shown.flatMap(name => {
    const parts = causes().map(cause => ({
      us: sum(cause.own.map(owner => all[name][owner] ?? 0)), colour: cause.colour,
      tells: cause.title})).filter(part => part.us);
    const mark = state.version === data.base ? null : ticks(base, name) || null;
    const strong = !state.function || state.function === name;
    const more = range(data.functionOrders[stack]?.[state.version], of => ticks(of, name));
    return bar(name, parts, {...more, mark, whose: title(data.base), opacity: strong ? 1 : FAINT});
  });
}

// Light to dark: from a tint to the colour of the shown cause.
function heat(share) {
  const target = (state.owner && causes()[0]?.colour) || '#b4451f';
  const to = [1, 3, 5].map(i => parseInt(target.slice(i, i + 2), 16)), from = [222, 227, 233];
  const hex = n => Math.round(n).toString(16).padStart(2, '0');
  return '#' + from.map((c, i) => hex(c + (to[i] - c) * share)).join('');
}
function mapRows(stack, version, map) {
  const ticks = data.functions[stack]?.[version] ?? {}, own = owners();
  const of = name => sum(own.map(owner => ticks[name]?.[owner] ?? 0));
  const most = Math.max(...Object.keys(ticks).map(of), 1e-9);
  return map.spans.map(([row, at, sets, kind, name, says]) => {
    const share = Math.sqrt(of(name) / most), chosen = state.function === name;
    const data_ = name === 'data';
    return {row: map.rows[row], at, to: at + sets, kind: data_ ? 'data' : kind, name,
      colour: kind === 'gap' ? '#eef0f3' : data_ ? '#9aa3af' : heat(share),
      ink: share > 0.6 ? '#ffffff' : '#1c2430',
      opacity: !state.function || chosen || kind === 'gap' ? 1 : 0.25,
      tells: `${says}${data_ || kind === 'gap' ? '' : `: ${words(of(name))} µs in the function`}`};
  });
}

async function draw(id, spec, rows, signals) {
  const place = document.getElementById(id);
  place.closest('figure').hidden = !rows.length;
  if (!rows.length) return;
  if (!panels.has(id)) {
    const description = place.closest('figure').querySelector('figcaption').textContent;
    const made = vegaEmbed(place, {...structuredClone(specs[spec]), description}, {actions: false, renderer: 'svg'});
    panels.set(id, made.then(result => {
      result.view.addEventListener('click', (_, item) => choose(item?.datum?.name));
      return result.view;
    }));
  }
  const view = await panels.get(id);
  for (const [name, value] of Object.entries(signals)) view.signal(name, value);
  await view.data('rows', rows).runAsync();
}
const most = rows => Math.max(...rows.map(row => row.end ?? 0), 1e-9);

// The panels of a row: `whole` first, on its own scale; the others share one.
async function drawRow(stack, figure, whole, others) {
  const id = `${figure}-${stack}`, place = document.getElementById(`${id}-whole`);
  place.parentElement.querySelector('b').textContent = whole.title;
  const jobs = [draw(`${id}-whole`, 'bars', whole.rows, {most: most(whole.rows)})];
  const full = Math.max(...others.map(one => most(one.rows)));
  for (const one of others) jobs.push(draw(`${id}-${one.key}`, 'bars', one.rows, {most: full}));
  await Promise.all(jobs);
}

async function drawAll() {
  const jobs = [], own = owners();
  for (const stack of Object.keys(data.stacks)) {
    if (data.path[stack]) {
      const said = state.owner ? ownerWords() : 'all of the path';
      const whole = {title: said, rows: pathRows(stack, own, true)};
      const others = data.causes.map((cause, at) => {
        const shown = state.owner ? [] : cause.owners.map(owner => owner.key);
        return {key: at, rows: shown.length ? pathRows(stack, shown, false) : []};
      });
      jobs.push(drawRow(stack, 'path', whole, others));
    }
    if (data.functions[stack]) {
      const rows = functionRows(stack);
      jobs.push(draw(`functions-${stack}`, 'bars', rows, {most: most(rows)}));
    }
    if (data.trip[stack]) {
      const keys = data.parts.map(part => part.key);
      const whole = {title: 'round trip', rows: tripRows(stack, keys, true)};
      const groups = [...new Set(data.parts.map(part => part.group))];
      const others = groups.map((group, key) => {
        const own = data.parts.filter(part => part.group === group).map(part => part.key);
        return {key, rows: tripRows(stack, own, false)};
      });
      jobs.push(drawRow(stack, 'trip', whole, others));
    }
    for (const [version, one] of Object.entries(data.maps[stack] ?? {})) {
      const box = document.getElementById(`map-${stack}-${version}`);
      box.hidden = version !== state.version && version !== data.base;
      if (box.hidden) continue;
      const signals = {sets: one.code.sets}, id = `map-${stack}-${version}`;
      jobs.push(draw(`${id}-code`, 'map', mapRows(stack, version, one.code), signals));
      const misses = one.code.misses.map(([at, n]) => ({at, to: at + 1, misses: n,
        tells: `set ${at}: ${n.toFixed(1)} misses an invocation`}));
      jobs.push(draw(`${id}-sets`, 'sets', misses, signals));
      if (!one.both) continue;
      jobs.push(draw(`${id}-both`, 'map', mapRows(stack, version, one.both), signals));
    }
  }
  say();
  for (const row of document.querySelectorAll('tbody tr'))
    row.classList.toggle('chosen', [...row.querySelectorAll('td.label')]
      .some(cell => cell.textContent === title(state.version)));
  await Promise.all(jobs);
  document.body.dataset.drawn = location.hash || '#';
}

// What is chosen, in a sentence for each stack.
function say() {
  const place = document.getElementById('chosen'), own = owners();
  const chosen = [state.owner && ownerWords(), state.function && `in ${state.function}`];
  const what = chosen.filter(Boolean).join(' ') || 'the whole path';
  const time = (stack, version) => {
    if (!data.path[stack]?.[version]) return null;
    const ticks = ownersOf(stack, version);
    return sum(own.map(owner => ticks[owner] ?? 0));
  };
  place.replaceChildren(...Object.entries(data.stacks).flatMap(([stack, name]) => {
    const [now, before] = [time(stack, state.version), time(stack, data.base)];
    if (now === null) return [];
    const line = document.createElement('p');
    const against = before === null || state.version === data.base ? '' :
      `, ${title(data.base)} ${words(before)} µs`;
    const takes = `${title(state.version)} takes ${words(now)} µs`;
    line.textContent = `${name}, ${what}: ${takes}${against}.`;
    return [line];
  }));
}

function keep() {
  const words = Object.entries(state).filter(([, value]) => value)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  history.replaceState(null, '', '#' + words.join('&'));
}
function set(key, value) {
  state[key] = value;
  keep();
  controls();
  return drawAll();
}
function choose(name) {
  const version = data.versions.find(one => title(one) === name);
  if (version) return set('version', version);
  if (functions.includes(name)) return set('function', state.function === name ? '' : name);
}
const functions = [...new Set(Object.values(data.functions).flatMap(versions =>
  Object.values(versions).flatMap(Object.keys)))].sort((a, b) => a.localeCompare(b));
function controls() {
  for (const key of Object.keys(state)) document.getElementById(`choose-${key}`).value = state[key];
}
function start() {
  const list = document.getElementById('choose-function');
  for (const name of functions) list.add(new Option(name, name));
  for (const key of Object.keys(state))
    document.getElementById(`choose-${key}`)
      .addEventListener('change', event => set(key, event.target.value));
  restore();
  window.addEventListener('hashchange', restore);
}
function restore() {
  const given = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
  const there = {version: data.versions, function: functions,
    owner: [...every, ...data.causes.map(cause => cause.title)]};
  for (const key of Object.keys(state))
    if (there[key].includes(given.get(key))) state[key] = given.get(key);
  controls();
  return drawAll();
}
start();
