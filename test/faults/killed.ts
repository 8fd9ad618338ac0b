import { allTenants, type Database, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import type { RealService } from '../support/process.ts';
import { expectOwedAsCharged, waitUntilSettled } from './settled.ts';
import type { Verb } from './verb.ts';

/** At these failpoints nothing is committed yet. */
const beforeCommit = /:before-order$|^(order|payment):(before|in)-/;

/** The service dies at the failpoint and restarts, and everything is settled: done once, or not started. */
export async function killedAt(service: RealService, db: Database, verb: Verb, failpoint: string): Promise<void> {
  try {
    await dieAndComeBack(service, db, verb, failpoint);
  } finally {
    // Also after a failure: the next failpoint has a service of its own.
    await service.kill();
  }
}

async function dieAndComeBack(service: RealService, db: Database, verb: Verb, failpoint: string): Promise<void> {
  const domain = `${verb.name}-${failpoint}`.replaceAll(/[^a-z0-9]+/g, '-').concat(`.${verb.tld ?? 'org'}`);
  const headers = { 'Idempotency-Key': `kill-${domain}` };
  await service.start([failpoint]);
  await verb.prepare(service, domain);
  const first = await verb.call(domain)(service, headers);
  expect(first.status, `the service should have died at ${failpoint}: ${JSON.stringify(first.body)}`).toBe(0);
  await service.died();
  await service.start();
  await waitUntilSettled(db);
  const isBegun = verb.isOrderedByClock === true || !beforeCommit.test(failpoint);
  if (isBegun) await verb.finish?.(service, domain);
  const again = verb.isRepeatable ? await verb.call(domain)(service, headers) : undefined;
  if (isBegun && again) expect(again.status, JSON.stringify(again.body)).toBe(200);
  // Before its transaction nothing has happened, and the key is only leased: an early retry waits, a later one is a new order.
  const happened = isBegun || (again !== undefined && again.status !== 409);
  if (happened && !isBegun) {
    expect([200, 202], JSON.stringify(again?.body)).toContain(again?.status);
    await verb.finish?.(service, domain);
  }
  const states = await db.as(allTenants).many<{ state: string }>(sql`
    select o.state from operation o join domain d on d.id = o.domain_id where d.name = ${domain} and o.kind = ${verb.kind}`);
  const before = verb.goesOnFrom ? [{ state: verb.goesOnFrom }] : [];
  const after = verb.endsAs === 'nothing' ? [] : [{ state: verb.endsAs ?? 'done' }];
  expect(states).toEqual(happened ? after : before);
  if (happened) await verb.check(service, domain);
  await expectOwedAsCharged(db, service, domain);
}
