import type { DsRecord } from '../../../../core/ports/registry.ts';
import type { Detail, RemoteStatus, RemoteTransfer, Role } from '../../dialect.ts';
import { type Fields, flagOf, listOf, objectOf, textOf, timeOf } from '../../fields.ts';
import type { ContractSettings } from './settings.ts';

/** `order_status` of the contract, in any case. Other values mean active. */
const statuses: Readonly<Record<string, RemoteStatus>> = {
  pending: 'pending',
  unpaid: 'absent',
  'pending delete restorable': 'redemption',
  'pending restore': 'pending_restore',
  'pending delete': 'pending_delete',
  'pending transfer': 'pending_transfer',
  'transferred away': 'transferred_out',
  moved: 'transferred_out',
  cancelled: 'absent',
  deleted: 'absent',
};

const confirmations: Readonly<Record<string, Detail['confirmation']>> = { pending: 'awaited', suspended: 'held' };

/** The contract has no field for it; a service may have one. Our own API shows the renewal mode. */
function autoRenewOf(main: Fields, own: ContractSettings['autoRenew']): boolean | undefined {
  const shown = own && main[own.field];
  if (shown !== undefined) return String(shown) === own!.on || (own!.on === 'true' && flagOf(shown));
  return main.renewal_mode === undefined ? undefined : /^renew/.test(textOf(main.renewal_mode) ?? '');
}

export function readDetail(
  body: unknown,
  utcOffset: string,
  ownRenewal?: ContractSettings['autoRenew'],
): Detail | undefined {
  const whole = objectOf(body);
  const main = objectOf(whole?.domain_details) ?? whole;
  const id = textOf(main?.domain_id) ?? textOf(main?.order_id);
  const name = textOf(main?.domain_name)?.toLowerCase();
  if (!whole || !main || id === undefined || name === undefined) return undefined;
  const expiry = textOf(main.expiry_date) ?? textOf(main.end_date) ?? textOf(main.end_time);
  return {
    id,
    name,
    status: remoteStatusOf(main),
    createdAt: timeOf(main.creation_time ?? main.creation_date ?? main.start_date, utcOffset),
    updatedAt: timeOf(main.last_update, utcOffset),
    expiresAt: timeOf(expiry, utcOffset),
    expiryText: expiry,
    autoRenew: autoRenewOf(main, ownRenewal),
    isLocked: flagOf(main.locked ?? main.is_lock),
    isSuspended: flagOf(main.suspended ?? main.suspend ?? main.is_suspend),
    isProtected: flagOf(main.theft_protection ?? main.is_theft_protection),
    contacts: contactsOf(main),
    nameservers: nameserversOf(main),
    hosts: hostsOf(whole.cns),
    ds: dsOf(whole.dnssec),
    registryStatuses: textsOf(main.registry_status),
    rgpStatuses: textsOf(main.rgp_status),
    confirmation: confirmations[(textOf(main.raaVerificationStatus) ?? '').toLowerCase()],
    underway: textOf(objectOf(main.operation)?.kind),
    transfer: transferOf(main.transfer, 'from_registrar', utcOffset),
    transferAway: transferOf(main.transfer_away, 'registrar', utcOffset),
  };
}

function transferOf(value: unknown, registrar: string, utcOffset: string): RemoteTransfer | undefined {
  const transfer = objectOf(value);
  return (
    transfer && {
      status: textOf(transfer.status),
      registrar: textOf(transfer[registrar]),
      requestedAt: timeOf(transfer.requested_at, utcOffset),
      actionAt: timeOf(transfer.action_at, utcOffset),
    }
  );
}

const textsOf = (value: unknown): string[] => listOf(value).flatMap((each) => textOf(each) ?? []);

function remoteStatusOf(main: Fields): RemoteStatus {
  const orderStatus = (textOf(main.order_status) ?? textOf(main.status) ?? 'live').toLowerCase();
  const known = statuses[orderStatus] ?? 'live';
  if (known !== 'pending_transfer') return known;
  // One status covers transfers in and out. Our own API tells them apart by `state`; elsewhere only an incoming domain has no end date yet.
  const state = textOf(main.state);
  const isTransferIn = state === undefined ? !textOf(main.expiry_date) && !textOf(main.end_date) : state === 'pending';
  return isTransferIn ? 'pending_transfer_in' : known;
}

/** -1: no contact. */
const contactOf = (...values: readonly unknown[]): string | undefined =>
  values.map(textOf).find((id) => id !== undefined && id !== '-1' && id !== '0');

function contactsOf(main: Fields): Record<Role, string | undefined> {
  const of = (role: string) => objectOf(main[`${role}_contact`])?.contact_id;
  return {
    registrant: contactOf(main.registrant_contact_id, main.reg_contact_id, of('registrant')),
    admin: contactOf(main.admin_contact_id, main.adm_contact_id, of('admin')),
    tech: contactOf(main.tech_contact_id, of('tech')),
    billing: contactOf(main.billing_contact_id, main.bill_contact_id, of('billing')),
  };
}

const nameserverPlaces = 13;

function nameserversOf(main: Fields): string[] {
  const placed = Array.from({ length: nameserverPlaces }, (_, at) => textOf(main[`ns${at + 1}`]));
  const named = placed.some((host) => host !== undefined) ? placed : listOf(main.nameservers).map(textOf);
  return named.flatMap((host) => (host === undefined ? [] : [host.toLowerCase()]));
}

function hostsOf(value: unknown): { hostname: string; ip: string }[] {
  return listOf(value).flatMap((each) => {
    const host = objectOf(each);
    const [hostname, ip] = [textOf(host?.hostname), textOf(host?.ip)];
    return hostname === undefined || ip === undefined ? [] : [{ hostname: hostname.toLowerCase(), ip }];
  });
}

function dsOf(value: unknown): DsRecord[] {
  return listOf(value).flatMap((each) => {
    const ds = objectOf(each);
    const digest = textOf(ds?.digest);
    if (!ds || digest === undefined) return [];
    const [keytag, algorithm, digesttype] = [Number(ds.keytag), Number(ds.algorithm), Number(ds.digesttype)];
    return [{ keytag, algorithm, digesttype, digest: digest.toUpperCase() }];
  });
}
