import { allTenants, violatedConstraint } from '@namehold/postgres';
import { schedulerFor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { lockOperation, recordAnswer } from '../approvals/approval.sql.ts';
import { recordApprovalAnswer } from '../approvals/approval-events.ts';
import { Refusal } from '../errors.ts';
import { refuseSecond } from '../operations/order.ts';
import { confirmedChanges } from './registrant-change.sql.ts';

interface WaitingRow {
  readonly id: string;
  readonly reseller_id: string;
}

/**
 * Both sides have confirmed: the change becomes an operation of the domain and runs like any other. An obstacle (another operation, a
 * lock, other contacts by now) leaves it waiting, and a background job tries again until it expires.
 */
export async function carryOut(ctx: AppContext, { id, reseller_id: resellerId }: WaitingRow): Promise<void> {
  if (!(await begin(ctx, id, resellerId))) return;
  ctx.failpoint('holder-change:after-begin');
  // Not awaited: the page answers the registrant without waiting for the registry.
  void ctx.engine.start(id);
}

async function begin(ctx: AppContext, id: string, resellerId: string): Promise<boolean> {
  try {
    return await ctx.db.transaction(allTenants, async (tx) => {
      const operation = await lockOperation(tx, resellerId, id);
      const now = ctx.clock.now();
      if (!operation?.approval_until || operation.approval_until <= now) return false;
      if (Object.values(operation.approval?.sides ?? { prior: null }).includes(null)) return false;
      if (operation.domain_id) await refuseSecond(tx, operation.domain_id);
      await ctx.engine.recheck(tx, operation);
      const response = { answer: 'given', by: null, at: now, wall: ctx.wall.now() } as const;
      await recordApprovalAnswer(
        ctx,
        tx,
        schedulerFor(operation, 'holders'),
        (await recordAnswer(tx, operation, response))!,
      );
      return true;
    });
  } catch (error) {
    if (error instanceof Refusal || violatedConstraint(error) === 'operation_one_per_domain') return false;
    throw error;
  }
}

const changesAtOnce = 100;
const roundsPerRun = 20;

/** Starts confirmed changes that have not begun. */
export async function carryOutConfirmed(ctx: AppContext): Promise<void> {
  let after = '';
  for (let round = 0; round < roundsPerRun; round++) {
    const page = { after, limit: changesAtOnce };
    const due = await confirmedChanges(ctx.db.as(allTenants), ctx.clock.now(), page);
    for (const waiting of due) await carryOut(ctx, waiting);
    if (due.length < changesAtOnce) return;
    after = due.at(-1)!.id;
  }
}
