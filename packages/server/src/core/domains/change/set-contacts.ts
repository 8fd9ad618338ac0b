import { everyTenant, type Reader } from '@namehold/base';
import { refuseSecondChange } from '../../holder-change/ask.ts';
import { draftHolderChange, type HolderDraft } from '../../holder-change/draft.ts';
import type { Said } from '../../holder-change/holder-change.ts';
import { holderChangeOf } from '../../holder-change/path.ts';
import type { Actor, House } from '../../house.ts';
import { findHolder } from '../../notices/holder.sql.ts';
import { tldClassOf } from '../../policy/tld-class.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import type { ContactRole } from '../../tlds/tld.ts';
import type { ExpectedVersion } from '../../version.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { checkAndShareContacts, checkContacts } from '../buy/check-order.ts';
import { requireDeclared } from '../buy/declaration.ts';
import type { Domain } from '../domain.ts';
import { requireDomain } from '../find.ts';
import { orderUpdate } from './order-update.ts';
import type { AskedHolder } from './place-holder-change.ts';

export type Contacts = Readonly<Record<ContactRole, string | null>>;

export interface ContactsOrder {
  /** Id or name. */
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly contacts: Contacts;
  readonly said: Said;
  readonly expected?: ExpectedVersion | undefined;
}

/** Who stands in which role. */
export const contactsVersion = (row: Domain): readonly unknown[] => [
  row.registrant_contact_id,
  row.admin_contact_id,
  row.tech_contact_id,
  row.billing_contact_id,
];

/** Another holder of a gTLD name may have to be confirmed by both sides first: then the operation waits. */
export function setContacts(house: House, actor: Actor, order: ContactsOrder): Promise<string> {
  const { domain, customerId, contacts, said, expected } = order;
  return orderUpdate(house, actor, {
    domain,
    customerId,
    change: 'contacts',
    expected,
    content: contactsVersion,
    wanted: async (row, rules, tx) => {
      const checked = await checkAndShareContacts(tx, actor, { contacts, customerId: row.customer_id }, rules);
      if (checked.registrant !== row.registrant_contact_id)
        await requireDeclared(tx, rules, row.tld, checked.registrant);
      return { contacts: checked };
    },
    holder: (row, wanted, tx) =>
      holderOf(house, tx, actor, { domain: row, presentId: wanted.contacts!.registrant, said }),
  });
}

/** What would happen; nothing is stored. */
export async function draftContacts(house: House, actor: Actor, order: ContactsOrder): Promise<HolderDraft> {
  const domain = await requireDomain(house, actor, order.domain, order.customerId);
  const db = house.db.as(actor.resellerId);
  requireAllowed(domain, 'update');
  const rules = await rulesOf(house.db.as(everyTenant), domain.tld);
  const checked = await checkContacts(db, actor, { ...order, customerId: domain.customer_id }, rules);
  const change = { domain, presentId: checked.registrant, said: order.said };
  const { holder, former, present } = await holderOf(house, db, actor, change);
  return draftHolderChange(house, actor, { holder, former, present });
}

/** Whether the name gets another holder with it, and which way that goes. */
async function holderOf(
  house: House,
  db: Reader,
  actor: Actor,
  change: { readonly domain: Domain; readonly presentId: string | null; readonly said: Said },
): Promise<AskedHolder> {
  const { domain, presentId, said } = change;
  const { resellerId } = actor;
  const { n: waiting } = await refuseSecondChange(db, resellerId, {
    domainId: domain.id,
    contactIds: [domain.registrant_contact_id, presentId],
  });
  const formerId = domain.registrant_contact_id;
  const former = formerId === null ? null : ((await findHolder(db, resellerId, formerId)) ?? null);
  const present = presentId === null ? null : ((await findHolder(db, resellerId, presentId)) ?? null);
  const isGeneric = tldClassOf(domain.tld) === 'generic';
  return { holder: holderChangeOf(house, said, { former, present, isGeneric }), former, present, waiting };
}
