import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import type { Domain } from '../../model/domain.ts';
import type { UpdateRequest } from '../../model/domain-change.ts';
import type { RegistrantChange } from '../../model/registrant-change.ts';
import type { RegistrantRow } from '../../notices/recipient.sql.ts';
import { placeOperation } from '../../operations/order.ts';
import { confirmationsOf, requestConfirmations } from '../../registrant-change/request-confirmations.ts';

/** The present and the new registrant, and the number of such changes of the reseller that are already waiting. */
export interface RegistrantChangeOrder {
  readonly registrantChange: RegistrantChange | null;
  readonly former: RegistrantRow | null;
  readonly present: RegistrantRow | null;
  readonly waiting: number;
}

/** The operation of a change that both registrants have to confirm, and the mails that request the confirmations. */
export async function placeRegistrantChange(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  domain: Domain,
  { request, order }: { readonly request: UpdateRequest; readonly order: RegistrantChangeOrder },
): Promise<string> {
  const { registrantChange, former, present, waiting } = order;
  if (!registrantChange || !former || !present)
    throw new Error(`${domain.name}: the change does not replace the registrant`);
  const wanted = { registrant_contact_id: present.id };
  const approval = confirmationsOf(ctx, actor, { registrantChange, former, present, wanted, waiting });
  const { id: domainId, registry_id: registryId } = domain;
  const id = await placeOperation(ctx, tx, actor, { kind: 'update', domainId, registryId, request, approval });
  const operation = { id, reseller_id: actor.resellerId, domain_id: domainId, contact_id: null, approval };
  await requestConfirmations(ctx, tx, actor, operation, { former, present, names: [domain.name], count: 1, domainId });
  return id;
}
