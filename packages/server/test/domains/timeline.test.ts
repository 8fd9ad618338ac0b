import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { processExpiryOnce } from '../../src/core/domains/end/expire.ts';
import { runReconciliation } from '../../src/core/reconciliation/run-scheduled.ts';
import { watchOperations } from '../../src/jobs/watch-operations.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(async () => {
  await life.ledgerIsSound();
  await t.stop();
});

const timeline = async (name: string) => {
  const called = await t.call('GET', `/v1/domains/${name}/timeline`);
  expect(called.status, called.text).toBe(200);
  return called.body;
};
const whats = (body: { milestones: { what: string }[] }) => body.milestones.map((each) => each.what);
const block = (body: { blocks: { action: string }[] }, action: string) =>
  body.blocks.find((each) => each.action === action);

test('shows dates in order, prices and no obstacles for an active domain', async () => {
  await life.buy('future.com');
  const body = await timeline('future.com');
  expect(whats(body)).toEqual([
    'transfer_lock_ends',
    'expires',
    'auto_renew',
    'interrupted',
    'renew_by',
    'deleted',
    'grace_ends',
    'redemption_ends',
    'dropped',
  ]);
  expect(body.milestones[1].price).toEqual({ amount: '12.39', currency: 'USD' });
  expect(body.milestones[3]).toMatchObject({ what: 'interrupted', price: null, price_lines: [] });
  // By then it has expired, and is restored with a year.
  expect(body.milestones[7].price).toEqual({ amount: '60.48', currency: 'USD' });
  expect(body.milestones[7].price_lines).toMatchObject([
    { line: 'restore', amount: { amount: '48.09' } },
    { line: 'renewal', years: 1, amount: { amount: '12.39' } },
  ]);
  expect(body.must_act.who).toBe('nobody');
  expect(body.deletion).toMatchObject({ refund: { amount: '12.39', currency: 'USD' }, restore_days: null });
  expect(Date.parse(body.deletion.add_grace_ends_at) - Date.parse(body.as_of)).toBeGreaterThan(4 * 86_400_000);
  expect(block(body, 'renew')).toMatchObject({ allowed: true, reasons: [] });
  expect(block(body, 'restore')).toMatchObject({ allowed: false });
  expect(body.milestones.map((each: { at: string }) => each.at)).toEqual(
    [...body.milestones.map((each: { at: string }) => each.at)].sort(),
  );
  await t.ctx.db.autocommit(allTenants).run(sql`
    insert into certificate (domain_id, reseller_id, id, chain, key_sealed, not_after, renew_at)
    select id, reseller_id, 'crt_x', '', '', now() + interval '90 days', now() + interval '61 days' from domain where name = 'future.com'`);
  expect(whats(await timeline('future.com')).slice(0, 3)).toEqual([
    'transfer_lock_ends',
    'certificate_renewed',
    'expires',
  ]);
});

