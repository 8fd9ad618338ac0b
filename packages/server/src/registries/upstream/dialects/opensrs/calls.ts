import { createHash } from 'node:crypto';
import type { Calls, Detail, TransferOrder } from '../../dialect.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { tldOf } from '../../roles.ts';
import type { Call } from '../../wire.ts';
import { contactSet, roleKeys } from './contacts.ts';
import type { OpsMap } from './envelope.ts';
import { hosts } from './hosts.ts';
import { message } from './message.ts';

const hostList = (hostnames: readonly string[]): OpsMap[] =>
  hostnames.map((name, place) => ({ name, sortorder: String(place + 1) }));

/** Our operation id is kept in each order, and read back after a lost answer. */
const ownId = (operationId: string | undefined): OpsMap =>
  operationId === undefined ? {} : { affiliate_id: operationId };

/** The registrant's own login, which OpenSRS requires. A repeated order has the same one. */
const usernameOf = (order: { readonly name: string; readonly operationId?: string | undefined }): string =>
  `nh${createHash('sha256')
    .update(order.operationId ?? order.name)
    .digest('hex')
    .slice(0, 16)}`;

/** Additional fields, as far as the profile has a name of theirs. */
function tldData({ tldFields }: UpstreamProfile['opensrs'], { name, extra }: Ordered): OpsMap {
  const names = tldFields[tldOf(name)] ?? {};
  const known = Object.entries(names).flatMap(([own, theirs]) =>
    extra[own] === undefined ? [] : [[theirs, extra[own]] as const],
  );
  return known.length === 0 ? {} : { tld_data: Object.fromEntries(known) };
}

type Ordered = Pick<TransferOrder, 'name' | 'extra'>;

const about = (detail: Detail, action: string, attributes: OpsMap = {}): Call =>
  message(action, { domain: detail.name, ...attributes });

const modify = (detail: Detail, data: string, attributes: OpsMap): Call =>
  about(detail, 'MODIFY', { data, affect_domains: '0', ...attributes });

export function openSrsCalls({ opensrs, authCode }: UpstreamProfile): Calls {
  return {
    create(order) {
      const hosts = order.nameservers.length > 0 ? order.nameservers : opensrs.nameservers;
      return [
        message('SW_REGISTER', {
          domain: order.name,
          reg_type: 'new',
          period: String(order.years),
          // The account's own setting may be to save orders.
          handle: 'process',
          // Only one side may renew.
          auto_renew: '0',
          f_lock_domain: '0',
          f_whois_privacy: order.isPrivate ? '1' : '0',
          custom_tech_contact: '1',
          contact_set: contactSet(order.contacts, order.contactData),
          custom_nameservers: hosts.length > 0 ? '1' : '0',
          ...(hosts.length > 0 ? { nameserver_list: hostList(hosts) } : {}),
          ...tldData(opensrs, order),
          reg_username: usernameOf(order),
          ...ownId(order.operationId),
        }),
      ];
    },
    // Protects against a double renewal: the year of the end on which the order is based.
    renew: (detail, { years, operationId }) => [
      about(detail, 'RENEW', {
        period: String(years),
        currentexpirationyear: (detail.expiryText ?? '').slice(0, 4),
        handle: 'process',
        auto_renew: '0',
        ...ownId(operationId),
      }),
    ],
    remove: (detail) => [about(detail, 'REVOKE', { reseller: '' })],
    restore: (detail) => [about(detail, 'REDEEM')],
    cancelTransfer: (detail) => [message('CANCEL_TRANSFER', { domain: detail.name, reseller: '' }, 'TRANSFER')],
    nameservers: (detail, hostnames) => [
      about(detail, 'ADVANCED_UPDATE_NAMESERVERS', { op_type: 'assign', assign_ns: [...hostnames] }),
    ],
    contacts(detail, ids, data) {
      const set = contactSet(ids, data);
      const changed = Object.entries(roleKeys).flatMap(([role, key]) =>
        ids[role as keyof typeof ids] !== detail.contacts[role as keyof typeof ids] && set[key] !== undefined
          ? [key]
          : [],
      );
      if (changed.length === 0) return [];
      const contact_set = Object.fromEntries(changed.map((key) => [key, set[key]!]));
      return [about(detail, 'UPDATE_CONTACTS', { contact_set, types: changed })];
    },
    authCode: (detail, code) =>
      authCode.madeBy === 'upstream' ? [] : [modify(detail, 'domain_auth_info', { domain_auth_info: code })],
    autoRenew: (detail, isOn) => [modify(detail, 'expire_action', { auto_renew: isOn ? '1' : '0', let_expire: '0' })],
    flags: {
      protected: (detail, isOn) => [modify(detail, 'status', { lock_state: isOn ? '1' : '0' })],
      private: (detail, isOn) => [modify(detail, 'whois_privacy_state', { state: isOn ? 'enable' : 'disable' })],
    },
    // There are no contacts: their data is in each order.
    contact: () => message('GET_BALANCE', {}, 'BALANCE'),
    createContact: () => [],
    removeContact: () => [],
    hosts,
  };
}

export const transferCall = (order: TransferOrder, { opensrs }: UpstreamProfile): Call =>
  message('SW_REGISTER', {
    domain: order.name,
    reg_type: 'transfer',
    period: '1',
    handle: 'process',
    auto_renew: '0',
    auth_info: order.authCode,
    custom_tech_contact: '1',
    // 0: the nameservers stay as they are.
    custom_transfer_nameservers: order.nameservers.length > 0 ? '1' : '0',
    ...(order.nameservers.length > 0 ? { nameserver_list: hostList(order.nameservers) } : {}),
    ...tldData(opensrs, order),
    contact_set: contactSet(order.contacts, order.contactData),
    reg_username: usernameOf(order),
    ...ownId(order.operationId),
  });
