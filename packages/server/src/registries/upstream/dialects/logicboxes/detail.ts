import type { DsRecord } from '../../../../core/ports/registry.ts';
import type { Detail, RemoteStatus, Role } from '../../dialect.ts';
import { type Fields, flagOf, listOf, objectOf, objectsOf, textOf } from '../../fields.ts';

/** `currentstatus`. Others are read from the dates. */
const statuses: Readonly<Record<string, RemoteStatus>> = {
  active: 'live',
  suspended: 'live',
  'pending delete restorable': 'redemption',
  deleted: 'absent',
  archived: 'absent',
};

const confirmations: Readonly<Record<string, Detail['confirmation']>> = { pending: 'awaited', suspended: 'held' };

/** The verb of an action by its type, in our terms. */
export const actionVerbs: Readonly<Record<string, 'register' | 'renew' | 'transfer' | 'restore'>> = {
  AddNewDomain: 'register',
  RenewDomain: 'renew',
  AddTransferDomain: 'transfer',
  RestoreDomain: 'restore',
};

export const isFailed = (actionStatus: string | undefined): boolean => /^(failed|cancelled)$/i.test(actionStatus ?? '');

/** Seconds since 1970, as a number or as text. */
export function epochOf(value: unknown): Date | null {
  const text = textOf(value);
  return text !== undefined && /^\d{1,11}$/.test(text) ? new Date(Number(text) * 1_000) : null;
}

/** Undefined: not readable, for example because an active domain has no end. */
export function readDetail(body: unknown): Detail | undefined {
  const main = objectOf(body);
  const id = textOf(main?.orderid) ?? textOf(main?.entityid);
  const name = (textOf(main?.domainname) ?? textOf(main?.description))?.toLowerCase();
  const current = textOf(main?.currentstatus)?.toLowerCase();
  if (!main || id === undefined || name === undefined || current === undefined) return undefined;
  const [createdAt, expiresAt] = [epochOf(main.creationtime), epochOf(main.endtime)];
  const status = statusOf(current, main, expiresAt);
  if (status === 'live' && !expiresAt) return undefined;
  const states = textsOf(main.orderstatus);
  return {
    id,
    name,
    status,
    createdAt,
    updatedAt: null,
    expiresAt,
    expiryText: textOf(main.endtime),
    isPrivate: main.isprivacyprotected === undefined ? undefined : flagOf(main.isprivacyprotected),
    autoRenew: main.recurring === undefined ? undefined : flagOf(main.recurring),
    isLocked: false,
    isSuspended: current === 'suspended' || states.includes('resellersuspend'),
    isProtected: states.includes('transferlock'),
    contacts: contactsOf(main),
    nameservers: nameserversOf(main),
    hosts: hostsOf(main.cns),
    ds: dsOf(main.dnssec),
    registryStatuses: textsOf(main.domainstatus),
    rgpStatuses: [],
    confirmation: confirmations[(textOf(main.raaVerificationStatus) ?? '').toLowerCase()],
    underway: underwayOf(main),
    transfer: transferOf(main, status),
    transferAway: undefined,
  };
}

function statusOf(current: string, main: Fields, expiresAt: Date | null): RemoteStatus {
  const known = statuses[current];
  if (known) return known;
  if (isFailed(textOf(main.actionstatus)) && !expiresAt) return 'absent';
  if (current !== 'inactive' && expiresAt) return 'live';
  return actionVerbs[textOf(main.actiontype) ?? ''] === 'transfer' ? 'pending_transfer_in' : 'pending';
}

/** Present only while an action is open, or after it failed. */
function underwayOf(main: Fields): string | undefined {
  const type = textOf(main.actiontype);
  if (type === undefined || isFailed(textOf(main.actionstatus))) return undefined;
  return actionVerbs[type] ?? (type.startsWith('Mod') ? 'update' : type);
}

function transferOf(main: Fields, status: RemoteStatus): Detail['transfer'] {
  if (actionVerbs[textOf(main.actiontype) ?? ''] !== 'transfer') return undefined;
  const transferStatus = status === 'pending_transfer_in' ? 'pending' : 'clientRejected';
  return { status: transferStatus, registrar: undefined, requestedAt: null, actionAt: null };
}

export const textsOf = (value: unknown): string[] => listOf(value).flatMap((each) => textOf(each) ?? []);

/** -1: no contact. */
const contactOf = (value: unknown): string | undefined => {
  const id = textOf(value);
  return id === '-1' || id === '0' ? undefined : id;
};

const contactsOf = (main: Fields): Record<Role, string | undefined> => ({
  registrant: contactOf(main.registrantcontactid),
  admin: contactOf(main.admincontactid),
  tech: contactOf(main.techcontactid),
  billing: contactOf(main.billingcontactid),
});

const nameserverPlaces = 13;

const nameserversOf = (main: Fields): string[] =>
  Array.from({ length: nameserverPlaces }, (_, at) => textOf(main[`ns${at + 1}`])).flatMap((host) =>
    host === undefined ? [] : [host.toLowerCase()],
  );

/** Addresses by host. */
const hostsOf = (value: unknown): { hostname: string; ip: string }[] =>
  Object.entries(objectOf(value) ?? {}).flatMap(([host, addresses]) =>
    textsOf(addresses).map((ip) => ({ hostname: host.toLowerCase(), ip })),
  );

const dsOf = (value: unknown): DsRecord[] =>
  objectsOf(value).flatMap(({ keytag, algorithm, digesttype, digest }) => {
    const text = textOf(digest);
    if (text === undefined) return [];
    const [tag, algorithmNumber, type] = [Number(keytag), Number(algorithm), Number(digesttype)];
    return [{ keytag: tag, algorithm: algorithmNumber, digesttype: type, digest: text.toUpperCase() }];
  });

/** The fields of a list about an order, and whether it has the lock or the hold. */
export const flagsOf = (row: Fields) => ({
  isLocked: false,
  isProtected: flagOf(row['orders.transferlock']),
  isSuspended: textOf(row['entity.currentstatus'])?.toLowerCase() === 'suspended' || flagOf(row['orders.resellerlock']),
});

export const statusOfRow = (row: Fields): RemoteStatus => {
  const current = textOf(row['entity.currentstatus'])?.toLowerCase() ?? '';
  return statuses[current] ?? (current !== 'inactive' && epochOf(row['orders.endtime']) ? 'live' : 'pending');
};
