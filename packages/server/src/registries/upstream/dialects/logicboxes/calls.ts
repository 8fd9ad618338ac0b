import type { RegistryContact } from '../../../../core/ports/registry.ts';
import { digitsOf, phoneParts } from '../../contact-fields.ts';
import type { AddressCalls, Calls, ContactIds, Detail, Role, TransferOrder } from '../../dialect.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { contactsByRole, tldOf } from '../../roles.ts';
import type { Call } from '../../wire.ts';

const none = 'Not Applicable';
/** No contact in this role. */
const noContactId = '-1';
/** The upstream's own auto-renewal is switched off in each order, because only one side may renew. */
const ownTerms = { 'invoice-option': 'NoInvoice', 'auto-renew': 'false' };
const roleKeys = { registrant: 'reg', admin: 'admin', tech: 'tech', billing: 'billing' } as const;

export type Form = NonNullable<Call['form']>;

export const question = (call: string, query: Form, host?: string): Call => ({
  method: 'GET',
  path: `/${call}.json`,
  query,
  ...(host === undefined ? {} : { host }),
});

export const order = (call: string, form: Form): Call => ({ method: 'POST', path: `/${call}.json`, form });

const about = (detail: Detail, call: string, form: Form = {}): Call => order(call, { 'order-id': detail.id, ...form });

/** `attr-name1` and `attr-value1`, and so on. */
const attributesForm = (attributes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value], place) => [
      [`attr-name${place + 1}`, name],
      [`attr-value${place + 1}`, value],
    ]),
  );

export function logicBoxesCalls(profile: UpstreamProfile): Calls {
  const { customerId, logicboxes } = profile;
  const { autoRenewCalls } = logicboxes;
  const roles = (name: string, ids: ContactIds) => rolesForm(logicboxes.tlds[tldOf(name)]?.without ?? [], ids);
  return {
    create: ({ name, years, contacts, nameservers, extra, isPrivate }) => [
      order('domains/register', {
        'domain-name': name,
        years: String(years),
        ns: nameservers.length > 0 ? nameservers : logicboxes.nameservers,
        'customer-id': customerId,
        ...roles(name, contacts),
        ...fieldsForm(profile, name, extra),
        ...(isPrivate ? { 'purchase-privacy': 'true', 'protect-privacy': 'true' } : {}),
        ...ownTerms,
      }),
    ],
    // Protects against a double renewal: the end on which the order is based, as the upstream sent it.
    renew: (detail, { years }) => [
      about(detail, 'domains/renew', { years: String(years), 'exp-date': detail.expiryText ?? '', ...ownTerms }),
    ],
    remove: (detail) => [about(detail, 'domains/delete')],
    restore: (detail) => [about(detail, 'domains/restore', { 'invoice-option': 'NoInvoice' })],
    cancelTransfer: (detail) => [about(detail, 'domains/cancel-transfer')],
    // The whole list; the same list is refused.
    nameservers: (detail, hostnames) =>
      isSameList(detail.nameservers, hostnames) ? [] : [about(detail, 'domains/modify-ns', { ns: hostnames })],
    contacts: (detail, ids) => [about(detail, 'domains/modify-contact', roles(detail.name, ids))],
    authCode: (detail, code) =>
      profile.authCode.madeBy === 'upstream' ? [] : [about(detail, 'domains/modify-auth-code', { 'auth-code': code })],
    flags: {
      private: (detail, isOn) => [
        about(detail, 'domains/modify-privacy-protection', {
          'protect-privacy': String(isOn),
          reason: 'requested by the registrant',
        }),
      ],
      protected: (detail, isOn) => [about(detail, `domains/${isOn ? 'enable' : 'disable'}-theft-protection`)],
      suspended: (detail, isOn) => [
        isOn
          ? about(detail, 'orders/suspend', { reason: 'on hold at the reseller' })
          : about(detail, 'orders/unsuspend'),
      ],
    },
    contact: (id) => question('contacts/details', { 'contact-id': id }),
    createContact: (contact) => [
      order('contacts/add', {
        ...contactForm(contact),
        type: logicboxes.contactType,
        'customer-id': customerId,
        ...attributesForm(attributesOf(contact.extra, logicboxes.contactFields)),
      }),
    ],
    removeContact: (id) => [order('contacts/delete', { 'contact-id': id })],
    hosts,
    ...(autoRenewCalls
      ? { autoRenew: (detail: Detail, isOn: boolean) => [about(detail, autoRenewCalls[isOn ? 'on' : 'off'])] }
      : {}),
  };
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  [...a].sort().join() === [...b].sort().join();

const hosts: AddressCalls = {
  add: (detail, hostname, addresses) =>
    addresses.length === 0 ? [] : [about(detail, 'domains/add-cns', { cns: hostname, ip: addresses })],
  remove: (detail, hostname, addresses) =>
    addresses.map((ip) => about(detail, 'domains/delete-cns-ip', { cns: hostname, ip })),
  rename: (detail, hostname, newName) => [
    about(detail, 'domains/modify-cns-name', { 'old-cns': hostname, 'new-cns': newName }),
  ],
};

/** All four roles. A role that the TLD does not have takes -1. */
function rolesForm(without: readonly string[], ids: ContactIds): Record<string, string> {
  const given = new Map(contactsByRole(ids, without));
  return Object.fromEntries(
    Object.entries(roleKeys).map(([role, key]) => [`${key}-contact-id`, given.get(role as Role) ?? noContactId]),
  );
}

export const transferCall = (
  profile: UpstreamProfile,
  { name, authCode, nameservers, extra }: TransferOrder,
  contacts: ContactIds,
): Call =>
  order('domains/transfer', {
    'domain-name': name,
    'auth-code': authCode,
    'customer-id': profile.customerId,
    ...(nameservers.length > 0 ? { ns: nameservers } : {}),
    ...rolesForm(profile.logicboxes.tlds[tldOf(name)]?.without ?? [], contacts),
    ...fieldsForm(profile, name, extra),
    ...ownTerms,
  });

/** Additional fields of a domain, as far as the profile has a name of theirs. */
const fieldsForm = ({ logicboxes }: UpstreamProfile, name: string, extra: Fields): Record<string, string> =>
  attributesForm(attributesOf(extra, logicboxes.tlds[tldOf(name)]?.fields ?? {}));

type Fields = Readonly<Record<string, string>>;

/** Our names of additional fields, and theirs. */
const attributesOf = (extra: Fields, names: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([own, theirs]) => (extra[own] === undefined ? [] : [[theirs, extra[own]]])),
  );

function phoneOf(number: string | null, prefix: string): Record<string, string> {
  const parts = phoneParts(number);
  return parts ? { [`${prefix}-cc`]: parts.country, [prefix]: digitsOf(parts.rest) } : {};
}

function contactForm(contact: RegistryContact): Record<string, string> {
  const [first = '', second, third] = contact.street;
  return {
    name: contact.name,
    company: contact.organisation ?? none,
    email: contact.email,
    'address-line-1': first,
    ...(second === undefined ? {} : { 'address-line-2': second }),
    ...(third === undefined ? {} : { 'address-line-3': third }),
    city: contact.city,
    ...(contact.state === null ? {} : { state: contact.state }),
    country: contact.countryCode,
    zipcode: contact.postalCode ?? '',
    ...phoneOf(contact.voice, 'phone'),
    ...phoneOf(contact.fax, 'fax'),
  };
}
