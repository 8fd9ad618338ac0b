import { displayName, isBelow, mixedScripts, NameError, normaliseHostname, normaliseName } from '@namehold/base';
import { allTenants, type Reader, type Tx } from '@namehold/postgres';
import { isAnother } from '../../actors.ts';
import type { Actor, AppContext } from '../../app-context.ts';
import { badField, Refusal } from '../../errors.ts';
import { type ContactRole, contactRoles, domainLimits, type Roles } from '../../model/domain.ts';
import type { Tld, TldRules } from '../../model/tld.ts';
import type { RegistrationData } from '../../ports/registry.ts';
import type { TldFields } from '../../ports/tld-fields.ts';
import { findServedTld } from '../../registries/registry.sql.ts';
import { allFields } from '../../tlds/all-fields.ts';
import { fieldsOf, refuseUnknownFields } from '../../tlds/extra.ts';
import { requirePrivacyOffered } from '../change/privacy.ts';
import { orphan } from '../compare/orphan.ts';
import { explainTaken } from '../search/explain-taken.ts';
import { findBuyer, ownContacts, shareContacts } from './check-order.sql.ts';
import { checkDeclaration } from './declaration.ts';
import { type NewPremium, queryNewPremium } from './premium-fee.ts';
import { checkRegistrationData, type GivenRegistration } from './registration-data.ts';

/** The customer, contacts and nameservers of a new domain. */
export interface Parties {
  readonly customerId: string;
  readonly contacts: Roles;
  readonly nameservers: readonly string[] | undefined;
  readonly extra: Readonly<Record<string, string>>;
}

export interface CheckedRegistration {
  readonly name: string;
  readonly tld: string;
  readonly declares: TldFields | null;
  readonly registryId: string;
  readonly parties: (Parties & { readonly nameservers: readonly string[] }) | null;
  readonly registration: RegistrationData | undefined;
  readonly premium: NewPremium | null;
  /** The registry did not answer, so its price is not known. */
  readonly isUnrequested: boolean;
}

interface ToCheck {
  readonly domainName: string;
  readonly years: number;
  readonly privacy: boolean;
  readonly parties: Parties | null;
  readonly registration?: GivenRegistration | undefined;
}

/** Checks everything that can be checked before money moves. */
export async function checkRegistration(
  ctx: AppContext,
  actor: Actor,
  order: ToCheck,
  mayQueryLater = false,
): Promise<CheckedRegistration> {
  const { name, tld, registryId, paidIn, isOrphan } = await checkName(ctx, order.domainName);
  const { rules } = tld;
  if (isOrphan) throw orphan(name);
  if (order.years < rules.periods.min_years || order.years > rules.periods.max_years) {
    throw badField(
      'years',
      `.${tld.name} domains are registered for ${rules.periods.min_years} to ${rules.periods.max_years} years.`,
    );
  }
  if (order.privacy) requirePrivacyOffered({ tld: tld.name }, rules);
  const parties = order.parties && (await checkParties(ctx, actor, order.parties, rules, name));
  const registration =
    order.parties && (await checkRegistrationData(ctx, { name, tld, registryId }, order.registration ?? {}));
  // Last of all checks, so that their order does not reveal who owns a registered domain.
  const premium = await queryNewPremium(ctx, { name, tld, registryId, paidIn, mayQueryLater }, order.years).catch(
    async (error: unknown) => {
      throw await explainTaken(ctx, actor, order, error);
    },
  );
  return {
    name,
    tld: tld.name,
    declares: fieldsOf(ctx, rules),
    registryId,
    parties,
    registration: registration ?? undefined,
    premium: premium === 'not_queried' ? null : premium,
    isUnrequested: premium === 'not_queried',
  };
}

async function checkParties(ctx: AppContext, actor: Actor, given: Parties, rules: TldRules, name: string) {
  const { defaultNameservers, ...parties } = await checkRegistrant(ctx, actor, given, rules);
  const wanted = given.nameservers ?? defaultNameservers ?? ctx.config.defaultNameservers;
  return { ...parties, nameservers: checkNameservers(wanted, rules, name) };
}

/** A customer of the caller, contacts of that customer in every role that the TLD requires, and the TLD's additional fields. */
export async function checkRegistrant(
  ctx: AppContext,
  actor: Actor,
  given: Omit<Parties, 'nameservers'>,
  rules: TldRules,
): Promise<Omit<Parties, 'nameservers'> & { readonly defaultNameservers: string[] | null }> {
  const db = ctx.db.as(actor.resellerId);
  const found = await findParties(db, actor, given);
  const contacts = requireRoles(given, found.contactIds, rules);
  const { customerId } = given;
  const { registrant } = contacts;
  const fields = fieldsOf(ctx, rules);
  if (Object.keys(given.extra).length > 0)
    refuseUnknownFields(await allFields(ctx, ctx.db.as(allTenants)), fields, given.extra);
  const extra = fields ? await checkDeclaration(db, actor, fields, { customerId, registrant, extra: given.extra }) : {};
  return { customerId, contacts, extra, defaultNameservers: found.nameservers };
}

/** A single word is not a domain name. */
const notOffered = (name: string): string =>
  name.includes('.')
    ? `The TLD of “${name}” is not offered.`
    : `“${name}” is not a domain name. A domain name ends with a TLD, such as example.com.`;

