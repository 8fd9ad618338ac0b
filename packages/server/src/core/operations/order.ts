import { type Reader, type Tx, violatedConstraint } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import type { Held } from '../ledger/hold.ts';
import type { Approval } from '../model/approval.ts';
import type { Operation } from '../model/operation.ts';
import type { DomainKind, Kind, Kinds } from '../model/operation-kinds.ts';
import { orderingUser } from './actor.ts';
import { findOpenOperation, insertOperation } from './operation.sql.ts';

interface Order<K extends Kind> {
  readonly kind: K;
  readonly registryId: string | null;
  readonly request: Kinds[K]['request'];
  /** Stored encrypted, for example an auth code. */
  readonly secrets?: object;
  /** The approval that it has to wait for. Until then it blocks no other operation. */
  readonly approval?: Approval | undefined;
  /** The caller starts it as soon as the transaction is committed. */
  readonly startsAtOnce?: boolean;
  readonly holdMoney?: (operationId: string) => Promise<Held | undefined>;
  /** Further statements of this transaction that need only the id: they are sent together with the operation's own. */
  readonly inSameTransaction?: (operationId: string) => Promise<unknown>;
}

export interface DomainOrder<K extends DomainKind> extends Order<K> {
  readonly domainId: string;
  /** Created in this transaction, so there can be no other operation on it. */
  readonly isNewDomain?: boolean;
}

interface ContactOrder<K extends 'contact_update' | 'holder_change'> extends Order<K> {
  readonly contactId: string;
}

/** The operation part of transaction A: after its commit the order cannot be lost. */
export async function placeOperation<K extends DomainKind>(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  order: DomainOrder<K> | ContactOrder<'contact_update'> | ContactOrder<'holder_change'> | Order<'account_security'>,
): Promise<string> {
  const id = ctx.ids.next('op');
  const now = ctx.wall.now();
  const domainId = 'domainId' in order ? order.domainId : null;
  if ('domainId' in order && !order.isNewDomain && !order.approval) await refuseSecond(tx, order.domainId);
  const held = await order.holdMoney?.(id);
  const startsHere = order.startsAtOnce === true && !order.approval;
  // If other processes use all sessions of its registry, the operation is theirs from the start.
  const isLeft =
    startsHere && order.registryId !== null && (await ctx.registries.isSessionLimitReached(order.registryId));
  const { idempotency } = actor;
  const inserted = insertOperation(tx, {
    id,
    resellerId: actor.resellerId,
    kind: order.kind,
    domainId,
    contactId: 'contactId' in order ? order.contactId : null,
    registryId: order.registryId,
    request: order.request,
    encryptedSecrets: order.secrets ? ctx.vault.encrypt(JSON.stringify(order.secrets), `operation:${id}`) : null,
    transactionId: held?.transactionId ?? null,
    billId: held?.billId ?? null,
    approval: order.approval,
    requestId: actor.requestId,
    keyId: actor.keyId,
    person: orderingUser(actor),
    // The process that places it runs it at once; a background job takes over only if that process died in between.
    dueInMs: isLeft ? 0 : ctx.config.leaseMs / 4,
    lease: startsHere && !isLeft ? ctx.engine.firstLease : undefined,
    held: idempotency?.held,
    now,
  });
  const [{ operation, followed }] = await Promise.all([inserted, order.inSameTransaction?.(id)]);
  idempotency?.followed(followed);
  if (startsHere) ctx.engine.keepPlaced(operation);
  return id;
}

export async function refuseSecond(db: Reader, domainId: string): Promise<void> {
  const open = await findOpenOperation(db, domainId);
  if (open) throw inProgress(open);
}

export function inProgress(open: Pick<Operation, 'id' | 'kind' | 'state'>): Refusal {
  return new Refusal(
    'operation_in_progress',
    `Operation ${open.id} (${open.kind}, ${open.state}) is still in progress on this domain.`,
    {
      facts: { operationId: open.id },
      retryAfterSeconds: 5,
    },
  );
}

/** Of two concurrent orders the unique index accepts one, and the other is refused. */
export function throwInProgress(error: unknown): never {
  if (violatedConstraint(error) === 'operation_one_per_domain') {
    throw new Refusal('operation_in_progress', undefined, { retryAfterSeconds: 5 });
  }
  throw error;
}
