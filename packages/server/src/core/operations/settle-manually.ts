import { formatMoney, type Money, money } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { notFound, Refusal } from '../errors.ts';
import { levelsOnHold } from '../ledger/ledger.sql.ts';
import { feeMoney } from '../model/fee-money.ts';
import { type Choice, isFinal, type Operation } from '../model/operation.ts';
import { decideOperation, type KeptCost, refuseInFlight } from './decide.ts';
import { type AnyOperation, findAnyOperation } from './list-all.sql.ts';
import { refuteDone } from './refute-done.ts';
import { findStatementCharge } from './registry-statement.ts';

interface ManualSettlement {
  readonly decision: Choice;
  readonly reason: string;
  readonly isDryRun: boolean;
}

interface ManuallySettled {
  readonly result: string;
  readonly operation: AnyOperation;
}

const meaning: Readonly<Record<Choice, string>> = {
  done: 'settle it as done: the registry is queried once more and must show it, refuse to report it, or have no evidence left; money on hold is captured, with the operator as proof',
  refused:
    'settle it as refused: the registry is queried first, and its answer counts; otherwise money on hold is released, and the effects of the order here are undone',
  ask_again: 'query the registry again now, and settle it by the answer',
};

/** The only way for a user to end an operation that does not end without a decision. */
export async function settleManually(
  ctx: AppContext,
  actor: Actor,
  id: string,
  order: ManualSettlement,
): Promise<ManuallySettled> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  const db = ctx.db.as(allTenants);
  const before = await findAnyOperation(db, id);
  if (!before) throw notFound('operation');
  if (isFinal(before.state))
    throw new Refusal('conflict', `Operation ${id} is already ${before.state}.`, { facts: { operationId: id } });
  if (before.approval_until)
    throw new Refusal('conflict', `Operation ${id} is waiting for approval, which only its reseller can give.`, {
      facts: { operationId: id },
    });
  const about = `(${before.kind} ${before.domain_name ?? ''}, ${before.state})`;
  const result = `${meaning[order.decision]} ${about}${await moneyMoved(ctx, before, order.decision)}`;
  if (order.isDryRun) return { result, operation: await preview(ctx, before, order.decision) };
  // Money must not be released for a result that the registry shows, so it is queried before a refusal takes effect.
  if (order.decision === 'refused') {
    const query = { says: 'ask_again', reason: order.reason, onlyAsks: true } as const;
    const queried = await decideOperation(ctx, actor, id, query);
    if (isFinal(queried.operation.state))
      throw contrary(
        queried.operation,
        `the registry was queried first, and by its answer it is ${queried.operation.state}`,
      );
    if (!queried.isAttempted) throw contrary(queried.operation, `${notQueried}. Repeat the call`);
  }
  const cost = order.decision === 'refused' ? await costKept(ctx, before) : undefined;
  const after = await decideOperation(ctx, actor, id, { says: order.decision, reason: order.reason }, cost);
  if (order.decision === 'done' && !isFinal(after.operation.state)) {
    const why = after.isAttempted ? await refuteDone(ctx, after.operation) : notQueried;
    throw notShown(after.operation, why ?? after.operation.attention?.why ?? `it is ${after.operation.state}`);
  }
  return { result, operation: after.operation };
}

const notQueried = 'the registry could not be queried in time, because its connections are in use';

/** Refuses what the call without a dry run would refuse, as far as queries without effect show it. */
async function preview(ctx: AppContext, operation: AnyOperation, decision: Choice): Promise<AnyOperation> {
  if (decision === 'ask_again') return operation;
  await ctx.db.transaction(allTenants, (tx) => refuseInFlight(tx, operation.id));
  const why = decision === 'done' ? await refuteDone(ctx, operation) : undefined;
  if (why !== undefined) throw notShown(operation, why);
  return operation;
}

const notShown = (operation: Operation, why: string): Refusal =>
  contrary(
    operation,
    `the registry does not show it: ${why}. The decision was not kept, and the service goes on querying. Settle it later, or as refused`,
  );

function contrary(operation: Operation, why: string): Refusal {
  return new Refusal('conflict', `Operation ${operation.id} was not settled: ${why}.`, {
    facts: { operation_id: operation.id, operation_state: operation.state },
  });
}

/** The registry's charge by its statement, without refund. A refused order leaves it as a cost of the operator. */
async function costKept(ctx: AppContext, operation: AnyOperation): Promise<KeptCost | undefined> {
  if (operation.registry_id === null || (operation.kind !== 'renew' && operation.kind !== 'restore')) return undefined;
  const registry = await ctx.registries.of(operation.registry_id);
  const charge = await findStatementCharge(ctx, registry, operation);
  return charge.kind === 'charged' ? { chargedAt: charge.at, cost: feeMoney(charge.fee) } : undefined;
}

const shown = (amount: Money): string => `${formatMoney(amount)} ${amount.currency}`;

/** `; takes 12.32 USD of reseller 1000`, for each level; empty if the order costs nothing or only the registry knows. */
async function moneyMoved(ctx: AppContext, operation: AnyOperation, decision: Choice): Promise<string> {
  if (decision === 'ask_again' || operation.transaction_id === null) return '';
  const levels = await levelsOnHold(ctx.db.as(allTenants), operation.transaction_id);
  const each = levels.map(({ reseller_id, customer_id, amount, currency }) => {
    const whose = customer_id === null ? `reseller ${reseller_id}` : `customer ${customer_id}`;
    return `${shown(money(BigInt(amount), currency))} ${decision === 'done' ? 'of' : 'to'} ${whose}`;
  });
  if (each.length === 0) return '';
  const cost = decision === 'refused' ? await costKept(ctx, operation) : undefined;
  const kept = cost ? `; the registry keeps ${shown(cost.cost)}, which is booked as a cost of the operator` : '';
  return `; ${decision === 'done' ? 'takes' : 'gives back'} ${each.join(', ')}${kept}`;
}
