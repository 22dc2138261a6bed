// SPDX-License-Identifier: BSD-2-Clause
// Workers, each with the engine. A request waits until a Worker is free. If no Worker begins, or a
// Worker fails, the requests that would wait for ever are refused.
'use strict';

class Machines {
  // `script`: the text of a Worker; `bytes`: the engine's WebAssembly.
  constructor(script, bytes, most = Math.min(4, navigator.hardwareConcurrency || 1)) {
    this.address = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));
    this.module = WebAssembly.compile(bytes);
    this.module.catch(() => {}); // each request says it
    this.most = most;
    this.free = [];
    this.begun = 0;
    this.waiting = [];
    this.running = new Map(); // by Worker: its request
  }

  // The engine's answer to a request.
  run(request) {
    return new Promise((done, failed) => {
      this.waiting.push({request, done, failed});
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
    this.running.set(worker, one);
    worker.postMessage({request: one.request});
  }

  async begin() {
    this.begun++;
    try {
      const module = await this.module, worker = new Worker(this.address);
      worker.onmessage = ({data}) => {
        this.free.push(worker);
        this.ended(worker).done(data);
        this.next();
      };
      worker.onerror = event => {
        event.preventDefault(); // the request says it
        this.lose(worker, event.message ?? 'it did not begin');
      };
      worker.postMessage({module});
      return worker;
    } catch (error) {
      this.begun--;
      this.refuse(error);
      return null;
    }
  }

  // The request of a Worker, which then has none.
  ended(worker) {
    const one = this.running.get(worker);
    this.running.delete(worker);
    return one;
  }

  lose(worker, words) {
    worker.terminate();
    this.begun--;
    this.free = this.free.filter(one => one !== worker);
    const error = new Error(`the engine: ${words}`);
    this.ended(worker)?.failed(error);
    this.refuse(error);
  }

  refuse(error) {
    for (const one of this.waiting.splice(0)) one.failed(error);
  }
}