describe('the timeline of a renewal mode', () => {
  const modeOf = async (name: string, mode: string, more: Record<string, string> = {}) => {
    const set = await t.call('PUT', `/v1/domains/${name}/renewal_mode`, { json: { renewal_mode: mode, ...more } });
    expect(set.status, set.text).toBe(200);
    return timeline(name);
  };
  const chain = ['interrupted', 'renew_by', 'deleted', 'redemption_ends', 'dropped'];

  test('shows one renewal with its price, the next term, and no deletion for renew', async () => {
    const id = await life.buy('stays.com');
    const web = { forward_to: 'https://elsewhere.example/' };
    expect((await t.call('PUT', `/v1/domains/${id}/domain_forwarding`, { form: web })).status).toBe(200);
    const before = await timeline('stays.com');
    expect(before.renewal_mode).toBe('manual');
    const end = before.milestones.find((each: { what: string }) => each.what === 'expires').at;
    const body = await modeOf('stays.com', 'renew');
    expect(whats(body)).toEqual(['transfer_lock_ends', 'renewal', 'expires']);
    const [, renewal, expires] = body.milestones;
    expect(renewal).toMatchObject({ who: 'platform', price: { amount: '12.39', currency: 'USD' } });
    expect(renewal.price_lines).toMatchObject([{ line: 'renewal', years: 1, amount: { amount: '12.39' } }]);
    expect(renewal.at < end && expires.at > end).toBe(true);
    expect(body.must_act).toMatchObject({ who: 'nobody', by: renewal.at });
    expect(JSON.stringify(body.milestones)).not.toMatch(/not renewed|is deleted/i);
  });

  test('shows the failed renewal and what follows for a price above the limit', async () => {
    await life.buy('too-dear.com');
    const body = await modeOf('too-dear.com', 'renew', { max_price: '1.00' });
    expect(whats(body)).toEqual(expect.arrayContaining(['renewal_fails', ...chain]));
    expect(whats(body)).not.toContain('renewal');
    expect(body.must_act).toMatchObject({ who: 'reseller', sentence: expect.stringContaining('12.39 USD') });
  });

  test('shows the deletion at the end of the term for delete', async () => {
    await life.buy('let-expire.com');
    const body = await modeOf('let-expire.com', 'delete');
    expect(whats(body)).toEqual(['transfer_lock_ends', 'expires', 'deleted', 'redemption_ends', 'dropped']);
    const [, expires, deleted] = body.milestones;
    expect(deleted.at).toBe(expires.at);
    expect(deleted.sentence).not.toMatch(/not renewed/i);
  });

  test('shows the missing amount for renew without enough money', async () => {
    await life.buy('poor.com');
    expect(whats(await modeOf('poor.com', 'renew'))).toContain('renewal');
    const { available } = await life.balance();
    const charge = { amount: (Number(available - 239n) / 100).toFixed(2), description: 'For the test' };
    const spent = await t.call('POST', '/v1/resellers/1000/transactions/debit_note', { form: charge, as: t.operator });
    expect(spent.status, spent.text).toBe(200);
    const poor = await timeline('poor.com');
    expect(whats(poor)).toEqual(expect.arrayContaining(['renewal_fails', ...chain]));
    expect(poor.must_act).toMatchObject({ who: 'reseller', sentence: expect.stringContaining('short by 10.00 USD') });
    const back = await t.call('POST', '/v1/resellers/1000/transactions/fund', { form: charge, as: t.operator });
    expect(back.status, back.text).toBe(200);
    expect(whats(await timeline('poor.com'))).toContain('renewal');
  });
});

test('shows when forwarding stops for a domain that is not renewed', async () => {
  const id = await life.buy('led.com');
  const web = { forward_to: 'https://elsewhere.example/' };
  expect((await t.call('PUT', `/v1/domains/${id}/domain_forwarding`, { form: web })).status).toBe(200);
  const mail = { email: 'info', forward_to: 'sari@elsewhere.example,budi@elsewhere.example' };
  expect((await t.call('POST', `/v1/domains/${id}/email_forwarding`, { form: mail })).status).toBe(200);
  const body = await timeline(id);
  const at = (what: string) => body.milestones.find((each: { what: string }) => each.what === what)?.at;
  expect([at('forwarding_stops'), at('mail_forwarding_stops')]).toEqual([at('interrupted'), at('interrupted')]);
  expect(body.milestones[0]).toMatchObject({
    what: 'mail_target_lapses',
    who: 'reseller',
    sentence: expect.stringMatching(/(sari|budi)@elsewhere\.example.* 1 more/),
  });
  expect((await t.call('PUT', `/v1/domains/${id}/suspended`, { form: { reason: 'x' } })).status).toBe(200);
  expect(whats(await timeline(id)).filter((what) => what.endsWith('forwarding_stops'))).toEqual([]);
});

test('shows what blocks an action, who set it and how to remove it', async () => {
  const id = await life.buy('blocked.com');
  await t.ctx.db.autocommit(allTenants).run(sql`
    update domain set locked = true, locked_reason = 'dispute', theft_protection = true, registry_status = '{serverRenewProhibited}' where id = ${id}`);
  const body = await timeline('blocked.com');
  expect(block(body, 'renew')).toMatchObject({ reasons: [{ because: 'serverRenewProhibited', set_by: 'registry' }] });
  expect(block(body, 'delete')).toMatchObject({
    reasons: [{ because: 'locked (dispute)', set_by: 'reseller', fix: `DELETE /v1/domains/${id}/locked` }],
  });
  expect(block(body, 'transfer')).toMatchObject({
    reasons: [{}, { because: 'theft_protection' }, { because: 'lock after its registration' }],
  });
});

