// SPDX-License-Identifier: BSD-2-Clause
// A run of the engine on files in memory. `createEngine` is what the compiler wrote around
// `module`, the WebAssembly of mcpi-exact. Each run has an engine of its own, as a program has.
'use strict';

const FOLDER = '/run';

async function runEngine(createEngine, module, {words, files, wanted}) {
  const said = [];
  const engine = await createEngine({
    instantiateWasm(imports, ready) {
      const instance = new WebAssembly.Instance(module, imports);
      ready(instance, module);
      return instance.exports;
    },
    print: () => {},
    printErr: line => said.push(line),
    quit: (status, end) => { throw end; },
  });
  const {FS} = engine;
  for (const [path, bytes] of Object.entries(files)) {
    FS.mkdirTree(`${FOLDER}/${path}`.replace(/\/[^/]*$/, ''));
    FS.writeFile(`${FOLDER}/${path}`, bytes);
  }
  FS.chdir(FOLDER);
  const began = performance.now();
  const status = engine.callMain(words);
  const seconds = (performance.now() - began) / 1000;
  const found = {};
  for (const path of wanted)
    if (FS.analyzePath(`${FOLDER}/${path}`).exists) found[path] = FS.readFile(`${FOLDER}/${path}`);
  return {status, said, seconds, files: found};
}
