import { allTenants, formatMoney, type Money, type Tx } from '@namehold/base';
import { type Actor, type AppContext, actingId } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { postRegistryCost } from '../ledger/ledger.sql.ts';
import type { Choice, Decision, Operation } from '../model/operation.ts';
import { clearOwnAlarms } from './attention.ts';
import { changeState, recordDecision } from './operation.sql.ts';

/** A charge of the registry that stays although the order is refused. */
export interface KeptCost {
  readonly chargedAt: Date;
  readonly cost: Money;
}

/**
 * The operator's decision about an operation that cannot settle without it. `done` runs it once more: the registry must show the result,
 * but it need not be explained; if the registry does not answer, the decision counts. `refused` undoes the order. `ask_again` lets the
 * background job retry. The caller has verified that the actor is the operator.
 */
export async function decideOperation(
  ctx: AppContext,
  actor: Actor,
  id: string,
  decided: { readonly says: Choice; readonly reason: string; readonly onlyAsks?: true },
  kept?: KeptCost,
): Promise<void> {
  const now = ctx.wall.now();
  const decision: Decision = { ...decided, by: actingId(actor) ?? actor.address, at: now.toISOString() };
  await ctx.db.transaction(allTenants, async (tx) => {
    const operation = await recordDecision(tx, id, decision);
    if (!operation) throw notFound('operation');
    if (decided.says === 'refused') await refuse(ctx, tx, operation, decided.reason);
    if (decided.says === 'refused' && kept) await bookCost(ctx, tx, operation, kept);
    await audit(ctx, tx, actor, {
      action: 'operation.decide',
      objectType: 'operation',
      objectId: id,
      before: { state: operation.state },
      after: { decision, ...(kept ? { registry_cost: formatMoney(kept.cost), currency: kept.cost.currency } : {}) },
    });
  });
  if (decided.says !== 'refused') await ctx.engine.start(id);
}

async function refuse(ctx: AppContext, tx: Tx, operation: Operation, reason: string): Promise<void> {
  const now = ctx.wall.now();
  const refused = await changeState(tx, operation.id, operation.fence, {
    state: 'refused',
    now,
    retryMs: 0,
    evidence: { text: reason },
    steps: [{ name: 'settle', at: now.toISOString(), result: 'refused by the operator' }],
  });
  if (!refused) throw new Error(`operation ${operation.id} could not be refused`);
  await ctx.engine.undo(tx, operation);
  await clearOwnAlarms(tx, refused, now);
}

async function bookCost(ctx: AppContext, tx: Tx, operation: Operation, { chargedAt, cost }: KeptCost): Promise<void> {
  if (operation.domain_id === null) return;
  const description = `Charged by the registry for operation ${operation.id}, which was refused`;
  const charge = { domainId: operation.domain_id, chargedAt, action: operation.kind, cost, description };
  await postRegistryCost(tx, ctx.clock.now(), charge);
}
