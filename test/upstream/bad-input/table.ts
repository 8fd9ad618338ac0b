import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openAlarms } from '../../../packages/server/src/core/alarms/alarm.ts';
import { testConnection } from '../../../packages/server/src/registries/test-connection.ts';
import { expectReconciled } from '../../support/reconciliation.ts';
import { type Impossible, type RefusedOrder, type Refusing, type Row, rows } from './rows.ts';

const ns = 'ns1.host.example,ns2.host.example';
const accountTroubles = {
  wrongKey: 'a wrong key',
  address: 'an address that is not allowed',
  suspended: 'a suspended account',
} as const;
const orderTroubles = {
  unsold: 'a TLD that the account may not sell',
  premium: 'a premium domain without a price guard',
  contact: 'a contact that the TLD refuses',
} as const;
const hourMs = 3_600_000;

/** Every trouble at one upstream, in one service. `seller.settled` runs waiting operations at once. */
export function badInputAt(dialect: string): void {
  let row: Row;
  beforeAll(async () => {
    row = await rows[dialect]!();
  });
  afterAll(async () => {
    await row?.seller.t.stop();
    await row?.stop();
  });

  test.for(Object.entries(accountTroubles))(
    'stops all requests until it is corrected (%s: %s)',
    ([trouble], context) => {
      const refusing = possible(row[trouble as keyof typeof accountTroubles], context);
      return refusedAccount(row, trouble, refusing);
    },
  );

  test('names the currency of an account that has another one', async (context) => {
    const { says } = possible(row.currency, context);
    await row.connect({ currency: 'EUR' });
    const { ok, findings } = await testConnection(row.seller.t.ctx, 'up');
    expect(ok).toBe(false);
    expect(findings.join('; ')).toMatch(says);
    await row.connect();
  });

  test.for(Object.entries(orderTroubles))('refuses an order and releases its money (%s: %s)', ([trouble], context) => {
    const refused = possible(row[trouble as keyof typeof orderTroubles], context);
    return refusedOrder(row, refused);
  });

  test('sends an order again after a maintenance page with status 200, and is charged once', async (context) => {
    const spoil = possible(row.page, context);
    await spoil('page.org');
    await ordered(row, 'page.org');
    // The page itself was not an execution.
    expect(row.registrations('page.org') ?? 2).toBe(2);
  });

  test('reads numbers as texts', async (context) => {
    const begin = possible(row.numbersAsText, context);
    const end = begin();
    onTestFinished(end);
    await ordered(row, 'texts.org');
    const renewed = await row.seller.renew('texts.org');
    expect(await row.seller.settled(renewed.body.operation_id)).toBe('done');
    expect(await row.charges('texts.org')).toBe(2);
  });

  test('finds an order whose answer lacks fields', async (context) => {
    const spoil = possible(row.missingFields, context);
    await spoil('fields.org');
    await ordered(row, 'fields.org');
    expect(row.registrations('fields.org') ?? 1).toBe(1);
  });

  test.each([hourMs, -hourMs])('settles a lost answer of an upstream whose clock is wrong by %i ms', async (skewMs) => {
    const set = row.clock as Exclude<Row['clock'], Impossible>;
    const name = `skew-${skewMs > 0 ? 'ahead' : 'behind'}.org`;
    await set(skewMs);
    await row.loseAnswer(name);
    await ordered(row, name);
    await set(0);
    expect(row.registrations(name) ?? 1).toBe(1);
  });

  test('agrees with our records', async () => {
    expect(row.problems()).toEqual([]);
    await expectReconciled(row.seller.t);
  });
}

/** A trouble that cannot happen is skipped with its reason. */
function possible<T>(trouble: T | Impossible, { skip }: { readonly skip: (note: string) => never }): T {
  if (typeof trouble === 'object' && trouble !== null && 'impossible' in trouble) skip(trouble.impossible);
  return trouble as T;
}

const alarmOf = async ({ seller }: Row) =>
  (await openAlarms(seller.t.ctx)).find(({ key }) => key === 'registry:up:login')?.sentence;

const statusOf = async ({ seller }: Row, name: string) =>
  (await seller.t.call('GET', '/v1/domains/availability', { query: { domain: name } })).body[0]?.[name]?.status;

const balanceOf = async ({ seller }: Row) => (await seller.t.call('GET', '/v1/account/balance')).body;

async function refusedAccount(row: Row, trouble: string, { begin, end, says }: Refusing): Promise<void> {
  const { seller } = row;
  const name = `${trouble.toLowerCase()}.org`;
  const before = await balanceOf(row);
  await begin();
  expect(await statusOf(row, name)).toBe('unknown');
  await expect.poll(() => alarmOf(row)).toMatch(says);
  expect(await alarmOf(row)).toContain('Compare the credentials, the allowed addresses and the state of the account');
  const requests = row.requests();
  const called = await seller.order(name, { ns }, '3001', 1);
  // The order waits, or is refused because the registry cannot be queried. Nothing is sent.
  expect([202, 503], called.text).toContain(called.status);
  expect(row.requests()).toBe(requests);
  expect(await row.charges(name)).toBe(0);
  if (called.status === 503) expect(await balanceOf(row)).toEqual(before);
  await end();
  if (called.status === 202) expect(await seller.settled(called.body.operation_id)).toBe('done');
  else await ordered(row, name);
  await expect.poll(() => alarmOf(row)).toBeUndefined();
  expect(await row.charges(name)).toBe(1);
}

async function refusedOrder(row: Row, { name, begin, says }: RefusedOrder): Promise<void> {
  const { seller } = row;
  const warnings = vi.spyOn(seller.t.ctx.log, 'warn');
  onTestFinished(() => warnings.mockRestore());
  const before = await balanceOf(row);
  await begin?.();
  const called = await seller.order(name, { ns });
  if (called.status === 202) expect(await seller.settled(called.body.operation_id)).toBe('refused');
  else expect(called.status, called.text).toBeGreaterThanOrEqual(400);
  expect(await balanceOf(row)).toEqual(before);
  expect(await seller.paid(name)).toBe(0);
  expect(await row.charges(name)).toBe(0);
  if (!says) return;
  expect(row.registrations(name)).toBe(1);
  const [facts] = warnings.mock.calls.map(([first]) => first as object).filter((each) => 'answer' in each);
  expect(facts).toMatchObject({ registry_id: 'up', answer: expect.stringMatching(says), fix: expect.any(String) });
}

/** Ordered and charged once, perhaps after the outcome was found out. */
async function ordered(row: Row, name: string): Promise<void> {
  const { seller } = row;
  const called = await seller.order(name, { ns });
  expect([200, 202], called.text).toContain(called.status);
  expect(await seller.settled(called.body.operation_id)).toBe('done');
  expect(await row.charges(name)).toBe(1);
}
