import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain, Roles } from '../../model/domain.ts';
import type { Attention, OperationOf } from '../../model/operation.ts';
import { operationColumns } from '../../operations/operation.sql.ts';
import { domainTable } from '../../tables/domain.sql.ts';
import type { Move, MoveState } from './move.ts';

/** Unknown accounts and customers run the same statement as known ones, so the response time reveals nothing. */
export async function setTaker(tx: Tx, operationId: string): Promise<string | null> {
  const row = await tx.one<{ taker_id: string | null }>(sql`
    update operation o set taker_id = (
      select r.id from reseller r join customer c on c.reseller_id = r.id
      where r.id = (o.request ->> 'new_reseller_id')::bigint and c.id = (o.request ->> 'new_customer_id')::bigint
        and r.deleted_at is null and c.deleted_at is null)
    where o.id = ${operationId} and o.kind = 'move' returning taker_id`);
  return row.taker_id;
}

/** A move between customers of one account is no offer, because no other reseller answers it. */
const toAnother = sql.raw(`(o.request ->> 'new_reseller_id') <> o.reseller_id::text`);

/** Waiting moves: the one of this domain, and the number of all moves of this reseller. */
export async function waitingMoves(
  db: Reader,
  resellerId: string,
  domainId: string,
): Promise<{ readonly id: string | null; readonly n: number }> {
  const row = await db.one<{ id: string | null; n: string }>(sql`
    select count(*) as n, max(id) filter (where domain_id = ${domainId}) as id from operation o
    where reseller_id = ${resellerId} and kind = 'move' and approval_until is not null and ${toAnother}`);
  return { id: row.id, n: Number(row.n) };
}

/** An active domain of any other reseller. */
export async function findForClaim(db: Reader, takerId: string, name: string): Promise<Domain | undefined> {
  return db.maybe<Domain>(sql`
    select ${domainTable.columns} from domain where name = ${name} and state = 'live' and reseller_id <> ${takerId}`);
}

interface Tries {
  readonly resellerId: string;
  readonly day: string;
  readonly limit: number;
}

/** False: the limit of today is reached. Counted before the code is checked, so that concurrent tries are counted too. */
export async function takeTry(alone: Autocommit, { resellerId, day, limit }: Tries): Promise<boolean> {
  const taken = await alone.run(sql`
    insert into move_try as t (reseller_id, day, tries) values (${resellerId}, ${day}::date, 1)
    on conflict (reseller_id) do update set day = excluded.day, tries = case when t.day = excluded.day then t.tries + 1 else 1 end
    where t.day <> excluded.day or t.tries < ${limit}`);
  return taken === 1;
}

/** The code was not wrong. */
export async function giveTryBack(alone: Autocommit, { resellerId, day }: Tries): Promise<void> {
  await alone.run(
    sql`update move_try set tries = tries - 1 where reseller_id = ${resellerId} and day = ${day}::date and tries > 0`,
  );
}

/** The current reseller has approved the offer: now it waits for the receiving reseller. */
export async function markOffered(tx: Tx, id: string, attention: Attention, now: Date): Promise<OperationOf<'move'>> {
  return tx.one<OperationOf<'move'>>(sql`
    update operation set approval = approval || '{"awaits": "taker"}', attention = ${JSON.stringify(attention)}::jsonb, updated_at = ${now}
    where id = ${id} and kind = 'move' and approval_until is not null returning ${operationColumns}`);
}

/** The locked offer, for the reseller to which it was made. */
export async function lockOffer(tx: Tx, takerId: string, id: string): Promise<OperationOf<'move'> | undefined> {
  return tx.maybe<OperationOf<'move'>>(sql`
    select ${operationColumns} from operation
    where id = ${id} and taker_id = ${takerId} and kind = 'move' and approval ->> 'awaits' = 'taker' for update`);
}

