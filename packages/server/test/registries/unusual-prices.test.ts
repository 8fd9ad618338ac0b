import { IETF_NAMESPACES } from '@namehold/epp';
import { refusal } from '@namehold/epp/server';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { TestService } from '../../../../test/support/service.ts';
import { systemActor } from '../../src/core/actors.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { decideOperation } from '../../src/core/operations/decide.ts';
import { reconcile } from '../../src/core/reconciliation/reconcile.ts';
import { watchOperations } from '../../src/jobs/watch-operations.ts';
import { balanceLimits } from '../../src/registries/balance-recorder.ts';
import type { UnusualRegistry } from './unusual-registry.ts';
import { UnusualRegistryService } from './unusual-registry-world.ts';

let shop: UnusualRegistryService;
let t: TestService;
let there: UnusualRegistry;
beforeAll(async () => {
  shop = await UnusualRegistryService.open();
  ({ t, there } = shop);
});
afterAll(() => shop.close());

/** Valid forms of RFC 8748: no class, no `standard`, several fees. */
const fees = (...parts: string[]) => ({
  fees: parts.filter((each) => !each.startsWith('-')).map((amount) => ({ amount })),
  credits: parts.filter((each) => each.startsWith('-')).map((amount) => ({ amount })),
});
const usual = fees('5.00');
function askFees(
  of: Record<
    string,
    { [command in 'create' | 'renew' | 'transfer']?: ReturnType<typeof fees> } & { standard?: boolean }
  >,
) {
  there.capabilities.namespaces = { ...there.capabilities.namespaces, fee: IETF_NAMESPACES.fee };
  there.capabilities.finish = (command, answer) => {
    if (command.object !== 'domain') return answer;
    if (command.verb === 'check' && command.ext?.fee) {
      const items = command.names.map((id) => {
        const { create = usual, renew = usual, transfer = usual, standard } = of[id] ?? {};
        const says = standard === undefined ? {} : { standard };
        const prices = [
          { name: 'create' as const, ...create, ...says },
          { name: 'renew' as const, ...renew, ...says },
          { name: 'transfer' as const, ...transfer, ...says },
        ];
        return { id, available: true, prices };
      });
      return { ...answer, ext: { feeCheck: { currency: 'USD', items } } };
    }
    if (command.verb !== 'create') return answer;
    const agreed = command.ext?.fee?.fees[0]?.amount;
    const orderFees = of[command.name]?.create ?? usual;
    if (orderFees !== usual && agreed !== '500.00') return refusal(agreed === undefined ? 2003 : 2004);
    return { ...answer, ext: { fee: { currency: 'USD', ...orderFees } } };
  };
}
const chargeAlarms = async () => (await openAlarms(t.ctx)).filter(({ key }) => key.startsWith('charge:'));

test('does not sell a domain above the list price without a guard, whatever class is reported', async () => {
  askFees({ 'gold.odd': { create: fees('500.00', '20.00', '-20.00') } });
  await shop.reconnect();
  const found = await t.call('GET', '/v1/domains/availability', { query: { domain: 'gold.odd' } });
  expect(found.text).toContain('"premium":true');
  const bare = await shop.order('gold.odd');
  expect(bare.body).toMatchObject({ code: 'price_guard_required' });
  expect(there.count('domain:create', 'gold.odd')).toBe(0);
  const guarded = await shop.order('gold.odd', { max_price: '600.00' });
  expect(guarded.status, guarded.text).toBe(200);
  expect(await chargeAlarms()).toEqual([]);
  const { cost } = await t.ctx.db
    .as(allTenants)
    .one<{ cost: string }>(
      sql`select cost_amount::text as cost from ledger_transaction t join domain d on d.id = t.domain_id where d.name = 'gold.odd' and cost_amount is not null`,
    );
  expect(cost).toBe('50000');
  const plain = await shop.order('plain.odd');
  expect(plain.status, plain.text).toBe(200);
});

test('requires a guard for an expensive renewal, and sells at list price if the fee is standard', async () => {
  askFees({
    'dear.odd': { renew: fees('90.00') },
    'called.odd': { create: fees('6.00'), renew: fees('6.00'), standard: true },
  });
  expect((await shop.order('dear.odd')).body).toMatchObject({ code: 'price_guard_required' });
  there.capabilities.finish = ((finish) => (command, answer) => {
    const finished = finish(command, answer);
    if (command.object !== 'domain' || command.verb !== 'create') return finished;
    return { ...answer, ext: { fee: { currency: 'USD', ...fees('6.00') } } };
  })(there.capabilities.finish);
  const called = await shop.order('called.odd');
  expect(called.status, called.text).toBe(200);
  const [alarm] = await chargeAlarms();
  expect(alarm).toMatchObject({ key: 'charge:strange:odd:register', severity: 'critical' });
  expect(alarm!.sentence).toMatch(/charged 6\.00 USD for called\.odd .* expected 5\.00 USD/);
});

