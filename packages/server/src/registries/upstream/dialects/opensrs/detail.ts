import type { Reply } from '../../../../core/ports/registry.ts';
import type { Detail, Role, UpstreamClient } from '../../dialect.ts';
import { type Fields, flagOf, objectOf, objectsOf, textOf, timeOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { objectNotFound } from '../../upstream.ts';
import { idOfCard, roleKeys } from './contacts.ts';
import { attributesOf, message } from './message.ts';

export const infoCall = (name: string) => message('GET', { domain: name, type: 'all_info' });

/** The domain and its lock; if it is not in our account, the latest transfer to us. */
export async function fetchParts(send: UpstreamClient, name: string): Promise<Reply<unknown>> {
  const { reply: info } = await send(infoCall(name));
  if (info.kind === 'refused' && info.evidence.code === objectNotFound) {
    const { reply: transfers } = await send(message('GET_TRANSFERS_IN', { domain: name }));
    if (transfers.kind !== 'done') return transfers;
    const own = objectsOf(attributesOf(transfers.data).transfers).filter(
      (row) => textOf(row.domain)?.toLowerCase() === name,
    );
    const latest = own.sort((a, b) => Number(a.order_id) - Number(b.order_id)).at(-1);
    return latest ? { ...transfers, data: { name, transfer: latest } } : info;
  }
  if (info.kind !== 'done') return info;
  const { reply: status } = await send(message('GET', { domain: name, type: 'status' }));
  if (status.kind !== 'done') return status;
  return { ...status, data: { name, info: attributesOf(info.data), status: attributesOf(status.data) } };
}

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
export function readDetail(parts: unknown, { utcOffset }: UpstreamProfile): Detail | undefined {
  const fields = objectOf(parts);
  const name = textOf(fields?.name);
  const info = objectOf(fields?.info);
  const incoming = objectOf(fields?.transfer);
  if (name === undefined) return undefined;
  if (incoming) return transferDetail(name, incoming);
  const expiryText = textOf(info?.expiredate);
  const expiresAt = timeOf(expiryText, utcOffset);
  if (!info || !expiresAt) return undefined;
  return {
    ...empty,
    id: name,
    name,
    status: 'live',
    createdAt: timeOf(info.registry_createdate, utcOffset),
    expiresAt,
    expiryText,
    autoRenew: info.auto_renew === undefined ? undefined : flagOf(info.auto_renew),
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
  const isOpen = /^pending/.test(textOf(row.status) ?? '');
  const seconds = Number(textOf(row.order_date_epoch) ?? Number.NaN);
  return {
    ...empty,
    id: name,
    name,
    status: isOpen ? 'coming' : 'gone',
    createdAt: null,
    expiresAt: null,
    expiryText: undefined,
    isProtected: false,
    contacts: contactsOf(undefined),
    nameservers: [],
    transfer: {
      status: isOpen ? 'pending' : 'clientRejected',
      registrar: undefined,
      requestedAt: Number.isFinite(seconds) ? new Date(seconds * 1_000) : null,
      actionAt: null,
    },
  };
}
