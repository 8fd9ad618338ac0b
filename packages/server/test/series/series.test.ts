import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { rollUpDomainMonths } from '../../src/core/series/domain-counts.ts';
import { rollUpResponseTimes } from '../../src/core/series/roll-up-response-times.ts';
import { classOf, shareWithin } from '../../src/core/series/wait-classes.ts';
import { lifeOf, orderOf } from '../domains/life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_DNS_PORT: '0' } });
  life = lifeOf(t);
});
afterAll(async () => {
  await expectReconciled(t);
  await t.stop();
});

const hourMs = 3_600_000;
async function read(path: string, options: { as?: string; query?: Record<string, string> } = {}) {
  const called = await t.call('GET', `/v1${path}`, options);
  expect(called.status, called.text).toBe(200);
  return called.body;
}
const operator = (path: string, query: Record<string, string> = {}) => read(path, { as: t.operator, query });
const lastMonth = (body: { months: object[] }) => body.months.at(-1);

test('counts registered, renewed and lost domains once, before and after the roll-up', async () => {
  const before = lastMonth(await read('/account/series/names'));
  expect(before).toMatchObject({ registered: 0, renewed: 0, lost: 0 });
  await life.buy('kept.com');
  await life.buy('lost.com');
  expect((await life.renew('kept.com')).status).toBe(200);
  const counted = { registered: 2, arrived: 0, renewed: 1, lost: 0 };
  expect(lastMonth(await read('/account/series/names'))).toMatchObject(counted);
  await rollUpDomainMonths(t.ctx);
  expect(lastMonth(await read('/account/series/names'))).toMatchObject(counted);
  // Within its grace period a domain is gone at once.
  expect((await t.call('DELETE', '/v1/domains/lost.com')).status).toBe(200);
  const after = { ...counted, lost: 1 };
  await Promise.all([rollUpDomainMonths(t.ctx), rollUpDomainMonths(t.ctx)]);
  expect(lastMonth(await read('/account/series/names'))).toMatchObject(after);
  expect(lastMonth(await operator('/operator/series/names'))).toMatchObject(after);
  const { months } = await read('/account/series/names', { query: { months: '13' } });
  expect(months).toHaveLength(13);
  expect(months[0].month).toBe(`${Number(months[12].month.slice(0, 4)) - 1}${months[12].month.slice(4)}`);
});

test('computes the runway after fourteen days with spending on at least two of them', async () => {
  const runway = async () => (await read('/account/series')).runway_days;
  await life.buy('paid-for-long.com', { years: '10' });
  expect(await runway()).toBeNull();
  t.moveClock('+13d');
  expect(await runway()).toBeNull();
  t.moveClock('+1d');
  // One day of purchases is no rate.
  expect(await runway()).toBeNull();
  await life.buy('paid-later.com');
  const { days, runway_days: lasts } = await read('/account/series');
  const spent = days.reduce((sum: number, day: { spent: string }) => sum + Number(day.spent), 0);
  expect(lasts).toBe(Math.floor((Number(days.at(-1).balance) * 15) / spent));
});

test('moves the counts of a month into the past when the month ends', async () => {
  const now = lastMonth(await read('/account/series/names'));
  t.moveClock('+31d');
  const { months } = await read('/account/series/names', { query: { months: '3' } });
  expect(months).toContainEqual(now);
  expect(months.at(-1)).toMatchObject({ registered: 0, lost: 0 });
});

