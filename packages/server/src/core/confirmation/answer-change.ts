import { allTenants } from '@namehold/postgres';
import { schedulerFor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { lockOperation, recordAnswer } from '../approvals/approval.sql.ts';
import { recordApprovalAnswer } from '../approvals/approval-events.ts';
import { recordConfirmed } from '../approvals/registrant-change-events.ts';
import { audit } from '../audit/audit.ts';
import type { Side } from '../model/registrant-change.ts';
import { findBrand } from '../notices/brand.sql.ts';
import { findOperation } from '../operations/operation.sql.ts';
import { carryOut } from '../registrant-change/carry-out.ts';
import { lockHours } from '../registrant-change/lock-hours.ts';
import { partiesOf } from '../registrant-change/parties.ts';
import { recordConfirmation, useSideLinks } from '../registrant-change/registrant-change.sql.ts';
import { registrantName } from '../registrant-change/request-confirmations.ts';
import { releaseNames, verifyAddress } from '../verification/verify-address.ts';

/** A change of registrant as shown to one side. */
export interface ConfirmableChange {
  readonly kind: 'holder_change';
  readonly side: Side;
  readonly names: readonly string[];
  /** Number of domains beyond those shown. */
  readonly more: number;
  readonly former: string;
  readonly present: string;
  /**
   * The prior registrant chooses whether a lock follows: its length, and the choice in the order. Null: none follows, or it is not this
   * side's choice.
   */
  readonly lock: { readonly days: number; readonly isWaived: boolean } | null;
  readonly brand: string;
  readonly language: 'en' | 'id';
}

export interface SideAnswer {
  /** Undefined: no choice was made. */
  readonly isConfirmed: boolean | undefined;
  readonly isLockWaived: boolean;
}

interface SideLinkRow {
  readonly reseller_id: string;
  readonly operation_id: string;
  readonly side: Side;
  readonly language: 'en' | 'id';
}

export async function readChange(ctx: AppContext, link: SideLinkRow): Promise<ConfirmableChange | undefined> {
  const db = ctx.db.as(allTenants);
  const operation = await findOperation(db, link.reseller_id, link.operation_id);
  const now = ctx.clock.now();
  if (!operation?.approval_until || operation.approval_until <= now) return undefined;
  const parties = await partiesOf(ctx, db, operation);
  if (!parties) return undefined;
  const hours = await lockHours(db, now);
  const isWaived = operation.approval?.lock_opt_out ?? false;
  return {
    kind: 'holder_change',
    side: link.side,
    names: parties.names,
    more: parties.count - parties.names.length,
    former: `${registrantName(parties.former)} (${parties.former.email})`,
    present: `${registrantName(parties.present)} (${parties.present.email})`,
    lock: link.side === 'prior' && hours > 0 ? { days: Math.ceil(hours / 24), isWaived } : null,
    brand: (await findBrand(db, link.reseller_id)).name,
    language: link.language,
  };
}

/** The answer of one side, accepted once. When all have confirmed, the change is carried out. False: it can no longer be answered. */
export async function answerChange(
  ctx: AppContext,
  fingerprint: string,
  response: SideAnswer,
  from: string,
): Promise<boolean> {
  if (response.isConfirmed === undefined) return false;
  const now = ctx.clock.now();
  const answered = await ctx.db.transaction(allTenants, async (tx) => {
    const link = await useSideLinks(tx, fingerprint, { now, address: from });
    if (!link) return undefined;
    const operation = await lockOperation(tx, link.reseller_id, link.operation_id);
    if (!operation?.approval_until || operation.approval_until <= now) return undefined;
    const actor = { ...schedulerFor(link, 'holder'), address: from };
    if (!response.isConfirmed) {
      const no = { answer: 'declined', by: null, at: now, wall: ctx.wall.now() } as const;
      await recordApprovalAnswer(ctx, tx, actor, (await recordAnswer(tx, operation, no))!);
      return { link, freed: [] };
    }
    const isLockWaived = link.side === 'prior' ? response.isLockWaived : undefined;
    const wall = ctx.wall.now();
    const confirmed = await recordConfirmation(tx, operation, { side: link.side, isLockWaived, at: now, wall });
    if (!confirmed) return undefined;
    const facts = { side: link.side, lock_opt_out: confirmed.approval?.lock_opt_out ?? false };
    await audit(ctx, tx, actor, {
      action: 'holder_change.confirm',
      objectType: 'operation',
      objectId: operation.id,
      after: facts,
    });
    await recordConfirmed(ctx, tx, actor, confirmed, facts);
    return { link, freed: await verifyAddress(ctx, tx, actor, link) };
  });
  if (!answered) return false;
  ctx.failpoint('holder-change:after-answer');
  releaseNames(ctx, answered.freed);
  if (response.isConfirmed)
    await carryOut(ctx, { id: answered.link.operation_id, reseller_id: answered.link.reseller_id });
  return true;
}
