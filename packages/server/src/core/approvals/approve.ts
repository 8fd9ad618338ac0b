import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, actingId, writeAsService } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import type { Operation } from '../model/operation.ts';
import { refuseSecond, throwInProgress } from '../operations/order.ts';
import { hasRequesterEnded, isMover, isOtherPrincipal, recordAnswer } from './approval.sql.ts';
import { recordApprovalAnswer } from './approval-events.ts';
import { lockWaiting } from './waiting.ts';

/** A key or user that moved a domain to a customer may act for that customer, so it cannot approve changes of that domain. */
async function refuseMover(tx: Tx, actor: Actor, { id, domain_id: domainId }: Operation): Promise<void> {
  const answers = actingId(actor) ?? '';
  if (domainId === null || !(await isMover(tx, actor.resellerId, domainId, answers))) return;
  throw new Refusal(
    'conflict',
    'You moved this domain to its current customer, so another key or user must approve its changes.',
    { facts: { operationId: id } },
  );
}

/**
 * Records the approval: by another principal than the requester's, and only while the change is still possible. The operation then runs
 * like any other.
 */
export async function approveOperation(ctx: AppContext, actor: Actor, id: string): Promise<Operation> {
  try {
    return await writeAsService(ctx, actor, async (tx) => {
      const operation = await lockWaiting(ctx, tx, actor, id);
      const { asked_by: requestedBy, awaits } = operation.approval!;
      if (awaits === 'holders')
        throw new Refusal(
          'conflict',
          'A change of registrant is approved by the registrants, through the links in their emails.',
          {
            facts: { operationId: id },
          },
        );
      if (awaits === 'taker')
        throw new Refusal('conflict', 'A move is approved by the reseller that receives the domain.', {
          facts: { operationId: id },
        });
      if (await hasRequesterEnded(tx, operation))
        throw new Refusal(
          'conflict',
          'The key, user or session that requested this change was revoked or removed. Decline it and request the change again.',
          { facts: { operationId: id } },
        );
      const keys = { requestedBy, answers: actingId(actor) ?? '', requestedAt: operation.created_at };
      if (!(await isOtherPrincipal(tx, actor.resellerId, keys))) {
        throw new Refusal(
          'conflict',
          'The approval must come from another key or user that existed before the request. A key created or rotated by the requester does not count.',
          { facts: { operationId: id } },
        );
      }
      await refuseMover(tx, actor, operation);
      await actor.idempotency?.follow(tx, id);
      const passedOn = await ctx.engine.requestSecondApproval(tx, actor, operation);
      if (passedOn) return passedOn;
      if (operation.domain_id) await refuseSecond(tx, operation.domain_id);
      await ctx.engine.recheck(tx, operation);
      const response = { answer: 'given', by: actingId(actor), at: ctx.clock.now(), wall: ctx.wall.now() } as const;
      const approved = (await recordAnswer(tx, operation, response))!;
      await recordApprovalAnswer(ctx, tx, actor, approved);
      return approved;
    });
  } catch (error) {
    throwInProgress(error);
  }
}
