// SPDX-License-Identifier: BSD-2-Clause
// The buttons of the tables: a press runs both machines as often as the cell needs and compares
// with the published figure. A run that another cell has made is not made again.
'use strict';

const read = id => JSON.parse(document.getElementById(id).textContent);
const carried = read('carried'); // files by digest; requests of each stack and version
const buttons = [...document.querySelectorAll('button[data-table]')];
const said = document.getElementById('said'), bar = document.getElementById('bar');
// Results are rounded to six digits; the order of a sum changes far less than the sixth.
const SAME = 1e-9;

const unpackedFiles = new Map(), made = new Map();
const once = (kept, key, make) => {
  if (!kept.has(key)) kept.set(key, make());
  return kept.get(key);
};
const file = digest => once(unpackedFiles, digest, () => unpacked(carried.files[digest]));
const json = async digest => JSON.parse(textOf(await file(digest)));

let machines;
async function start() {
  const engine = read('engine');
  return new Machines(engine.script, await unpacked(engine.program));
}

let runs = 0, longest = 0; // runs so far, and seconds of the longest
async function run(request) {
  machines ??= start();
  const paths = Object.entries(request.files);
  const bytes = await Promise.all(paths.map(([, digest]) => file(digest)));
  const files = Object.fromEntries(paths.map(([path], n) => [path, bytes[n]]));
  const {words, wanted} = request;
  const answer = await (await machines).run({words, files, wanted});
  longest = Math.max(longest, answer.seconds);
  if (answer.status !== 0) throw new Error(answer.said.at(-1) ?? `status ${answer.status}`);
  runs++;
  return Object.fromEntries(
    Object.entries(answer.files).map(([path, bytes]) => [path.replace(/^.*\//, ''), bytes]));
}

async function versionOf(stack, name, kinds) {
  const {machine, image, jobs} = carried.versions[stack][name];
  const done = await Promise.all(kinds.map(kind =>
    Promise.all(jobs[kind].map(request => once(made, request, () => run(request))))));
  const found = {};
  kinds.forEach((kind, n) => { found[kind] = kind === 'real' ? done[n] : done[n][0]; });
  return new Version(await json(machine), await file(image), found);
}

const same = (a, b) => Math.abs(a - b) <= SAME;

function shown(button, value, sd) {
  const text = rounded(value, Number(button.dataset.digits)).toFixed(button.dataset.digits);
  const sign = button.dataset.sign && value >= 0 ? '+' : '';
  return sign + text + (sd == null ? '' : ` ± ${sd.toFixed(2)}`);
}

// Press a cell; true if the figure is the published one.
async function press(button) {
  const {table, labels, column, value, sd} = button.dataset;
  const note = button.querySelector('.note');
  button.className = 'running';
  note.textContent = ' …';
  let found, equal = false;
  try {
    const how = formula(table, JSON.parse(labels), column);
    const each = await Promise.all(how.of.map(name => versionOf(how.stack, name, how.runs)));
    const ours = how.value(...each), spread = sd && how.sd ? how.sd(...each) : null;
    equal = same(ours, Number(value)) && (!sd || same(spread, Number(sd)));
    found = shown(button, ours, spread);
  } catch (error) {
    found = error.message;
  }
  button.className = equal ? 'equal' : 'differs';
  note.textContent = equal ? ' ✓' : ` ✗ ${found}`;
  return equal;
}

function tell() {
  const count = name => buttons.filter(one => one.className === name).length;
  const done = count('equal') + count('differs');
  bar.value = done;
  const differ = count('differs') ? `, ${count('differs')} differ` : '';
  said.textContent =
    `${count('equal')} of ${buttons.length} cells equal${differ}; ${runs} runs of both machines, ` +
    `the longest ${longest.toFixed(1)} s.`;
  document.body.dataset.done = done;
}

for (const button of buttons)
  button.addEventListener('click', async () => {
    await press(button);
    tell();
  });
document.getElementById('all').addEventListener('click', async () => {
  await Promise.all(buttons.map(async button => {
    await press(button);
    tell();
  }));
});
tell();
