import { allTenants, type Reader } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import type { Domain } from '../../model/domain.ts';
import type { RegistrantChangeConsent } from '../../model/registrant-change.ts';
import type { ContactRole } from '../../model/tld.ts';
import { findRegistrant } from '../../notices/recipient.sql.ts';
import { tldClassOf } from '../../policy/tld-class.ts';
import { draftRegistrantChange, type RegistrantChangeDraft } from '../../registrant-change/draft.ts';
import { registrantChangeOf } from '../../registrant-change/path.ts';
import { refuseSecondChange } from '../../registrant-change/request-confirmations.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import type { ExpectedVersion } from '../../version.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { checkAndShareContacts, checkContacts } from '../buy/check-order.ts';
import { requireDeclared } from '../buy/declaration.ts';
import { requireDomain } from '../find.ts';
import { orderUpdate } from './order-update.ts';
import type { RegistrantChangeOrder } from './place-registrant-change.ts';

export type Contacts = Readonly<Record<ContactRole, string | null>>;

interface ContactsOrder {
  /** Id or domain name. */
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly contacts: Contacts;
  readonly consent: RegistrantChangeConsent;
  readonly expected?: ExpectedVersion | undefined;
}

/** The contact of each role. */
export const contactsVersion = (row: Domain): readonly unknown[] => [
  row.registrant_contact_id,
  row.admin_contact_id,
  row.tech_contact_id,
  row.billing_contact_id,
];

/** A new registrant of a gTLD domain may have to be confirmed by both sides first: then the operation waits. */
export function setContacts(ctx: AppContext, actor: Actor, order: ContactsOrder): Promise<string> {
  const { domain, customerId, contacts, consent, expected } = order;
  return orderUpdate(ctx, actor, {
    domain,
    customerId,
    change: 'contacts',
    expected,
    content: contactsVersion,
    wanted: async (row, rules, tx) => {
      const checked = await checkAndShareContacts(tx, actor, { contacts, customerId: row.customer_id }, rules);
      if (checked.registrant !== row.registrant_contact_id)
        await requireDeclared(ctx, tx, rules, row.tld, checked.registrant);
      return { contacts: checked };
    },
    registrantChange: (row, wanted, tx) =>
      registrantOf(ctx, tx, actor, { domain: row, presentId: wanted.contacts!.registrant, consent }),
  });
}

/** The effect of the change; nothing is stored. */
export async function draftContacts(
  ctx: AppContext,
  actor: Actor,
  order: ContactsOrder,
): Promise<RegistrantChangeDraft> {
  const domain = await requireDomain(ctx, actor, order.domain, order.customerId);
  const db = ctx.db.as(actor.resellerId);
  requireAllowed(domain, 'update');
  const rules = await rulesOf(ctx.db.as(allTenants), domain);
  const checked = await checkContacts(db, actor, { ...order, customerId: domain.customer_id }, rules);
  const change = { domain, presentId: checked.registrant, consent: order.consent };
  const { registrantChange, former, present } = await registrantOf(ctx, db, actor, change);
  return draftRegistrantChange(ctx, actor, { registrantChange, former, present });
}

/** Whether the change replaces the registrant, and which confirmations it needs. */
async function registrantOf(
  ctx: AppContext,
  db: Reader,
  actor: Actor,
  change: { readonly domain: Domain; readonly presentId: string | null; readonly consent: RegistrantChangeConsent },
): Promise<RegistrantChangeOrder> {
  const { domain, presentId, consent } = change;
  const { resellerId } = actor;
  const { n: waiting } = await refuseSecondChange(db, resellerId, {
    domainId: domain.id,
    contactIds: [domain.registrant_contact_id, presentId],
  });
  const formerId = domain.registrant_contact_id;
  const former = formerId === null ? null : ((await findRegistrant(db, resellerId, formerId)) ?? null);
  const present = presentId === null ? null : ((await findRegistrant(db, resellerId, presentId)) ?? null);
  const isGeneric = tldClassOf(domain.tld) === 'generic';
  return {
    registrantChange: registrantChangeOf(ctx, consent, { former, present, isGeneric }),
    former,
    present,
    waiting,
  };
}
