import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import { reconcileNames } from '../../../packages/server/src/core/domains/compare/reconcile.ts';
import { processExpiryOnce } from '../../../packages/server/src/core/domains/end/expire.ts';
import type { Difference } from '../../../packages/server/src/core/reconciliation/difference.ts';
import { domainsBetween } from '../../../packages/server/src/core/reconciliation/domains.ts';
import { operationsBetween } from '../../../packages/server/src/core/reconciliation/operations.ts';
import { compareRegistryDomain } from '../../../packages/server/src/core/reconciliation/registry.ts';
import { verifyAndReport } from '../../../packages/server/src/core/reconciliation/report.ts';
import { cents } from '../../faults/statement.ts';
import type { History } from './draw.ts';
import type { Unsynchronised } from './world.ts';

/** Attempts until every operation that can settle without a decision has. */
const rounds = 12;
const attempts = 100;

/** The registry answers again: runs the service's jobs and an operator's decisions. */
export async function recover(installation: Unsynchronised, name: string, history: History): Promise<void> {
  const { t } = installation;
  // The registry was unresponsive for hours, by every clock.
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update operation set created_at = created_at - interval '1 hour' where request ->> 'name' = ${name}`);
  for (let round = 0; round < rounds; round += 1) {
    const open = await installation.openOperations(name);
    for (const { id, state } of open)
      if (state === 'action_required') await settle(installation, id, history.decision);
      else await attempt(installation, id);
    const [report] = await reconcileNames(t.ctx, [name]);
    // A domain that is not renewed is deleted, or kept if its registry renewed it too long ago.
    await processExpiryOnce(t.ctx);
    const isSettled = open.length === 0 && !/^(busy|missing|unreachable)/.test(report?.outcome ?? '');
    if (isSettled && round > 1) return;
    // A domain that is gone without a reason is queried again a quarter of an hour later.
    t.moveClock('+20m');
  }
  expect(await installation.openOperations(name), `${name} is not settled: ${JSON.stringify(history)}`).toEqual([]);
}

/** Sessions that were closed meanwhile reopen within seconds; until then an attempt sends nothing. */
async function attempt({ t }: Unsynchronised, id: string): Promise<void> {
  for (let left = attempts; left > 0; left -= 1) {
    await t.ctx.engine.start(id);
    const { is_open } = await t.ctx.db
      .as(allTenants)
      .one<{ is_open: boolean }>(
        sql`select state in ('intended', 'sent', 'unknown') as is_open from operation where id = ${id}`,
      );
    if (!is_open) return;
    await sleep(100);
  }
}

async function settle({ t }: Unsynchronised, id: string, decision: 'done' | 'refused'): Promise<void> {
  const json = { decision, reason: 'the simulation decides' };
  const settled = await t.call('POST', `/v1/operator/operations/${id}/settle`, { json, as: t.operator });
  if (settled.status === 200) return;
  // A decision that the evidence excludes is refused, and the other one must be possible.
  const other = { ...json, decision: decision === 'done' ? 'refused' : 'done' };
  const again = await t.call('POST', `/v1/operator/operations/${id}/settle`, { json: other, as: t.operator });
  expect([200, 409], `${settled.text} ${again.text}`).toContain(again.status);
}

async function differencesOf({ t }: Unsynchronised, name: string): Promise<Difference[]> {
  const db = t.ctx.db.as(allTenants);
  const [rows, operations] = await Promise.all([
    db.many<{ id: string }>(sql`select id from domain where name = ${name}`),
    db.many<{ id: string }>(sql`select id from operation where request ->> 'name' = ${name}`),
  ]);
  const found = await compareRegistryDomain(t.ctx, 'sandbox', name);
  for (const { id } of rows)
    found.push(...(await domainsBetween(t.ctx.db, { after: (BigInt(id) - 1n).toString(), upTo: id })));
  for (const { id } of operations)
    found.push(...(await operationsBetween(t.ctx.db, { after: id.slice(0, -1), upTo: id }, 0)));
  return found;
}

/** Every remaining difference has a repair that ends it. Returns the repaired ones. */
export async function repair(installation: Unsynchronised, name: string, history: History): Promise<readonly string[]> {
  const { t } = installation;
  const about = JSON.stringify(history);
  const found = await differencesOf(installation, name);
  if (found.length > 0) {
    await verifyAndReport(t.ctx);
    for (const { source, rule, subject, repair, detail } of found) {
      expect(repair.action, `${rule}, ${detail}: ${about}`).not.toBe('manual');
      const json = { key: `books:${source}:${rule}:${subject}`, reason: 'the simulation repairs it' };
      const repaired = await t.call('POST', '/v1/operator/reconciliation/repair', { json, as: t.operator });
      expect(repaired.body, `${repaired.text} ${about}`).toMatchObject({ is_done: true });
    }
  }
  expect(await differencesOf(installation, name), `after the repair: ${about}`).toEqual([]);
  return found.map(({ rule }) => rule);
}

/** To the cent: our debt to the registry for the domain is the total of its statement, and no money is on hold for it. */
export async function checkSettled({ t }: Unsynchronised, name: string, history: History): Promise<void> {
  const about = `${name} ${JSON.stringify(history)}`;
  const { body } = await t.control('GET', `/statement?client=namehold&domain=${name}`);
  const taken = (body.entries as { kind: string; amount: string }[]).reduce(
    (sum, { kind, amount }) => sum + (kind === 'charge' ? cents(amount) : -cents(amount)),
    0n,
  );
  const { owed, held } = await t.ctx.db.as(allTenants).one<{ owed: string; held: string }>(sql`
    select coalesce(sum(e.amount) filter (where a.kind = 'registry_payable'), 0) as owed,
      coalesce(sum(e.amount) filter (where a.kind = 'held'), 0) as held
    from domain d join ledger_transaction t on t.domain_id = d.id join ledger_entry e on e.transaction_id = t.id
    join ledger_account a on a.id = e.account_id where d.name = ${name}`);
  expect(BigInt(owed), `our ledger against the statement, ${about}`).toBe(taken);
  expect(held, `money on hold, ${about}`).toBe('0');
}