test('counts money on hold by age, and does not count a refused order as a loss', async () => {
  const before = await read('/account/series/holds');
  expect(before.classes.map(({ count }: { count: number }) => count)).toEqual([0, 0, 0, 0, 0]);
  const called = await t.call('POST', '/v1/domains', {
    form: orderOf('ditahan.web.id', { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' }),
    headers: { Prefer: 'wait=60' },
  });
  expect(called.status, called.text).toBe(202);
  const { held } = await read('/account/funds');
  const ages = async (path: string, as?: string) => {
    const body = await read(path, as ? { as } : {});
    return (body.held?.[0] ?? body).classes.map((each: { count: number; amount: string }) =>
      each.count === 0 ? 0 : each.amount,
    );
  };
  expect(await ages('/account/series/holds')).toEqual([held.amount, 0, 0, 0, 0]);
  t.moveClock('+2d');
  expect(await ages('/account/series/holds')).toEqual([0, 0, held.amount, 0, 0]);
  expect(await ages('/operator/series/holds', t.operator)).toEqual([0, 0, held.amount, 0, 0]);
  const other = await makeReseller(t);
  expect(await ages('/account/series/holds', other)).toEqual([0, 0, 0, 0, 0]);
  const names = lastMonth(await read('/account/series/names'));
  await t.control('POST', '/domains/ditahan.web.id/review', { decision: 'refuse' });
  // The registry's message may be faster; then there is nothing left to settle.
  const settled = await t.call('POST', `/v1/operator/operations/${called.body.operation_id}/settle`, {
    json: { decision: 'refused', reason: 'the registry refused it' },
    as: t.operator,
  });
  expect([200, 409]).toContain(settled.status);
  const state = async () => (await t.call('GET', `/v1/operations/${called.body.operation_id}`)).body.state;
  await expect.poll(state).toBe('refused');
  // A domain that was never registered here is not lost.
  expect(lastMonth(await read('/account/series/names'))).toEqual(names);
  expect(await ages('/account/series/holds')).toEqual([0, 0, 0, 0, 0]);
  expect(await operator('/operator/series/holds')).toEqual({ held: [] });
});

test('returns response times by registry and command, before and after the roll-up', async () => {
  const answered = async () => {
    const { n } = await t.ctx.db.as(allTenants).one<{ n: string }>(sql`
      select count(*) as n from registry_command where registry_id = 'sandbox' and state = 'answered'`);
    return Number(n);
  };
  // Background jobs query registries as well, at any moment.
  const before = await answered();
  const all = await operator('/operator/series/registries');
  const sum = (lines: { points: { answered: number }[] }[]) =>
    lines.flatMap(({ points }) => points).reduce((total, { answered }) => total + answered, 0);
  expect([all.step, all.lines[0].registry_id, all.lines[0].command]).toEqual(['hour', 'sandbox', null]);
  expect(sum(all.lines)).toBeGreaterThanOrEqual(before);
  expect(sum(all.lines)).toBeLessThanOrEqual(await answered());
  const each = await operator('/operator/series/registries', { registry_id: 'sandbox' });
  expect(each.lines.map(({ command }: { command: string }) => command)).toEqual(
    expect.arrayContaining(['domain:create', 'domain:renew', 'domain:delete']),
  );
  expect(sum(each.lines)).toBeGreaterThanOrEqual(sum(all.lines));
  expect(sum(each.lines)).toBeLessThanOrEqual(await answered());
  expect((await operator('/operator/series/registries', { registry_id: 'nobody' })).lines).toEqual([]);
});

test('rolls up past hours once, with percentiles accurate to a tenth', async () => {
  // Answers of 1 to 1000 ms in one hour of last week, ten without an answer, ten that failed; and one that was never sent.
  const at = new Date(Math.floor(Date.now() / hourMs) * hourMs - 5 * 24 * hourMs);
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`
      insert into registry_command (cltrid, registry_id, object, verb, frame_sealed, frame_sha256, state, found, result_code, prepared_at, sent_at, answered_at)
      select 'old-' || n, 'sandbox', 'domain', 'update', '', '', case when n <= 1000 then 'answered' when n <= 1010 then 'unknown' else 'resolved' end,
        case when n > 1010 then 'unsent' end, case when n <= 10 then 2400 when n <= 1000 then 1000 end,
        ${at}::timestamptz + n * interval '1 second', ${at}::timestamptz + n * interval '1 second',
        ${at}::timestamptz + n * interval '1001 milliseconds'
      from generate_series(1, 1011) n`),
  );
  const range = { registry_id: 'sandbox', hours: '168' };
  const hourOf = async (query: Record<string, string>) => {
    const { lines } = await operator('/operator/series/registries', query);
    const line = lines.find(({ command }: { command: string }) => command === 'domain:update');
    return line?.points[0];
  };
  await Promise.all([rollUpResponseTimes(t.ctx), rollUpResponseTimes(t.ctx)]);
  await rollUpResponseTimes(t.ctx);
  const failpoint = await hourOf(range);
  expect(failpoint).toMatchObject({
    at: at.toISOString().replace('.000', ''),
    answered: 1000,
    failed: 10,
    unknown: 10,
  });
  expect(Math.abs(failpoint.p50_ms - 500)).toBeLessThan(50);
  expect(Math.abs(failpoint.p95_ms - 950)).toBeLessThan(95);
  const day = await hourOf({ ...range, hours: '720' });
  expect(day).toMatchObject({ answered: 1000, failed: 10, unknown: 10, p50_ms: failpoint.p50_ms });
  expect(day.at.slice(11)).toBe('00:00:00Z');
  const rows = await t.ctx.db.as(allTenants).one<{ n: string }>(sql`
    select count(*) as n from wait_hour where kind = 'registry' and hour = ${at}`);
  expect(Number(rows.n)).toBe(1);
});

