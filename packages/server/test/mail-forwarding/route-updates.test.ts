import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTenants, type Sql, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertDomainRow, removeDomainRow } from '../../../../test/support/domain-row.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { addMailCounts, takenOf } from '../../src/core/mail-forwarding/counts.sql.ts';
import { purgeMailForwarding } from '../../src/core/mail-forwarding/purge.ts';
import { type FollowedRoutes, followRoutes } from '../../src/mx/follow-routes.ts';
import { makeDomain } from '../zones/support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const follow = (url: string, copyFile?: string): FollowedRoutes =>
  followRoutes({ databaseUrl: url, log: t.ctx.log, copyFile });
const write = (...statements: Sql[]) =>
  t.ctx.db.transaction(allTenants, async (tx) => {
    for (const statement of statements) await tx.run(statement);
  });
const at = new Date(0);

async function makeRoutes(domainId: string, address: string): Promise<void> {
  const of = sql.raw(`from domain where id = ${domainId}`);
  await write(
    sql`insert into mail_domain (domain_id, reseller_id, version, changed_at) select id, reseller_id, 1, ${at} ${of}`,
    sql`insert into mail_forward (domain_id, reseller_id, local_part, targets, action, spam, enabled, created_at, changed_at)
      select id, reseller_id, 'info', array[${address}], 'forward', 'refuse', true, ${at}, ${at} ${of}`,
    sql`insert into mail_target (id, reseller_id, customer_id, address, state, created_at)
      select ${`mtg_${domainId}`}, reseller_id, customer_id, ${address}, 'waiting', ${at} ${of}`,
  );
}

test('follows changes of the database, and serves routes from disk without it', async () => {
  const url = t.databaseUrl;
  const copyFile = join(t.folder, 'mx', 'routes');
  const id = await makeDomain(t, 'followed.com');
  const first = follow(url, copyFile);
  const kindOf = ({ routes }: FollowedRoutes) => routes.routeOf('info', 'followed.com').kind;
  try {
    await expect.poll(() => first.isComplete()).toBe(true);
    expect(kindOf(first)).toBe('unknown');
    await makeRoutes(id, 'sari@elsewhere.example');
    await write(sql`update mail_domain set changed_xid = pg_current_xact_id() where domain_id = ${id}`);
    await expect.poll(() => kindOf(first)).toBe('wait');
    // The consent is stored without a notification to mail hosts.
    await write(sql`update mail_target set state = 'confirmed' where address = 'sari@elsewhere.example'`);
    await expect.poll(() => kindOf(first)).toBe('targets');
    await write(sql`update domain set suspended = true where id = ${id}`);
    await expect.poll(() => kindOf(first)).toBe('refused');
    await write(sql`update domain set suspended = false where id = ${id}`);
    await expect.poll(() => kindOf(first)).toBe('targets');
    // Another customer has no consent yet.
    const customerId = await makeCustomer(t);
    const other = await insertDomainRow(t, { resellerId: '1000', customerId, name: 'other-customer.com' });
    await write(sql`update domain set customer_id = ${customerId} where id = ${id}`);
    await expect.poll(() => kindOf(first)).toBe('wait');
    await makeRoutes(other, 'budi@elsewhere.example');
    await write(sql`update mail_target set state = 'confirmed' where address = 'budi@elsewhere.example'`);
    await expect.poll(() => first.routes.routeOf('info', 'other-customer.com').kind).toBe('targets');
  } finally {
    await first.stop();
  }
  const second = follow(url, copyFile);
  await expect.poll(() => existsSync(copyFile) && readFileSync(copyFile, 'utf8')).toContain('budi@elsewhere.example');
  const fromDisk = follow('postgres://nobody@127.0.0.1:1/none', copyFile);
  try {
    await expect
      .poll(() => fromDisk.routes.routeOf('info', 'other-customer.com'))
      .toMatchObject({
        addresses: ['budi@elsewhere.example'],
      });
    expect(kindOf(fromDisk)).toBe('wait');
    expect(fromDisk.isComplete()).toBe(false);
    await removeDomainRow(t, id);
    await expect.poll(() => kindOf(second)).toBe('refused');
  } finally {
    await fromDisk.stop();
    await second.stop();
  }
});

test.each(['deleted', 'transferred_away'] as const)('ends mail with a domain that was %s', async (reason) => {
  const name = `${reason.replace('_', '-')}.com`;
  const id = await makeDomain(t, name);
  await makeRoutes(id, `${reason}@elsewhere.example`);
  await write(sql`update mail_target set state = 'confirmed' where id = ${`mtg_${id}`}`);
  const followed = follow(t.databaseUrl);
  const kind = () => followed.routes.routeOf('info', name).kind;
  try {
    await expect.poll(kind).toBe('targets');
    const remove = sql`update domain set state = 'removed', removed_reason = ${reason}, removed_at = ${t.ctx.clock.now()} where id = ${id}`;
    await write(remove);
    // A transferred-out domain has mail until its zone is withdrawn; a deleted one has none.
    await expect.poll(kind).toBe(reason === 'deleted' ? 'refused' : 'targets');
    t.moveClock('+8d');
    await purgeMailForwarding(t.ctx);
    await expect.poll(kind).toBe('unknown');
  } finally {
    await followed.stop();
  }
  const rows = await t.ctx.db.as(allTenants).one(sql`
    select (select count(*) from mail_domain where domain_id = ${id}) as domains,
      (select count(*) from mail_forward where domain_id = ${id}) as forwards`);
  expect(rows).toEqual({ domains: '0', forwards: '0' });
});

test('adds up the counts of several mail hosts', async () => {
  const id = await makeDomain(t, 'counted.com');
  const hour = new Date('2026-11-16T09:00:00Z');
  const add = (messages: number, outcome: 'forwarded' | 'spam') =>
    t.ctx.db.transaction(allTenants, (tx) =>
      addMailCounts(tx, [
        { domain_id: id, hour, outcome, messages },
        { domain_id: '999999', hour, outcome, messages },
      ]),
    );
  await add(3, 'forwarded');
  await add(4, 'forwarded');
  await add(1, 'spam');
  const countsAt = (at: string) => takenOf(t.ctx.db.as(allTenants), [id, '999999'], new Date(at));
  expect(await countsAt('2026-11-16T09:59:59Z')).toEqual([{ domain_id: id, in_hour: '7', in_day: '7' }]);
  expect(await countsAt('2026-11-16T10:00:00Z')).toEqual([{ domain_id: id, in_hour: '0', in_day: '7' }]);
  expect(await countsAt('2026-11-17T00:00:00Z')).toEqual([]);
  const rows = await t.ctx.db
    .as(allTenants)
    .many(sql`select domain_id, outcome, messages from mail_hour order by outcome`);
  expect(rows).toEqual([
    { domain_id: id, outcome: 'forwarded', messages: '7' },
    { domain_id: id, outcome: 'spam', messages: '1' },
  ]);
});
