import type { Tx } from '@namehold/base';
import { readSecurity } from '../accounts/security.sql.ts';
import { Refusal } from '../errors.ts';
import { type Actor, actingId, type House } from '../house.ts';
import { countWaiting } from './approval.sql.ts';
import { type Approval, approvalLimits } from './approval.ts';

const hourMs = 3_600_000;

export type Asked = Pick<Approval, 'wanted' | 'scopes'> & {
  readonly change: Exclude<Approval['change'], 'holder'>;
  readonly domainId: string | null;
};

/** What would lead around every protected kind needs approval as soon as one of them does: the choice of kinds itself, and a move to a customer who then requests the change. */
const leadsAround = (change: Asked['change']) => change === 'security' || change === 'move';

/** The approval that this change has to wait for; undefined where the account wants none, or where the house itself asks. */
export async function neededApproval(house: House, tx: Tx, actor: Actor, asked: Asked): Promise<Approval | undefined> {
  const askedBy = actingId(actor);
  if (askedBy === null) return undefined;
  const { second_yes: kinds } = await readSecurity(tx, actor.resellerId);
  const { change } = asked;
  if (leadsAround(change) ? kinds.length === 0 : !kinds.some((kind) => kind === change)) return undefined;
  if ((await countWaiting(tx, actor.resellerId, asked.domainId, askedBy)) >= approvalLimits.waiting) {
    throw new Refusal(
      'conflict',
      `${approvalLimits.waiting} changes are already waiting for approval. Approve or reject some of them first.`,
    );
  }
  const { wanted, scopes } = asked;
  const until = new Date(house.clock.now().getTime() + house.config.approvalHours * hourMs);
  return { change, wanted, scopes, asked_by: askedBy, until: until.toISOString() };
}
