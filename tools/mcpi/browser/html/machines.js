// SPDX-License-Identifier: BSD-2-Clause
// Workers, each with the engine. A request waits until a Worker is free.
'use strict';

class Machines {
  // `script`: the text of a Worker; `bytes`: the engine's WebAssembly.
  constructor(script, bytes, most = Math.min(4, navigator.hardwareConcurrency || 1)) {
    this.address = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));
    this.module = WebAssembly.compile(bytes);
    this.most = most;
    this.free = [];
    this.begun = 0;
    this.waiting = [];
    this.answers = new Map(); // by the request's number: who waits for it
    this.number = 0;
  }

  // The engine's answer to a request.
  run(request) {
    return new Promise(done => {
      this.waiting.push({request, done});
      this.next();
    });
  }

  async next() {
    if (!this.waiting.length) return;
    const worker = this.free.pop() ?? (this.begun < this.most ? await this.begin() : null);
    if (!worker) return; // the next answer comes back here
    const one = this.waiting.shift();
    if (!one) {
      this.free.push(worker);
      return;
    }
    this.answers.set(++this.number, one.done);
    worker.postMessage({number: this.number, request: one.request});
  }

  async begin() {
    this.begun++;
    const worker = new Worker(this.address);
    worker.onmessage = ({data}) => {
      this.free.push(worker);
      this.answers.get(data.number)(data.answer);
      this.answers.delete(data.number);
      this.next();
    };
    worker.postMessage({module: await this.module});
    return worker;
  }
}
