import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../model/domain.ts';
import type { Operation } from '../model/operation.ts';
import type { Side } from '../model/registrant-change.ts';
import { operationColumns } from '../operations/operation.sql.ts';
import { domainTable } from '../tables/domain.sql.ts';

const waits = sql.raw(`o.approval_until is not null and o.approval ->> 'awaits' = 'holders'`);

/** Requests that wait for this domain or this contact, and the reseller's total. */
export async function waitingChanges(
  db: Reader,
  resellerId: string,
  of: { readonly domainId?: string; readonly contactIds: readonly (string | null)[] },
): Promise<{ readonly id: string | null; readonly n: number }> {
  const own = sql`(o.domain_id = ${of.domainId ?? null} or o.contact_id = any (${of.contactIds.filter((id) => id !== null)}::bigint[]))`;
  const row = await db.one<{ id: string | null; n: string }>(sql`
    select count(*) as n, max(o.id) filter (where ${own}) as id from operation o where o.reseller_id = ${resellerId} and ${waits}`);
  return { id: row.id, n: Number(row.n) };
}

/** The change that waits for a domain: its own, or one of its registrant's contact. */
export async function findWaitingChange(
  db: Reader,
  resellerId: string,
  domain: { readonly id: string; readonly registrant_contact_id: string | null },
): Promise<Operation | undefined> {
  return db.maybe<Operation>(sql`
    select ${operationColumns} from operation o
    where o.reseller_id = ${resellerId} and ${waits}
      and (o.domain_id = ${domain.id} or o.contact_id = ${domain.registrant_contact_id}::bigint)
    order by o.domain_id nulls last, o.id limit 1`);
}

/** Undefined: it does not wait for this side any more. */
export async function recordConfirmation(
  tx: Tx,
  operation: Pick<Operation, 'id' | 'reseller_id'>,
  response: { readonly side: Side; readonly isLockWaived: boolean | undefined; readonly at: Date; readonly wall: Date },
): Promise<Operation | undefined> {
  const step = { name: `confirmation-${response.side}`, at: response.wall.toISOString(), result: 'given' };
  const choice = response.isLockWaived === undefined ? {} : { lock_opt_out: response.isLockWaived };
  return tx.maybe<Operation>(sql`
    update operation o set approval = jsonb_set(o.approval, array['sides', ${response.side}::text], to_jsonb(${response.at.toISOString()}::text)) || ${JSON.stringify(choice)}::jsonb,
      steps = o.steps || ${JSON.stringify([step])}::jsonb, updated_at = ${response.wall}
    where o.id = ${operation.id} and o.reseller_id = ${operation.reseller_id} and ${waits} and o.approval_until > ${response.at}
      and o.approval -> 'sides' -> ${response.side}::text = 'null'
    returning ${operationColumns}`);
}

/** All waiting ones, in pages. */
export async function changesThatWait(
  db: Reader,
  page: { readonly after: string; readonly limit: number },
): Promise<Operation[]> {
  return db.many<Operation>(sql`
    select ${operationColumns} from operation o where ${waits} and o.id > ${page.after} order by o.id limit ${page.limit}`);
}

/** All sides have confirmed, and an obstacle or a crash prevented the change. */
export async function confirmedChanges(
  db: Reader,
  now: Date,
  page: { readonly after: string; readonly limit: number },
): Promise<{ id: string; reseller_id: string }[]> {
  return db.many(sql`
    select o.id, o.reseller_id from operation o
    where ${waits} and o.approval_until > ${now} and not jsonb_path_exists(o.approval, '$.sides.* ? (@ == null)') and o.id > ${page.after}
    order by o.id limit ${page.limit}`);
}

const isHeldBy = (resellerId: string, contactId: string) => sql`
  d.reseller_id = ${resellerId} and d.registrant_contact_id = ${contactId} and d.state not in ('removed', 'pending', 'unpaid')`;

export async function isRegistrant(db: Reader, resellerId: string, contactId: string): Promise<boolean> {
  const { is_registrant } = await db.one<{ is_registrant: boolean }>(sql`
    select exists (select from domain d where ${isHeldBy(resellerId, contactId)}) as is_registrant`);
  return is_registrant;
}

/** A domain of the registrant that may not be updated: by our flags, or by a prohibition of RFC 5731 section 2.3. */
export async function findLockedDomain(db: Reader, resellerId: string, contactId: string): Promise<Domain | undefined> {
  return db.maybe<Domain>(sql`
    select ${domainTable.columns} from domain d
    where ${isHeldBy(resellerId, contactId)} and (d.locked or (d.suspended and not d.suspended_open)
      or d.registry_status && array['serverUpdateProhibited', 'clientUpdateProhibited'])
    order by d.id limit 1`);
}

export async function tldsOfRegistrant(db: Reader, resellerId: string, contactId: string): Promise<string[]> {
  const rows = await db.many<{ tld: string }>(sql`
    select distinct d.tld from domain d where ${isHeldBy(resellerId, contactId)}`);
  return rows.map(({ tld }) => tld);
}

/** The first of them, and the total. */
export async function namesUnder(
  db: Reader,
  resellerId: string,
  contactId: string,
  tlds: readonly string[],
  limit: number,
): Promise<{ readonly names: readonly { readonly id: string; readonly name: string }[]; readonly count: number }> {
  const rows = await db.many<{ id: string; name: string; n: string }>(sql`
    select d.id, d.name, count(*) over () as n from domain d
    where ${isHeldBy(resellerId, contactId)} and d.tld = any (${tlds}::text[]) order by d.id limit ${limit}`);
  return { names: rows.map(({ id, name }) => ({ id, name })), count: Number(rows[0]?.n ?? 0) };
}

interface LinkRow {
  readonly reseller_id: string;
  readonly domain_id: string;
  readonly address_key: string;
  readonly operation_id: string;
  readonly side: Side;
}

/** Uses up every link to this side of the change. Undefined: this one was used, or has expired. */
export async function useSideLinks(
  tx: Tx,
  fingerprint: string,
  use: { readonly now: Date; readonly address: string },
): Promise<LinkRow | undefined> {
  const used = await tx.maybe<LinkRow>(sql`
    update confirmation set used_at = ${use.now}, used_address = ${use.address}
    where fingerprint = ${fingerprint} and operation_id is not null and used_at is null and expires_at > ${use.now}
    returning reseller_id, domain_id, address_key, operation_id, side`);
  if (used)
    await tx.run(sql`
      update confirmation set used_at = ${use.now}
      where operation_id = ${used.operation_id} and reseller_id = ${used.reseller_id} and side = ${used.side} and used_at is null`);
  return used;
}

export async function sideLinksSince(db: Reader, operationId: string, side: Side, since: Date): Promise<number> {
  const { n } = await db.one<{ n: string }>(sql`
    select count(*) as n from confirmation where operation_id = ${operationId} and side = ${side} and created_at > ${since}`);
  return Number(n);
}
