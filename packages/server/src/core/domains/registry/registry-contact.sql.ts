import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Contact, ContactParty } from '../../model/contact.ts';
import type { StatedFields } from '../../ports/tld-fields.ts';
import { holdsName } from '../../tables/domain.sql.ts';

/** Plain, with withheld data (RFC 5733 2.9), or as a proxy contact: each has its own handle. */
export type ShownAs = 'plain' | 'disclose' | 'proxy';

/** A contact together with its record at a registry. */
export interface ContactForRegistry
  extends ContactParty,
    Pick<Contact, 'id' | 'reseller_id' | 'extra' | 'fingerprint'> {
  readonly handle: string | null;
  /** The version that the registry has; empty while the handle is only reserved. */
  readonly known_fingerprint: string | null;
  /** Additional fields that the catalogue states for TLDs of the registry. */
  readonly stated_fields: readonly StatedFields[];
}

export async function readContactsForRegistry(
  db: Reader,
  registryId: string,
  contactIds: readonly string[],
  shownAs: ShownAs = 'plain',
): Promise<ContactForRegistry[]> {
  return db.many<ContactForRegistry>(sql`
    select c.id, c.reseller_id, c.name, c.company, c.email, c.address_line_1, c.address_line_2, c.address_line_3, c.city, c.state, c.country_code,
      c.zipcode, c.tel_cc_no, c.tel_no, c.fax_cc_no, c.fax_no, c.extra, c.fingerprint, h.handle, h.fingerprint as known_fingerprint,
      coalesce((select jsonb_agg(distinct s.rules -> 'extra_schema') from (
          select t.rules from registry_tld r join tld t on t.name = r.tld where r.registry_id = ${registryId}
          union all select a.rules from tld_alternative a where a.registry_id = ${registryId}) s
        where jsonb_typeof(s.rules -> 'extra_schema') = 'object'), '[]') as stated_fields
    from contact c left join registry_contact h on h.contact_id = c.id and h.registry_id = ${registryId} and h.shown_as = ${shownAs}
    where c.id = any (${contactIds}::bigint[]) order by c.id`);
}

/** The handle that is stored, if two operations reserve one at the same time. */
export async function reserveHandle(
  tx: Tx,
  contact: { id: string; reseller_id: string },
  registryId: string,
  handle: string,
  now: Date,
  shownAs: ShownAs = 'plain',
): Promise<string> {
  const row = await tx.one<{ handle: string }>(sql`
    insert into registry_contact as h (contact_id, registry_id, reseller_id, handle, fingerprint, created_at, shown_as)
    values (${contact.id}, ${registryId}, ${contact.reseller_id}, ${handle}, '', ${now}, ${shownAs})
    on conflict (contact_id, registry_id, shown_as) do update set handle = h.handle
    returning handle`);
  return row.handle;
}

export async function confirmHandle(
  tx: Tx,
  contactId: string,
  registryId: string,
  fingerprint: string,
  shownAs: ShownAs = 'plain',
): Promise<void> {
  await tx.run(sql`
    update registry_contact set fingerprint = ${fingerprint}
    where contact_id = ${contactId} and registry_id = ${registryId} and shown_as = ${shownAs}`);
}

/** The registries at which the contact exists. */
export async function registriesOfContact(db: Reader, contactId: string): Promise<{ registry_id: string }[]> {
  return db.many(sql`
    select distinct registry_id from registry_contact where contact_id = ${contactId} and fingerprint <> '' order by registry_id`);
}