/** The normalised domain name, its TLD and its registry. */
export async function checkName(
  ctx: AppContext,
  input: string,
): Promise<{ name: string; tld: Tld; registryId: string; paidIn: string | null; isOrphan: boolean }> {
  let name: string;
  try {
    name = normaliseName(input);
  } catch (error) {
    if (error instanceof NameError) throw badField('domainName', error.message);
    throw error;
  }
  if (!name.includes('.'))
    throw badField('domainName', `"${name}" is not a domain name. Enter a full name, for example example.com.`);
  const tld = await findServedTld(ctx.db.as(allTenants), name, suffixesOf(name));
  if (!tld?.is_offered)
    throw new Refusal('tld_not_offered', notOffered(name), {
      errors: [{ field: 'domainName', code: 'tld_not_offered', message: 'The TLD is not offered.' }],
    });
  checkLabel(name.slice(0, -tld.name.length - 1), tld);
  return { name, tld, registryId: tld.registry_id, paidIn: tld.paid_in, isOrphan: tld.is_stray };
}

/** `a.co.id` may be registered under `co.id` or `id`; a domain name with more labels is refused. */
function suffixesOf(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1).map((_, place) => labels.slice(place + 1).join('.'));
}

export function checkLabel(label: string, tld: Tld): void {
  const { min_length: minLength, max_length: maxLength, idn } = tld.rules.names;
  if (label.includes('.'))
    throw badField('domainName', `Only domain names directly below .${tld.name} can be registered.`);
  if (label.length < minLength || label.length > maxLength)
    throw badField('domainName', `The part before .${tld.name} must have ${minLength} to ${maxLength} characters.`);
  const mixed = label.startsWith('xn--') ? mixedScripts(displayName(label)) : undefined;
  if (mixed)
    throw badField(
      'domainName',
      `A label must not mix ${mixed.join(' and ')} letters, because it could be mistaken for another domain name.`,
    );
  if (label.startsWith('xn--') && !idn)
    throw badField('domainName', `.${tld.name} does not support internationalised domain names.`);
}

type PartiesOfOrder = Pick<Parties, 'contacts' | 'customerId'>;

const givenContacts = (order: PartiesOfOrder): string[] =>
  contactRoles.flatMap((role) => (order.contacts[role] === null ? [] : [order.contacts[role]]));

/** The customer, if it belongs to the caller, with its default nameservers and those of the contacts that belong to it. */
async function findParties(
  db: Reader,
  actor: Actor,
  order: PartiesOfOrder,
): Promise<{ nameservers: string[] | null; contactIds: string[] }> {
  const row = isAnother(actor, order.customerId)
    ? undefined
    : await findBuyer(db, actor.resellerId, order.customerId, givenContacts(order));
  if (!row) throw badField('customer', 'Customer not found.', 'not_found');
  return { nameservers: row.default_nameservers, contactIds: row.contact_ids };
}

export async function checkContacts(db: Reader, actor: Actor, order: PartiesOfOrder, rules: TldRules): Promise<Roles> {
  return requireRoles(order, await ownContacts(db, actor.resellerId, order.customerId, givenContacts(order)), rules);
}

/** The same within the transaction that orders the change, so that none of them can be deleted before it commits. */
export async function checkAndShareContacts(
  tx: Tx,
  actor: Actor,
  order: PartiesOfOrder,
  rules: TldRules,
): Promise<Roles> {
  return requireRoles(order, await shareContacts(tx, actor.resellerId, order.customerId, givenContacts(order)), rules);
}

function requireRoles(order: PartiesOfOrder, contactIds: readonly string[], rules: TldRules): Roles {
  const known = new Set(contactIds);
  const checked: Record<ContactRole, string | null> = { registrant: null, admin: null, tech: null, billing: null };
  for (const role of contactRoles) {
    const id = order.contacts[role];
    if (id === null && rules.contacts.required.includes(role))
      throw badField(role, `This TLD requires ${role === 'admin' ? 'an' : 'a'} ${role} contact.`, 'required');
    if (id !== null && !known.has(id))
      throw badField(
        role,
        `Contact ${id} did not match: it is not a contact of customer ${order.customerId}.`,
        'not_found',
      );
    checked[role] = id;
  }
  return checked;
}

/** Checks the syntax only; the registry decides whether a host exists. Clients match the message text. */
export function checkNameservers(hosts: readonly string[], rules: TldRules, ownName: string): string[] {
  const max = Math.min(domainLimits.nameservers, rules.nameservers.max);
  if (hosts.length > max) throw badField('nameservers', `Must be at most ${max} nameservers.`, 'too_many');
  const checked = hosts.map((host) => {
    try {
      return normaliseHostname(host);
    } catch (error) {
      if (error instanceof NameError)
        throw badField('nameservers', `${host.slice(0, 80)} is not valid NameServer: ${error.message}`);
      throw error;
    }
  });
  if (new Set(checked).size !== checked.length) throw badField('nameservers', 'A nameserver is listed twice.');
  if (checked.length < rules.nameservers.min)
    throw badField('nameservers', `At least ${rules.nameservers.min} nameservers are required.`);
  if (rules.nameservers.host_model === 'attributes' && checked.some((host) => isBelow(host, ownName)))
    throw badField('nameservers', 'Nameservers inside the domain itself must first be created as child nameservers.');
  return checked;
}
