import { isIPv6 } from 'node:net';
import type { DsRecord, RegistryContact } from '../../../../core/ports/registry.ts';
import { digitsOf, phoneParts } from '../../contact-fields.ts';
import type { Calls, ContactIds, Detail, TransferOrder, WholeHostCalls } from '../../dialect.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { contactsByRole, tldOf } from '../../roles.ts';
import type { Call } from '../../wire.ts';
import { byOurAccount, contactPath, order, pathOf, question, removal } from './message.ts';
import { afterChanges, isUnlock, ownDetail, type StatusChange, statusChanges } from './statuses.ts';

type Message = Readonly<Record<string, unknown>>;

const monthsPerYear = 12;
/** A change of the statuses, before `merge` makes it a list of all statuses. */
const statusKey = 'statusChange';

const update = (detail: Detail, message: Message): Call => order(`${pathOf(detail.name)}/update`, message);

/** Both sides may renew, so the upstream's own auto-renewal is off, and nothing depends on the settings of the account. */
const ownTerms = (isPrivate: boolean | undefined): Message => ({
  autoRenew: false,
  privacyProtect: isPrivate ?? false,
});

/** A role that the TLD does not have is left out. */
function partiesOf(name: string, ids: ContactIds, { realtimeregister }: UpstreamProfile): Message {
  const roles = contactsByRole(ids, realtimeregister.tlds[tldOf(name)]?.without);
  const contacts = roles.flatMap(([role, handle]) =>
    role === 'registrant' ? [] : [{ role: role.toUpperCase(), handle }],
  );
  return { ...(ids.registrant === undefined ? {} : { registrant: ids.registrant }), contacts };
}

const nameserversOf = (hostnames: readonly string[]): Message => (hostnames.length > 0 ? { ns: hostnames } : {});

export function realtimeRegisterCalls(profile: UpstreamProfile): Calls {
  const { realtimeregister: own, authCode } = profile;
  return {
    create: ({ name, years, contacts, nameservers, isPrivate }) => [
      order(pathOf(name), {
        ...byOurAccount,
        ...partiesOf(name, contacts, profile),
        ...nameserversOf(nameservers),
        ...ownTerms(isPrivate),
        period: years * monthsPerYear,
      }),
    ],
    renew: (detail, { years }) => [
      order(`${pathOf(detail.name)}/renew`, {
        period: years * monthsPerYear,
        ...(own.sendsExpiryDate ? { expiryDate: detail.expiryText } : {}),
      }),
    ],
    remove: (detail) => [removal(pathOf(detail.name))],
    restore: (detail) => [order(`${pathOf(detail.name)}/restore`, { reason: own.restoreReason })],
    cancelTransfer: (detail) => [removal(`/processes/${encodeURIComponent(ownDetail(detail).processId ?? '0')}`)],
    nameservers: (detail, hostnames) => [update(detail, { ns: hostnames })],
    contacts: (detail, { registrant, ...others }) => {
      const { contacts } = partiesOf(
        detail.name,
        { registrant: registrant ?? detail.contacts.registrant, ...others },
        profile,
      );
      // The same registrant could be taken as a change, which some TLDs charge.
      const isNew = registrant !== undefined && registrant !== detail.contacts.registrant;
      return [update(detail, { ...(isNew ? { registrant } : {}), contacts })];
    },
    ds: (detail, add, remove) => [update(detail, { dsData: afterDs(detail.ds, add, remove) })],
    authCode: (detail, code) => (authCode.madeBy === 'upstream' ? [] : [update(detail, { authcode: code })]),
    autoRenew: (detail, isOn) => [update(detail, { autoRenew: isOn })],
    flags: {
      locked: (detail, isOn) => [update(detail, { [statusKey]: statusChanges.locked(isOn) })],
      protected: (detail, isOn) => [update(detail, { [statusKey]: statusChanges.protected(isOn) })],
      suspended: (detail, isOn) => [update(detail, { [statusKey]: statusChanges.suspended(isOn) })],
      private: (detail, isOn) => [update(detail, { privacyProtect: isOn })],
    },
    merge,
    contact: (id) => question(contactPath(id)),
    createContact: (contact) => [
      order(contactPath(contact.handle), contactFields(contact)),
      ...properties(contact, profile),
    ],
    updateContact: (id, contact) => [
      order(`${contactPath(id)}/update`, { organization: '', state: '', ...contactFields(contact) }),
      ...properties(contact, profile, '/update'),
    ],
    removeContact: (id) => [removal(contactPath(id))],
    hosts,
  };
}

