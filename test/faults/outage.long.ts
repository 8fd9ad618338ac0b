import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import { describe, expect, test } from 'vitest';
import { askUdp } from '../nameservers/support/ask.ts';
import { Lab } from '../nameservers/support/lab.ts';
import { migratedDatabase } from '../support/database.ts';
import { freePort } from '../support/ports.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { startTestService } from '../support/service.ts';
import { resume, suspend } from '../support/suspend.ts';
import { makeTraders, registration } from './reseller-chain.ts';
import { expectConsistent, waitUntilSettled } from './settled.ts';
import { statementAgrees } from './statement.ts';

/** Runs in real time: back-offs, breakers and sessions do not follow a moved clock. */
const minutes = Number(process.env.AWAY_MINUTES ?? 60);
const backWithinMs = 120_000;
const limit = { timeout: minutes * 60_000 + 900_000 };

describe.concurrent(`${minutes} minutes without`, () => {
  test('the registry: accepts orders and changes, and executes them soon after its return', limit, async () => {
    const t = await startTestService({ sandbox: 'process', env: { NAMEHOLD_WAIT_MS: '400' } });
    const [trader] = await makeTraders(t, 1, 0);
    const order = (name: string) =>
      t.call('POST', '/v1/domains', { form: registration(trader!, name), as: trader!.credentials });
    const before = await order('before-away.com');
    expect([200, 202]).toContain(before.status);
    await waitUntilSettled(t.ctx.db);
    const { pid } = t.service.sandbox!.state;
    suspend(pid);
    try {
      const change = await t.call('PUT', `/v1/domains/${before.body.domain_id}/ns`, {
        form: { ns: 'ns1.while-away.example,ns2.while-away.example' },
        as: trader!.credentials,
      });
      expect(change.status, change.text).toBe(202);
      for (let minute = 0; minute < minutes; minute += 1) {
        const { status, text } = await order(`away-${minute}.com`);
        expect(status, text).toBe(202);
        await sleep(60_000);
      }
    } finally {
      resume(pid);
    }
    const back = performance.now();
    await waitUntilSettled(t.ctx.db);
    const took = performance.now() - back;
    console.log(`all of ${minutes} minutes executed ${Math.round(took)} ms after the registry returned`);
    expect(took).toBeLessThan(backWithinMs);
    const live = await t.ctx.db
      .as(allTenants)
      .one<{ n: number }>(sql`select count(*)::int as n from domain where state = 'live' and name like 'away-%'`);
    expect(live.n).toBe(minutes);
    const held = await t.ctx.db
      .as(allTenants)
      .one<{ nameservers: string[] }>(sql`select nameservers from domain where name = 'before-away.com'`);
    expect(held.nameservers).toEqual(['ns1.while-away.example', 'ns2.while-away.example']);
    await statementAgrees(t);
    await expectConsistent(t.ctx.db);
    await expectReconciled(t);
    await t.stop();
  });

  test('service and database: the nameserver answers every query', limit, async () => {
    const database = await migratedDatabase();
    const lab = await Lab.start(database.url, { NAMEHOLD_DNS_PORT: String(await freePort()) });
    try {
      const domain = await lab.domain('stays-an-hour.example');
      await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
      const ask = async () =>
        (await askUdp(lab.embedded, 'www.stays-an-hour.example.', 'A'))?.answer.map(({ rdata }) =>
          [...rdata].join('.'),
        );
      await expect.poll(async () => (await ask())?.join()).toBe('192.0.2.1');
      await lab.service.kill();
      await database.drop();
      let queries = 0;
      const until = performance.now() + minutes * 60_000;
      while (performance.now() < until) {
        expect(await ask(), `question ${queries}`).toEqual(['192.0.2.1']);
        queries += 1;
        await sleep(1_000);
      }
      console.log(`${queries} queries answered in ${minutes} minutes without service and database`);
    } finally {
      await lab.close();
    }
  });
});
