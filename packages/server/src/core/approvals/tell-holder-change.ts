import type { Tx } from '@namehold/base';
import { appendEvent } from '../events/append.ts';
import type { Side } from '../holder-change/holder-change.ts';
import type { Actor, House } from '../house.ts';
import type { Operation } from '../operations/operation.ts';
import type { Approval } from './approval.ts';

type Who = Pick<Actor, 'keyId' | 'requestId'>;

type Told = Pick<Operation, 'id' | 'reseller_id' | 'domain_id' | 'contact_id'> & {
  readonly approval: Pick<Approval, 'until'>;
  readonly names: readonly string[];
};

const factsOf = (who: Who, { id, domain_id, contact_id, approval, names }: Told) => ({
  operation_id: id,
  domain_id,
  contact_id,
  domains: [...names],
  until: approval.until,
  key_id: who.keyId,
});

const toldOf = (operation: Operation): Told => {
  const { request } = operation;
  const names = 'domains' in request ? request.domains : 'name' in request ? [request.name] : [];
  return { ...operation, approval: operation.approval!, names };
};

/** Both sides were asked: an event of the account, in the transaction in which it happens. */
export async function tellAsked(house: House, tx: Tx, who: Who, told: Told): Promise<void> {
  await appendEvent(house, tx, {
    resellerId: told.reseller_id,
    type: 'holder_change.asked',
    objectId: told.id,
    requestId: who.requestId,
    payload: factsOf(who, told),
  });
}

export async function tellConfirmed(
  house: House,
  tx: Tx,
  who: Who,
  operation: Operation,
  said: { readonly side: Side; readonly lock_opt_out: boolean },
): Promise<void> {
  await appendEvent(house, tx, {
    resellerId: operation.reseller_id,
    type: 'holder_change.confirmed',
    objectId: operation.id,
    requestId: who.requestId,
    payload: { ...factsOf(who, toldOf(operation)), ...said },
  });
}

/** How it ended. That everybody has confirmed was told with the last confirmation. */
export async function tellHolderEnd(
  house: House,
  tx: Tx,
  who: Who,
  operation: Operation,
  type: 'holder_change.declined' | 'holder_change.lapsed' | 'holder_change.done',
): Promise<void> {
  const payload = factsOf(who, toldOf(operation));
  const { id: objectId, reseller_id: resellerId } = operation;
  await appendEvent(house, tx, { resellerId, type, objectId, requestId: who.requestId, payload });
}
