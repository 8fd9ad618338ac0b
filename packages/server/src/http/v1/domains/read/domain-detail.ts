import { z } from 'zod';
import type { AppContext } from '../../../../core/app-context.ts';
import { readChildHosts } from '../../../../core/domains/change/child-hosts.sql.ts';
import type { ShownDomain } from '../../../../core/domains/read.ts';
import { findForwarding } from '../../../../core/forwarding/forwarding.sql.ts';
import { simpleView as viewOf } from '../../../../core/forwarding/simple.ts';
import { findMailDomain } from '../../../../core/mail-forwarding/mail-domain.sql.ts';
import { readMail } from '../../../../core/mail-forwarding/read.ts';
import { contactsOf, type DomainContacts } from '../../../../core/tables/contacts-of.sql.ts';
import { asText, FieldRefusal, field } from '../../../field.ts';
import { contactView, showContact } from '../../contacts/contact-view.ts';
import { contractRecords } from '../../dns/contract-records.ts';
import { recordMapView } from '../../dns/record-view.ts';
import { showSimple, simpleView } from '../../forwarding/simple-view.ts';
import { mailForwardView, showAddresses } from '../../mail-forwarding/mail-view.ts';
import { domainView, nameserverPlaces, showDomain, showNameserverPlaces } from './domain-view.ts';
import { childHostView, dsView, raaView, showChildHosts, showDs, showRaa } from './section-views.ts';

const sections = [
  'domain_details',
  'registrant_contact',
  'admin_contact',
  'adm_contact',
  'tech_contact',
  'billing_contact',
  'ns',
  'dns',
  'cns',
  'dnssec',
  'raa_verification',
  'domain_forwarding',
  'email_forwarding',
] as const;
type Section = (typeof sections)[number];

const sectionList = [...sections, 'childns (the same as cns)'].join(', ');

/** Undefined: all sections. */
export const fields = field(
  {
    type: 'array',
    items: { type: 'string', enum: ['All', ...sections, 'childns'] },
    description: `All, or some of its sections, comma-separated and in any case: ${sectionList}. Default: All.`,
    examples: [['All']],
  },
  (value): readonly Section[] | undefined => {
    const names = (Array.isArray(value) ? value.map(asText) : asText(value).split(',')).map((word) =>
      word.trim().toLowerCase(),
    );
    const named = names.filter((word) => word !== '').map((word) => (word === 'childns' ? 'cns' : word));
    if (named.length === 0 || named.includes('all')) return undefined;
    const strange = named.find((word) => !(sections as readonly string[]).includes(word));
    if (strange !== undefined) throw new FieldRefusal(`Must be All or some of ${sectionList}.`);
    return [...new Set(named)] as Section[];
  },
);

const contactOrNull = contactView.nullable();
const sectionViews = {
  registrant_contact: contactOrNull,
  admin_contact: contactOrNull,
  adm_contact: contactOrNull.describe('The same as admin_contact.'),
  tech_contact: contactOrNull,
  billing_contact: contactOrNull,
  cns: z.array(childHostView),
  dnssec: z.array(dsView),
  dns: recordMapView,
  raa_verification: raaView,
  domain_forwarding: simpleView,
  email_forwarding: z.array(mailForwardView),
};

const nameserversView = z
  .object(nameserverPlaces)
  .meta({ id: 'Nameservers', description: 'The nameservers of a domain in order, null where not set.' });

const wholeView = z
  .object({ ...domainView.shape, ...sectionViews })
  .meta({ id: 'DomainDetail', description: 'A domain with all of its sections.' });

const someView = z
  .object({ domain_details: domainView, ns: nameserversView, ...sectionViews })
  .partial()
  .meta({ id: 'DomainSections', description: 'The sections of a domain that `fields` requests.' });

/** The form depends on `fields`: all sections in one object, several under their names, one section flat. */
export const detailView = z.union([
  wholeView,
  someView,
  domainView,
  contactView,
  nameserversView,
  recordMapView,
  raaView,
  simpleView,
  z.array(dsView).describe('fields=dnssec'),
  z.array(mailForwardView).describe('fields=email_forwarding'),
  z.array(childHostView).describe('fields=cns or childns'),
]);

/** Contact keys that a domain has too may be null there. */
type Detail = Record<string, unknown>;

/** Reads only the data of the requested sections. */
export async function showDetail(
  ctx: AppContext,
  shown: ShownDomain,
  wanted?: readonly Section[],
): Promise<Detail | unknown[]> {
  const of = sectionReader(ctx, shown);
  if (wanted === undefined) {
    const rest = sections.filter((section) => section !== 'domain_details' && section !== 'ns');
    return { ...showDomain(shown), ...(await readAll(rest, of)) };
  }
  const read = await readAll(wanted, of);
  const only = wanted.length === 1 ? read[wanted[0]!] : undefined;
  // A missing contact keeps its key, because most clients treat an empty body as a failure.
  return typeof only === 'object' && only !== null ? (only as Detail | unknown[]) : read;
}

async function readAll(
  wanted: readonly Section[],
  of: (section: Section) => Promise<unknown>,
): Promise<Record<string, unknown>> {
  return Object.fromEntries(await Promise.all(wanted.map(async (section) => [section, await of(section)] as const)));
}

/** Most domains forward no mail, which one query shows. */
async function mailOf(ctx: AppContext, domain: ShownDomain['domain']) {
  if ((await findMailDomain(ctx.db.as(domain.reseller_id), domain)).version === 0) return [];
  return showAddresses(await readMail(ctx, domain));
}

function sectionReader(ctx: AppContext, shown: ShownDomain): (section: Section) => Promise<unknown> {
  const { domain } = shown;
  const db = ctx.db.as(domain.reseller_id);
  let read: Promise<DomainContacts> | undefined;
  const contacts = () => {
    read ??= contactsOf(db, domain);
    return read;
  };
  const contact = async (role: keyof DomainContacts) => {
    const found = (await contacts())[role];
    return found && showContact(found);
  };
  const readers: Record<Section, () => Promise<unknown> | unknown> = {
    domain_details: () => showDomain(shown),
    registrant_contact: () => contact('registrant'),
    admin_contact: () => contact('admin'),
    adm_contact: () => contact('admin'),
    tech_contact: () => contact('tech'),
    billing_contact: () => contact('billing'),
    ns: () => showNameserverPlaces(domain.nameservers),
    dns: () => contractRecords(ctx, domain),
    cns: async () => showChildHosts(await readChildHosts(db, domain.id)),
    dnssec: () => showDs(domain.ds),
    raa_verification: async () =>
      showRaa(domain, (await contacts()).registrant?.email ?? null, ctx.config.verifyRegistrants !== 'off'),
    domain_forwarding: async () => showSimple(viewOf((await findForwarding(db, domain)).rules)),
    email_forwarding: () => mailOf(ctx, domain),
  };
  return async (section) => readers[section]();
}
