import type { Tx } from '@namehold/postgres';
import { readSecurity } from '../../accounts/security.sql.ts';
import { schedulerFor } from '../../actors.ts';
import type { AppContext } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { appendEvent } from '../../events/append.ts';
import type { Domain, Roles } from '../../model/domain.ts';
import type { OperationOf } from '../../model/operation.ts';
import { actorOf } from '../../operations/actor.ts';
import type { Run } from '../../operations/run.ts';
import { lockDomain } from '../../tables/domain.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { registrantChangedAt } from '../change/settle-update.ts';
import { deleteAuthCodes } from '../change/update-domain.sql.ts';
import { markRemoved } from '../domain.sql.ts';
import { domainMovedToCustomer, domainMovedToReseller } from '../effects.ts';
import { domainEvent } from '../registry/outcome.ts';
import { showCopies } from './contacts.sql.ts';
import { insertAtNewOwner, moveParts, setCustomer } from './move.sql.ts';

/** Transaction B of a move. */
export async function completeMove(run: Run<'move'>, tx: Tx, roles: Roles, isWithin: boolean): Promise<void> {
  const { ctx, operation } = run;
  const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
  await showContacts(ctx, tx, operation, roles);
  await (isWithin ? toCustomer : toReseller)(ctx, tx, operation, domain, roles);
}

/** From now on they are ordinary contacts of the new customer. */
async function showContacts(ctx: AppContext, tx: Tx, operation: OperationOf<'move'>, roles: Roles): Promise<void> {
  const resellerId = operation.request.new_reseller_id;
  const ids = Object.values(roles).filter((id) => id !== null);
  for (const contact of await showCopies(tx, resellerId, ids))
    await audit(ctx, tx, schedulerFor({ reseller_id: resellerId }, 'move'), {
      action: 'contact.create',
      objectType: 'contact',
      objectId: contact.id,
      after: contact,
    });
}

type To = (ctx: AppContext, tx: Tx, operation: OperationOf<'move'>, domain: Domain, roles: Roles) => Promise<void>;

const toCustomer: To = async (ctx, tx, operation, domain, roles) => {
  const { from_customer_id, new_customer_id } = operation.request;
  const now = ctx.clock.now();
  const changedAt = await registrantChangedAt(tx, domain, roles.registrant, now);
  await setCustomer(tx, domain, new_customer_id, { roles, registrantChangedAt: changedAt, now });
  const actor = actorOf(operation);
  const moved = { domain, customerId: new_customer_id, registrantId: roles.registrant };
  await ctx.effects.run(domainMovedToCustomer, { ctx, tx, actor, ...moved });
  await audit(ctx, tx, actor, {
    action: 'domain.moved',
    objectType: 'domain',
    objectId: domain.id,
    before: { customer_id: from_customer_id },
    after: { customer_id: new_customer_id, operation_id: operation.id },
  });
  const facts = { from_customer_id, to_customer_id: new_customer_id };
  await appendEvent(ctx, tx, domainEvent(operation, 'domain.moved', facts));
};

/** No money moves: the previous reseller's payments stay, and refunds within a grace period go to it. */
const toReseller: To = async (ctx, tx, operation, domain, roles) => {
  const now = ctx.clock.now();
  const { new_reseller_id: taker, new_customer_id: customerId } = operation.request;
  // The tombstone comes first, because a domain name has one active row.
  await markRemoved(tx, domain.id, 'moved', now);
  await deleteAuthCodes(tx, domain.id);
  const { theft_protection: chosen } = await readSecurity(tx, taker);
  const { theft_protection_offered: isOffered } = await rulesOf(tx, domain);
  const isProtected = (chosen ?? ctx.config.theftProtection === 'on') && isOffered !== false;
  const newOwner = {
    resellerId: taker,
    customerId,
    roles,
    protectAt: isProtected ? now : null,
    registrantChangedAt: await registrantChangedAt(tx, domain, roles.registrant, now),
    now,
  };
  const newId = await insertAtNewOwner(tx, domain.id, newOwner);
  await moveParts(tx, domain, { id: newId, reseller_id: taker });
  const actor = actorOf(operation);
  const { name, tld, registry_id } = domain;
  const there = { id: newId, reseller_id: taker, customer_id: customerId, registrant_contact_id: roles.registrant };
  await ctx.effects.run(domainMovedToReseller, {
    ctx,
    tx,
    actor,
    from: domain,
    to: { ...there, name, tld, registry_id },
  });
  await audit(ctx, tx, actor, {
    action: 'domain.moved_away',
    objectType: 'domain',
    objectId: domain.id,
    before: { state: domain.state, customer_id: domain.customer_id },
    after: { new_reseller_id: taker, operation_id: operation.id },
  });
  await audit(ctx, tx, schedulerFor({ reseller_id: taker }, 'move'), {
    action: 'domain.moved_in',
    objectType: 'domain',
    objectId: newId,
    after: { customer_id: customerId, from_reseller_id: operation.reseller_id, operation_id: operation.id },
  });
  await appendEvent(
    ctx,
    tx,
    domainEvent(operation, 'domain.moved_away', { to_reseller_id: taker, by: operation.request.by ?? 'offer' }),
  );
  await appendEvent(ctx, tx, {
    resellerId: taker,
    type: 'domain.moved_in',
    objectId: newId,
    payload: {
      domain_id: newId,
      domain_name: domain.name,
      operation_id: operation.id,
      from_reseller_id: operation.reseller_id,
      customer_id: customerId,
      expires_at: domain.end_date,
    },
  });
};
