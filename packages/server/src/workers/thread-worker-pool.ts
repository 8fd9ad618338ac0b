import type { Config } from '../config.ts';
import type { Actor, WorkerPool } from '../core/app-context.ts';
import { Refusal } from '../core/errors.ts';
import type { PdfDocument } from '../core/model/pdf-document.ts';
import type { ExportedFile, ZoneChanged, ZoneTask } from '../core/model/zone-task.ts';
import { workerLimits } from './limits.ts';
import { type PlainActor, sharedNow, tookTooLong, type WorkerRequest } from './message.ts';
import { Thread } from './thread.ts';

interface Waiting {
  readonly errand: WorkerRequest;
  readonly start: (thread: Thread) => Promise<void>;
  readonly giveUp: (error: unknown) => void;
}

/** A pool of threads that start on demand and end when idle. First come, first served, with one task of a reseller at a time. */
export class ThreadWorkerPool implements WorkerPool {
  readonly #config: Config;
  readonly #free: Thread[] = [];
  readonly #threads = new Set<Thread>();
  readonly #waiting: Waiting[] = [];
  readonly #busy = new Set<string>();
  #idle: NodeJS.Timeout | undefined;

  /** `config` must contain the database URL, because a thread does not start a database. */
  constructor(config: Config) {
    this.#config = config;
  }

  change(actor: Actor, task: ZoneTask): Promise<ZoneChanged> {
    const until = sharedNow() + workerLimits.transactionDeadlineMs;
    return this.#run({ actor: plain(actor), task, until }) as Promise<ZoneChanged>;
  }

  exportFile(actor: Pick<Actor, 'resellerId'>, domain: ZoneTask['domain'], serial?: number): Promise<ExportedFile> {
    const errand = { actor: { resellerId: actor.resellerId }, task: { kind: 'export', domain, serial } } as const;
    return this.#run(errand) as Promise<ExportedFile>;
  }

  print(actor: Pick<Actor, 'resellerId'>, document: PdfDocument): Promise<Uint8Array> {
    const errand = { actor: { resellerId: actor.resellerId }, task: { kind: 'print', document } } as const;
    return this.#run(errand) as Promise<Uint8Array>;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const closing = new Refusal('unavailable', 'The service is shutting down. Try again in a moment.');
    for (const waiting of this.#waiting.splice(0)) waiting.giveUp(closing);
    await Promise.all([...this.#threads].map((thread) => thread.end(closing)));
    this.#threads.clear();
  }

  #run(errand: WorkerRequest): Promise<unknown> {
    this.#refuseCrowd(errand.actor.resellerId);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const late = tookTooLong(workerLimits.deadlineMs);
    let thread: Thread | undefined;
    const waiting: Waiting = {
      errand,
      giveUp: reject,
      start: async (given) => {
        thread = given;
        await given.run(errand).then(resolve, reject);
      },
    };
    const deadline = setTimeout(() => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(late);
      // Only termination stops a loop in a thread. PostgreSQL rolls back its transaction.
      void thread?.end(late);
    }, workerLimits.deadlineMs);
    this.#waiting.push(waiting);
    this.#next();
    return promise.finally(() => clearTimeout(deadline));
  }

  #refuseCrowd(resellerId: string): void {
    const own = this.#waiting.filter(({ errand }) => errand.actor.resellerId === resellerId).length;
    const later = { retryAfterSeconds: 5 };
    if (own >= workerLimits.waitingPerReseller)
      throw new Refusal(
        'rate_limited',
        `${own} of your large zones or documents are already being processed. Try again later.`,
        later,
      );
    if (this.#waiting.length >= workerLimits.waiting)
      throw new Refusal(
        'unavailable',
        'Too many large zones and documents are being processed. Try again later.',
        later,
      );
  }

  #next(): void {
    clearTimeout(this.#idle);
    const at = this.#waiting.findIndex(({ errand }) => !this.#busy.has(errand.actor.resellerId));
    const isFull = this.#free.length === 0 && this.#threads.size >= workerLimits.threads;
    if (at < 0 || isFull) {
      if (this.#busy.size === 0) this.#idle = setTimeout(() => this.#stopIdle(), workerLimits.idleMs).unref();
      return;
    }
    const [task] = this.#waiting.splice(at, 1);
    const { resellerId } = task!.errand.actor;
    const thread = this.#free.pop() ?? this.#hire();
    this.#busy.add(resellerId);
    void task!.start(thread).finally(() => {
      this.#busy.delete(resellerId);
      if (thread.isAlive) this.#free.push(thread);
      else this.#threads.delete(thread);
      this.#next();
    });
    this.#next();
  }

  #hire(): Thread {
    const thread = new Thread(this.#config);
    this.#threads.add(thread);
    return thread;
  }

  #stopIdle(): void {
    for (const thread of this.#free.splice(0)) {
      this.#threads.delete(thread);
      void thread.end(new Error('idle'));
    }
  }
}

function plain(actor: Actor): PlainActor {
  const { resellerId, keyId, user, customerId, address, requestId, scopes, isOperator } = actor;
  const who = { resellerId, keyId, user, customerId, scopes, isOperator };
  return { ...who, address, requestId, held: actor.idempotency?.held };
}
