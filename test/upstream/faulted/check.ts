import { allTenants, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import { expectConsistent } from '../../faults/settled.ts';
import { owedIn } from '../../namehold-upstream/chain.ts';
import { expectReconciled } from '../../support/reconciliation.ts';
import type { Installation } from './installation.ts';

export interface Outcome {
  readonly done: number;
  readonly refused: number;
  /** Operations that needed a decision of an operator. */
  readonly decided: number;
}

interface Counted {
  readonly name: string;
  readonly kind: string;
  readonly state: string;
  readonly id: string;
}

const charged = ['register', 'renew', 'transfer', 'restore'];
/** Deletes are compared by the domains. */
const kinds = [...charged, 'delete'];

const operationsOf = ({ db }: Installation): Promise<Counted[]> =>
  db.as(allTenants).many<Counted>(sql`
    select d.name, o.kind, o.state, o.id from operation o join domain d on d.id = o.domain_id
    where o.kind = any (${kinds}::text[])`);

export async function outcomeOf(installation: Installation): Promise<Outcome> {
  const operations = await operationsOf(installation);
  const count = (...states: string[]) => operations.filter(({ state }) => states.includes(state)).length;
  return { done: count('done'), refused: count('refused', 'cancelled'), decided: count('action_required') };
}

/** How often each order was carried out, by the upstream's own orders: `renew faulted-1.org`. */
async function carriedOut({ upstream }: Installation): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { verb, domain } of await upstream.carriedOut())
    counts.set(`${verb} ${domain}`, (counts.get(`${verb} ${domain}`) ?? 0) + 1);
  return counts;
}

const countedDone = (operations: readonly Counted[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { kind, name, state } of operations)
    if (state === 'done' && charged.includes(kind))
      counts.set(`${kind} ${name}`, (counts.get(`${kind} ${name}`) ?? 0) + 1);
  return counts;
};

/** What an operator does who looks at the upstream's own records. */
export async function settleManually(installation: Installation): Promise<void> {
  const operations = await operationsOf(installation);
  const [there, here] = [await carriedOut(installation), countedDone(operations)];
  const live = new Set(
    (await installation.upstream.domains()).flatMap(({ name, status }) => (status === 'active' ? [name] : [])),
  );
  for (const { id, kind, name, state } of operations) {
    if (state !== 'action_required') continue;
    const key = `${kind} ${name}`;
    const isDone = kind === 'delete' ? !live.has(name) : (there.get(key) ?? 0) > (here.get(key) ?? 0);
    const decision = isDone ? 'done' : 'refused';
    const form = { decision, reason: 'by the records of the upstream' };
    const path = `/v1/operator/operations/${id}/settle`;
    const called = await installation.call('POST', path, { form, asOperator: true });
    expect(called.status, JSON.stringify(called.body)).toBe(200);
  }
}

/** Charges, domains and ledger of both sides agree. */
export async function expectNoSecondCharge(installation: Installation): Promise<void> {
  const { upstream, db } = installation;
  expect(await upstream.problems()).toEqual([]);
  const [there, here] = [await carriedOut(installation), countedDone(await operationsOf(installation))];
  const different = [...new Set([...there.keys(), ...here.keys()])].filter((key) => there.get(key) !== here.get(key));
  expect(different.map((key) => `${key}: ${there.get(key) ?? 0} there, ${here.get(key) ?? 0} here`)).toEqual([]);
  const held = new Set((await upstream.domains()).map(({ name }) => name));
  const ours = await db.as(allTenants).many<{ name: string }>(sql`
    select name from domain where state not in ('removed', 'pending', 'unpaid')`);
  expect(new Set(ours.map(({ name }) => name))).toEqual(held);
  expect(await owedIn(db), 'our debt is what the upstream charged').toBe(await upstream.charged());
  await expectConsistent(db);
  await installation.reconciled((t) => expectReconciled(t));
}
