import { everyTenant, sql } from '@namehold/base';
import { verifyLedger } from '../../packages/server/src/core/ledger/verify.ts';
import { cents, owedToRegistry } from '../faults/statement.ts';
import type { Called } from '../support/service.ts';
import type { Model, ModelName } from './model.ts';
import type { World } from './world.ts';

/** Registries round dates their own way, and a leap day moves by one. */
const sameDateMs = 36 * 3_600_000;

export class Disagreement extends Error {
  override name = 'Disagreement';
}

export function agree(what: string, ours: unknown, expected: unknown): void {
  const show = (value: unknown) =>
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}` : each));
  if (show(ours) !== show(expected)) throw new Disagreement(`${what}: is ${show(ours)}, should be ${show(expected)}`);
}

function sameDate(what: string, ours: Date | null, expected: number): void {
  if (ours === null || !(Math.abs(ours.getTime() - expected) <= sameDateMs)) {
    throw new Disagreement(`${what}: is ${ours?.toISOString() ?? null}, should be ${new Date(expected).toISOString()}`);
  }
}

interface Row {
  readonly state: string;
  readonly reseller_id: string;
  readonly end_date: Date | null;
  readonly registry_expires_at: Date | null;
}

/** Who owns each name and until when, here and at the registry. */
export async function checkNames(world: World, model: Model, names: readonly ModelName[]): Promise<void> {
  const [rows, views] = await Promise.all([
    world.t.house.db.as(everyTenant).many<Row & { name: string }>(sql`
      select distinct on (name) name, state, reseller_id, end_date, registry_expires_at from domain
      where name = any (${names.map((n) => n.name)}::text[]) order by name, (state = 'removed'), id desc`),
    Promise.all(names.map((n) => world.t.control('GET', `/domains/${n.name}`))),
  ]);
  for (const [place, n] of names.entries()) {
    checkName(
      model,
      n,
      rows.find((row) => row.name === n.name),
      views[place]!,
    );
  }
}

/** The exact dates are taken over: a model counts years, not seconds. */
function checkName(model: Model, n: ModelName, row: Row | undefined, there: Called): void {
  if (n.state === 'free') {
    agree(`${n.name} here`, row?.state ?? 'removed', 'removed');
    agree(`${n.name} at the registry`, there.status, 404);
    return;
  }
  agree(`${n.name} here`, row?.state, n.state);
  agree(`owner of ${n.name}`, row?.reseller_id, n.owner!.resellerId);
  agree(`sponsor of ${n.name}`, there.body.sponsor, 'namehold');
  const registryUntil = new Date(there.body.expiresAt as string);
  sameDate(`paid term of ${n.name}`, row!.end_date, n.paidUntil);
  sameDate(`term of ${n.name} at the registry`, registryUntil, n.registryUntil);
  const isUnpaid = model.isRenewedUnpaid(n);
  n.registryUntil = registryUntil.getTime();
  n.paidUntil = isUnpaid ? row!.end_date!.getTime() : Math.min(row!.end_date!.getTime(), n.registryUntil);
}

/** Every reseller's account, to the cent; nothing on hold. */
export async function checkMoney(world: World, model: Model): Promise<void> {
  const rows = await world.t.house.db.as(everyTenant).many<{ reseller_id: string; kind: string; balance: string }>(sql`
    select reseller_id, kind, balance from ledger_account where kind in ('available', 'held') and reseller_id <> 1`);
  for (const [resellerId, expected] of model.balances) {
    const of = (kind: string) =>
      rows.find((row) => row.reseller_id === resellerId && row.kind === kind)?.balance ?? '0';
    agree(`money of reseller ${resellerId}`, of('available'), String(expected));
    agree(`money on hold of reseller ${resellerId}`, of('held'), '0');
  }
}

/**
 * Our books against the registry's statement. A year that the registry added by itself and nobody has paid yet stands on its
 * statement only: it is given back by the delete or paid by the renewal, so it is counted apart.
 */
export async function checkBooks(world: World, model: Model): Promise<void> {
  const { body } = await world.t.control('GET', '/statement?client=namehold&limit=1');
  const charged = cents(body.charged as string) - cents(body.refunded as string);
  let unpaid = 0n;
  for (const n of model.names) {
    if (n.state !== 'live' || !model.isRenewedUnpaid(n)) continue;
    const { body: seen } = await world.t.control('GET', `/statement?client=namehold&domain=${n.name}`);
    const last = (seen.entries as { command: string; amount: string }[]).findLast(
      (line) => line.command === 'autorenew',
    );
    unpaid += cents(last!.amount);
  }
  agree('owed to the registry by our books', (await owedToRegistry(world.t)) + unpaid, charged);
  agree('differences in the ledger', (await verifyLedger(world.t.house.db)).differences, []);
}
