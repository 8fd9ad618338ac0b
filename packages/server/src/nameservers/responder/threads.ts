import { Worker } from 'node:worker_threads';
import type { FromThread, ThreadData, ToThread } from './answer-thread.ts';

type OutgoingMessage = ToThread extends infer T ? (T extends ToThread ? Omit<T, 'number'> : never) : never;

interface Waiting {
  resolve(found: unknown): void;
  reject(error: Error): void;
}

/** The answering threads. Each message goes to all of them, and each reports when it is done. */
export class AnswerThreads {
  readonly #workers: Worker[];
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;

  /** `onFault`: a thread ended unexpectedly, or reported an error. */
  constructor(count: number, data: Omit<ThreadData, 'isAlone'>, onFault: (error: Error, hasEnded: boolean) => void) {
    const workerData: ThreadData = { ...data, isAlone: count === 1 };
    this.#workers = Array.from({ length: count }, () => {
      // Suppresses the warning that these system calls are experimental in Node (decision 0025).
      const execArgv = ['--disable-warning=ExperimentalWarning'];
      const worker = new Worker(new URL('./answer-thread.ts', import.meta.url), { workerData, execArgv });
      worker.on('message', (message: FromThread) => this.#onMessage(message, onFault));
      worker.on('error', (error) => onFault(error as Error, true));
      return worker;
    });
  }

  #onMessage({ number, error, found }: FromThread, onFault: (error: Error, hasEnded: boolean) => void): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    const failure = error && Object.assign(new Error(error.message), { code: error.code });
    if (!waiting) {
      if (failure) onFault(failure, false);
    } else if (failure) waiting.reject(failure);
    else waiting.resolve(found);
  }

  #request(worker: Worker, outgoing: OutgoingMessage): Promise<unknown> {
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      worker.postMessage({ ...outgoing, number });
    });
  }

  notify(outgoing: OutgoingMessage): Promise<unknown[]> {
    return Promise.all(this.#workers.map((worker) => this.#request(worker, outgoing)));
  }

  /** Opens the sockets. With port 0, the first thread chooses the port. */
  async listen(hosts: readonly string[], port: number): Promise<number> {
    let found = port;
    for (const worker of this.#workers)
      found = ((await this.#request(worker, { kind: 'listen', hosts, port: found })) as { port: number }).port;
    return found;
  }

  async close(): Promise<void> {
    await this.notify({ kind: 'close' });
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
