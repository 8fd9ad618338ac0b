import { formatMoney, money } from '@namehold/base';
import { allTenants, openDatabase, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppContext } from '../../src/core/app-context.ts';
import { capture } from '../../src/core/ledger/capture.ts';
import { postMoney } from '../../src/core/ledger/fund.ts';
import { hold } from '../../src/core/ledger/hold.ts';
import { refund } from '../../src/core/ledger/refund.ts';
import { release } from '../../src/core/ledger/release.ts';
import { verifyLedger } from '../../src/core/ledger/verify.ts';
import { parseCsv } from '../../src/core/pricing/csv.ts';
import type { App } from '../../src/http/app.ts';
import { cell } from '../../src/http/v1/billing/csv.ts';
import { type Billing, customerOf, openBilling } from './billing.ts';
import type { TestContext } from './context.ts';

let billing: Billing;
let t: TestContext;
let ctx: AppContext;
let app: App;
let demo: string;
let operator: string;
let child: string;
let grandchild: string;
let customer: string;
beforeAll(async () => {
  billing = await openBilling();
  ({ t, ctx, app, demo, operator, customer } = billing);
  child = await t.reseller('1000');
  grandchild = await t.reseller(child);
  await t.db.transaction(allTenants, (tx) =>
    tx.run(sql`
      insert into operation (id, reseller_id, kind, request, state, proof, due_at, created_at, updated_at, finished_at)
      select 'op_' || n, 1000, 'test', '{}', 'done', 'nothing_sent', now(), now(), now(), now() from generate_series(1, 500) n`),
  );
  await yearOfMoney();
});
afterAll(() => billing.close());

const hourMs = 3_600_000;

/** Deposits, orders, notes and refunds of three accounts from March on, some by a process whose clock is behind. */
async function yearOfMoney(): Promise<void> {
  let seed = 4711;
  const chance = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  const held: string[] = [];
  const taken: string[] = [];
  const inside = (posting: 'fund' | 'debit', of: object, cents: number, description: string) =>
    t.db.transaction(allTenants, (tx) =>
      postMoney(ctx, tx, {
        posting,
        amount: money(BigInt(cents), 'USD'),
        description,
        ...(of as { funderId: string; resellerId: string }),
      }),
    );
  const customers = { funderId: '1000', resellerId: '1000', customerId: customer };
  const children = { funderId: '1000', resellerId: child };
  await t.fund('1000', 2_000_00n);
  await inside('fund', children, 500_00, 'start');
  for (let step = 0; step < 240; step++) {
    t.clock.move((chance(60) - 6) * hourMs);
    const what = chance(7);
    if (what === 0) await inside('fund', customers, 1 + chance(9_000), '=HYPERLINK("http://x","pay")');
    else if (what === 1) await inside('fund', children, 1 + chance(9_000), 'bank transfer, "March"\nsecond line');
    else if (what === 2) await inside('debit', children, 1 + chance(50), '-1 note').catch(() => undefined);
    else if (what === 3 && held.length > 0) {
      const transactionId = held.pop()!;
      await t.db.transaction(allTenants, (tx) => release(ctx, tx, { transactionId }));
    } else if (what === 4 && held.length > 0) {
      const transactionId = held.pop()!;
      taken.push(transactionId);
      await t.db.transaction(allTenants, (tx) => capture(ctx, tx, { transactionId }));
    } else if (what === 5 && taken.length > 0) {
      const transactionId = taken.pop()!;
      await t.db.transaction(allTenants, (tx) => refund(ctx, tx, { transactionId }));
    } else {
      const amount = money(BigInt(1 + chance(500)), 'USD');
      const levels = [
        { resellerId: child, sellerId: '1000', amount },
        { resellerId: '1000', sellerId: '1', amount },
      ];
      const order = { levels, operationId: `op_${step + 1}`, action: 'create', years: 1, description: '@order' };
      held.push(await t.db.transaction(allTenants, (tx) => hold(ctx, tx, order)));
    }
  }
}

async function request(as: string, path: string, query: Record<string, string>) {
  const answer = await app.fastify.inject({
    method: 'GET',
    url: `/v1${path}?${new URLSearchParams(query)}`,
    headers: { authorization: `Basic ${Buffer.from(as).toString('base64')}` },
  });
  const isJson = `${answer.headers['content-type']}`.startsWith('application/json');
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: isJson ? answer.json() : null };
}

/** Independent of the statement code: the bare sum of the entries before a moment. */
async function summed(kind: string, reseller: string, of: string | null, before: string): Promise<string> {
  const row = await t.db.as(allTenants).one<{ total: string }>(sql`
    select coalesce(sum(e.amount), 0) as total from ledger_entry e join ledger_account a on a.id = e.account_id
    where a.kind = ${kind} and a.reseller_id = ${reseller} and a.customer_id is not distinct from ${of} and e.at < ${before}`);
  return formatMoney(money(BigInt(row.total), 'USD'));
}

