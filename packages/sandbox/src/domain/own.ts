import type { Tx } from '@namehold/postgres';
import { type ReadName, readDomainName } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import type { Call } from '../registry/registry.ts';
import { lockDomain } from './domain.sql.ts';
import type { DomainRecord } from './record.ts';
import { isDeleted } from './view.ts';

export interface OwnDomain extends ReadName {
  readonly domain: DomainRecord;
}

/** Locks the domain. 2303 if it does not exist. */
export async function lockExistingDomain(tx: Tx, call: Call, text: string): Promise<OwnDomain> {
  const read = readDomainName(call.registry.tlds, text);
  const domain = await lockDomain(tx, read.name);
  if (domain === undefined) refuse(2303, `${read.name} does not exist`);
  return { ...read, domain };
}

/** Locks the domain. 2303 if it does not exist, 2201 if another registrar sponsors it; an upstream knows only its own. */
export async function lockOwnDomain(tx: Tx, call: Call, text: string): Promise<OwnDomain> {
  const own = await lockExistingDomain(tx, call, text);
  const isOurs = own.domain.sponsor === call.clientId;
  if (!isOurs && call.registry.endpoint.keysys) refuse(2303, `${own.name} does not exist`);
  if (!isOurs) refuse(2201, `${own.name} is another registrar's`);
  return own;
}

/** RFC 5731 2.3: a pending action must end before another begins. */
export function refuseIfPending(domain: DomainRecord): void {
  if (domain.phase === 'pendingCreate') refuse(2304, 'pendingCreate');
  if (isDeleted(domain.phase)) refuse(2304, 'pendingDelete');
  if (domain.transferPending) refuse(2304, 'pendingTransfer');
}
