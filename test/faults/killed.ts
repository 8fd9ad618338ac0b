import { type Database, everyTenant, sql } from '@namehold/base';
import { expect } from 'vitest';
import type { RealService } from '../support/process.ts';
import { allSettled } from './settled.ts';
import type { Verb } from './verbs.ts';

/** The service dies at the point, comes back, and everything is settled: done once, or not begun. */
export async function killedAt(service: RealService, db: Database, verb: Verb, point: string): Promise<void> {
  const domain = `${verb.name}-${point}`.replaceAll(/[^a-z0-9]+/g, '-').concat('.com');
  const headers = { 'Idempotency-Key': `kill-${domain}` };
  await service.start();
  await verb.prepare(service, domain);
  await service.kill();
  await service.start([point]);
  const first = await verb.call(domain)(service, headers);
  expect(first.status, `the service should have died at ${point}: ${JSON.stringify(first.body)}`).toBe(0);
  await service.died();
  await service.start();
  await allSettled(db);
  const happened = !point.endsWith(':before-order');
  if (happened) {
    const { n } = await db.as(everyTenant).one<{ n: string }>(sql`
      select count(*) as n from operation o join domain d on d.id = o.domain_id where d.name = ${domain} and o.kind = ${verb.kind} and o.state = 'done'`);
    expect(n).toBe('1');
    await verb.check(service, domain);
  }
  await service.kill();
}
