import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, type Database, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import type { ServiceProcess } from '../../faults/world/service-process.ts';
import { moveClockIn } from '../../namehold-upstream/chain.ts';
import { openRestricted } from '../../support/database.ts';
import { RealService } from '../../support/process.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import type { UpstreamAccount } from './account.ts';
import { accounts } from './accounts.ts';

interface Called {
  /** 0: no answer, for example because the process was killed. */
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  readonly body: any;
}

export interface OpenOperation {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
  readonly due_ms: number;
  readonly is_running: boolean;
}

/** Shorter than in production, because the timeouts of requests cannot be shifted. */
const timeouts = { queryMs: 1_500, transformMs: 700 };
const link = { sessions: 12, requestsPerMinute: 60_000, timeouts };

/** A seller in a process that can be killed, and an account at an upstream. Both follow one clock, which the test shifts. */
export class Installation {
  readonly upstream: UpstreamAccount;
  readonly service: RealService;
  readonly db: Database;
  readonly #process: ServiceProcess;
  readonly #time: { offsetMs: number };
  #keys = 0;

  private constructor(
    upstream: UpstreamAccount,
    service: RealService,
    db: Database,
    process: ServiceProcess,
    time: { offsetMs: number },
  ) {
    this.upstream = upstream;
    this.service = service;
    this.db = db;
    this.#process = process;
    this.#time = time;
  }

  static async open(dialect: string): Promise<Installation> {
    const time = { offsetMs: 0 };
    const upstream = await accounts[dialect]!({ now: () => Date.now() + time.offsetMs });
    const service = await RealService.create({
      NAMEHOLD_SANDBOX_DATABASE_URL: '',
      NAMEHOLD_THEFT_PROTECTION: 'off',
      NAMEHOLD_WAIT_MS: '300',
      NAMEHOLD_MAIL_PER_ACCOUNT: '1000000',
      NAMEHOLD_MAIL_PER_MAILBOX: '1000000',
    });
    const { databaseUrl, folder } = service;
    const t = await startTestService({ databaseUrl, folder, env: { NAMEHOLD_THEFT_PROTECTION: 'off' } });
    await upstream.connect(t, link);
    const funds = { amount: '2000000.00', description: 'for faulted orders' };
    const funded = await t.call('POST', '/v1/resellers/1000/transactions/fund', { json: funds, as: t.operator });
    expect(funded.status, funded.text).toBe(200);
    await t.stop();
    const process = await service.process(0);
    await process.start();
    return new Installation(upstream, service, await openRestricted(databaseUrl), process, time);
  }

  async close(): Promise<void> {
    await this.#process.kill();
    await this.db.close();
    await this.service.dispose();
    await this.upstream.stop();
  }

  /** As by `kill -9`, and a restart at once. */
  async restart(): Promise<void> {
    await this.#process.kill();
    await this.#process.start();
  }

  /** Business time and wall time of both sides. The database's own clock cannot be shifted, so what is due there moves towards it. */
  async pass(ms: number): Promise<void> {
    // Date.now() has no fractions of a millisecond.
    this.#time.offsetMs += Math.ceil(ms);
    this.#process.shiftClock(this.#time.offsetMs);
    const by = sql`${ms}::float8 * interval '1 millisecond'`;
    await this.db.transaction(allTenants, async (tx) => {
      await tx.run(sql`
        update operation set due_at = due_at - ${by} where state not in ('done', 'refused', 'cancelled', 'action_required')`);
      await tx.run(sql`update registry_pace set paused_until = paused_until - ${by} where paused_until is not null`);
    });
  }

  get now(): number {
    return Date.now() + this.#time.offsetMs;
  }

  /** Operations that are neither settled nor in `action_required`. */
  open(): Promise<OpenOperation[]> {
    return this.db.as(allTenants).many<OpenOperation>(sql`
      select o.id, d.name, o.kind, o.state, o.attempts, extract(epoch from o.due_at - now())::float8 * 1000 as due_ms,
        coalesce(o.leased_until > now(), false) as is_running
      from operation o join domain d on d.id = o.domain_id
      where o.state not in ('done', 'refused', 'cancelled', 'action_required')`);
  }

  async call(
    method: string,
    path: string,
    options: { form?: Record<string, string>; key?: string; asOperator?: boolean } = {},
  ): Promise<Called> {
    const { credentials } = this.service;
    const { reseller_id, api_key } = options.asOperator ? credentials.operator : credentials;
    const headers: Record<string, string> = {
      Authorization: `Basic ${Buffer.from(`${reseller_id}:${api_key}`).toString('base64')}`,
      ...(options.key ? { 'Idempotency-Key': options.key } : {}),
    };
    const body = options.form ? new URLSearchParams(options.form) : undefined;
    try {
      const answer = await fetch(`${this.#process.baseUrl}${path}`, { method, headers, ...(body ? { body } : {}) });
      return { status: answer.status, body: await answer.json() };
    } catch {
      return { status: 0, body: undefined };
    }
  }

  /** A query, repeated while the process restarts. */
  async read(path: string): Promise<Called> {
    for (let attempt = 0; attempt < attemptsWithoutAnswer; attempt += 1) {
      const called = await this.call('GET', path);
      if (called.status !== 0) return called;
      await sleep(pauseMs);
    }
    throw new Error(`the process does not answer: GET ${path}`);
  }

  /** The same request with the same key, until a process answers it. */
  async order(method: string, path: string, form: Record<string, string>, key: string): Promise<Called> {
    for (let attempt = 0; attempt < attemptsWithoutAnswer; attempt += 1) {
      const called = await this.call(method, path, { form, key });
      // 409: the killed process has not lost its hold of the request yet.
      const isOpen = called.status === 0 || called.status === 409 || called.status >= 500;
      if (!isOpen || (called.status !== 0 && attempt >= attempts)) return called;
      await sleep(pauseMs);
    }
    throw new Error(`the process does not answer: ${method} ${path}`);
  }

  /** A query that is sent to the upstream. */
  nudge(): Promise<Called> {
    return this.call('GET', `/v1/domains/availability?domain=nudge-${this.nextKey()}.org`);
  }

  nextKey(): number {
    this.#keys += 1;
    return this.#keys;
  }

  /** Stops the process, and compares all records in a service in this process, with the same clock. */
  async reconciled(compare: (t: Pick<TestService, 'ctx'>) => Promise<void>): Promise<void> {
    await this.#process.kill();
    const { databaseUrl, folder } = this.service;
    moveClockIn(folder, `+${Math.ceil(this.#time.offsetMs / 1_000)}s`);
    const t = await startTestService({ databaseUrl, folder, jobs: [] });
    try {
      const wall = { now: () => new Date(this.now) };
      await compare({ ctx: { ...t.ctx, wall } });
    } finally {
      await t.stop();
    }
  }
}

const attempts = 3;
const pauseMs = 200;
/** A restart takes seconds; a process that did not start is an error of the test. */
const attemptsWithoutAnswer = 600;
