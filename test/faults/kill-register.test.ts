import { type Database, everyTenant, sql } from '@namehold/base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { realBooksAgree } from '../support/books.ts';
import { openWalled } from '../support/database.ts';
import { RealService } from '../support/process.ts';
import { allSettled, moneyAndNamesAgree } from './settled.ts';

/** Three starts of a real service and a recovery; a busy machine takes its time. */
const patienceMs = 240_000;

let service: RealService;
let db: Database;
beforeAll(async () => {
  service = await RealService.create();
  db = await openWalled(service.databaseUrl);
});
afterAll(async () => {
  await moneyAndNamesAgree(db);
  await realBooksAgree(service);
  await db.close();
  await service.dispose();
});

const order = (name: string) => ({
  domain_name: name,
  customer_id: '2001',
  registrant_contact_id: '3001',
  admin_contact_id: '3002',
  tech_contact_id: '3002',
  billing_contact_id: '3001',
  invoice_option: 'no_invoice',
});

/** Every labelled point of a registration, in the order in which it passes them. */
const points = [
  'register:before-order',
  'register:after-order',
  'register:before-send',
  'register:before-journal',
  'register:after-journal',
  'register:after-send',
  'register:before-answered',
  'register:after-answered',
  'register:after-answer',
  'register:before-settle',
  'register:in-settle',
  'register:after-settle',
];

describe('the service is killed while it registers a name', () => {
  test.each(points)(
    'at %s: nothing lost, nothing doubled',
    async (point) => {
      const name = `${point.replace(':', '-')}.com`;
      const headers = { 'Idempotency-Key': `kill-${point}` };
      await service.start([point]);
      const first = await service.call('POST', '/v1/domains', { form: order(name), headers });
      expect(first.status).toBe(0);
      await service.died();
      await service.start();
      await allSettled(db);
      const again = await service.call('POST', '/v1/domains', { form: order(name), headers });
      // Before transaction A committed, the key is only leased: the caller waits the lease out, and nothing has happened yet.
      const happened = point !== 'register:before-order';
      expect(again.status).toBe(happened ? 200 : 409);
      const rows = await db.as(everyTenant).many<{ state: string }>(sql`select state from domain where name = ${name}`);
      expect(rows.map((row) => row.state)).toEqual(happened ? ['live'] : []);
      const captured = await db.as(everyTenant).many(sql`
      select t.id from ledger_transaction t join operation o on o.id = t.operation_id
      where o.request ->> 'name' = ${name} and t.status = 'completed' and t.reseller_id = 1000`);
      expect(captured).toHaveLength(happened ? 1 : 0);
      const statement = await service.control('GET', '/statement?client=namehold');
      const charges = JSON.stringify(statement).split(`"${name}"`).length - 1;
      expect(charges).toBe(happened ? 1 : 0);
      await service.kill();
    },
    patienceMs,
  );
});
