import { Worker } from 'node:worker_threads';
import type { Config } from '../config.ts';
import { Refusal } from '../core/errors.ts';
import { workerLimits } from './limits.ts';
import type { ThreadStart, WorkerRequest, WorkerResponse } from './message.ts';

/** One thread and its current task. */
export class Thread {
  readonly #worker: Worker;
  #settle: { resolve(result: unknown): void; reject(error: unknown): void } | undefined;
  #isAlive = true;

  constructor(config: Config) {
    const start: ThreadStart = { config };
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: workerLimits.heapMegabytes },
    });
    this.#worker.unref();
    this.#worker.on('message', (report: WorkerResponse) => this.#report(report));
    this.#worker.on('error', (error) => this.#die(error));
    this.#worker.on('exit', () => this.#die(new Error('the worker thread exited')));
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Data that cannot be cloned (`postMessage` throws) is reported like an error of the task. */
  async run(request: WorkerRequest): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#settle = { resolve, reject };
    this.#worker.postMessage(request);
    return promise;
  }

  async end(reason: Error): Promise<void> {
    this.#die(reason);
    await this.#worker.terminate();
  }

  #report(report: WorkerResponse): void {
    const settle = this.#settle;
    this.#settle = undefined;
    if (report.kind === 'done') settle?.resolve(report.result);
    else if (report.kind === 'refused') settle?.reject(new Refusal(report.code, report.message, report.details));
    else settle?.reject(Object.assign(new Error(report.message), { code: report.code, cause: report.stack }));
  }

  #die(reason: unknown): void {
    this.#isAlive = false;
    this.#settle?.reject(reason);
    this.#settle = undefined;
  }
}
