import type { RegistryContact, RegistryFee } from '../../../../core/ports/registry.ts';
import { phoneParts } from '../../contact-fields.ts';
import type { AddressCalls, Calls, ContactIds, Detail, TransferOrder } from '../../dialect.ts';
import type { Call } from '../../wire.ts';

const noInvoice = { invoice_option: 'no_invoice' };
/** No contact in this role. */
export const noContactId = '-1';
const none = 'Not Applicable';

/** Fields beyond the contract. */
export interface Additions {
  /** The price limit of an order. */
  guard(fee: RegistryFee | undefined): Record<string, string>;
  /** Both sides have consented here, so the upstream need not confirm again. */
  readonly consent: Record<string, string>;
  readonly hold: Record<string, string>;
  /** Switches the upstream's own renewal off in an order, because only one side may renew. */
  readonly ownTerms: Record<string, string>;
}

/** The contract has one form for flags: PUT sets one, DELETE removes it. */
export const flagCalls =
  (name: string, form: Record<string, string> = {}) =>
  (detail: Detail, isOn: boolean): Call[] => [
    isOn
      ? { method: 'PUT', path: pathTo(detail, `/${name}`), form }
      : { method: 'DELETE', path: pathTo(detail, `/${name}`) },
  ];

export const pathOf = (id: string): string => `/domains/${encodeURIComponent(id)}`;
const pathTo = (detail: Detail, rest = ''): string => `${pathOf(detail.id)}${rest}`;

export function contractCalls(customerId: string, additions: Additions): Calls {
  return {
    ...orderCalls(customerId, additions),
    ...changeCalls(additions),
    ...contactCalls(`/customers/${customerId}/contacts`, additions.consent),
    hosts,
  };
}

function orderCalls(
  customerId: string,
  { guard, ownTerms }: Additions,
): Pick<Calls, 'create' | 'renew' | 'remove' | 'restore' | 'cancelTransfer'> {
  return {
    create: ({ name, years, contacts, nameservers, extra, fee }) => [
      {
        method: 'POST',
        path: '/domains',
        form: {
          domain_name: name,
          customer_id: customerId,
          years: String(years),
          ...rolesForm(contacts),
          ...optionalForm(nameservers, extra),
          ...ownTerms,
          ...noInvoice,
          ...guard(fee),
        },
      },
    ],
    renew: (detail, { years, fee }) => {
      // Protects against a double renewal: the expiry date on which the order is based, in the upstream's spelling.
      const current_date = bareTime(detail.expiryText ?? '');
      const form = { years: String(years), current_date, ...noInvoice, ...guard(fee) };
      return [{ method: 'POST', path: pathTo(detail, '/renew'), form }];
    },
    remove: (detail) => [{ method: 'DELETE', path: pathTo(detail) }],
    restore: (detail, fee) => [
      { method: 'POST', path: pathTo(detail, '/restore'), form: { ...noInvoice, ...guard(fee) } },
    ],
    cancelTransfer: (detail) => [{ method: 'POST', path: pathTo(detail, '/transfer/cancel'), form: {} }],
  };
}

function changeCalls({
  consent,
  hold,
}: Additions): Pick<Calls, 'nameservers' | 'contacts' | 'ds' | 'authCode' | 'flags'> {
  return {
    nameservers: (detail, hostnames) => [
      { method: 'PUT', path: pathTo(detail, '/ns'), form: { ns: hostnames.join(',') } },
    ],
    // All four roles at once, as the contract requires.
    contacts: (detail, ids) => [
      { method: 'PUT', path: pathTo(detail, '/contacts'), form: { ...rolesForm(ids), ...consent } },
    ],
    ds: (detail, add, remove) => [
      ...add.map(
        ({ keytag, algorithm, digesttype, digest }): Call => ({
          method: 'POST',
          path: pathTo(detail, '/dnssec'),
          form: { keytag: String(keytag), algorithm: String(algorithm), digesttype: String(digesttype), digest },
        }),
      ),
      ...remove.map(
        ({ keytag, algorithm, digesttype, digest }): Call => ({
          method: 'DELETE',
          path: pathTo(detail, `/dnssec/${keytag}/${algorithm}/${digesttype}/${digest}`),
        }),
      ),
    ],
    authCode: (detail, code) => [{ method: 'PUT', path: pathTo(detail, '/auth_code'), form: { auth_code: code } }],
    flags: {
      locked: flagCalls('locked'),
      suspended: flagCalls('suspended', hold),
      protected: flagCalls('theft_protection'),
    },
  };
}

