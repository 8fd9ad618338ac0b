import type { Tx } from '@namehold/base';
import { appendEvent } from '../../events/append.ts';
import type { House } from '../../house.ts';
import { tellHolder } from '../../notices/tell.ts';
import type { OperationOf } from '../../operations/operation.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import type { Domain } from '../domain.ts';
import { domainEvent } from '../registry/verdict.ts';
import { factsOfEnd } from './facts-of-end.ts';

/** In the transaction that settles the change: the name does not resolve any more for want of payment, or does again. */
export async function tellInterruption(
  house: House,
  tx: Tx,
  domain: Domain,
  operation: OperationOf<'update'>,
  isUnpaid: boolean,
): Promise<void> {
  if (!isUnpaid) return appendEvent(house, tx, domainEvent(operation, 'domain.interruption_ended', {}));
  const facts = await factsOfEnd(house, tx, domain, await rulesOf(tx, domain.tld));
  await tellHolder(house, tx, domain, { kind: 'domain_interrupted', facts });
  const told = { expired_at: domain.end_date!, renew_by: facts.renew_by };
  await appendEvent(house, tx, domainEvent(operation, 'domain.interrupted', told));
}
