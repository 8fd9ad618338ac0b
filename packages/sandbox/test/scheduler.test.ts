import { openDatabase, sql } from '@namehold/postgres';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeContact, newDomain, strongPw } from './support/objects.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

/** The data without the ids of rows and transactions. */
async function picture(registry: TestRegistry): Promise<unknown> {
  const db = openDatabase({ url: registry.databaseUrl });
  const all = db.as('*');
  const shown = {
    domains:
      await all.many(sql`select name, sponsor, expires_at, phase, phase_until, redemption_until, due_at, statuses,
      transferred_at, auth_hash is null as unset,
      array(select kind || ' ' || ends_at from grace_period g where g.domain_id = d.id order by 1) as graces
      from domain d where sponsor <> 'registry' order by name`),
    statement: await all.many(
      sql`select at, client_id, kind, command, domain, years, amount, balance_after from statement order by id`,
    ),
    messages: await all.many(
      sql`select client_id, queued_at, text, data - 'paTRID' as data from poll_message order by id`,
    ),
    transfers: await all.many(sql`select state, requester, requested_at, acted_at from transfer order by id`),
  };
  await db.close();
  return shown;
}

const day = 86_400_000;

/** A registry in which much becomes due: expiry, grace, redemption, restore, transfer, review. */
async function openRegistry(): Promise<TestRegistry> {
  const registry = await startTestRegistry();
  const { us, otherRegistrar } = registry;
  const contact = await makeContact(us);
  const fresh = (label: string, tld = 'org', more = {}) => us.done(newDomain(`${label}.${tld}`, contact, more));
  const all = { contacts: (['admin', 'tech', 'billing'] as const).map((type) => ({ type, id: contact })) };
  await fresh('renewed-by-itself');
  await fresh('held-then-dropped', 'co.id', all);
  await fresh('to-be-deleted');
  await fresh('to-be-restored');
  await fresh('to-be-moved', 'org', { authInfo: { pw: strongPw } });
  await registry.move('+10d');
  for (const label of ['to-be-deleted', 'to-be-restored'])
    await us.done({ object: 'domain', verb: 'delete', name: `${label}.org` });
  await us.done({ object: 'domain', verb: 'update', name: 'to-be-restored.org', ext: { rgp: { op: 'request' } } });
  await otherRegistrar.done({
    object: 'domain',
    verb: 'transfer',
    op: 'request',
    name: 'to-be-moved.org',
    authInfo: { pw: strongPw },
  });
  await fresh('reviewed', 'web.id', all);
  return registry;
}

async function after(moves: readonly number[]): Promise<unknown> {
  const registry = await openRegistry();
  for (const ms of moves) {
    registry.clock.move(ms);
    await registry.sandbox.settle();
  }
  const shown = await picture(registry);
  await registry.close();
  return shown;
}

test('reaches the same state after forty days at once and forty single days', async () => {
  expect(await after([40 * day])).toEqual(await after(Array.from({ length: 40 }, () => day)));
});

test('reaches the same state after 800 days in steps of any size', async () => {
  const total = 800;
  const whole = await after([total * day]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 }), async (steps) => {
      const moves: number[] = [];
      let left = total;
      for (const step of steps) {
        const days = Math.min(step, left);
        moves.push(days * day);
        left -= days;
      }
      moves.push(left * day);
      expect(await after(moves)).toEqual(whole);
    }),
    { seed: 20_260_301, numRuns: 5 },
  );
});
