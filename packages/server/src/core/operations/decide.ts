import { setTimeout as sleep } from 'node:timers/promises';
import { formatMoney, type Money } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import { type Actor, type AppContext, actingId } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound, Refusal } from '../errors.ts';
import { postRegistryCost } from '../ledger/ledger.sql.ts';
import { type Choice, type Decision, isFinal, type Operation, operationLimits } from '../model/operation.ts';
import { clearOwnAlarms } from './attention.ts';
import { type AnyOperation, findAnyOperation } from './list-all.sql.ts';
import { changeState, deleteDecision, findCommandInFlight, isAttempted, recordDecision } from './operation.sql.ts';

/** A charge of the registry that stays although the order is refused. */
export interface KeptCost {
  readonly chargedAt: Date;
  readonly cost: Money;
}

interface Decided {
  readonly says: Choice;
  readonly reason: string;
  readonly onlyAsks?: true;
}

/** How often an attempt of another process is looked for. */
const attemptCheckMs = 250;

/**
 * The operator's decision about an operation that cannot settle without it. `done` runs it once more. The
 * registry must show the result, or refuse to report on the domain; then the decision settles the operation. A `done` that settles nothing
 * is not kept.
 * `refused` undoes the order. `ask_again` queries the registry. The caller has verified that the actor is the operator. Returns the
 * operation after it, and whether an attempt has followed the decision.
 */
export async function decideOperation(
  ctx: AppContext,
  actor: Actor,
  id: string,
  decided: Decided,
  kept?: KeptCost,
): Promise<{ readonly operation: AnyOperation; readonly isAttempted: boolean }> {
  const now = ctx.wall.now();
  const decision: Decision = { ...decided, by: actingId(actor) ?? actor.address, at: now.toISOString() };
  const decidedOn = await ctx.db.transaction(allTenants, async (tx) => {
    if (decided.says !== 'ask_again' || decided.onlyAsks) await refuseInFlight(tx, id);
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
    return operation;
  });
  const wasAttempted = decided.says === 'refused' || (await attempt(ctx, decidedOn));
  const operation = (await findAnyOperation(ctx.db.as(allTenants), id))!;
  // The caller is refused then, and a refused decision has no effect.
  const isRefused = decided.says === 'done' || (decided.onlyAsks && !wasAttempted);
  if (isRefused && !isFinal(operation.state)) await withdrawDecision(ctx, actor, operation, decision);
  return { operation: (await findAnyOperation(ctx.db.as(allTenants), id))!, isAttempted: wasAttempted };
}

/** A decision judges the outcome of a command, so it waits until the command has one. */
export async function refuseInFlight(tx: Tx, id: string): Promise<void> {
  const since = await findCommandInFlight(tx, id);
  if (!since) return;
  throw new Refusal(
    'conflict',
    `Operation ${id} was not settled: its command is under way since ${since.toISOString()}. Settle it after the registry has answered, or after the answer is overdue (timeouts.transformMs of the registry).`,
    { facts: { operation_id: id, command_at: since.toISOString() } },
  );
}

/** One attempt that follows the decision, here or in a process with a session; an attempt that had begun before does not count. */
async function attempt(ctx: AppContext, { id, attempts }: Operation): Promise<boolean> {
  const until = performance.now() + operationLimits.decidedAttemptMs;
  for (;;) {
    await ctx.engine.start(id);
    if (await isAttempted(ctx.db.as(allTenants), id, attempts)) return true;
    if (performance.now() >= until) return false;
    await sleep(attemptCheckMs);
  }
}

async function withdrawDecision(
  ctx: AppContext,
  actor: Actor,
  { id, state }: Operation,
  decision: Decision,
): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    if (!(await deleteDecision(tx, id, decision))) return;
    await audit(ctx, tx, actor, {
      action: 'operation.decide',
      objectType: 'operation',
      objectId: id,
      before: { state, decision },
      after: { state, decision: null },
    });
  });
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