const months = Array.from({ length: 14 }, (_, n) => new Date(Date.UTC(2026, 1 + n, 1)).toISOString().slice(0, 10));
const lastDay = (month: string) =>
  new Date(Date.parse(`${month}T00:00:00Z`) + 32 * 86_400_000).toISOString().slice(0, 8).concat('01');
const endOf = (month: string) => new Date(Date.parse(lastDay(month)) - 86_400_000).toISOString().slice(0, 10);

test.each([
  ['of the account', () => ['/account', '1000', null, 'available'] as const],
  ['of a child', () => [`/resellers/${child}`, child, null, 'available'] as const],
  ['of a customer', () => [`/customers/${customer}`, '1000', customer, 'customer'] as const],
])('has the sums of the entries as month-end balances, without gaps between months: %s', async (_, of) => {
  const [path, reseller, who, kind] = of();
  let before: unknown;
  let lines = 0;
  for (const month of months) {
    const { status, body, text } = await request(demo, `${path}/statement`, {
      from: month,
      to: endOf(month),
      limit: '1000',
    });
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ reseller_id: reseller, customer_id: who, currency: 'USD', has_more: false });
    expect([body.opening.balance.amount, body.closing.balance.amount]).toEqual([
      await summed(kind, reseller, who, `${month}T00:00:00Z`),
      await summed(kind, reseller, who, `${lastDay(month)}T00:00:00Z`),
    ]);
    expect(body.closing.held.amount).toBe(await summed('held', reseller, who, `${lastDay(month)}T00:00:00Z`));
    if (before !== undefined) expect(body.opening).toEqual(before);
    before = body.closing;
    let running = cents(body.opening.balance.amount);
    for (const line of body.lines) {
      running += cents(line.amount.amount);
      expect(cents(line.balance.amount)).toBe(running);
      expect(line.at >= body.from && line.at < body.to).toBe(true);
    }
    expect(running).toBe(cents(body.closing.balance.amount));
    lines += body.lines.length;
  }
  expect(lines).toBeGreaterThan(20);
});

const cents = (text: string) => BigInt(Math.round(Number(text) * 100));

test('contains every line once over all pages, and the same lines in the CSV file', async () => {
  const over = { from: '2026-03-01', to: '2027-02-28' };
  const whole = await request(demo, `/resellers/${child}/statement`, { ...over, limit: '1000' });
  const paged: unknown[] = [];
  for (let after = '0'; ; ) {
    const { body } = await request(demo, `/resellers/${child}/statement`, { ...over, limit: '7', after });
    expect([body.opening, body.closing]).toEqual([whole.body.opening, whole.body.closing]);
    paged.push(...body.lines);
    if (!body.has_more) break;
    after = body.next_after;
  }
  expect(paged).toEqual(whole.body.lines);
  const file = await request(demo, `/resellers/${child}/statement/csv`, over);
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.headers['content-disposition']).toBe(
    `attachment; filename="statement-${child}-2026-03-01_2027-03-01.csv"`,
  );
  expect(file.text.split('\n').filter((line) => line.endsWith('\r')).length).toBe(whole.body.lines.length + 3);
  const [header, opening, ...rows] = parseCsv(file.text)!.map(({ fields }) => fields);
  const closing = rows.pop()!;
  expect(header!.join()).toBe('at,line_id,transaction_id,type,posting,description,domain_id,amount,balance,currency');
  expect([opening![4], opening![8], closing[4], closing[8]]).toEqual([
    'opening',
    whole.body.opening.balance.amount,
    'closing',
    whole.body.closing.balance.amount,
  ]);
  expect(rows.map((row) => [row[1], row[7], row[8]])).toEqual(
    whole.body.lines.map((line: { line_id: string; amount: { amount: string }; balance: { amount: string } }) => [
      line.line_id,
      line.amount.amount,
      line.balance.amount,
    ]),
  );
});

test('contains no formula in any text of the CSV file', async () => {
  const over = { from: '2026-03-01', to: '2027-02-28' };
  const texts: string[] = [];
  for (const path of ['/account', `/resellers/${child}`, `/customers/${customer}`])
    texts.push(...parseCsv((await request(demo, `${path}/statement/csv`, over)).text)!.map(({ fields }) => fields[5]!));
  expect(texts).toEqual(expect.arrayContaining(['\'=HYPERLINK("http://x","pay")', "'@order", "'-1 note"]));
  expect(texts.filter((text) => /^[=+\-@]/.test(text))).toEqual([]);
});

test('neutralises formulas after separators that other programs use', () => {
  for (const [text, written] of [
    [';=1+1', `";'=1+1"`],
    ['a;=1+1', `"a;'=1+1"`],
    ['x\t@sum', `"x\t'@sum"`],
    ['x; "=1+1"', `"x;' ""=1+1"""`],
    ['\uff1d1+1', "'\uff1d1+1"],
    ['\u200b=1+1', "'\u200b=1+1"],
    ['a;\u2060\u00ad=1', `"a;'\u2060\u00ad=1"`],
    ['=1', "'=1"],
    ['a-b, 5', '"a-b, 5"'],
    ['plain', 'plain'],
  ] as const)
    expect(cell(text), text).toBe(written);
});

