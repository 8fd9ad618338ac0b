import { type Autocommit, asyncCommit, type Sql, sql, type Tx } from '@namehold/postgres';
import type { HeldKey } from '../../core/app-context.ts';

export interface KeptRequest {
  readonly request_hash: string;
  readonly state: 'in_flight' | 'answered' | 'operation';
  readonly status: number | null;
  readonly body: string | null;
  readonly sealed: boolean;
  readonly operation_id: string | null;
  readonly is_over: boolean;
}

export interface Claim extends HeldKey {
  readonly hash: string;
  readonly leaseMs: number;
  readonly now: Date;
}

/** The lease uses the clock of the database, so processes need not agree on the time. */
const leaseEnd = (leaseMs: number) => sql`now() + ${leaseMs} * interval '1 millisecond'`;

const insertClaim = ({ resellerId, key, token, hash, leaseMs, now }: Claim) => sql.kept`
  insert into idempotency (reseller_id, key, token, request_hash, state, leased_until, created_at)
  values (${resellerId}, ${key}, ${token}, ${hash}, 'in_flight', ${leaseEnd(leaseMs)}, ${now})`;

/** False if the key is already known. */
export async function claimNew(alone: Autocommit, wanted: Claim): Promise<boolean> {
  const claimed = await alone.maybe(sql.kept`${insertClaim(wanted)} on conflict do nothing returning ${asyncCommit}`);
  return claimed !== undefined;
}

const findKept = ({ resellerId, key }: Claim) => sql`
  select request_hash, state, status, body, sealed, operation_id, leased_until <= now() as is_over from idempotency
  where reseller_id = ${resellerId} and key = ${key} for update`;

/** Undefined: it is claimed. */
export async function claim(tx: Tx, wanted: Claim): Promise<KeptRequest | undefined> {
  const { resellerId, key, token, hash, leaseMs } = wanted;
  const insert = async () => (await tx.run(sql`${insertClaim(wanted)} on conflict do nothing`)) === 1;
  if (await insert()) return undefined;
  const row = await tx.maybe<KeptRequest>(findKept(wanted));
  // Its owner released it meanwhile, because its request had no effect. If another request has claimed it since, that one is in flight.
  if (!row) return (await insert()) ? undefined : tx.one<KeptRequest>(findKept(wanted));
  // In flight past its lease: its process died before the commit, or hangs. Its token is invalid from here on.
  if (row.state === 'in_flight' && row.is_over && row.request_hash === hash) {
    await tx.run(sql`
      update idempotency set leased_until = ${leaseEnd(leaseMs)}, token = ${token}
      where reseller_id = ${resellerId} and key = ${key}`);
    return undefined;
  }
  return row;
}

const mine = (held: HeldKey): Sql =>
  sql`reseller_id = ${held.resellerId} and key = ${held.key} and token = ${held.token}`;

interface KeptAnswer {
  readonly status: number;
  readonly body: string | null;
  readonly sealed: boolean;
}

const answered = (held: HeldKey, { status, body, sealed }: KeptAnswer): Sql => sql`
  update idempotency set state = 'answered', status = ${status}, body = ${body}, sealed = ${sealed} where ${mine(held)}`;

/** Each returns the number of changed rows: zero if another process has taken the key over. */
export async function storeAnswer(tx: Tx, held: HeldKey, answer: KeptAnswer): Promise<number> {
  return tx.run(answered(held, answer));
}

export async function storeAnswerInFlight(alone: Autocommit, held: HeldKey, answer: KeptAnswer): Promise<number> {
  return alone.run(sql`${answered(held, answer)} and state = 'in_flight'`);
}

/** Locks and checks the row, without an answer to store. */
export async function touchKey(tx: Tx, held: HeldKey): Promise<number> {
  return tx.run(sql`update idempotency set token = token where ${mine(held)}`);
}

export async function deleteInFlight(alone: Autocommit, held: HeldKey): Promise<number> {
  return alone.run(sql`delete from idempotency where ${mine(held)} and state = 'in_flight'`);
}