test('estimates every percentile of response times within a fifth of the true value', () => {
  let seed = 4711;
  const chance = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  for (let round = 0; round < 50; round += 1) {
    const waits = Array.from({ length: 200 }, () => Math.ceil(2 ** (chance() * 18)));
    const counted: Record<string, number> = {};
    for (const ms of waits) counted[classOf(ms)] = (counted[classOf(ms)] ?? 0) + 1;
    waits.sort((one, other) => one - other);
    for (const share of [0.5, 0.95]) {
      const truth = waits[Math.ceil(waits.length * share) - 1]!;
      expect(Math.abs(shareWithin(counted, share)! - truth) / truth).toBeLessThan(0.2);
    }
  }
  expect(shareWithin({}, 0.5)).toBeNull();
  expect([classOf(0), classOf(1), classOf(1e12)]).toEqual([0, 0, 80]);
});

test('counts a nameserver change once, when it is first seen there', async () => {
  const published = async () => {
    const { lines } = await operator('/operator/series/nameservers');
    return (lines as { nameserver_id: string; points: { published: number; p95_ms: number }[] }[])
      .flatMap(({ points }) => points)
      .reduce((sum, each) => sum + each.published, 0);
  };
  await life.buy('shown.com', { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' });
  const state = async () => (await t.call('GET', '/v1/domains/shown.com/zone')).body.publication?.state;
  await expect.poll(state).toBe('published');
  await expect.poll(published).toBeGreaterThan(0);
  const once = await published();
  await t.call('POST', '/v1/domains/shown.com/zone/publication');
  expect(await published()).toBe(once);
});

test('limits the range, and returns only data of the own account', async () => {
  for (const path of ['registries', 'nameservers', 'names', 'holds'])
    expect((await t.call('GET', `/v1/operator/series/${path}`)).body.code, path).toBe('operator_only');
  const wrong = [
    ['/operator/series/registries', { hours: '2161' }],
    ['/operator/series/nameservers', { hours: '0' }],
    ['/account/series/names', { months: '61' }],
  ] as const;
  for (const [path, query] of wrong) {
    const { status } = await t.call('GET', `/v1${path}`, { as: t.operator, query });
    expect(status, path).toBe(400);
  }
  const other = await makeReseller(t);
  const key = await keyFor(t, other.split(':')[0]!, ['domains:read']);
  for (const path of ['names', 'holds'])
    expect((await t.call('GET', `/v1/account/series/${path}`, { as: key })).status, path).toBe(403);
  const theirs = await read('/account/series/names', { as: other });
  for (const month of theirs.months) expect(month).toMatchObject({ registered: 0, arrived: 0, renewed: 0, lost: 0 });
  const db = t.ctx.db.as(other.split(':')[0]!);
  expect(await db.many(sql`select * from name_month`)).toEqual([]);
  for (const table of ['wait_hour', 'wait_mark'])
    await expect(db.many(sql`select * from ${sql.raw(table)}`)).rejects.toThrow();
});

test('reads no whole table in any query', async () => {
  const from = new Date(Date.now() - 3 * hourMs);
  const plan = async (statement: ReturnType<typeof sql>) => {
    const rows = await t.ctx.db.transaction(allTenants, async (tx) => {
      await tx.run(sql`set local enable_seqscan = off`);
      return tx.many<Record<string, string>>(sql`explain ${statement}`);
    });
    return rows.map((row) => Object.values(row)[0]).join('\n');
  };
  expect(await plan(sql`select 1 from registry_command where prepared_at >= ${from}`)).toContain(
    'registry_command_age',
  );
  expect(
    await plan(sql`
      select count(*) from domain where state = 'removed' and removed_reason not in ('refused', 'cancelled') and removed_at >= ${from} and reseller_id = 1000`),
  ).toContain('domain_lost');
  expect(
    await plan(sql`
      select currency, amount from ledger_transaction where status = 'pending' and reseller_id = 1000 and customer_id is null`),
  ).toMatch(/ledger_transaction_(held|pending)/);
});