const calls = {
  renew: ['POST', '/renew', { years: '1', invoice_option: 'no_invoice' }],
  update: ['PUT', '/ns', { ns: 'ns1.example.net,ns2.example.net' }],
  delete: ['DELETE', '', undefined],
  restore: ['POST', '/restore', { invoice_option: 'no_invoice' }],
  lock: ['PUT', '/locked', {}],
  unlock: ['DELETE', '/locked', undefined],
  suspend: ['PUT', '/suspended', {}],
  resume: ['DELETE', '/suspended', undefined],
  move: [
    'POST',
    '/move',
    { existing_customer_id: '2001', new_reseller_id: '999', new_customer_id: '1', default_contacts: 'default' },
  ],
  answer_transfer: ['POST', '/transfer/approve', {}],
} as const;

test.each([
  ['locked', sql`locked = true, locked_reason = 'dispute'`],
  ['suspended', sql`suspended = true`],
  [
    'forbidden by the registry',
    sql`registry_status = '{serverRenewProhibited,serverUpdateProhibited,serverDeleteProhibited}'`,
  ],
  ['in redemption', sql`state = 'redemption', deleted_at = now()`],
  ['about to be deleted', sql`state = 'pending_delete'`],
  ['requested by another registrar', sql`state = 'pending_transfer'`],
] as const)('refuses the calls that the timeline shows as blocked: a domain that is %s', async (scene, change) => {
  const id = await life.buy(`scene-${scene.replaceAll(' ', '-')}.com`);
  const db = t.ctx.db.as(allTenants);
  const before = await db.one<{ end_date: Date }>(sql`select end_date from domain where id = ${id}`);
  await t.ctx.db.autocommit(allTenants).run(sql`update domain set ${change} where id = ${id}`);
  const body = await timeline(id);
  const refused = body.blocks.filter((each: { allowed: boolean }) => !each.allowed);
  expect(refused.length).toBeGreaterThan(0);
  for (const { action, reasons } of refused) {
    if (action === 'transfer') continue;
    const [method, path, form] = calls[action as keyof typeof calls];
    const more = action === 'renew' ? { current_date: before.end_date.toISOString().slice(0, 10) } : {};
    const called = await t.call(method, `/v1/domains/${id}${path}`, form ? { form: { ...form, ...more } } : {});
    expect([400, 409], `${action}: ${called.text}`).toContain(called.status);
    expect(['domain_blocked', 'conflict'], called.text).toContain(called.body.code);
    const [word] = (reasons[0].because as string).replace(/^state /, '').split(' ');
    expect(called.text, `${action}: ${reasons[0].because}`).toContain(word);
  }
});

test('offers renewal when expired and restore with its price when deleted, and 404 when unknown', async () => {
  await life.buy('short-life.com');
  t.moveClock('+370d');
  await t.control('GET', '/clock');
  await processExpiryOnce(t.ctx);
  const expired = await timeline('short-life.com');
  expect(expired.order_status).toBe('Expired');
  expect(expired.must_act).toMatchObject({ who: 'reseller' });
  // The first date that matters: the domain stops to resolve before it is deleted.
  const dateOf = (what: string) => expired.milestones.find((each: { what: string }) => each.what === what).at;
  expect(expired.must_act.by).toBe(dateOf('interrupted'));
  expect(dateOf('interrupted') < dateOf('renew_by')).toBe(true);
  await t.call('DELETE', '/v1/domains/short-life.com');
  const deleted = await timeline('short-life.com');
  expect(deleted.order_status).toBe('Pending Delete Restorable');
  expect(whats(deleted)).toEqual(['redemption_ends', 'dropped']);
  expect(deleted.milestones[0].price).toEqual({ amount: '60.48', currency: 'USD' });
  expect(block(deleted, 'restore')).toMatchObject({ allowed: true });
  expect((await t.call('GET', '/v1/domains/unknown.com/timeline')).status).toBe(404);
});