test('returns the balance of one moment for an empty period', async () => {
  const at = '2026-05-17 13:00:00';
  const { body } = await request(demo, `/resellers/${child}/statement`, { from: at, to: at });
  expect(body.lines).toEqual([]);
  expect(body.opening).toEqual(body.closing);
  expect(body.opening.balance.amount).toBe(await summed('available', child, null, '2026-05-17T13:00:00Z'));
  const early = await request(demo, '/account/statement', { from: '2001-01-01', to: '2001-01-31' });
  expect(early.body).toMatchObject({
    opening: { balance: { amount: '0.00' } },
    closing: { balance: { amount: '0.00' } },
  });
});

test('returns 404 for other accounts, and refuses an invalid period with its field', async () => {
  const over = { from: '2026-03-01', to: '2026-03-31' };
  const foreign = await customerOf(t, child);
  for (const [as, path] of [
    [demo, `/resellers/${grandchild}`],
    [demo, '/resellers/999999'],
    [operator, `/resellers/${child}`],
    [operator, `/customers/${customer}`],
    [demo, `/customers/${foreign}`],
  ] as const)
    for (const end of ['/statement', '/statement/csv'])
      expect((await request(as, path + end, over)).status, path + end).toBe(404);
  for (const [query, field] of [
    [{ to: '2026-03-31' }, 'from'],
    [{ from: '2026-03-01' }, 'to'],
    [{ from: '2026-03-02', to: '2026-02-28' }, 'to'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'to'],
    [{ from: '2025-01-01', to: '2026-03-01' }, 'to'],
    [{ from: '2026-02-30', to: '2026-03-01' }, 'from'],
    [{ ...over, limit: '1001' }, 'limit'],
    [{ ...over, after: '-1' }, 'after'],
  ] as const) {
    const { status, body } = await request(demo, '/account/statement', query);
    expect([status, body.errors?.[0].field], JSON.stringify(query)).toEqual([400, field]);
  }
  const nowhere = await request(demo, '/account/statement', { ...over, after: '999999999' });
  expect(nowhere.body).toMatchObject({ lines: [], has_more: false });
});

test('reports a line whose balance was changed, and one that was backdated', async () => {
  const owner = openDatabase({ url: t.ownerUrl, maxConnections: 1 });
  const corrupt = (statement: ReturnType<typeof sql>) =>
    owner.transaction(allTenants, async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      await tx.run(statement);
    });
  const found = async () => (await verifyLedger(t.db)).differences.map(({ rule, detail }) => `${rule}: ${detail}`);
  const third = sql`(select id from ledger_entry where account_id = (select id from ledger_account where kind = 'customer') order by id offset 2 limit 1)`;
  try {
    await corrupt(sql`update ledger_entry set balance = balance + 1 where id = ${third}`);
    expect(await found()).toEqual([
      expect.stringMatching(/^each line has the balance .* has \d+, entries up to it sum to \d+$/),
    ]);
    await corrupt(
      sql`update ledger_entry set balance = balance - 1, at = at - interval '300 days' where id = ${third}`,
    );
    expect(await found()).toEqual([expect.stringContaining('each line has the balance')]);
    await corrupt(sql`update ledger_entry set at = at + interval '300 days' where id = ${third}`);
    expect(await found()).toEqual([]);
  } finally {
    await owner.close();
  }
});

test('returns spending, deposits and balance by day, of the own account only', async () => {
  t.clock.move(3 * 24 * hourMs);
  const request = (days: number | string, key: string) =>
    app.fastify.inject({
      url: `/v1/account/series?days=${days}`,
      headers: { authorization: `Basic ${Buffer.from(key).toString('base64')}` },
    });
  const read = async (days: number, key = demo) => {
    const answer = await request(days, key);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json() as {
      currency: string;
      days: { date: string; spent: string; funded: string; balance: string }[];
    };
  };
  const cents = (text: string) => Math.round(Number(text) * 100);
  const { currency, days } = await read(366);
  expect([currency, days.length]).toEqual(['USD', 366]);
  expect(days.at(-1)!.date).toBe(ctx.clock.now().toISOString().slice(0, 10));
  expect(days.slice(-2).map(({ spent, funded }) => [spent, funded])).toEqual([
    ['0.00', '0.00'],
    ['0.00', '0.00'],
  ]);
  let balance = 0;
  for (const day of days) {
    balance += cents(day.funded) - cents(day.spent);
    expect(cents(day.balance), day.date).toBe(balance);
  }
  expect(days.filter(({ spent }) => cents(spent) !== 0).length).toBeGreaterThan(20);
  const one = await read(1);
  expect(one.days).toEqual(days.slice(-1));
  const theirs = await read(366, operator);
  expect(theirs.days.map(({ balance: each }) => each)).not.toEqual(days.map(({ balance: each }) => each));
  for (const wrong of ['0', '367', 'x']) expect((await request(wrong, demo)).statusCode, wrong).toBe(400);
  await expect(
    t.db.as('1000').many(sql`select * from ledger_days(${child}, ${child}, 'USD', now() - interval '1 year', now())`),
  ).rejects.toThrow();
});
