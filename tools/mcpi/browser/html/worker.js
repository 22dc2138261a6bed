// SPDX-License-Identifier: BSD-2-Clause
// A Worker: the first message brings the engine's module, each other a request.
'use strict';

let compiled;
onmessage = async ({data}) => {
  if (data.module) {
    compiled = data.module;
    return;
  }
  try {
    postMessage(await runEngine(createEngine, compiled, data.request));
  } catch (error) {
    postMessage({status: -1, said: [String(error)], seconds: 0, files: {}});
  }
};
