import type { Tx } from '@namehold/base';
import { askSides, confirmationsOf } from '../../holder-change/ask.ts';
import type { HolderChange } from '../../holder-change/holder-change.ts';
import type { Actor, House } from '../../house.ts';
import type { HolderRow } from '../../notices/holder.sql.ts';
import { placeOperation } from '../../operations/order.ts';
import type { Domain } from '../domain.ts';
import type { UpdateRequest } from './wanted.ts';

/** Who holds the name, who shall, and how many such changes of the reseller wait already. */
export interface AskedHolder {
  readonly holder: HolderChange | null;
  readonly former: HolderRow | null;
  readonly present: HolderRow | null;
  readonly waiting: number;
}

/** The operation of a change that both holders have to confirm, and the mails that ask them. */
export async function placeHolderChange(
  house: House,
  tx: Tx,
  actor: Actor,
  domain: Domain,
  { request, asked }: { readonly request: UpdateRequest; readonly asked: AskedHolder },
): Promise<string> {
  const { holder, former, present, waiting } = asked;
  if (!holder || !former || !present) throw new Error(`${domain.name} gets no other holder`);
  const wanted = { registrant_contact_id: present.id };
  const approval = confirmationsOf(house, actor, { holder, former, present, wanted, waiting });
  const { id: domainId, registry_id: registryId } = domain;
  const id = await placeOperation(house, tx, actor, { kind: 'update', domainId, registryId, request, approval });
  const operation = { id, reseller_id: actor.resellerId, domain_id: domainId, contact_id: null, approval };
  await askSides(house, tx, actor, operation, { former, present, names: [domain.name], count: 1, domainId });
  return id;
}