export async function domainsOfContact(
  db: Reader,
  contactId: string,
  registryId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select name from domain
    where registry_id = ${registryId} and state not in ('removed', 'unpaid')
      and ${contactId}::bigint in (registrant_contact_id, admin_contact_id, tech_contact_id, billing_contact_id)
    order by name limit ${limit}`);
  return rows.map((row) => row.name);
}

/** A handle that is only reserved stays so: the registry has no contact yet. */
export async function confirmKnown(
  tx: Tx,
  contactId: string,
  registryId: string,
  fingerprint: string,
  shownAs: ShownAs,
): Promise<void> {
  await tx.run(sql`
    update registry_contact set fingerprint = ${fingerprint}
    where contact_id = ${contactId} and registry_id = ${registryId} and shown_as = ${shownAs} and fingerprint <> ''`);
}

/** An upstream assigns its own contact ids (decision 0050): the id for this handle. */
export async function remoteContact(db: Reader, registryId: string, handle: string): Promise<string | undefined> {
  const row = await db.maybe<{ remote_id: string }>(sql`
    select remote_id from registry_contact where registry_id = ${registryId} and handle = ${handle} and remote_id is not null`);
  return row?.remote_id;
}

export async function keepRemoteContact(tx: Tx, registryId: string, handle: string, remoteId: string): Promise<void> {
  await tx.run(
    sql`update registry_contact set remote_id = ${remoteId} where registry_id = ${registryId} and handle = ${handle}`,
  );
}

/** Only in place of this id: of concurrent orders that create one contact, the first decides which id all of them use. */
export async function keepFirstRemoteContact(
  tx: Tx,
  {
    registryId,
    handle,
    before,
  }: { readonly registryId: string; readonly handle: string; readonly before: string | null },
  remoteId: string,
): Promise<void> {
  await tx.run(sql`
    update registry_contact set remote_id = ${remoteId}
    where registry_id = ${registryId} and handle = ${handle} and remote_id is not distinct from ${before}::text`);
}

/**
 * The id of a contact at a registry that assigns ids: the assigned one, or the handle if the registry accepted it. Undefined: only
 * reserved.
 */
export async function registryContactId(db: Reader, registryId: string, handle: string): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    select coalesce(remote_id, handle) as id from registry_contact
    where registry_id = ${registryId} and handle = ${handle} and (remote_id is not null or fingerprint <> '')`);
  return row?.id;
}

interface KnownHandle {
  readonly handle: string;
  /** The roles of its contact on the domain in our records. */
  readonly roles: readonly string[];
}

/** Handles by the ids that the upstream assigned. If contacts with equal data share one id, those on this domain come first. */
export async function handlesOfRemote(
  db: Reader,
  registryId: string,
  remoteIds: readonly string[],
  name: string,
): Promise<Map<string, KnownHandle[]>> {
  const rows = await db.many<{ remote_id: string } & KnownHandle>(sql`
    select h.remote_id, h.handle, coalesce(r.roles, '{}') as roles from registry_contact h left join lateral (
      select array_remove(array[case when h.contact_id = d.registrant_contact_id then 'registrant' end,
        case when h.contact_id = d.admin_contact_id then 'admin' end, case when h.contact_id = d.tech_contact_id then 'tech' end,
        case when h.contact_id = d.billing_contact_id then 'billing' end], null) as roles
      from domain d where d.registry_id = h.registry_id and d.name = ${name} and ${holdsName('d')} limit 1) r on true
    where h.registry_id = ${registryId} and h.remote_id = any (${remoteIds}::text[])
    order by h.remote_id, cardinality(coalesce(r.roles, '{}')) desc, h.handle`);
  const known = new Map<string, KnownHandle[]>();
  for (const { remote_id, handle, roles } of rows)
    known.set(remote_id, [...(known.get(remote_id) ?? []), { handle, roles }]);
  return known;
}

/** Handles whose contacts have these ids at an upstream. */
export async function handlesWithRemote(
  db: Reader,
  registryId: string,
  remoteIds: readonly string[],
): Promise<{ remote_id: string; handle: string; contact_id: string; shown_as: ShownAs }[]> {
  return db.many(sql`
    select remote_id, handle, contact_id, shown_as from registry_contact
    where registry_id = ${registryId} and remote_id = any (${remoteIds}::text[]) order by handle`);
}

/** Whether other handles have the same contact id at an upstream. */
export async function sharesRemote(db: Reader, registryId: string, handle: string, remoteId: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 as one from registry_contact where registry_id = ${registryId} and remote_id = ${remoteId} and handle <> ${handle} limit 1`);
  return row !== undefined;
}

/** Domains that use the contact of this handle. */
export async function namesOfHandle(db: Reader, registryId: string, handle: string, limit: number): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select d.name from registry_contact h join domain d on d.registry_id = h.registry_id and d.state not in ('removed', 'unpaid')
      and h.contact_id in (d.registrant_contact_id, d.admin_contact_id, d.tech_contact_id, d.billing_contact_id)
    where h.registry_id = ${registryId} and h.handle = ${handle} order by d.name limit ${limit}`);
  return rows.map((row) => row.name);
}

export async function contactOfHandle(
  db: Reader,
  registryId: string,
  handle: string,
): Promise<{ contact_id: string; shown_as: ShownAs } | undefined> {
  return db.maybe(sql`
    select contact_id, shown_as from registry_contact where registry_id = ${registryId} and handle = ${handle}`);
}

/** The registry no longer has the contact: the handle is only reserved again. */
export async function releaseContact(tx: Tx, registryId: string, handle: string): Promise<void> {
  await tx.run(sql`
    update registry_contact set fingerprint = '', remote_id = null where registry_id = ${registryId} and handle = ${handle}`);
}
