import type { Clock } from '@namehold/base';
import type { Reply } from '../../../../core/ports/registry.ts';
import type { AccountDomain, Detail, RemoteStatus, Role, UpstreamClient } from '../../dialect.ts';
import { type Fields, flagOf, objectOf, objectsOf, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { evidenceOf } from '../../refusals.ts';
import { statusesOf } from '../../statuses.ts';
import type { Call } from '../../wire.ts';
import { readComment } from './comments.ts';
import { roleFields } from './contacts.ts';
import { nameOf, question, rowsOf } from './message.ts';
import { localTimeOf } from './time.ts';

type Settings = UpstreamProfile['openprovider'];

const pageSize = '100';

/** The domain with its failed and deleted orders, as far as the list has them. */
export const searchCall = (name: string): Call => question('/domains', { full_name: name, limit: pageSize }, name);

/** The same, without an answer of a moment ago. */
export function freshSearchCall(name: string): Call {
  const { repeats: _, ...call } = searchCall(name);
  return call;
}

/** The rows of one domain name. */
export async function rowsOfName(send: UpstreamClient, call: Call, name: string): Promise<Reply<readonly Fields[]>> {
  const { reply } = await send(call);
  if (reply.kind !== 'done') return reply;
  const found = rowsOf(reply.data);
  if (!found) return { kind: 'unsent', why: `the list of domains with the name ${name} cannot be read` };
  return { ...reply, data: found.rows.filter((row) => nameOf(row) === name) };
}

export async function fetchRow(send: UpstreamClient, name: string): Promise<Reply<unknown>> {
  const rows = await rowsOfName(send, searchCall(name), name.toLowerCase());
  if (rows.kind !== 'done') return rows;
  const row = presentOf(rows.data);
  return row ? { ...rows, data: row } : { kind: 'refused', evidence: evidenceOf('missing') };
}

/** Orders that failed and domains that are gone do not hide a present one. */
const ranks: Readonly<Record<string, number>> = { ACT: 3, RRQ: 2, REQ: 2, PEN: 2, SCH: 2, PRE: 2, DEL: 1 };

function presentOf(rows: readonly Fields[]): Fields | undefined {
  const rank = (row: Fields) => ranks[textOf(row.status) ?? ''] ?? 0;
  return [...rows].sort((a, b) => rank(b) - rank(a) || Number(b.id) - Number(a.id))[0];
}

/** After these dates a deleted domain cannot be restored. */
const restorableFields = ['restorable_until', 'hard_quarantine_expiry_date', 'soft_quarantine_expiry_date'];

function statusOf(row: Fields, settings: Settings, now: Date): RemoteStatus | undefined {
  const state = textOf(row.status);
  switch (state) {
    case 'ACT':
      return 'live';
    case 'RRQ':
      return 'pending_restore';
    case 'SCH':
      return 'pending_transfer_in';
    case 'REQ':
    case 'PEN':
    case 'PRE':
      return readComment(textOf(row.comments)).verb === 'transfer' ? 'pending_transfer_in' : 'pending';
    case 'FAI':
      return 'absent';
    case 'DEL': {
      const until = restorableFields.flatMap((field) => localTimeOf(row[field], settings.timeZone) ?? []);
      return until.some((date) => date > now) ? 'redemption' : 'absent';
    }
    default:
      return undefined;
  }
}

const expiryFields = (settings: Settings): readonly string[] =>
  settings.paidUntil === 'renewal_date' ? ['renewal_date', 'expiration_date'] : ['expiration_date', 'renewal_date'];

/** Undefined: not readable, for example because an active domain has no end. */
export function detailReader(settings: Settings, clock: Clock): (row: unknown) => Detail | undefined {
  const timeOf = (value: unknown) => localTimeOf(value, settings.timeZone);
  return (given) => {
    const row = objectOf(given);
    const id = textOf(row?.id);
    const name = row && nameOf(row);
    const status = row && statusOf(row, settings, clock.now());
    if (!row || id === undefined || name === undefined || status === undefined) return undefined;
    const expiryText = expiryFields(settings)
      .map((field) => textOf(row[field]))
      .find((text) => timeOf(text));
    const expiresAt = timeOf(expiryText);
    if (status === 'live' && !expiresAt) return undefined;
    const renewal = timeOf(row.renewal_date);
    const autoRenew = textOf(row.autorenew);
    return {
      id,
      name,
      status,
      createdAt: timeOf(row.active_date) ?? timeOf(row.creation_date),
      updatedAt: timeOf(row.last_changed),
      expiresAt,
      expiryText,
      ...(settings.paidUntil === 'expiration_date' && renewal ? { renewBy: renewal } : {}),
      // `default` follows the setting of the account.
      ...(autoRenew === undefined ? {} : { autoRenew: autoRenew !== 'off' }),
      ...(row.is_private_whois_enabled === undefined ? {} : { isPrivate: flagOf(row.is_private_whois_enabled) }),
      ...flagsOf(row),
      contacts: contactsOf(row),
      nameservers: nameserversOf(row),
      hosts: [],
      ds: [],
      rgpStatuses: [],
      confirmation: undefined,
      underway: status === 'pending_restore' ? 'restore' : undefined,
      transfer: transferOf(row, status, timeOf(row.order_date)),
      transferAway: undefined,
    };
  };
}

const flagsOf = (row: Fields) => ({
  isLocked: false,
  isSuspended: false,
  isProtected: flagOf(row.is_locked),
  registryStatuses: flagOf(row.is_client_hold_enabled) ? ['clientHold'] : [],
});

function contactsOf(row: Fields): Record<Role, string | undefined> {
  const handle = (role: Role) => textOf(row[roleFields[role]]);
  return {
    registrant: handle('registrant'),
    admin: handle('admin'),
    tech: handle('tech'),
    billing: handle('billing'),
  };
}

const nameserversOf = (row: Fields): string[] =>
  [...objectsOf(row.name_servers)]
    .sort((a, b) => Number(a.seq_nr ?? 0) - Number(b.seq_nr ?? 0))
    .flatMap(({ name }) => textOf(name)?.toLowerCase() ?? []);

/** A failed transfer stays in the list until it is removed. */
function transferOf(row: Fields, status: RemoteStatus, requestedAt: Date | null): Detail['transfer'] {
  const isTransfer = status === 'pending_transfer_in' || readComment(textOf(row.comments)).verb === 'transfer';
  if (!isTransfer || !['pending_transfer_in', 'absent'].includes(status)) return undefined;
  return {
    status: status === 'pending_transfer_in' ? 'pending' : 'clientRejected',
    registrar: undefined,
    requestedAt,
    actionAt: null,
  };
}

/** A row of the list of all domains. */
export function accountDomainOf(row: Fields, settings: Settings, now: Date): AccountDomain[] {
  const id = textOf(row.id);
  const name = nameOf(row);
  const status = statusOf(row, settings, now);
  if (id === undefined || name === undefined || status === undefined) return [];
  const shown = { ...flagsOf(row), status, confirmation: undefined, underway: undefined };
  const isOurs = ['live', 'redemption', 'pending_restore'].includes(status);
  const expiresAt = expiryFields(settings)
    .map((field) => localTimeOf(row[field], settings.timeZone))
    .find((date) => date);
  return [{ id, name, isOurs, expiresAt: expiresAt ?? null, statuses: statusesOf(shown) }];
}
