import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, writeAsService } from '../../app-context.ts';
import { hasRequesterEnded, recordAnswer } from '../../approvals/approval.sql.ts';
import { audit } from '../../audit/audit.ts';
import { shareCustomer } from '../../customers/customer.sql.ts';
import { notFound, Refusal } from '../../errors.ts';
import type { OperationOf } from '../../model/operation.ts';
import { findOpenOperation } from '../../operations/operation.sql.ts';
import { throwInProgress } from '../../operations/order.ts';
import { lockDomain } from '../../tables/domain.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { defaultFor } from './contacts.ts';
import { lockOffer } from './move.sql.ts';
import type { Move } from './move.ts';
import { readMove } from './read.ts';
import { requireMovable } from './require-movable.ts';

/** Acceptance by the receiving reseller with its own key. The move then runs like any other operation; the answer contains its state. */
export async function acceptMove(ctx: AppContext, actor: Actor, id: string, waitMs: number): Promise<Move> {
  const giverId = await acceptOffer(ctx, actor, id);
  await ctx.engine.startAndWait(giverId, id, waitMs);
  return readMove(ctx, actor, id);
}

async function acceptOffer(ctx: AppContext, actor: Actor, id: string): Promise<string> {
  try {
    ctx.failpoint('move-accept:before-order');
    return await writeAsService(ctx, actor, async (tx) => {
      const offer = await lockWaitingOffer(ctx, tx, actor, id);
      if (await hasRequesterEnded(tx, offer))
        throw new Refusal(
          'conflict',
          'The key, user or session that offered this move was revoked or removed. Decline it; the current reseller can offer it again.',
          { facts: { operationId: id } },
        );
      await requireTakable(ctx, tx, offer);
      const response = { answer: 'given', by: null, at: ctx.clock.now(), wall: ctx.wall.now() } as const;
      await recordAnswer(tx, offer, response);
      await actor.idempotency?.follow(tx, id);
      await audit(ctx, tx, actor, {
        action: 'move.accept',
        objectType: 'operation',
        objectId: id,
        after: { domain_name: offer.request.name, new_customer_id: offer.request.new_customer_id },
      });
      return offer.reseller_id;
    });
  } catch (error) {
    throwInProgress(error);
  } finally {
    ctx.failpoint('move-accept:after-order');
  }
}

export async function lockWaitingOffer(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<OperationOf<'move'>> {
  const offer = await lockOffer(tx, actor.resellerId, id);
  if (!offer) throw notFound('move');
  if (!offer.approval_until) throw notWaiting(id);
  if (offer.approval_until <= ctx.clock.now())
    throw new Refusal('conflict', `Move ${id} was not answered in time.`, { facts: { operationId: id } });
  return offer;
}

export const notWaiting = (id: string): Refusal =>
  new Refusal('conflict', `Move ${id} is no longer waiting for an answer.`, { facts: { operationId: id } });

/** The details of an obstacle are visible only to the current reseller; the receiving one learns only that there is one. */
export async function requireTakable(
  ctx: AppContext,
  tx: Tx,
  { domain_id: domainId, ...offer }: OperationOf<'move'>,
): Promise<void> {
  const { request } = offer;
  const domain = (await lockDomain(tx, offer.reseller_id, domainId))!;
  try {
    await requireMovable(ctx, tx, domain);
    if (await findOpenOperation(tx, domainId)) throw new Refusal('operation_in_progress');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(
      'conflict',
      `${request.name} cannot be moved now because of a lock, an open operation or its expiry. Contact the current reseller, then accept again.`,
    );
  }
  if (!(await shareCustomer(tx, request.new_reseller_id, request.new_customer_id)))
    throw new Refusal('conflict', `Customer ${request.new_customer_id} no longer exists. Reject the move.`);
  if (request.contacts === 'default') await defaultFor(ctx, tx, request, await rulesOf(tx, domain));
}
