import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { type Actor, type House, write } from '../../house.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import type { ContactRole } from '../../tlds/tld.ts';
import { checkContacts } from '../buy/check-order.ts';
import type { Domain } from '../domain.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { lifeEvent } from '../life-event.ts';
import { orderUpdate } from './order-update.ts';
import { lockUnsentOrder, replaceContacts } from './set-contacts.sql.ts';

export type Contacts = Readonly<Record<ContactRole, string | null>>;

export function setContacts(
  house: House,
  actor: Actor,
  domain: string,
  customerId: string | undefined,
  contacts: Contacts,
): Promise<string> {
  return orderUpdate(house, actor, {
    domain,
    customerId,
    change: 'contacts',
    wanted: async (row, rules, tx) => ({
      contacts: await checkContacts(tx, actor, { contacts, customerId: row.customer_id }, rules),
    }),
  });
}

/** While the registration waits in our own queue, the order itself is changed: nothing of it has left yet. */
export async function setPendingContacts(
  house: House,
  actor: Actor,
  idOrName: string,
  customerId: string | undefined,
  contacts: Contacts,
): Promise<Domain> {
  const found = await requireDomain(house, actor, idOrName, customerId);
  return write(house, actor, async (tx) => {
    // The order of locks is the engine's: first the operation, then the domain.
    const isUnsent = await lockUnsentOrder(tx, found.id);
    const domain = await lockOwn(tx, actor, found.id);
    if (domain.state !== 'pending') {
      const help = { action: 'set_contacts', domain: domain.id } as const;
      throw new Refusal('conflict', `${domain.name} is not pending: change the contacts of the name itself`, { help });
    }
    if (!isUnsent) {
      throw new Refusal(
        'conflict',
        `the registration of ${domain.name} has left for the registry; its contacts can be changed once it is live`,
      );
    }
    const rules = await rulesOf(tx, domain.tld);
    const checked = await checkContacts(tx, actor, { contacts, customerId: domain.customer_id }, rules);
    const after = await replaceContacts(tx, domain.id, checked, house.clock.now());
    const ids = (row: Domain) => ({
      registrant_contact_id: row.registrant_contact_id,
      admin_contact_id: row.admin_contact_id,
      tech_contact_id: row.tech_contact_id,
      billing_contact_id: row.billing_contact_id,
    });
    await audit(house, tx, actor, {
      action: 'domain.contacts',
      objectType: 'domain',
      objectId: domain.id,
      before: ids(domain),
      after: ids(after),
    });
    await appendEvent(
      house,
      tx,
      lifeEvent(domain, 'domain.updated', { changed: ['contacts'], before: ids(domain), after: ids(after) }),
    );
    return after;
  });
}
