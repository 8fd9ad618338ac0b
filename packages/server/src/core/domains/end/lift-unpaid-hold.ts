import { allTenants, type Tx } from '@namehold/base';
import { appendEvent } from '../../events/append.ts';
import type { Run } from '../../operations/run.ts';
import { sendDifference } from '../change/send-difference.ts';
import { viewAfter } from '../change/wanted.ts';
import { readDomain } from '../domain.sql.ts';
import { wantedStatuses } from '../domain.ts';
import { domainEvent } from '../registry/outcome.ts';
import type { RegistryDomain } from '../registry/registry.ts';
import { endUnpaidHold } from './expiry.sql.ts';

/**
 * A name that is paid resolves again at once: a step of its renewal, so that the buyer's next call meets no other operation. Only this
 * cause ends; while another stands, the registry keeps its hold. Whatever becomes of it, the name is renewed: what is left the clockwork lifts.
 */
export async function liftUnpaidHold(
  run: Run<'renew' | 'restore'>,
  view: RegistryDomain,
): Promise<RegistryDomain | undefined> {
  const domain = await readDomain(run.ctx.db.as(allTenants), run.operation.domain_id);
  // Nothing lifts a lock, and the registry changes nothing while it stands.
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