test('clears the charge alarm after a week of expected charges', async () => {
  askFees({});
  const buy = async (name: string) => {
    const called = await shop.order(name);
    expect(called.status, called.text).toBe(200);
    return (await chargeAlarms()).length;
  };
  expect(await buy('again.odd')).toBe(1);
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update alarm set seen_at = seen_at - interval '8 days' where key like 'charge:%'`),
  );
  expect(await buy('much-later.odd')).toBe(0);
});

test('checks the price before registering if the registry was unreachable at the order', async () => {
  askFees({ 'away.odd': { create: fees('500.00') } });
  there.capabilities.meddle = (command, session) => {
    if (command.object === 'domain' && command.verb === 'check') session.destroy('cut');
    return undefined;
  };
  const placed = shop.order('away.odd');
  await vi.waitFor(async () => expect((await shop.operationOf('away.odd')).state).toBe('intended'), 300_000);
  there.capabilities.meddle = () => undefined;
  await vi.waitFor(async () => expect((await shop.operationOf('away.odd')).state).toBe('refused'), 300_000);
  // A shorter wait gets 202 and queries the operation.
  await placed;
  const { id } = await shop.operationOf('away.odd');
  const { code } = await t.ctx.db
    .as(allTenants)
    .one<{ code: string }>(sql`select outcome -> 'error' ->> 'code' as code from operation where id = ${id}`);
  expect(code).toBe('price_guard_required');
  expect(there.count('domain:create', 'away.odd')).toBe(0);
  expect(await shop.held()).toBe(0);
});

test('checks the price in the executing process if other processes use all sessions at the order', async () => {
  askFees({ 'dear-elsewhere.odd': { create: fees('500.00') } });
  await shop.reconnect();
  const giveSlotsTo = (owner: string | null) =>
    t.ctx.db.autocommit(allTenants).run(sql`
      update registry_slot set owner = ${owner}, leased_until = now() + interval '1 hour' * ${owner === null ? 0 : 1}::int
      where registry_id = 'strange'`);
  await giveSlotsTo('another process');
  const checksSeen = () => there.seen.filter(({ object, verb }) => object === 'domain' && verb === 'check').length;
  const before = checksSeen();
  const names = ['dear-elsewhere.odd', 'usual-elsewhere.odd'];
  const leftTo = () =>
    t.ctx.db.as(allTenants).many(sql`
      select lease_owner, attempts, due_at <= now() as is_due from operation where request->>'name' = any (${names}::text[])`);
  for (const name of names) {
    const placed = await t.call('POST', '/v1/domains', {
      form: { domain_name: name, ...shop.parties, ns: 'ns1.host.test,ns2.host.test' },
      headers: { Prefer: 'respond-async' },
    });
    expect(placed.status, placed.text).toBe(202);
    expect((await shop.operationOf(name)).state).toBe('intended');
  }
  // It has no owner and is due: a process with a session can take it at once.
  expect(await leftTo()).toEqual(names.map(() => ({ lease_owner: null, attempts: 0, is_due: true })));
  expect(checksSeen()).toBe(before);
  await giveSlotsTo(null);
  const stateOf = async (name: string) => (await shop.operationOf(name)).state;
  await expect.poll(() => Promise.all(names.map(stateOf))).toEqual(['refused', 'done']);
  expect(names.map((name) => there.count('domain:create', name))).toEqual([0, 1]);
  expect(await shop.held()).toBe(0);
});

test('checks the price before renewing if the registry was unreachable at the order', async () => {
  askFees({});
  await shop.reconnect();
  expect((await shop.order('away-later.odd')).status).toBe(200);
  askFees({ 'away-later.odd': { renew: fees('500.00') } });
  there.capabilities.meddle = (command, session) => {
    if (command.object === 'domain' && command.verb === 'check') session.destroy('cut');
    return undefined;
  };
  const bought = (await shop.operationOf('away-later.odd')).id;
  const row = await t.ctx.db
    .as(allTenants)
    .one<{ end_date: Date }>(sql`select end_date from domain where name = 'away-later.odd'`);
  const placed = t.call('POST', '/v1/domains/away-later.odd/renew', {
    form: { years: '1', current_date: row.end_date.toISOString().slice(0, 10), invoice_option: 'no_invoice' },
  });
  const renewal = async () => {
    const operation = await shop.operationOf('away-later.odd');
    expect(operation.id).not.toBe(bought);
    return operation;
  };
  await vi.waitFor(async () => expect((await renewal()).state).toBe('intended'), 300_000);
  there.capabilities.meddle = () => undefined;
  await vi.waitFor(async () => expect((await renewal()).state).toBe('refused'), 300_000);
  await placed;
  expect(there.count('domain:renew', 'away-later.odd')).toBe(0);
  expect(await shop.held()).toBe(0);
});

test('checks the price before transferring if the registry was unreachable at the order', async () => {
  askFees({ 'away-in.odd': { transfer: fees('500.00') } });
  there.give('away-in.odd');
  let requests = 0;
  let isAway = true;
  there.capabilities.meddle = (command, session) => {
    if (command.object === 'domain' && command.verb === 'transfer' && command.op === 'request') requests += 1;
    if (isAway && command.object === 'domain' && command.verb === 'check') session.destroy('cut');
    return undefined;
  };
  const form = { domain_name: 'away-in.odd', ...shop.parties, auth_code: 'Abcdefgh12345678' };
  const placed = t.call('POST', '/v1/domains/transfer', { form });
  await vi.waitFor(async () => expect((await shop.operationOf('away-in.odd')).state).toBe('intended'), 300_000);
  isAway = false;
  await vi.waitFor(async () => expect((await shop.operationOf('away-in.odd')).state).toBe('refused'), 300_000);
  await placed;
  there.capabilities.meddle = () => undefined;
  const { body } = await t.call('GET', `/v1/operations/${(await shop.operationOf('away-in.odd')).id}`);
  expect(body.outcome.error).toMatchObject({ code: 'price_guard_required' });
  expect(requests).toBe(0);
  expect(await shop.held()).toBe(0);
});

test('rounds up a price with more digits than its currency, and treats it as premium', async () => {
  askFees({ 'mills.odd': { create: fees('5.001') } });
  const found = await t.call('GET', '/v1/domains/availability', { query: { domain: 'mills.odd' } });
  expect(found.text).toContain('"premium":true');
  expect((await shop.order('mills.odd')).body).toMatchObject({ code: 'price_guard_required' });
});

test('sells nothing when the registry returns a price in an unknown currency', async () => {
  askFees({});
  const inFees = there.capabilities.finish;
  there.capabilities.finish = (command, answer) => {
    const finished = inFees(command, answer);
    const { feeCheck } = finished.ext ?? {};
    return feeCheck ? { ...finished, ext: { feeCheck: { ...feeCheck, currency: 'ZZZ' } } } : finished;
  };
  const called = await t.call('POST', '/v1/domains', {
    form: { domain_name: 'coins.odd', ...shop.parties, ns: 'ns1.host.test,ns2.host.test' },
    headers: { prefer: 'wait=0' },
  });
  expect(called.status, called.text).toBeLessThan(500);
  const { id } = await shop.operationOf('coins.odd');
  await t.ctx.engine.start(id);
  expect(there.count('domain:create', 'coins.odd')).toBe(0);
  await decideOperation(t.ctx, systemActor, id, { says: 'refused', reason: 'no longer wanted' });
  expect(await shop.held()).toBe(0);
});

test('stores the balance of an answer, and reports spending that is not ours as a difference', async () => {
  const usual = { ...balanceLimits };
  balanceLimits.everyMs = 0;
  let balance = 1_000;
  askFees({});
  const inFees = there.capabilities.finish;
  there.capabilities.finish = (command, answer) => {
    const finished = inFees(command, answer);
    const { fee } = finished.ext ?? {};
    if (!fee) return finished;
    balance -= 5;
    return { ...finished, ext: { fee: { ...fee, balance: balance.toFixed(2) } } };
  };
  const kept = () =>
    t.ctx.db.as(allTenants).one<{ balance: string | null }>(sql`select balance from registry where id = 'strange'`);
  const buy = async (name: string) => {
    const called = await shop.order(name);
    expect(called.status, called.text).toBe(200);
    await vi.waitFor(async () => expect(await kept()).toEqual({ balance: String(balance * 100) }), 300_000);
  };
  const unexplained = async () =>
    (await reconcile(t.ctx, ['registry'])).differences.filter(({ rule }) => rule === 'balance_differs');
  await buy('told-a.odd');
  await buy('told-b.odd');
  expect(await unexplained()).toEqual([]);
  balance -= 100;
  await buy('told-c.odd');
  await buy('told-d.odd');
  // Orders in progress at the readings may be included, and the text explains its figures.
  const [difference, ...more] = await unexplained();
  expect(more).toEqual([]);
  expect(difference).toMatchObject({ amount: '95.00', currency: 'USD' });
  const [fell, booked, underway] = [...difference!.detail.matchAll(/(\d+\.\d\d) USD/g)].map(([, amount]) =>
    Number(amount),
  );
  expect(fell! - booked! - underway!, difference!.detail).toBe(95);
  Object.assign(balanceLimits, usual);
  askFees({});
});

test('clears the low-balance alarm of a registry when no order waits for money', async () => {
  const poor = () => shop.alarms('registry:strange:balance');
  there.capabilities.meddle = ({ object, verb }) =>
    object === 'domain' && verb === 'create' ? refusal(2104, 'credit') : undefined;
  const placed = shop.order('poor.odd');
  await vi.waitFor(async () => expect(await poor()).toHaveLength(1), 300_000);
  await watchOperations(t.ctx);
  expect(await poor()).toHaveLength(1);
  there.capabilities.meddle = () => undefined;
  await vi.waitFor(async () => {
    await shop.tryAgain((await shop.operationOf('poor.odd')).id, 0);
    expect((await shop.operationOf('poor.odd')).state).toBe('done');
  }, 300_000);
  await placed;
  await watchOperations(t.ctx);
  expect(await poor()).toEqual([]);
});