test('includes the added year in the price of a restore, before and after the deletion', async () => {
  const name = 'adds-a-year.net';
  await life.buy(name);
  t.moveClock('+10d');
  const restoreOf = async () => {
    const { milestones } = await timeline(name);
    const { price, sentence } = milestones.find(({ what }: { what: string }) => what === 'redemption_ends');
    return { cents: Math.round(Number(price.amount) * 100), sentence };
  };
  const live = await restoreOf();
  expect((await t.call('DELETE', `/v1/domains/${name}`)).status).toBe(200);
  const plain = await restoreOf();
  expect(plain.sentence).not.toContain('adds a year');
  expect(plain.cents).toBeLessThan(live.cents);
  const setYears = (years: number) =>
    t.ctx.db
      .autocommit(allTenants)
      .run(sql`update tld set rules = rules || jsonb_build_object('restore_years', ${years}::int) where name = 'net'`);
  await setYears(1);
  const adding = await restoreOf();
  // In redemption before its term has ended: only the rule of the TLD adds the year.
  expect(adding).toEqual({
    cents: live.cents,
    sentence: expect.stringContaining('A restore adds a year to the term.'),
  });
  const quoted = await t.call('POST', '/v1/quotes', { json: { kind: 'restore', domain_name: name } });
  expect(Math.round(Number(quoted.body.total.amount) * 100), quoted.text).toBe(adding.cents);
  await setYears(0);
});

test('exports gauges, and raises and clears alarms for lasting conditions', async () => {
  const metrics = await t.service.parts.metrics.registry.metrics();
  for (const name of [
    'oldest_hold_seconds',
    'oldest_unknown_seconds',
    'queue_age_seconds',
    'open_operations',
    'open_alarms',
    'registry_sessions',
    'registry_certificate_days',
  ]) {
    expect(metrics, name).toContain(`namehold_${name}`);
  }
  const db = t.ctx.db.as(allTenants);
  const { id } = await db.one<{ id: string }>(sql`select id from operation limit 1`);
  // Due later than every clock of this file, because the service's own is a year ahead by now and would settle it.
  const loseOutcome = () =>
    t.ctx.db
      .autocommit(allTenants)
      .run(
        sql`update operation set state = 'unknown', created_at = now() - interval '2 hours', due_at = now() + interval '10 years', finished_at = null where id = ${id}`,
      );
  await loseOutcome();
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update registry set certificate_expires_at = now() + interval '3 days'`);
  await watchOperations(t.ctx);
  const keys = (await openAlarms(t.ctx)).map((alarm) => alarm.key);
  expect(keys).toEqual(
    expect.arrayContaining(['operations:unsettled', 'operations:unknown', 'registry:sandbox:certificate']),
  );
  // A scrape without a connection in time omits the figure, and a poll message may have settled the domain meanwhile.
  const scraped = async () => {
    await loseOutcome();
    return t.service.parts.metrics.registry.metrics();
  };
  await expect.poll(scraped).toMatch(/namehold_open_operations\{[^}]*state="unknown"[^}]*\} 1/);
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update operation set state = 'done', proof = 'nothing_sent', finished_at = now() where id = ${id}`);
  await watchOperations(t.ctx);
  expect((await openAlarms(t.ctx)).map((alarm) => alarm.key)).not.toContain('operations:unknown');
});

test('runs reconciliation once a day, in one process', async () => {
  const db = t.ctx.db.as(allTenants);
  const turn = () => db.maybe<{ done_at: Date }>(sql`select done_at from job_lease where name = 'run-reconciliation'`);
  await runReconciliation(t.ctx);
  const first = await turn();
  await runReconciliation(t.ctx);
  expect(await turn()).toEqual(first);
  expect((await openAlarms(t.ctx)).map((alarm) => alarm.key)).not.toContain('ledger');
});
