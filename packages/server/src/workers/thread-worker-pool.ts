import type { Config } from '../config.ts';
import type { Actor, TaskOwner, WorkerPool } from '../core/app-context.ts';
import { Refusal } from '../core/errors.ts';
import type { PdfDocument } from '../core/model/pdf-document.ts';
import type { ExportedFile, ZoneChanged, ZoneTask } from '../core/model/zone-task.ts';
import { workerLimits } from './limits.ts';
import { type PlainActor, sharedNow, tookTooLong, type WorkerRequest } from './message.ts';
import { Thread } from './thread.ts';

interface Waiting {
  readonly top: string;
  readonly request: WorkerRequest;
  readonly start: (thread: Thread) => Promise<void>;
  readonly giveUp: (error: unknown) => void;
}

/**
 * A pool of threads that start on demand and end when idle. One task of a reseller runs at a time. The top accounts take turns, so that
 * one with many sub-resellers delays the others by at most the task that runs.
 */
export class ThreadWorkerPool implements WorkerPool {
  readonly #config: Config;
  readonly #free: Thread[] = [];
  readonly #threads = new Set<Thread>();
  readonly #waiting: Waiting[] = [];
  readonly #running = new Set<Waiting>();
  /** The top accounts in the order of their last start. */
  readonly #turns = new Set<string>();
  #idle: NodeJS.Timeout | undefined;

  /** `config` must contain the database URL, because a thread does not start a database. */
  constructor(config: Config) {
    this.#config = config;
  }

  change(actor: Actor, task: ZoneTask): Promise<ZoneChanged> {
    const until = sharedNow() + workerLimits.transactionDeadlineMs;
    return this.#run({ actor: plain(actor), task, until }) as Promise<ZoneChanged>;
  }

  exportFile(actor: TaskOwner, domain: ZoneTask['domain'], serial?: number): Promise<ExportedFile> {
    const request = { actor: ownerOf(actor), task: { kind: 'export', domain, serial } } as const;
    return this.#run(request) as Promise<ExportedFile>;
  }

  print(actor: TaskOwner, document: PdfDocument): Promise<Uint8Array> {
    const request = { actor: ownerOf(actor), task: { kind: 'print', document } } as const;
    return this.#run(request) as Promise<Uint8Array>;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const closing = new Refusal('unavailable', 'The service is shutting down. Try again in a moment.');
    for (const waiting of this.#waiting.splice(0)) waiting.giveUp(closing);
    await Promise.all([...this.#threads].map((thread) => thread.end(closing)));
    this.#threads.clear();
  }

  #run(request: WorkerRequest): Promise<unknown> {
    const { resellerId, topId: top = resellerId } = request.actor;
    this.#refuseCrowd(resellerId, top);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const late = tookTooLong(workerLimits.deadlineMs);
    let thread: Thread | undefined;
    const waiting: Waiting = {
      top,
      request,
      giveUp: reject,
      start: async (given) => {
        thread = given;
        await given.run(request).then(resolve, reject);
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

  #refuseCrowd(resellerId: string, top: string): void {
    const own = this.#waiting.filter(({ request }) => request.actor.resellerId === resellerId).length;
    const later = { retryAfterSeconds: 5 };
    if (own >= workerLimits.waitingPerReseller)
      throw new Refusal(
        'rate_limited',
        `${own} of your large zones or documents are already being processed. Try again later.`,
        later,
      );
    const ofTop = this.#waiting.filter((each) => each.top === top).length;
    if (ofTop >= workerLimits.waiting * workerLimits.shareOfTop)
      throw new Refusal(
        'rate_limited',
        `${ofTop} large zones or documents of all accounts below the same top account are already being processed. Try again later.`,
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
    const task = this.#chosen();
    const isFull = this.#free.length === 0 && this.#threads.size >= workerLimits.threads;
    if (!task || isFull) {
      if (this.#running.size === 0) this.#idle = setTimeout(() => this.#stopIdle(), workerLimits.idleMs).unref();
      return;
    }
    this.#waiting.splice(this.#waiting.indexOf(task), 1);
    const thread = this.#free.pop() ?? this.#startThread();
    this.#running.add(task);
    this.#turns.delete(task.top);
    this.#turns.add(task.top);
    void task.start(thread).finally(() => {
      this.#running.delete(task);
      if (thread.isAlive) this.#free.push(thread);
      else this.#threads.delete(thread);
      this.#next();
    });
    this.#next();
  }

  /** Selects the oldest task of the top account with the fewest running tasks; ties go to the account that started a task least recently. */
  #chosen(): Waiting | undefined {
    const running = [...this.#running];
    const busy = new Set(running.map(({ request }) => request.actor.resellerId));
    const turns = [...this.#turns];
    const ranked = this.#waiting
      .filter(({ request }) => !busy.has(request.actor.resellerId))
      .map((task) => ({
        task,
        count: running.filter(({ top }) => top === task.top).length,
        turn: turns.indexOf(task.top),
      }));
    return ranked.sort((a, b) => a.count - b.count || a.turn - b.turn)[0]?.task;
  }

  #startThread(): Thread {
    const thread = new Thread(this.#config);
    this.#threads.add(thread);
    return thread;
  }

  #stopIdle(): void {
    this.#turns.clear();
    for (const thread of this.#free.splice(0)) {
      this.#threads.delete(thread);
      void thread.end(new Error('idle'));
    }
  }
}

const ownerOf = ({ resellerId, topId }: TaskOwner): TaskOwner => (topId ? { resellerId, topId } : { resellerId });

function plain(actor: Actor): PlainActor {
  const { keyId, user, customerId, address, requestId, scopes, isOperator } = actor;
  const who = { ...ownerOf(actor), keyId, user, customerId, scopes, isOperator };
  return { ...who, address, requestId, held: actor.idempotency?.held };
}
