import { allTenants, type Tx } from '@namehold/postgres';
import { appendEvent } from '../../events/append.ts';
import { wantedStatuses } from '../../model/domain.ts';
import type { Run } from '../../operations/run.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { readDomain } from '../../tables/domain.sql.ts';
import { sendDifference } from '../change/send-difference.ts';
import { viewAfter } from '../change/wanted.ts';
import { domainEvent } from '../registry/outcome.ts';
import { endUnpaidHold } from './expiry.sql.ts';

/**
 * A renewed domain resolves again at once. This is a step of its renewal, so that the buyer's next call meets no other open operation.
 * Only this cause of the hold ends; the registry keeps its hold for any other. The renewal succeeds even if this step fails, and a
 * background job retries.
 */
export async function liftUnpaidHold(
  run: Run<'renew' | 'restore'>,
  view: RegistryDomain,
): Promise<RegistryDomain | undefined> {
  const domain = await readDomain(run.ctx.db.as(allTenants), run.operation.domain_id);
  // A lock is never removed implicitly, and the registry accepts no change while it is set.
  if (!domain.unpaid || domain.locked) return undefined;
  const flags = { unpaid: false };
  const statuses = wantedStatuses({ ...domain, ...flags });
  const sent = await sendDifference(run, 'lift-hold', view, { flags, statuses });
  if (sent.reply.kind !== 'done' || sent.reply.pending) return undefined;
  return { ...view, statuses: viewAfter(sent.view, sent.change).statuses };
}

/** In the transaction that settles the renewal. */
export async function settleLifted(run: Run<'renew' | 'restore'>, tx: Tx): Promise<void> {
  await endUnpaidHold(tx, run.operation.domain_id);
  await appendEvent(run.ctx, tx, domainEvent(run.operation, 'domain.interruption_ended', {}));
}
