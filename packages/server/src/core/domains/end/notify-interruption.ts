import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { appendEvent } from '../../events/append.ts';
import type { Domain } from '../../model/domain.ts';
import type { OperationOf } from '../../model/operation.ts';
import { notifyRegistrant } from '../../notices/notify-recipients.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { domainEvent } from '../registry/outcome.ts';
import { factsOfEnd } from './facts-of-end.ts';

/** In the transaction that settles the change: the domain stopped resolving because it is unpaid, or resolves again. */
export async function notifyInterruption(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  operation: OperationOf<'update'>,
  isUnpaid: boolean,
): Promise<void> {
  if (!isUnpaid) return appendEvent(ctx, tx, domainEvent(operation, 'domain.interruption_ended', {}));
  const facts = await factsOfEnd(ctx, tx, domain, await rulesOf(tx, domain));
  await notifyRegistrant(ctx, tx, domain, { kind: 'domain_interrupted', facts });
  const payload = { expired_at: domain.end_date!, renew_by: facts.renew_by };
  await appendEvent(ctx, tx, domainEvent(operation, 'domain.interrupted', payload));
}
