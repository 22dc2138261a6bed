// SPDX-License-Identifier: BSD-2-Clause
// A Worker: the first message brings the engine's module, each other a request with a number.
'use strict';

let compiled;
onmessage = async ({data}) => {
  if (data.module) {
    compiled = data.module;
    return;
  }
  const {number, request} = data;
  try {
    postMessage({number, answer: await runEngine(createEngine, compiled, request)});
  } catch (error) {
    postMessage({number, answer: {status: -1, said: [String(error)], seconds: 0, files: {}}});
  }
};
