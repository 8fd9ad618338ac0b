import { flushLater, sql, type Tx } from '@namehold/base';
import { badField, Refusal } from '../core/errors.ts';
import type { House, IdempotentRequest } from '../core/house.ts';
import type { Fields } from './input.ts';
import { Answer, type Route } from './route.ts';

export const idempotencyLimits = {
  keyLength: 255,
  /** Longer than any request may run: a row still in flight after it belongs to a process that died. */
  leaseMs: 90_000,
};

interface Row {
  readonly request_hash: string;
  readonly state: 'in_flight' | 'answered' | 'operation';
  readonly status: number | null;
  readonly body: string | null;
  readonly sealed: boolean;
  readonly operation_id: string | null;
  readonly leased_until: Date;
}

export type Begun =
  | { readonly kind: 'run'; readonly request: OpenRequest }
  | { readonly kind: 'replay'; readonly answer: Answer }
  | { readonly kind: 'follow'; readonly operationId: string };

export interface OpenRequest extends IdempotentRequest {
  /** Stores an answer that no business transaction stored (a definite refusal, or a read-only call). */
  finish(status: number, body: string): Promise<void>;
  /** Nothing happened and nothing is stored: the key may be used again. */
  forget(): Promise<void>;
}

/**
 * The same request in any encoding is the same request; the order of its fields does not matter.
 * Keyed: a request can hold a password, which a plain hash would let one guess.
 */
function hashRequest(house: House, method: string, path: string, fields: Fields): string {
  const canonical = JSON.stringify(fields, (_key, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return house.vault.fingerprint(`${method} ${path}\n${canonical}`);
}

export async function beginIdempotent(
  house: House,
  resellerId: string,
  key: string,
  definition: Route,
  path: string,
  fields: Fields,
): Promise<Begun> {
  if (key.length < 1 || key.length > idempotencyLimits.keyLength || !/^[\x21-\x7e]+$/.test(key)) {
    throw badField('Idempotency-Key', `must be 1 to ${idempotencyLimits.keyLength} visible ASCII characters`);
  }
  const hash = hashRequest(house, definition.method, path, fields);
  const now = house.wall.now();
  const lease = new Date(now.getTime() + idempotencyLimits.leaseMs);
  const context = `idempotency:${resellerId}:${key}`;
  // Most keys are new: one statement then, and no wait for the disk, because what the key stands for has not begun.
  const inserted = await house.db.as(resellerId).run(sql`
    insert into idempotency (reseller_id, key, request_hash, state, leased_until, created_at)
    values (${resellerId}, ${key}, ${hash}, 'in_flight', ${lease}, ${now}) on conflict do nothing returning ${flushLater}`);
  const row =
    inserted === 1
      ? 'claimed'
      : await house.db.transaction(resellerId, (tx) => claim(tx, resellerId, key, hash, now, lease));
  if (row === 'claimed') return { kind: 'run', request: openRequest(house, resellerId, key, definition, context) };
  if (row.request_hash !== hash) throw new Refusal('idempotency_mismatch');
  if (row.state === 'operation') return { kind: 'follow', operationId: row.operation_id! };
  if (row.state === 'in_flight')
    throw new Refusal('idempotency_in_flight', undefined, { headers: { 'Retry-After': '1' } });
  const body = row.sealed ? house.vault.open(row.body!, context) : row.body!;
  return { kind: 'replay', answer: new Answer(JSON.parse(body), { status: row.status! }) };
}

async function claim(
  tx: Tx,
  resellerId: string,
  key: string,
  hash: string,
  now: Date,
  lease: Date,
): Promise<Row | 'claimed'> {
  const inserted = await tx.run(sql`
    insert into idempotency (reseller_id, key, request_hash, state, leased_until, created_at)
    values (${resellerId}, ${key}, ${hash}, 'in_flight', ${lease}, ${now}) on conflict do nothing`);
  if (inserted === 1) return 'claimed';
  const row = await tx.one<Row>(sql`
    select request_hash, state, status, body, sealed, operation_id, leased_until from idempotency
    where reseller_id = ${resellerId} and key = ${key} for update`);
  // In flight past its lease: that process died before its transaction committed, so nothing has happened yet.
  if (row.state === 'in_flight' && row.leased_until <= now && row.request_hash === hash) {
    await tx.run(
      sql`update idempotency set leased_until = ${lease} where reseller_id = ${resellerId} and key = ${key}`,
    );
    return 'claimed';
  }
  return row;
}

function openRequest(house: House, resellerId: string, key: string, definition: Route, context: string): OpenRequest {
  const kept = (body: string) => (definition.secret ? house.vault.seal(body, context) : body);
  const store = (tx: Tx, status: number, body: string) =>
    tx.run(sql`
      update idempotency set state = 'answered', status = ${status}, body = ${kept(body)}, sealed = ${definition.secret ?? false}
      where reseller_id = ${resellerId} and key = ${key} and state = 'in_flight'`);
  let isFollowed = false;
  return {
    async complete(tx, result) {
      if (definition.render) await store(tx, 200, JSON.stringify(definition.render(result as never)));
    },
    async follow(tx, operationId) {
      isFollowed = true;
      await tx.run(sql`
        update idempotency set state = 'operation', operation_id = ${operationId}
        where reseller_id = ${resellerId} and key = ${key}`);
    },
    async finish(status, body) {
      // Its answer comes from the operation, whenever it is asked for.
      if (isFollowed && status < 400) return;
      await house.db.transaction(resellerId, (tx) => store(tx, status, body));
    },
    async forget() {
      await house.db.transaction(resellerId, (tx) =>
        tx.run(sql`delete from idempotency where reseller_id = ${resellerId} and key = ${key} and state = 'in_flight'`),
      );
    },
  };
}