/** True if this side can still answer it. */
export async function isWaitingOf(db: Reader, resellerId: string, id: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select id from operation o where id = ${id} and reseller_id = ${resellerId} and kind = 'move' and approval_until is not null and ${toAnother}`);
  return row !== undefined;
}

const moveColumns = (viewerId: string) => sql`
  o.id, case when o.reseller_id = ${viewerId} then 'out' else 'in' end as direction, o.request ->> 'name' as "domainName",
  case when o.reseller_id = ${viewerId} then o.domain_id
    else (select h.id from domain h where h.reseller_id = ${viewerId} and h.former_ids @> array[o.domain_id] and o.state = 'done'
          order by h.id limit 1) end as "domainId",
  o.reseller_id as "fromResellerId", o.request ->> 'new_reseller_id' as "toResellerId", o.request ->> 'new_customer_id' as "toCustomerId",
  o.request ->> 'contacts' as contacts, case
    when o.approval_until is not null then case when o.approval ->> 'awaits' = 'taker' then 'offered' else 'asked' end
    when o.approval ->> 'answer' in ('declined', 'lapsed') then o.approval ->> 'answer'
    when o.state in ('done', 'refused', 'cancelled') then o.state
    else 'under_way' end as state,
  case when o.state = 'refused' then coalesce(o.outcome -> 'error' ->> 'sentence', o.result_text) end as reason,
  (o.approval ->> 'until')::timestamptz as until, d.end_date as "endDate", o.created_at as "createdAt", o.finished_at as "finishedAt"`;

const moveNames = sql.raw(
  `m.id, m.direction, m."domainName", m."domainId", m."fromResellerId", m."toResellerId", m."toCustomerId", m.contacts, m.state, m.reason,
   m.until, m."endDate", m."createdAt", m."finishedAt"`,
);

/**
 * Moves to other resellers: outgoing ones and received offers. Read with the login that bypasses row-level security, because the row
 * belongs to the current reseller.
 */
const isSeenBy = (viewerId: string) => sql`
  o.kind = 'move' and o.approval is not null and ${toAnother}
  and (o.reseller_id = ${viewerId} or (o.taker_id = ${viewerId} and o.approval ->> 'awaits' = 'taker'))`;

export async function findMove(db: Reader, viewerId: string, id: string): Promise<Move | undefined> {
  return db.maybe<Move>(sql`
    select ${moveColumns(viewerId)} from operation o join domain d on d.id = o.domain_id
    where o.id = ${id} and ${isSeenBy(viewerId)}`);
}

export interface MoveFilter {
  readonly direction?: Move['direction'] | undefined;
  readonly state?: MoveState | undefined;
}

/** Newest first. */
export async function listMoveRows(
  db: Reader,
  viewerId: string,
  filter: MoveFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: Move[]; total: number }> {
  const seen = sql`(select ${moveColumns(viewerId)} from operation o join domain d on d.id = o.domain_id where ${isSeenBy(viewerId)}) m`;
  const where = sql`(${filter.direction ?? null}::text is null or m.direction = ${filter.direction ?? null})
    and (${filter.state ?? null}::text is null or m.state = ${filter.state ?? null})`;
  const [rows, counted] = await Promise.all([
    db.many<Move>(sql`
      select ${moveNames} from ${seen} where ${where} order by m.id desc limit ${page.limit} offset ${page.offset}`),
    db.one<{ n: string }>(sql`select count(*) as n from ${seen} where ${where}`),
  ]);
  return { rows, total: Number(counted.n) };
}

/** Between customers of one reseller the row stays the same. */
export async function setCustomer(
  tx: Tx,
  domain: Domain,
  to: string,
  { roles, registrantChangedAt, now }: Pick<NewOwner, 'roles' | 'registrantChangedAt' | 'now'>,
): Promise<void> {
  await tx.run(sql`
    update domain set customer_id = ${to}, registrant_contact_id = ${roles.registrant}, admin_contact_id = ${roles.admin},
      tech_contact_id = ${roles.tech}, billing_contact_id = ${roles.billing}, holder_changed_at = ${registrantChangedAt}, updated_at = ${now}
    where id = ${domain.id} and reseller_id = ${domain.reseller_id}`);
}

interface NewOwner {
  readonly resellerId: string;
  readonly customerId: string;
  readonly roles: Roles;
  /** When its theft protection is due; null: it starts without. */
  readonly protectAt: Date | null;
  readonly registrantChangedAt: Date | null;
  readonly now: Date;
}

/**
 * The new row of the domain at the receiving reseller. Properties of the domain are copied: its dates, paid terms and registry data.
 * Choices of the previous reseller (watching, codes, and whatever a later release adds) start with defaults.
 */
export async function insertAtNewOwner(tx: Tx, domainId: string, newOwner: NewOwner): Promise<string> {
  const { id } = await tx.one<{ id: string }>(sql`
    insert into domain (reseller_id, customer_id, name, tld, registry_id, state, registrant_contact_id, admin_contact_id, tech_contact_id,
      billing_contact_id, nameservers, ds, extra, privacy_until, privacy_enabled, privacy_sent, end_date, registry_expires_at,
      registry_created_at, registry_status, rgp_status, grace_ends_at, last_renewed_at, synced_at, compared_at, watched_by_operator,
      premium_class, premium_renewal_fee, premium_currency, adopted_until, transfer, transferred_at, holder_changed_at, former_ids, protect_at, renewal_mode,
      created_at, updated_at)
    select ${newOwner.resellerId}::bigint, ${newOwner.customerId}::bigint, name, tld, registry_id, 'live', ${newOwner.roles.registrant}::bigint, ${newOwner.roles.admin}::bigint,
      ${newOwner.roles.tech}::bigint, ${newOwner.roles.billing}::bigint, nameservers, ds, (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(extra) where key not like '%\\_contact\\_id'), privacy_until, privacy_enabled, privacy_sent, end_date,
      registry_expires_at, registry_created_at, registry_status, rgp_status, grace_ends_at, last_renewed_at, synced_at, compared_at,
      watched_by_operator, premium_class, premium_renewal_fee, premium_currency, adopted_until, transfer, transferred_at, ${newOwner.registrantChangedAt}::timestamptz, former_ids || id,
      ${newOwner.protectAt}::timestamptz,
      coalesce((select renewal_mode from customer where id = ${newOwner.customerId}), (select renewal_mode from reseller where id = ${newOwner.resellerId}), 'manual'),
      ${newOwner.now}::timestamptz, ${newOwner.now}::timestamptz
    from domain where id = ${domainId} returning id`);
  return id;
}

/**
 * Subordinate hosts, and the zone with its content and journal. The authors of earlier changes stay in the previous reseller's audit
 * log.
 */
export async function moveParts(
  tx: Tx,
  from: Pick<Domain, 'id' | 'reseller_id'>,
  to: Pick<Domain, 'id' | 'reseller_id'>,
): Promise<void> {
  await tx.run(sql`
    with gone as (delete from child_host where domain_id = ${from.id} returning hostname, addresses)
    insert into child_host (domain_id, reseller_id, hostname, addresses) select ${to.id}::bigint, ${to.reseller_id}::bigint, hostname, addresses from gone`);
  await tx.run(sql`select zone_forget_hands(${from.id})`);
  await tx.run(sql`
    with moved as (update zone set domain_id = ${to.id}, reseller_id = ${to.reseller_id} where domain_id = ${from.id} and state = 'active' returning id),
      shown as (update zone_publication p set reseller_id = ${to.reseller_id} from moved m where p.zone_id = m.id)
    update zone_published p set reseller_id = ${to.reseller_id} from moved m where p.zone_id = m.id`);
}

/** Adds a refund of a purchase by a former reseller to that reseller's own move operation. */
export async function noteRefundOfFormer(
  tx: Tx,
  purchaseId: string,
  refunded: { readonly amount: string; readonly currency: string },
): Promise<{ reseller_id: string; domain_id: string; name: string } | undefined> {
  const line = { transaction_id: purchaseId, ...refunded };
  return tx.maybe(sql`
    update operation o set outcome = o.outcome || jsonb_build_object('refunded',
      coalesce((select jsonb_agg(r) from jsonb_array_elements(o.outcome -> 'refunded') r where r ->> 'transaction_id' <> ${purchaseId}), '[]')
        || ${JSON.stringify([line])}::jsonb)
    from ledger_transaction t
    where t.id = ${purchaseId} and o.domain_id = t.domain_id and o.kind = 'move' and o.state = 'done' and o.reseller_id = t.reseller_id
      and o.id = (select max(m.id) from operation m where m.domain_id = t.domain_id and m.kind = 'move' and m.state = 'done')
    returning o.reseller_id, o.domain_id, o.request ->> 'name' as name`);
}
