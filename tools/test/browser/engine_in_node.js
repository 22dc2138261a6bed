// SPDX-License-Identifier: BSD-2-Clause
// Answers a request as a page's Worker does, under node: GLUE WASM ENGINE.JS REQUEST ANSWER. The
// request's files, and those of the answer, are Base64.
'use strict';
const fs = require('fs');
const vm = require('vm');

const [glue, wasm, script, asked, told] = process.argv.slice(2);
vm.runInThisContext(fs.readFileSync(script, 'utf8'), script);
const request = JSON.parse(fs.readFileSync(asked, 'utf8'));
for (const [path, text] of Object.entries(request.files))
  request.files[path] = Buffer.from(text, 'base64');
runEngine(require(glue), new WebAssembly.Module(fs.readFileSync(wasm)), request).then(answer => {
  for (const [path, bytes] of Object.entries(answer.files))
    answer.files[path] = Buffer.from(bytes).toString('base64');
  fs.writeFileSync(told, JSON.stringify(answer));
});
