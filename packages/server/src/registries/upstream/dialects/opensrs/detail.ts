import { dayMs } from '@namehold/base';
import type { Reply } from '../../../../core/ports/registry.ts';
import type { Detail, Role, UpstreamClient } from '../../dialect.ts';
import { type Fields, flagOf, objectOf, objectsOf, textOf, timeOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { objectNotFound } from '../../upstream.ts';
import { idOfCard, roleKeys } from './contacts.ts';
import { attributesOf, message } from './message.ts';

export const infoCall = (name: string) => message('GET', { domain: name, type: 'all_info' });

/** The domain and its lock; if it is not in our account, its deletion or the latest transfer to us. */
export async function fetchParts(send: UpstreamClient, name: string): Promise<Reply<unknown>> {
  const { reply: info } = await send(infoCall(name));
  if (info.kind === 'refused' && info.evidence.code === objectNotFound) return fetchAbsent(send, name, info);
  if (info.kind !== 'done') return info;
  const { reply: status } = await send(message('GET', { domain: name, type: 'status' }));
  if (status.kind !== 'done') return status;
  return { ...status, data: { name, info: attributesOf(info.data), status: attributesOf(status.data) } };
}

async function fetchAbsent(send: UpstreamClient, name: string, info: Reply<unknown>): Promise<Reply<unknown>> {
  const { reply: transfers } = await send(message('GET_TRANSFERS_IN', { domain: name }));
  if (transfers.kind !== 'done') return transfers;
  const transfer = latestOf(attributesOf(transfers.data).transfers, 'domain', name, 'order_id');
  if (transfer && isOpen(transfer)) return { ...transfers, data: { name, transfer } };
  const { reply: deletions } = await send(message('GET_DELETED_DOMAINS', { domain: name }));
  if (deletions.kind !== 'done') return deletions;
  const deletion = latestOf(attributesOf(deletions.data).del_domains, 'name', name, 'delete_date_epoch');
  if (!deletion) return transfer ? { ...transfers, data: { name, transfer } } : info;
  // A domain that was deleted with a refund is not kept for a redemption, but available at once.
  const { reply: lookup } = await send(message('LOOKUP', { domain: name, no_cache: '1' }));
  if (lookup.kind !== 'done') return lookup;
  const isFree = textOf(objectOf(lookup.data)?.response_code) === '210';
  return isFree ? info : { ...deletions, data: { name, deletion } };
}

function latestOf(rows: unknown, key: string, name: string, order: string): Fields | undefined {
  const own = objectsOf(rows).filter((row) => textOf(row[key])?.toLowerCase() === name);
  return own.sort((a, b) => Number(a[order]) - Number(b[order])).at(-1);
}

const isOpen = (transfer: Fields): boolean => /^pending/.test(textOf(transfer.status) ?? '');

const epochOf = (value: unknown): Date | null => {
  const seconds = Number(textOf(value) ?? Number.NaN);
  return Number.isFinite(seconds) ? new Date(seconds * 1_000) : null;
};

const empty = {
  updatedAt: null,
  isLocked: false,
  isSuspended: false,
  hosts: [],
  ds: [],
  registryStatuses: [],
  rgpStatuses: [],
  confirmation: undefined,
  underway: undefined,
  transfer: undefined,
  transferAway: undefined,
};

/** Undefined: not readable, for example because it has no end. */
export function readDetail(parts: unknown, { utcOffset, opensrs }: UpstreamProfile, now: Date): Detail | undefined {
  const fields = objectOf(parts);
  const name = textOf(fields?.name);
  const info = objectOf(fields?.info);
  const incoming = objectOf(fields?.transfer);
  const deletion = objectOf(fields?.deletion);
  if (name === undefined) return undefined;
  if (deletion) return deletedDetail(name, deletion, { now, days: opensrs.redemptionDays });
  if (incoming) return transferDetail(name, incoming);
  const expiryText = textOf(info?.expiredate);
  const expiresAt = timeOf(expiryText, utcOffset);
  if (!info || !expiresAt) return undefined;
  const createdAt = timeOf(info.registry_createdate, utcOffset);
  const isNew = createdAt !== null && now.getTime() - createdAt.getTime() < opensrs.refundDays * dayMs;
  return {
    ...empty,
    id: name,
    name,
    status: 'live',
    createdAt,
    expiresAt,
    expiryText,
    autoRenew: info.auto_renew === undefined ? undefined : flagOf(info.auto_renew),
    // RFC 3915 3.1: the period in which a delete is refunded.
    rgpStatuses: isNew ? ['addPeriod'] : [],
    isProtected: flagOf(objectOf(fields?.status)?.lock_state),
    contacts: contactsOf(objectOf(info.contact_set)),
    nameservers: objectsOf(info.nameserver_list).flatMap(({ name: host }) => textOf(host)?.toLowerCase() ?? []),
  };
}

function contactsOf(set: Fields | undefined): Record<Role, string | undefined> {
  const idOf = (role: Role) => {
    const card = objectOf(set?.[roleKeys[role]]);
    return card && idOfCard(card);
  };
  return { registrant: idOf('registrant'), admin: idOf('admin'), tech: idOf('tech'), billing: idOf('billing') };
}

/** A transfer that ended without the domain counts as refused. */
function transferDetail(name: string, row: Fields): Detail {
  return {
    ...absent(name),
    status: isOpen(row) ? 'pending_transfer_in' : 'absent',
    transfer: {
      status: isOpen(row) ? 'pending' : 'clientRejected',
      registrar: undefined,
      requestedAt: epochOf(row.order_date_epoch),
      actionAt: null,
    },
  };
}

/** It is no longer in the account, and can be redeemed for a time that depends on the TLD. */
function deletedDetail(name: string, row: Fields, { now, days }: { now: Date; days: number }): Detail | undefined {
  const deletedAt = epochOf(row.delete_date_epoch);
  if (!deletedAt) return undefined;
  const isKept = now.getTime() - deletedAt.getTime() < days * dayMs;
  return { ...absent(name), status: isKept ? 'redemption' : 'absent', expiresAt: epochOf(row.expiredate_epoch) };
}

const absent = (name: string) => ({
  ...empty,
  id: name,
  name,
  createdAt: null,
  expiresAt: null,
  expiryText: undefined,
  isProtected: false,
  contacts: contactsOf(undefined),
  nameservers: [],
});
