import { type Reader, sql, type Tx } from '@namehold/postgres';
import { type DomainRecord, dueOf, type Grace } from './record.ts';

type DomainRow = Omit<DomainRecord, 'graces'> & {
  readonly graces: readonly (Omit<Grace, 'endsAt'> & { readonly endsAt: string })[];
};

const toRecord = (row: DomainRow): DomainRecord => ({
  ...row,
  graces: row.graces.map((grace) => ({ ...grace, endsAt: new Date(grace.endsAt) })),
});

const selectDomain = (name: string) => sql`
  select d.id, d.name, d.tld, d.sponsor, d.creator, d.created_at as "createdAt", d.updater, d.updated_at as "updatedAt",
    d.transferred_at as "transferredAt", d.expires_at as "expiresAt", d.registrant as "registrantId", d.statuses, d.phase,
    d.phase_until as "phaseUntil", d.redemption_until as "redemptionUntil", d.review_note as "reviewNote", d.auth_hash as "authHash",
    d.ns_attributes as "nsAttributes", coalesce(d.us, '{}') as extensions, d.create_cl_trid as "createClTRID", d.create_sv_trid as "createSvTRID", d.keysys,
    (select c.handle from contact c where c.id = d.registrant) as registrant,
    coalesce((select json_agg(json_build_object('type', dc.type, 'id', c.handle) order by dc.type, c.handle)
      from domain_contact dc join contact c on c.id = dc.contact_id where dc.domain_id = d.id), '[]') as contacts,
    array(select h.name from domain_host dh join host h on h.id = dh.host_id where dh.domain_id = d.id order by h.name) as hosts,
    array(select h.name from host h where h.superordinate = d.id order by h.name) as subordinates,
    coalesce((select json_agg(jsonb_build_object('keyTag', s.key_tag, 'alg', s.alg, 'digestType', s.digest_type, 'digest', s.digest)
      || case when s.key is null then '{}'::jsonb else jsonb_build_object('key', s.key) end
      order by s.key_tag, s.digest) from domain_ds s where s.domain_id = d.id), '[]') as ds,
    coalesce((select json_agg(json_build_object('kind', g.kind, 'endsAt', g.ends_at, 'years', g.years,
      'statementId', g.statement_id::text) order by g.id) from grace_period g where g.domain_id = d.id), '[]') as graces,
    exists (select 1 from transfer t where t.object = 'domain' and t.object_id = d.id and t.state = 'pending') as "transferPending"
  from domain d where d.name = ${name}`;

export async function findDomain(db: Reader, name: string): Promise<DomainRecord | undefined> {
  const row = await db.maybe<DomainRow>(selectDomain(name));
  return row && toRecord(row);
}

/** The row is locked first and its dependent rows are read after, so that they are as recent as the row. One round trip. */
export async function lockDomain(tx: Tx, name: string): Promise<DomainRecord | undefined> {
  const [, row] = await Promise.all([
    tx.run(sql`select 1 from domain where name = ${name} for update`),
    tx.maybe<DomainRow>(selectDomain(name)),
  ]);
  return row && toRecord(row);
}

/** Writes the columns of the row itself; links, DS and grace periods have statements of their own. */
export async function saveDomain(tx: Tx, domain: DomainRecord): Promise<Date> {
  const due = dueOf(domain);
  await tx.run(sql`
    update domain set sponsor = ${domain.sponsor}, updater = ${domain.updater}, updated_at = ${domain.updatedAt},
      transferred_at = ${domain.transferredAt}, expires_at = ${domain.expiresAt}, registrant = ${domain.registrantId},
      statuses = ${domain.statuses}, phase = ${domain.phase}, phase_until = ${domain.phaseUntil},
      redemption_until = ${domain.redemptionUntil}, review_note = ${domain.reviewNote}, auth_hash = ${domain.authHash},
      ns_attributes = ${jsonOrNull(domain.nsAttributes)}, us = ${JSON.stringify(domain.extensions)},
      due_at = ${due}, keysys = ${jsonOrNull(domain.keysys)}
    where id = ${domain.id}`);
  return due;
}

export const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

/** Removes the domain permanently. Subordinate hosts cannot exist without it, so they are removed from every delegation and deleted too. */
export async function purgeDomain(tx: Tx, domain: Pick<DomainRecord, 'id' | 'subordinates'>): Promise<void> {
  if (domain.subordinates.length > 0) {
    await tx.run(
      sql`delete from domain_host dh using host h where h.id = dh.host_id and h.superordinate = ${domain.id}`,
    );
    await tx.run(sql`delete from host where superordinate = ${domain.id}`);
  }
  await tx.run(sql`delete from domain where id = ${domain.id}`);
}

export async function addGrace(tx: Tx, domainId: string, grace: Grace): Promise<void> {
  await tx.run(sql`insert into grace_period (domain_id, kind, ends_at, years, statement_id)
    values (${domainId}, ${grace.kind}, ${grace.endsAt}, ${grace.years}, ${grace.statementId})`);
}

export async function endGraces(tx: Tx, domainId: string): Promise<void> {
  await tx.run(sql`delete from grace_period where domain_id = ${domainId}`);
}

/** Each with whether it has expired; available names are omitted. */
export async function takenNames(
  db: Reader,
  names: readonly string[],
  at: Date,
): Promise<Map<string, { readonly expired: boolean }>> {
  const rows = await db.many<{ name: string; expired: boolean }>(
    sql`select name, expires_at <= ${at} as expired from domain where name = any(${names})`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}
