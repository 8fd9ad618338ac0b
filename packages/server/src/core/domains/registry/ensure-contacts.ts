import { allTenants } from '@namehold/postgres';
import { type ProxyCard, privacyMethodOf, type TldRules } from '../../model/tld.ts';
import type { Found, Run } from '../../operations/run.ts';
import type { RegistryContact, Reply } from '../../ports/registry.ts';
import type { NewDomain } from '../domain.sql.ts';
import {
  type ContactForRegistry,
  confirmHandle,
  readContactsForRegistry,
  reserveHandle,
} from './registry-contact.sql.ts';

const handleAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
/** RFC 5730 clIDType: 3 to 16 characters. */
const handleLength = 14;

export type Ensured<T> =
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'stopped'; readonly reply: Exclude<Reply<never>, { kind: 'done' }>; readonly field?: string };

/**
 * Each contact has one handle per registry account, a random id of our own. It is reserved before the command is sent, so a handle that
 * exists at the registry is ours and a repeated create is harmless. `known`: handles whose data the registry already has.
 */
export async function ensureContacts(
  run: Run,
  contactIds: readonly string[],
  hide?: Hide,
  known: NewDomain['handles'] = {},
): Promise<Ensured<Map<string, string>>> {
  const ids = [...new Set(contactIds)];
  const ready = ids.flatMap((id) => {
    const handle = known[`${hide?.method ?? 'plain'} ${id}`];
    return handle === undefined ? [] : [[id, handle] as const];
  });
  const handles = new Map(ready);
  if (handles.size === ids.length) return { kind: 'ready', value: handles };
  const contacts = await readContactsForRegistry(run.ctx.db.as(allTenants), run.registry.id, ids, hide?.method);
  for (const contact of contacts) {
    const stopped = await ensureOne(run, contact, handles, hide);
    if (stopped) return { kind: 'stopped', reply: stopped, field: 'registrant' };
  }
  return { kind: 'ready', value: handles };
}

/** RFC 5730 3: object does not exist. */
const doesNotExist = 2303;

async function ensureOne(
  run: Run,
  contact: ContactForRegistry,
  handles: Map<string, string>,
  hide: Hide | undefined,
): Promise<Exclude<Reply<never>, { kind: 'done' }> | undefined> {
  if (contact.handle && contact.known_fingerprint === contact.fingerprint) {
    handles.set(contact.id, contact.handle);
    return undefined;
  }
  const step = `contact-${contact.id}${hide ? `-${hide.method}` : ''}`;
  const fresh = `nh${run.ctx.ids.text(handleLength - 2, handleAlphabet)}`;
  const handle =
    contact.handle ??
    (await run.ctx.db.transaction(allTenants, (tx) =>
      reserveHandle(tx, contact, run.registry.id, fresh, run.ctx.wall.now(), hide?.method),
    ));
  const card = toRegistryContact(contact, handle, hide);
  // If the data of a known handle changed since, the contact is updated; otherwise it is created.
  const isMade = contact.handle !== null && contact.known_fingerprint !== '';
  const create = () =>
    run.command<{ readonly id: string } | null>(
      step,
      (context) => run.registry.createContact(card, context),
      () => queryContact(run, handle),
    );
  let reply = isMade
    ? await run.command<{ readonly id: string } | null>(
        `${step}-update`,
        (context) => run.registry.updateContact(card, context),
        () => Promise.resolve({ kind: 'never' }),
      )
    : await create();
  // It existed once and was deleted at the registry.
  if (isMade && reply.kind === 'refused' && reply.evidence.code === doesNotExist) reply = await create();
  const exists = reply.kind === 'refused' && reply.evidence.code === 2302 && !run.registry.assignsContactIds;
  if (reply.kind !== 'done' && !exists) return reply;
  await run.ctx.db.transaction(allTenants, (tx) =>
    confirmHandle(tx, contact.id, run.registry.id, contact.fingerprint, hide?.method),
  );
  handles.set(contact.id, handle);
  return undefined;
}

async function queryContact(run: Run, handle: string): Promise<Found<null>> {
  const reply = await run.registry.contactInfo(handle);
  if (reply.kind === 'done') return reply.data ? { kind: 'done', data: null } : { kind: 'never' };
  // The handle is our own, so "exists" after a repeated create has the same meaning as the answer that was refused.
  return reply.kind === 'refused' ? { kind: 'never' } : { kind: 'unknown', why: reply.why };
}

/** How a registrant is hidden: its own contact with all data withheld, or a proxy contact in its place. */
export type Hide = { readonly method: 'disclose' } | { readonly method: 'proxy'; readonly card: ProxyCard };

/** Undefined: not hidden, or not by other contact data. */
export function hideBy(rules: TldRules, isPrivate: boolean): Hide | undefined {
  const method = isPrivate ? privacyMethodOf(rules) : null;
  if (method === null || method === 'own_records' || method === 'upstream') return undefined;
  return method === 'proxy' ? { method, card: rules.privacy_proxy! } : { method };
}

export function toRegistryContact(contact: ContactForRegistry, handle: string, hide?: Hide): RegistryContact {
  if (hide?.method === 'proxy') return proxyContact(contact, handle, hide.card);
  return {
    handle,
    name: contact.name,
    organisation: contact.company === '' || contact.company === 'Not Applicable' ? null : contact.company,
    street: [contact.address_line_1, contact.address_line_2, contact.address_line_3].filter((line) => line !== ''),
    city: contact.city,
    state: contact.state === 'Not Applicable' ? null : contact.state,
    postalCode: contact.zipcode,
    countryCode: contact.country_code,
    voice: `+${contact.tel_cc_no}.${contact.tel_no}`,
    fax: contact.fax_cc_no && contact.fax_no ? `+${contact.fax_cc_no}.${contact.fax_no}` : null,
    email: contact.email,
    extra: contact.extra,
    statedFields: contact.stated_fields,
    isHidden: hide !== undefined,
  };
}

function proxyContact(contact: ContactForRegistry, handle: string, card: ProxyCard): RegistryContact {
  return {
    handle,
    name: card.name,
    organisation: card.organisation,
    street: card.street,
    city: card.city,
    state: null,
    postalCode: card.postal_code,
    countryCode: card.country_code,
    voice: card.voice,
    fax: null,
    email: card.email,
    extra: contact.extra,
    statedFields: contact.stated_fields,
    isHidden: false,
  };
}
