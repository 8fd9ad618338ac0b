import { createHash, randomUUID } from 'node:crypto';
import type { Actor, AppContext, HeldKey, IdempotentRequest } from '../../core/app-context.ts';
import { actingCustomerId } from '../../core/customers/access.ts';
import { followOperation } from '../../core/operations/operation.sql.ts';
import { badParameter, WireRefusal } from '../errors.ts';
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
  /** Longer than a request runs: a row still in flight after it belongs to a process that died, and whoever repeats it need not wait long. */
  leaseMs: 30_000,
  /** Large zones are worked on beside the main thread, for up to two minutes (`workerLimits`). */
  zoneLeaseMs: 150_000,
  /** Of an answer as JSON. A larger one is sent and not kept: every key would buy so much room for days. */
  answerBytes: 65_536,
};

export type Begun =
  | { readonly kind: 'run'; readonly request: OpenRequest }
  | { readonly kind: 'replay'; readonly answer: Answer }
  | { readonly kind: 'follow'; readonly operationId: string };

export interface OpenRequest extends IdempotentRequest {
  /** Stores an answer that no business transaction stored (a definite refusal, or a read-only call). */
  finish(status: number, body: string): Promise<void>;
  /** Nothing happened and nothing is stored: the key may be used again. Where the database is away it is let go when that is back. */
  forget(): Promise<void>;
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** A form has texts alone, and a list in it has commas. */
function asInForm(value: unknown): unknown {
  if (Array.isArray(value) && value.every(isPlain)) return value.map(String).join(',');
  return isPlain(value) ? String(value) : value;
}

/**
 * The same request in any encoding is the same request; the order of its fields does not matter.
 * Keyed: a request can hold a password, which a plain hash would let one guess.
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
  // What a customer asked for is kept under its own name: no answer of its reseller's, nor of another customer's. None that is sent has a space.
  const key = customerId === undefined ? sent : `${actingCustomerId(customerId)} ${sent}`;
  const hash = hashRequest(ctx, definition, path, fields);
  const leaseMs = definition.area === 'dns' ? idempotencyLimits.zoneLeaseMs : idempotencyLimits.leaseMs;
  // Of our own making: whoever does not hear that it was claimed can let it go all the same.
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
  if (row.request_hash !== hash) throw new WireRefusal('idempotency_mismatch');
  if (row.state === 'operation') return { kind: 'follow', operationId: row.operation_id! };
  if (row.state === 'in_flight') throw new WireRefusal('idempotency_in_flight', undefined, { retryAfterSeconds: 1 });
  if (row.body === null)
    throw new WireRefusal('answer_not_kept', undefined, { headers: { 'Idempotency-Replayed': 'true' } });
  const body = row.sealed ? ctx.vault.open(row.body, context) : row.body;
  return { kind: 'replay', answer: new Answer(JSON.parse(body), { status: row.status! }) };
}

/** Most keys are new: one statement then, and no wait for the disk, because what the key stands for has not begun. */
async function claimed(ctx: AppContext, wanted: Claim): Promise<KeptRequest | undefined> {
  const { resellerId } = wanted;
  if (await claimNew(ctx.db.autocommit(resellerId), wanted)) return undefined;
  return ctx.db.transaction(resellerId, (tx) => claim(tx, wanted));
}

/** Inside the business transaction: where another process has taken the key over, all of the transaction is undone. */
function requireHeld(changed: number): void {
  if (changed !== 1) throw new WireRefusal('idempotency_in_flight', undefined, { retryAfterSeconds: 1 });
}

/** Also for another thread, which gets `held` from the one that began the request. */
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
  /** Where it was carried out, the key says so from the same commit on. */
  let isDeferred = definition.render !== undefined || definition.accepted !== undefined;
  return {
    held,
    async complete(tx, result) {
      // Without an answer to store the row is locked and looked at all the same.
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
      // Its answer comes from the operation, whenever it is asked for.
      if (isFollowed && status < 400) return;
      await storeAnswerInFlight(ctx.db.autocommit(held.resellerId), held, answered(status, body));
    },
    async forget() {
      await deleteInFlight(ctx.db.autocommit(held.resellerId), held).catch((error: unknown) => {
        if (isDeferred) later();
        throw error;
      });
    },
  };
}
