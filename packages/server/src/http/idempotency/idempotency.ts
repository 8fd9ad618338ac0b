import { createHash, randomUUID } from 'node:crypto';
import type { Actor, AppContext, HeldKey, IdempotentRequest } from '../../core/app-context.ts';
import { actingCustomerId } from '../../core/model/customer-access.ts';
import { followOperation } from '../../core/operations/operation.sql.ts';
import { badParameter, catalogue, WireRefusal } from '../errors.ts';
import type { Fields } from '../input.ts';
import { Answer, type Route } from '../route.ts';
import {
  type Claim,
  claim,
  claimNew,
  deleteInFlight,
  type KeptRequest,
  storeAnswer,
  storeAnswerInFlight,
  touchKey,
} from './idempotency.sql.ts';
import type { LateKeys } from './late-keys.ts';

export const idempotencyLimits = {
  keyLength: 255,
  /** Longer than any request. A row that is in flight longer belongs to a dead process, and a repeated request can take it over. */
  leaseMs: 30_000,
  /** Large zones are processed in worker threads for up to two minutes (`workerLimits`). */
  zoneLeaseMs: 150_000,
  /** Maximum size of a stored answer as JSON. A larger one is sent but not stored, because every key would occupy that much for days. */
  answerBytes: 65_536,
};

export type Begun =
  | { readonly kind: 'run'; readonly request: OpenRequest }
  | { readonly kind: 'replay'; readonly answer: Answer }
  | { readonly kind: 'follow'; readonly operationId: string };

export interface OpenRequest extends IdempotentRequest {
  /** Stores an answer that no business transaction stored (a definite refusal, or a read-only call). */
  finish(status: number, body: string): Promise<void>;
  /** Nothing happened and nothing is stored: the key can be used again. If the database is unavailable, it is released later. */
  release(): Promise<void>;
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** A form has only text, and lists in it are comma-separated. */
function asInForm(value: unknown): unknown {
  if (Array.isArray(value) && value.every(isPlain)) return value.map(String).join(',');
  return isPlain(value) ? String(value) : value;
}

/**
 * The same request in another encoding or field order is the same request. Keyed, because a request can hold a password that could be
 * guessed from a plain hash.
 */
function hashRequest(ctx: AppContext, { method, style }: Route, path: string, fields: Fields): string {
  const plain = style === 'contract' ? asInForm : (value: unknown) => value;
  const digested = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? createHash('sha256').update(value).digest('hex') : plain(value),
  ]);
  const canonical = JSON.stringify(Object.fromEntries(digested), (_key, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return ctx.vault.fingerprint(`${method} ${path}\n${canonical}`);
}

export async function beginIdempotent(
  ctx: AppContext,
  { resellerId, customerId }: Pick<Actor, 'resellerId' | 'customerId'>,
  sent: string,
  definition: Route,
  path: string,
  fields: Fields,
  late: LateKeys,
): Promise<Begun> {
  if (sent.length < 1 || sent.length > idempotencyLimits.keyLength || !/^[\x21-\x7e]+$/.test(sent)) {
    throw badParameter('Idempotency-Key', `Must be 1 to ${idempotencyLimits.keyLength} visible ASCII characters.`);
  }
  // Keys of customers have their own name space, separate from the reseller and other customers. A sent key has no space.
  const key = customerId === undefined ? sent : `${actingCustomerId(customerId)} ${sent}`;
  const hash = hashRequest(ctx, definition, path, fields);
  const leaseMs = definition.area === 'dns' ? idempotencyLimits.zoneLeaseMs : idempotencyLimits.leaseMs;
  // A token of our own, so that a key can be released even if the claim was never confirmed.
  const held: HeldKey = { resellerId, key, token: randomUUID() };
  const context = `idempotency:${resellerId}:${key}`;
  const row = await claimed(ctx, { ...held, hash, leaseMs, now: ctx.wall.now() }).catch((error: unknown) => {
    late.keep(held, leaseMs);
    throw error;
  });
  if (!row) {
    const later = () => late.keep(held, leaseMs);
    return { kind: 'run', request: openRequest(ctx, held, definition, context, later) };
  }
  if (row.request_hash !== hash) throw mismatch();
  if (row.state === 'operation') return { kind: 'follow', operationId: row.operation_id! };
  if (row.state === 'in_flight') throw new WireRefusal('idempotency_in_flight', undefined, { retryAfterSeconds: 1 });
  if (row.body === null)
    throw new WireRefusal('answer_not_kept', undefined, { headers: { 'Idempotency-Replayed': 'true' } });
  const body = row.sealed ? ctx.vault.open(row.body, context) : row.body;
  return { kind: 'replay', answer: new Answer(JSON.parse(body), { status: row.status! }) };
}

function mismatch(): WireRefusal {
  const { sentence } = catalogue.idempotency_mismatch;
  const problem = { field: 'Idempotency-Key', code: 'idempotency_mismatch', message: sentence };
  return new WireRefusal('idempotency_mismatch', undefined, { errors: [problem] });
}

/** Most keys are new: one statement, without waiting for the disk, because the request has not begun. */
async function claimed(ctx: AppContext, wanted: Claim): Promise<KeptRequest | undefined> {
  const { resellerId } = wanted;
  if (await claimNew(ctx.db.autocommit(resellerId), wanted)) return undefined;
  return ctx.db.transaction(resellerId, (tx) => claim(tx, wanted));
}

/** Inside the business transaction: if another process has taken the key over, the whole transaction is rolled back. */
function requireHeld(changed: number): void {
  if (changed !== 1) throw new WireRefusal('idempotency_in_flight', undefined, { retryAfterSeconds: 1 });
}

/** Also used by another thread, which gets `held` from the one that began the request. */
export function openRequest(
  ctx: AppContext,
  held: HeldKey,
  definition: Pick<Route, 'render' | 'secret' | 'accepted'>,
  context: string,
  later = () => {},
): OpenRequest {
  const kept = (body: string) => {
    if (Buffer.byteLength(body) > idempotencyLimits.answerBytes) return null;
    return definition.secret ? ctx.vault.encrypt(body, context) : body;
  };
  const answered = (status: number, body: string) => ({ status, body: kept(body), sealed: definition.secret ?? false });
  let isFollowed = false;
  /** From the commit of the request on, the key says that it was carried out. */
  let isDeferred = definition.render !== undefined || definition.accepted !== undefined;
  return {
    held,
    async complete(tx, result) {
      // Without an answer to store, the row is still locked and checked.
      isDeferred &&= definition.render !== undefined;
      const stored = definition.render
        ? await storeAnswer(tx, held, answered(200, JSON.stringify(definition.render(result as never))))
        : await touchKey(tx, held);
      requireHeld(stored);
    },
    async follow(tx, operationId) {
      this.followed(await followOperation(tx, held, operationId));
    },
    followed(changed) {
      isFollowed = true;
      requireHeld(changed);
    },
    async finish(status, body) {
      // Its answer comes from the operation at the time of the repeated request.
      if (isFollowed && status < 400) return;
      await storeAnswerInFlight(ctx.db.autocommit(held.resellerId), held, answered(status, body));
    },
    async release() {
      await deleteInFlight(ctx.db.autocommit(held.resellerId), held).catch((error: unknown) => {
        if (isDeferred) later();
        throw error;
      });
    },
  };
}
