import type { Tx } from '@namehold/base';
import { readSecurity } from '../../accounts/security.sql.ts';
import { audit } from '../../audit/audit.ts';
import { appendEvent } from '../../events/append.ts';
import { moveForwarding } from '../../forwarding/forwarding.sql.ts';
import type { House } from '../../house.ts';
import { moveMailDomain } from '../../mail-forwarding/mail-domain.sql.ts';
import { askForNewCustomer } from '../../mail-forwarding/move.ts';
import { actorOf } from '../../operations/actor.ts';
import type { OperationOf } from '../../operations/operation.ts';
import type { Run } from '../../operations/run.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { askHolder } from '../../verification/ask.ts';
import { meetNewHolder } from '../../verification/holder-change.ts';
import { holderChangedAt } from '../change/settle-update.ts';
import { forgetCodes } from '../change/update-domain.sql.ts';
import { lockDomain, markRemoved } from '../domain.sql.ts';
import type { Domain, Roles } from '../domain.ts';
import { domainEvent } from '../registry/verdict.ts';
import { clockworkFor } from '../system-actor.ts';
import { showCopies } from './contacts.sql.ts';
import { handOverParts, insertHeir, setCustomer } from './move.sql.ts';

/** Transaction B of a move. */
export async function handOver(run: Run<'move'>, tx: Tx, roles: Roles, isWithin: boolean): Promise<void> {
  const { house, operation } = run;
  const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
  await showContacts(house, tx, operation, roles);
  await (isWithin ? toCustomer : toReseller)(house, tx, operation, domain, roles);
}

/** From now on they are contacts of the new customer like any other. */
async function showContacts(house: House, tx: Tx, operation: OperationOf<'move'>, roles: Roles): Promise<void> {
  const resellerId = operation.request.new_reseller_id;
  const ids = Object.values(roles).filter((id) => id !== null);
  for (const contact of await showCopies(tx, resellerId, ids))
    await audit(house, tx, clockworkFor({ reseller_id: resellerId }, 'move'), {
      action: 'contact.create',
      objectType: 'contact',
      objectId: contact.id,
      after: contact,
    });
}

type To = (house: House, tx: Tx, operation: OperationOf<'move'>, domain: Domain, roles: Roles) => Promise<void>;

const toCustomer: To = async (house, tx, operation, domain, roles) => {
  const { from_customer_id, new_customer_id } = operation.request;
  const now = house.clock.now();
  const holder = await holderChangedAt(tx, domain, roles.registrant, now);
  await setCustomer(tx, domain, new_customer_id, { roles, holderChangedAt: holder, now });
  await meetNewHolder(house, tx, domain, roles.registrant);
  await askForNewCustomer(house, tx, { ...domain, customer_id: new_customer_id });
  await audit(house, tx, actorOf(operation), {
    action: 'domain.moved',
    objectType: 'domain',
    objectId: domain.id,
    before: { customer_id: from_customer_id },
    after: { customer_id: new_customer_id, operation_id: operation.id },
  });
  const facts = { from_customer_id, to_customer_id: new_customer_id };
  await appendEvent(house, tx, domainEvent(operation, 'domain.moved', facts));
};

/** No money moves: what was paid stays paid by whom it was, and what comes back within a grace goes there. */
const toReseller: To = async (house, tx, operation, domain, roles) => {
  const now = house.clock.now();
  const { new_reseller_id: taker, new_customer_id: customerId } = operation.request;
  // First the tombstone: a name has one living row.
  await markRemoved(tx, domain.id, 'moved', now);
  await forgetCodes(tx, domain.id);
  const { theft_protection: chosen } = await readSecurity(tx, taker);
  const { theft_protection_offered: isOffered } = await rulesOf(tx, domain.tld);
  const isProtected = (chosen ?? house.config.theftProtection === 'on') && isOffered !== false;
  const heir = {
    resellerId: taker,
    customerId,
    roles,
    protectAt: isProtected ? now : null,
    holderChangedAt: await holderChangedAt(tx, domain, roles.registrant, now),
    now,
  };
  const newId = await insertHeir(tx, domain.id, heir);
  await handOverParts(tx, domain, { id: newId, reseller_id: taker });
  await moveForwarding(tx, domain, { id: newId, reseller_id: taker });
  await moveMailDomain(tx, domain, { id: newId, reseller_id: taker });
  await askForNewCustomer(house, tx, { id: newId, reseller_id: taker, customer_id: customerId, name: domain.name });
  // What was confirmed to the giver was not confirmed to the taker.
  const there = { ...domain, id: newId, reseller_id: taker, registrant_contact_id: roles.registrant };
  await askHolder(house, tx, there, 'change');
  await audit(house, tx, actorOf(operation), {
    action: 'domain.moved_away',
    objectType: 'domain',
    objectId: domain.id,
    before: { state: domain.state, customer_id: domain.customer_id },
    after: { new_reseller_id: taker, operation_id: operation.id },
  });
  await audit(house, tx, clockworkFor({ reseller_id: taker }, 'move'), {
    action: 'domain.moved_in',
    objectType: 'domain',
    objectId: newId,
    after: { customer_id: customerId, from_reseller_id: operation.reseller_id, operation_id: operation.id },
  });
  await appendEvent(
    house,
    tx,
    domainEvent(operation, 'domain.moved_away', { to_reseller_id: taker, by: operation.request.by ?? 'offer' }),
  );
  await appendEvent(house, tx, {
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
