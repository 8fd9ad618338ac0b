import type { Tx } from '@namehold/postgres';
import { readSecurity } from '../accounts/security.sql.ts';
import { type Actor, type AppContext, actingId } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { type Approval, approvalLimits } from '../model/approval.ts';
import { countWaiting } from './approval.sql.ts';

const hourMs = 3_600_000;

type ApprovalRequest = Pick<Approval, 'wanted' | 'scopes'> & {
  readonly change: Exclude<Approval['change'], 'holder'>;
  readonly domainId: string | null;
};

/**
 * A change that could be used to avoid an approval needs one once one kind is protected: the choice of kinds itself, and a move to
 * a customer who then requests the change.
 */
const couldBypassApproval = (change: ApprovalRequest['change']) => change === 'security' || change === 'move';

/** The approval that this change has to wait for; undefined if the account requires none, or if the service itself makes the change. */
export async function neededApproval(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  request: ApprovalRequest,
): Promise<Approval | undefined> {
  const requestedBy = actingId(actor);
  if (requestedBy === null) return undefined;
  const { second_yes: kinds } = await readSecurity(tx, actor.resellerId);
  const { change } = request;
  if (couldBypassApproval(change) ? kinds.length === 0 : !kinds.some((kind) => kind === change)) return undefined;
  if ((await countWaiting(tx, actor.resellerId, request.domainId, requestedBy)) >= approvalLimits.waiting) {
    throw new Refusal(
      'conflict',
      `${approvalLimits.waiting} changes are already waiting for approval. Approve or reject some of them first.`,
    );
  }
  const { wanted, scopes } = request;
  const until = new Date(ctx.clock.now().getTime() + ctx.config.approvalHours * hourMs);
  return { change, wanted, scopes, asked_by: requestedBy, until: until.toISOString() };
}