const contactCalls = (
  folder: string,
  consent: Additions['consent'],
): Pick<Calls, 'contact' | 'createContact' | 'updateContact' | 'removeContact'> => ({
  contact: (id) => ({ method: 'GET', path: `${folder}/${id}` }),
  createContact: (contact) => [{ method: 'POST', path: folder, form: contactForm(contact) }],
  updateContact: (id, contact) => [
    { method: 'PUT', path: `${folder}/${id}`, form: { ...contactForm(contact), ...consent } },
  ],
  removeContact: (id) => [{ method: 'DELETE', path: `${folder}/${id}` }],
});

const hostPath = (detail: Detail, hostname: string, ip: string): string =>
  pathTo(detail, `/childns/${encodeURIComponent(hostname)}/${encodeURIComponent(ip)}`);

const hosts: AddressCalls = {
  add: (detail, hostname, addresses) =>
    addresses.map((ip) => ({
      method: 'POST',
      path: pathTo(detail, '/childns'),
      form: { hostname, ip_address: ip },
    })),
  remove: (detail, hostname, addresses) =>
    addresses.map((ip) => ({ method: 'DELETE', path: hostPath(detail, hostname, ip) })),
  rename: (detail, hostname, newName, addresses) =>
    addresses.map((ip) => ({
      method: 'PUT',
      path: hostPath(detail, hostname, ip),
      form: { hostname: newName, ip_address: ip },
    })),
};

export function transferCall(
  customerId: string,
  { name, authCode, fee, nameservers, extra }: TransferOrder,
  contacts: ContactIds,
  { guard, ownTerms }: Additions,
): Call {
  const form = {
    domain_name: name,
    customer_id: customerId,
    ...rolesForm(contacts),
    auth_code: authCode,
    ...optionalForm(nameservers, extra),
    ...ownTerms,
    ...noInvoice,
    ...guard(fee),
  };
  return { method: 'POST', path: '/domains/transfer', form };
}

const optionalForm = (nameservers: readonly string[], extra: Readonly<Record<string, string>>) => ({
  ...(nameservers.length > 0 ? { ns: nameservers.join(',') } : {}),
  ...(Object.keys(extra).length > 0 ? { extra: new URLSearchParams(extra).toString() } : {}),
});

const rolesForm = (ids: ContactIds): Record<string, string> =>
  Object.fromEntries(
    (['registrant', 'admin', 'tech', 'billing'] as const).map((role) => [
      `${role}_contact_id`,
      ids[role] ?? noContactId,
    ]),
  );

/** Our own API has instants with a zone; the contract has none. */
const bareTime = (text: string): string => text.replace('T', ' ').replace(/(\.\d+)?Z$/, '');

function phoneOf(number: string | null, prefix: string): Record<string, string> {
  const parts = phoneParts(number);
  return parts ? { [`${prefix}_cc_no`]: parts.country, [`${prefix}_no`]: parts.rest } : {};
}

function contactForm(contact: RegistryContact): Record<string, string> {
  const [first = '', second, third] = contact.street;
  return {
    name: contact.name,
    company: contact.organisation ?? none,
    email: contact.email,
    address_line_1: first,
    ...(second === undefined ? {} : { address_line_2: second }),
    ...(third === undefined ? {} : { address_line_3: third }),
    city: contact.city,
    state: contact.state ?? none,
    country_code: contact.countryCode,
    zipcode: contact.postalCode ?? '',
    ...phoneOf(contact.voice, 'tel'),
    ...phoneOf(contact.fax, 'fax'),
    ...(Object.keys(contact.extra).length > 0 ? { extra: new URLSearchParams(contact.extra).toString() } : {}),
  };
}
