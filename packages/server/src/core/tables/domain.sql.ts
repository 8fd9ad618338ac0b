import { type Reader, sql, Table, type Tx } from '@namehold/postgres';
import type { Domain } from '../model/domain.ts';
import type { TldRules } from '../model/tld.ts';
import { rulesOfDomain } from './tld-registry.sql.ts';

export const domainTable = new Table<Domain>('domain', {
  id: 'bigint',
  reseller_id: 'bigint',
  customer_id: 'bigint',
  name: 'text',
  tld: 'text',
  registry_id: 'text',
  state: 'text',
  removed_reason: 'text?',
  removed_at: 'timestamptz?',
  registrant_contact_id: 'bigint?',
  admin_contact_id: 'bigint?',
  tech_contact_id: 'bigint?',
  billing_contact_id: 'bigint?',
  nameservers: 'text[]',
  ds: 'jsonb',
  extra: 'jsonb',
  locked: 'boolean',
  locked_reason: 'text?',
  locked_at: 'timestamptz?',
  suspended: 'boolean',
  suspended_reason: 'text?',
  suspended_at: 'timestamptz?',
  suspended_open: 'boolean',
  theft_protection: 'boolean',
  verify_since: 'timestamptz?',
  verify_by: 'timestamptz?',
  verify_cause: 'text?',
  unverified: 'boolean',
  registry_hold: 'text?',
  unpaid: 'boolean',
  unpaid_at: 'timestamptz?',
  kept_until: 'timestamptz?',
  privacy_until: 'timestamptz?',
  privacy_enabled: 'boolean',
  privacy_sent: 'boolean',
  end_date: 'timestamptz?',
  registry_expires_at: 'timestamptz?',
  registry_renew_by: 'timestamptz?',
  registry_created_at: 'timestamptz?',
  transferred_at: 'timestamptz?',
  holder_changed_at: 'timestamptz?',
  transfer_away: 'jsonb?',
  registry_status: 'text[]',
  rgp_status: 'text[]',
  grace_ends_at: 'timestamptz?',
  redemption_ends_at: 'timestamptz?',
  deleted_at: 'timestamptz?',
  missing_since: 'timestamptz?',
  last_renewed_at: 'timestamptz?',
  synced_at: 'timestamptz?',
  compared_at: 'timestamptz?',
  watched: 'boolean',
  watched_by_operator: 'boolean',
  renewal_mode: 'text',
  renewal_max_price: 'text?',
  renewal_try_at: 'timestamptz?',
  premium_class: 'text?',
  premium_renewal_fee: 'bigint?',
  premium_currency: 'text?',
  transfer: 'jsonb?',
  auth_code_sealed: 'text?',
  auth_code_expires_at: 'timestamptz?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
});

/** A transfer whose auth code was refused: nothing is pending at the registry, and the domain is free for other orders. */
export const waitsForCode = (table: string) =>
  sql.raw(`(${table}.state = 'pending' and (${table}.transfer ->> 'status') is not distinct from 'code_refused')`);

/** The one row of a domain name that is active or on order; at most one (`domain_name_once`). */
export const holdsName = (table: string) =>
  sql`(${sql.raw(table)}.state not in ('removed', 'unpaid') and not ${waitsForCode(table)})`;

/** An additional condition, if the domain must belong to one customer. */
const ofCustomer = (customerId: string | undefined) =>
  customerId === undefined ? sql.raw('') : sql`and customer_id = ${customerId}`;

export async function findDomain(
  db: Reader,
  resellerId: string,
  id: string,
  customerId?: string,
): Promise<Domain | undefined> {
  return db.maybe<Domain>(sql`
    select ${domainTable.columns} from domain where id = ${id} and reseller_id = ${resellerId} ${ofCustomer(customerId)}`);
}

/**
 * The active or pending row; else a transfer that waits for a new auth code, else an unpaid order, else the latest tombstone. Refused
 * and cancelled orders are left out.
 */
export async function findDomainByName(
  db: Reader,
  resellerId: string,
  name: string,
  customerId?: string,
): Promise<Domain | undefined> {
  return db.maybe<Domain>(sql`
    select ${domainTable.columns} from domain
    where name = ${name} and reseller_id = ${resellerId} ${ofCustomer(customerId)} and coalesce(removed_reason not in ('refused', 'cancelled'), true)
    order by (state = 'removed'), (state = 'unpaid'), ${waitsForCode('domain')}, id desc limit 1`);
}

export async function lockDomain(
  tx: Tx,
  resellerId: string,
  id: string,
  customerId?: string,
): Promise<Domain | undefined> {
  return tx.maybe<Domain>(sql`
    select ${domainTable.columns} from domain where id = ${id} and reseller_id = ${resellerId} ${ofCustomer(customerId)} for update`);
}

/** For background jobs, which work for every reseller. */
export async function readDomain(db: Reader, id: string): Promise<Domain> {
  return db.one<Domain>(sql`select ${domainTable.columns} from domain where id = ${id}`);
}

/** With the rules of its TLD, in one query. */
export async function readDomainWithRules(db: Reader, id: string): Promise<{ domain: Domain; rules: TldRules }> {
  const { rules, ...domain } = await db.one<Domain & { rules: TldRules }>(
    sql`select ${domainTable.of('d')}, ${rulesOfDomain} as rules from domain d join tld t on t.name = d.tld where d.id = ${id}`,
  );
  return { domain, rules };
}
