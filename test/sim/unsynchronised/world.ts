import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import { reconcileNames } from '../../../packages/server/src/core/domains/compare/reconcile.ts';
import { lifeOf } from '../../../packages/server/test/domains/life.ts';
import { type OtherRegistrar, openOtherRegistrar } from '../../support/other-registrar.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Act, drawHistory, type History, transferDays } from './draw.ts';

const later = { Prefer: 'wait=0' };
const context = { priority: 'interactive' } as const;
const client = 'namehold';
/** 25 ms apart: the limit of a busy machine. */
const tries = 4_000;

/** A service without background jobs: it queries its registry only in steps of the simulation. */
export class Unsynchronised {
  readonly t: TestService;
  readonly life: ReturnType<typeof lifeOf>;
  readonly otherRegistrar: OtherRegistrar;

  private constructor(t: TestService) {
    this.t = t;
    this.life = lifeOf(t);
    this.otherRegistrar = openOtherRegistrar(t.service.credentials!.rival_registry_account!);
  }

  static async open(): Promise<Unsynchronised> {
    const env = { NAMEHOLD_THEFT_PROTECTION: 'off' };
    const t = await startTestService({ sandbox: true, jobs: [], env });
    const form = { amount: '50000', description: 'for the simulation' };
    const funded = await t.call('POST', '/v1/resellers/1000/transactions/fund', { form, as: t.operator });
    expect(funded.status, funded.text).toBe(200);
    return new Unsynchronised(t);
  }

  get #db() {
    return this.t.ctx.db.as(allTenants);
  }

  /** Runs the history of one seed up to the moment at which the registry answers again. */
  async play(seed: number): Promise<{ readonly name: string; readonly history: History }> {
    const history = drawHistory(seed);
    const name = `unsynced-${seed}.${history.tld}`;
    await this.life.buy(name, { years: String(history.years) });
    if (history.isPaidLate) await this.#payLate(name, history.years);
    const code = (await this.t.call('GET', `/v1/domains/${name}/auth_code`)).body as string;
    if (history.order === 'restore') await this.#delete(name);
    await this.#order(name, history);
    await this.#failQueries(name);
    for (const { afterDays, act } of history.acts) {
      this.#move(afterDays);
      await this.#act(name, act, code);
    }
    this.#move(history.daysAfter);
    await this.t.control('DELETE', '/faults');
    return { name, history };
  }

  #move(days: number): void {
    if (days > 0) this.t.moveClock(`+${days}d`);
  }

  async #payLate(name: string, years: number): Promise<void> {
    this.#move(365 * years + 3);
    await reconcileNames(this.t.ctx, [name]);
    const renewed = await this.life.renew(name);
    // A registry without auto-renewal may have removed the domain from the zone already.
    if (renewed.status !== 200) expect(renewed.status, renewed.text).toBe(409);
  }

  async #delete(name: string): Promise<void> {
    this.#move(50);
    const deleted = await this.t.call('DELETE', `/v1/domains/${name}`);
    expect([200, 409], deleted.text).toContain(deleted.status);
  }

  readonly #fault = (kind: string, command: string, name: string, more: object = {}) =>
    this.t.control('POST', '/faults', { kind, commands: [command], name, how: 'close', client, ...more });

  /** Queries fail without ending their sessions: reconnecting, with its pauses, would cost each seed a minute. */
  #failQueries(name: string, more: object = {}) {
    return this.#fault('2400', 'domain:info', name, { when: 'before', ...more });
  }

  /** The order is sent, its answer is lost, and no query about it is answered. */
  async #order(name: string, { order, fate }: History): Promise<void> {
    if (order === 'none') return;
    const loseAnswers = () => this.#loseAnswers(name, order, fate);
    await loseAnswers();
    const path = `/v1/domains/${name}`;
    const form = { invoice_option: 'no_invoice' };
    const { status, text } = await (order === 'delete'
      ? this.t.call('DELETE', path, { headers: later })
      : order === 'restore'
        ? this.t.call('POST', `${path}/restore`, { form, headers: later })
        : this.life.renew(name, { years: order === 'renew' ? '1' : '2' }, later));
    if (status >= 300) expect(status, text).toBe(409);
    else await this.#untilUnknown(name, loseAnswers);
  }

  async #loseAnswers(name: string, order: History['order'], fate: History['fate']): Promise<void> {
    const kind = fate === 'carried-out' ? 'drop-after-commit' : 'drop-before';
    const verb = order === 'restore' ? 'update' : order === 'delete' ? 'delete' : 'renew';
    await this.#fault(kind, `domain:${verb}`, name);
    // A query that is answered after the command would find its outcome.
    await this.#failQueries(name, { after: `domain:${verb}` });
  }

  /** `sent` without a lease: the command was lost and proven never executed, and the next attempt is due. */
  async #untilUnknown(name: string, loseAnswers: () => Promise<void>): Promise<void> {
    for (let left = tries; left > 0; left -= 1) {
      const { id, state, attempts, is_running: isRunning } = await this.#lastOperation(name);
      if (['unknown', 'done', 'refused', 'action_required'].includes(state)) return;
      if (state === 'sent' && !isRunning) return;
      if (state === 'intended' && attempts > 0 && !isRunning) await this.#sendAgain(id, loseAnswers);
      await sleep(25);
    }
    throw new Error(`the order for ${name} has no outcome`);
  }

  /** Earlier faults closed the sessions, so the order was not sent, but its queries may have been answered. No job tries again here. */
  async #sendAgain(id: string, loseAnswers: () => Promise<void>): Promise<void> {
    await this.t.control('DELETE', '/faults');
    await loseAnswers();
    await this.t.ctx.engine.start(id);
  }

  async #act(name: string, act: Act, code: string): Promise<void> {
    const ours = await this.t.ctx.registries.of('sandbox');
    if (act === 'transfer-away') {
      const transfer = await this.otherRegistrar.registry.requestTransfer({ name, authCode: code, years: 1 }, context);
      if (transfer.kind === 'done') this.#move(transferDays);
    }
    // As if the registry's support, or another system with our account, acted for us.
    if (act === 'delete-there') await ours.remove(name, context);
    if (act === 'renew-there') {
      const shown = await this.otherRegistrar.registry.info(name);
      const expiry = shown.kind === 'done' ? shown.data?.expiresAt : null;
      if (expiry)
        await this.otherRegistrar.registry.renew(name, expiry.toISOString().slice(0, 10), 1, undefined, context);
    }
    await this.otherRegistrar.registry.info(name);
  }

  #lastOperation(name: string): Promise<{ id: string; state: string; attempts: number; is_running: boolean }> {
    return this.#db.one(
      sql`select id, state, attempts, lease_owner is not null as is_running from operation where request ->> 'name' = ${name} order by id desc limit 1`,
    );
  }

  openOperations(name: string): Promise<{ id: string; state: string; kind: string }[]> {
    return this.#db.many(sql`
      select id, state, kind from operation where request ->> 'name' = ${name} and state not in ('done', 'refused', 'cancelled') order by id`);
  }
}
