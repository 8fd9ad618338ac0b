import { hostname } from 'node:os';
import { systemClock } from '@namehold/base';
import type { Database } from '@namehold/postgres';
import { Gauge, type Registry } from '@prometheus-io/client';
import { clearAlarm, raiseAlarm } from '../core/alarms/alarm.ts';
import type { Log } from '../core/app-context.ts';
import { FailureLog } from '../nameservers/failure-log.ts';
import { type Queue, readQueue } from './queue.ts';

const everyMs = 60_000;
/** Messages that wait longer raise an alarm. */
const alarmMs = 3_600_000;
/** Domains that are listed by name, those with the most messages first. */
const shownDomains = 20;

interface QueueWatchOptions {
  readonly command: readonly string[];
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Registry;
}

/** Reads the queue of the local Postfix once a minute. */
export class QueueWatch {
  readonly #options: QueueWatchOptions;
  readonly #alarm = `mail-queue:${hostname()}`;
  readonly #waiting: Gauge;
  readonly #oldest: Gauge;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  readonly #failures: FailureLog;

  constructor(options: QueueWatchOptions) {
    this.#options = options;
    this.#failures = new FailureLog(options.log, 'Postfix queue not read; will retry');
    const registers = [options.metrics];
    const help = 'Messages in the queue of Postfix, by recipient domain';
    this.#waiting = new Gauge({ name: 'namehold_mx_waiting', help, labelNames: ['domain'], registers });
    this.#oldest = new Gauge({
      name: 'namehold_mx_oldest_waiting_seconds',
      help: 'Age of the oldest message in the queue',
      registers,
    });
    if (options.command.length > 0) this.#again();
  }

  #again(): void {
    this.#timer = setTimeout(() => {
      this.#checking = this.check(systemClock.now()).finally(() => this.#again());
    }, everyMs).unref();
  }

  async check(now: Date): Promise<void> {
    const { command } = this.#options;
    try {
      const queue = await readQueue(command);
      this.#show(queue, now);
      await this.#report(queue, now);
      this.#failures.recovered();
    } catch (error) {
      this.#failures.failed(error);
    }
  }

  #show({ domains, oldest }: Queue, now: Date): void {
    this.#waiting.reset();
    const most = [...domains].sort(([, a], [, b]) => b.messages - a.messages);
    for (const [domain, { messages }] of most.slice(0, shownDomains)) this.#waiting.labels(domain).set(messages);
    const others = most.slice(shownDomains).reduce((sum, [, { messages }]) => sum + messages, 0);
    if (others > 0) this.#waiting.labels('other').set(others);
    this.#oldest.set(oldest ? Math.max(0, now.getTime() - oldest.getTime()) / 1_000 : 0);
  }

  async #report({ messages, oldest, domains, isWhole }: Queue, now: Date): Promise<void> {
    const { db, log } = this.#options;
    const ctx = { db, log, wall: systemClock };
    const late = [...domains].filter(([, { oldest: since }]) => now.getTime() - since.getTime() > alarmMs);
    if (late.length === 0 || !oldest) return clearAlarm(ctx, this.#alarm);
    const [domain, { reason }] = late.reduce((a, b) => (b[1].messages > a[1].messages ? b : a));
    const others = late.length === 1 ? '' : ` and ${late.length - 1} more`;
    await raiseAlarm(ctx, {
      key: this.#alarm,
      severity: 'warning',
      sentence: `mail for ${domain}${others} has been queued for over an hour at ${hostname()}: ${reason || 'no reason given'}`,
      facts: { messages, oldest, domains: late.length, is_whole: isWhole },
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#checking;
    clearTimeout(this.#timer);
  }
}
