import { everyTenant } from '@namehold/base';
import { neededApproval } from '../../approvals/need.ts';
import { tellApproval } from '../../approvals/tell.ts';
import { audit } from '../../audit/audit.ts';
import type { Actor, House } from '../../house.ts';
import type { DeleteRequest } from '../../operations/kinds.ts';
import { asInProgress, placeOperation } from '../../operations/order.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { usersOfChildHosts } from '../life.sql.ts';

export interface Deletion {
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly because?: DeleteRequest['because'];
}

export async function orderDeletion(house: House, actor: Actor, order: Deletion): Promise<string> {
  const found = await requireDomain(house, actor, order.domain, order.customerId);
  requireAllowed(found, 'delete', { hostUsers: await usersOfChildHosts(house.db.as(everyTenant), found.id) });
  try {
    house.point('delete:before-order');
    return await house.db.transaction(actor.resellerId, async (tx) => {
      const domain = await lockOwn(tx, actor, found.id);
      requireAllowed(domain, 'delete');
      const request: DeleteRequest = { name: domain.name, because: order.because ?? 'asked' };
      const asked = { change: 'delete', wanted: {}, scopes: ['domains:write'], domainId: domain.id } as const;
      const approval = await neededApproval(house, tx, actor, asked);
      const id = await placeOperation(house, tx, actor, {
        kind: 'delete',
        domainId: domain.id,
        registryId: domain.registry_id,
        request,
        approval,
      });
      if (approval) {
        const told = { id, reseller_id: actor.resellerId, domain_id: domain.id, domainName: domain.name };
        await tellApproval(house, tx, actor, told, approval);
      }
      await audit(house, tx, actor, {
        action: 'domain.delete',
        objectType: 'domain',
        objectId: domain.id,
        before: { state: domain.state, expires_at: domain.end_date },
        after: { because: request.because, operation_id: id },
      });
      return id;
    });
  } catch (error) {
    asInProgress(error);
  } finally {
    house.point('delete:after-order');
  }
}