/** All parts of a change are fields of one request. Only a lock is removed before, because it forbids other changes. */
function merge(detail: Detail, calls: readonly Call[]): readonly Call[] {
  const changeOf = ({ message }: Call) => message?.[statusKey] as StatusChange | undefined;
  const unlocks = calls.filter((call) => {
    const change = changeOf(call);
    return change !== undefined && isUnlock(change);
  });
  const others = calls.filter((call) => !unlocks.includes(call));
  const { statuses } = ownDetail(detail);
  const unlocked = afterChanges(
    statuses,
    unlocks.flatMap((call) => changeOf(call) ?? []),
  );
  const changes = others.flatMap((call) => changeOf(call) ?? []);
  const { [statusKey]: _, ...fields } = Object.assign({}, ...others.map(({ message }) => message)) as Message;
  const status = changes.length > 0 ? { status: afterChanges(unlocked, changes) } : {};
  return [
    ...(unlocks.length > 0 ? [update(detail, { status: unlocked })] : []),
    ...(others.length > 0 ? [update(detail, { ...fields, ...status })] : []),
  ];
}

function afterDs(present: readonly DsRecord[], add: readonly DsRecord[], remove: readonly DsRecord[]): Message[] {
  const textOf = ({ keytag, algorithm, digesttype, digest }: DsRecord) =>
    [keytag, algorithm, digesttype, digest.toUpperCase()].join(' ');
  const removed = new Set(remove.map(textOf));
  const wanted = new Map([...present, ...add].map((each) => [textOf(each), each]));
  return [...wanted].flatMap(([text, { keytag, algorithm, digesttype, digest }]) =>
    removed.has(text) ? [] : [{ keyTag: keytag, algorithm, digestType: digesttype, digest: digest.toUpperCase() }],
  );
}

export const transferCall = (
  profile: UpstreamProfile,
  { name, ...ordered }: TransferOrder,
  contacts: ContactIds,
): Call => {
  const months = profile.realtimeregister.tlds[tldOf(name)]?.transferMonths;
  return order(`${pathOf(name)}/transfer`, {
    ...byOurAccount,
    ...partiesOf(name, contacts, profile),
    ...nameserversOf(ordered.nameservers),
    ...ownTerms(ordered.isPrivate),
    ...(ordered.authCode === '' ? {} : { authcode: ordered.authCode }),
    ...(months === undefined ? {} : { period: months }),
  });
};

function phoneOf(number: string): string {
  const parts = phoneParts(number);
  return parts ? `+${parts.country}.${digitsOf(parts.rest)}` : number;
}

const contactFields = (contact: RegistryContact): Message => ({
  name: contact.name,
  ...(contact.organisation === null ? {} : { organization: contact.organisation }),
  addressLine: contact.street.slice(0, 3),
  postalCode: contact.postalCode ?? '',
  city: contact.city,
  ...(contact.state === null ? {} : { state: contact.state }),
  country: contact.countryCode,
  email: contact.email,
  voice: phoneOf(contact.voice),
  ...(contact.fax === null ? {} : { fax: phoneOf(contact.fax) }),
});

/** Additional fields of a contact: one request for each registry there, by the names in the profile. */
export function propertiesOf({ extra }: RegistryContact, { realtimeregister }: UpstreamProfile): [string, Message][] {
  return Object.entries(realtimeregister.contactProperties).flatMap(([registry, names]): [string, Message][] => {
    const found = Object.entries(names).flatMap(([own, theirs]) =>
      extra[own] === undefined ? [] : [[theirs, extra[own]]],
    );
    return found.length === 0 ? [] : [[registry, Object.fromEntries(found)]];
  });
}

const properties = (contact: RegistryContact, profile: UpstreamProfile, suffix = ''): Call[] =>
  propertiesOf(contact, profile).map(([registry, values]) =>
    order(`${contactPath(contact.handle)}/${encodeURIComponent(registry)}${suffix}`, { properties: values }),
  );

const addressOf = (address: string): Message => ({ ipVersion: isIPv6(address) ? 'V6' : 'V4', address });

const hostPath = (hostname: string): string => `/hosts/${encodeURIComponent(hostname)}`;

const setAddresses = (hostname: string, addresses: readonly string[], isNew: boolean): Call =>
  order(isNew ? hostPath(hostname) : `${hostPath(hostname)}/update`, { addresses: addresses.map(addressOf) });

const hosts: WholeHostCalls = {
  set: (_detail, hostname, addresses, isNew) => [setAddresses(hostname, addresses, isNew)],
  remove: (_detail, hostname) => [removal(hostPath(hostname))],
  rename: (_detail, hostname, newName, addresses) => [
    setAddresses(newName, addresses, true),
    removal(hostPath(hostname)),
  ],
};
