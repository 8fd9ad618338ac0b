import type { Calls, ContactIds, Detail, Order, TransferOrder } from '../../dialect.ts';
import type { UpstreamProfile } from '../../profile.ts';
import type { Call } from '../../wire.ts';
import { commentOf } from './comments.ts';
import { customerOf, handlesOf, type Nested } from './contacts.ts';
import { hosts } from './hosts.ts';
import { order, partsOf, question, removal } from './message.ts';

type Settings = UpstreamProfile['openprovider'];

/** Only one side may renew. The account's own setting may be to renew. */
const noAutoRenewal = { autorenew: 'off' };

const hostList = (hostnames: readonly string[]): Nested[] => hostnames.map((name, place) => ({ name, seq_nr: place }));

function additionalDataOf(extra: Readonly<Record<string, string>>, { domainFields }: Settings): Nested {
  const fields = Object.entries(domainFields).flatMap(([own, theirs]) =>
    extra[own] === undefined ? [] : [[theirs, extra[own]]],
  );
  return fields.length > 0 ? { additional_data: Object.fromEntries(fields) } : {};
}

function nameserversOf(hostnames: readonly string[], settings: Settings): Nested {
  const hosts = hostnames.length > 0 ? hostnames : settings.nameservers;
  return hosts.length > 0 ? { name_servers: hostList(hosts) } : { ns_group: settings.nsGroup };
}

/** `fee`: the price of a premium domain, in the currency of its registry. */
export function createCall(ordered: Order, settings: Settings, fee?: number): Call {
  const { name, years, contacts, nameservers, extra, isPrivate = false, operationId } = ordered;
  const message = {
    domain: partsOf(name),
    period: years,
    unit: 'y',
    ...handlesOf(contacts),
    ...nameserversOf(nameservers, settings),
    ...noAutoRenewal,
    is_private_whois_enabled: isPrivate,
    ...additionalDataOf(extra, settings),
    ...(fee === undefined ? {} : { accept_premium_fee: fee }),
  };
  const repeats = { limit: 'create', names: [name], key: JSON.stringify(message) } as const;
  return order('POST', '/domains', { ...message, ...commentOf('register', operationId) }, repeats);
}

export function transferCall(ordered: TransferOrder, settings: Settings, fee?: number): Call {
  const { name, authCode, contacts, nameservers, extra, isPrivate = false, operationId } = ordered;
  const hasContacts = contacts.registrant !== undefined;
  return order('POST', '/domains/transfer', {
    domain: partsOf(name),
    auth_code: authCode,
    unit: 'y',
    ...(hasContacts ? handlesOf(contacts) : { import_contacts_from_registry: true }),
    ...(nameservers.length > 0 ? { name_servers: hostList(nameservers) } : { import_nameservers_from_registry: true }),
    ...noAutoRenewal,
    is_private_whois_enabled: isPrivate,
    ...additionalDataOf(extra, settings),
    ...(fee === undefined ? {} : { accept_premium_fee: fee }),
    ...commentOf('transfer', operationId),
  });
}

const pathOf = ({ id }: Detail): string => `/domains/${encodeURIComponent(id)}`;

/** Requests name the domain twice: by its id and by its name. */
const about = ({ id, name }: Detail): Nested => ({ id: Number(id), domain: partsOf(name) });

const change = (detail: Detail, fields: Nested): Call => order('PUT', pathOf(detail), { ...about(detail), ...fields });

export const removeCall = ({ id, name }: { readonly id: string; readonly name: string }): Call => {
  const { name: label, extension } = partsOf(name);
  return removal(`/domains/${encodeURIComponent(id)}`, { 'domain.name': label, 'domain.extension': extension });
};

const changedHandles = (detail: Detail, ids: ContactIds): Record<string, string> => {
  const present = handlesOf(detail.contacts);
  return Object.fromEntries(Object.entries(handlesOf(ids)).filter(([field, handle]) => present[field] !== handle));
};

export function openproviderCalls({ authCode, openprovider: settings }: UpstreamProfile): Calls {
  return {
    create: (ordered) => [createCall(ordered, settings)],
    // It has no date, so it is sent only while nothing at Openprovider contradicts that.
    renew: (detail, { years }) => [order('POST', `${pathOf(detail)}/renew`, { ...about(detail), period: years })],
    remove: (detail) => [removeCall(detail)],
    restore: (detail) => [order('POST', `${pathOf(detail)}/restore`, about(detail))],
    nameservers: (detail, hostnames) => [change(detail, { name_servers: hostList(hostnames) })],
    contacts(detail, ids) {
      const handles = changedHandles(detail, ids);
      return Object.keys(handles).length === 0 ? [] : [change(detail, handles)];
    },
    authCode: (detail, code) => [
      authCode.madeBy === 'upstream'
        ? order('POST', `${pathOf(detail)}/authcode/reset`, about(detail))
        : change(detail, { auth_code: code }),
    ],
    autoRenew: (detail, isOn) => [change(detail, { autorenew: isOn ? 'on' : 'off' })],
    flags: {
      protected: (detail, isOn) => [change(detail, { is_locked: isOn })],
      private: (detail, isOn) => [change(detail, { is_private_whois_enabled: isOn })],
    },
    contact: (id) => question(`/customers/${encodeURIComponent(id)}`, {}),
    // The name of a customer cannot be changed, so a change of a contact creates another customer.
    createContact: (contact) => [order('POST', '/customers', customerOf(contact, settings.contactFields))],
    removeContact: (id) => [removal(`/customers/${encodeURIComponent(id)}`)],
    hosts,
  };
}
