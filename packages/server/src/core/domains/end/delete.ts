import { everyTenant } from '@namehold/base';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import type { Actor, House } from '../../house.ts';
import type { DeleteRequest } from '../../operations/kinds.ts';
import { asInProgress, placeOperation } from '../../operations/order.ts';
import type { Domain } from '../domain.ts';
import { lockOwn, requireDomain, requireLive, requireUnlocked } from '../find.ts';
import { usersOfChildHosts } from '../life.sql.ts';

/** So many dependent names are told of; more would say no more. */
const usersNamed = 20;

export interface Deletion {
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly because?: DeleteRequest['because'];
}

export async function orderDeletion(house: House, actor: Actor, order: Deletion): Promise<string> {
  const found = await requireDomain(house, actor, order.domain, order.customerId);
  await requireDeletable(house, actor, found);
  try {
    house.point('delete:before-order');
    return await house.db.transaction(actor.resellerId, async (tx) => {
      const domain = await lockOwn(tx, actor, found.id);
      requireLive(domain);
      requireUnlocked(domain);
      const request: DeleteRequest = { name: domain.name, because: order.because ?? 'asked' };
      const id = await placeOperation(house, tx, actor, {
        kind: 'delete',
        domainId: domain.id,
        registryId: domain.registry_id,
        request,
      });
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

async function requireDeletable(house: House, actor: Actor, domain: Domain): Promise<void> {
  if (domain.state === 'redemption' || domain.state === 'pending_delete')
    throw new Refusal('conflict', `${domain.name} is deleted already`, { facts: { domain_state: domain.state } });
  requireLive(domain);
  requireUnlocked(domain);
  const status = domain.registry_status.find((each) => /^(client|server)DeleteProhibited$/.test(each));
  if (status) {
    const setter = status.startsWith('server') ? 'the registry' : 'us';
    throw new Refusal('domain_blocked', `${domain.name} cannot be deleted: ${status}, set by ${setter}`);
  }
  await refuseIfOthersDepend(house, actor, domain);
}

/** Nameservers below the name go with it; what points at them would stop to resolve. */
async function refuseIfOthersDepend(house: House, actor: Actor, domain: Domain): Promise<void> {
  const users = await usersOfChildHosts(house.db.as(everyTenant), domain.id, usersNamed);
  if (users.length === 0) return;
  const own = users.filter((user) => user.reseller_id === actor.resellerId).map((user) => user.name);
  const hosts = [...new Set(users.map((user) => user.hostname))].join(', ');
  const who = own.length > 0 ? own.join(', ') : 'domains of others';
  throw new Refusal('in_use', `${domain.name} cannot be deleted: its nameserver ${hosts} is used by ${who}`, {
    facts: { nameservers: [...new Set(users.map((user) => user.hostname))] },
  });
}
