import { type Reader, sql, type Tx } from '@namehold/postgres';
import { asciiAddress } from '../reference/email.ts';

interface NewLinkRow {
  readonly fingerprint: string;
  readonly reseller_id: string;
  readonly domain_id: string;
  readonly address: string;
  readonly language: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly operation_id: string | null;
  readonly side: 'prior' | 'new' | null;
  readonly mail_target_id: string | null;
}

/** The host of the account's brand for the link, or null. */
export async function insertLink(tx: Tx, row: NewLinkRow): Promise<string | null> {
  const { host } = await tx.one<{ host: string | null }>(sql`
    insert into confirmation (fingerprint, reseller_id, domain_id, address_key, language, created_at, expires_at, operation_id, side, mail_target_id)
    values (${row.fingerprint}, ${row.reseller_id}, ${row.domain_id}, lower(${asciiAddress(row.address)}), ${row.language}, ${row.created_at}, ${row.expires_at}, ${row.operation_id},
      ${row.side}, ${row.mail_target_id})
    returning link_host(${row.reseller_id}) as host`);
  return host;
}

/** Serialises mails to an address and its confirmation: what is read here stays unchanged until the commit. */
export async function lockAddress(tx: Tx, resellerId: string, address: string): Promise<void> {
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${resellerId}::text || ' ' || lower(${asciiAddress(address)}), 1550))`,
  );
}

export async function linksSince(db: Reader, resellerId: string, address: string, since: Date): Promise<number> {
  const { n } = await db.one<{ n: string }>(sql`
    select count(*) as n from confirmation where reseller_id = ${resellerId} and address_key = lower(${asciiAddress(address)}) and created_at > ${since}
      and operation_id is null and mail_target_id is null`);
  return Number(n);
}

export interface OpenLinkRow {
  readonly reseller_id: string;
  readonly domain_id: string;
  readonly address_key: string;
  readonly language: 'en' | 'id';
  /** Of a change of registrant; null: it is about the address alone. */
  readonly operation_id: string | null;
  readonly side: 'prior' | 'new' | null;
  /** Of a target for forwarded mail: such a link can be used more than once. */
  readonly mail_target_id: string | null;
}

export async function findOpenLink(db: Reader, fingerprint: string, now: Date): Promise<OpenLinkRow | undefined> {
  return db.maybe<OpenLinkRow>(sql`
    select reseller_id, domain_id, address_key, language, operation_id, side, mail_target_id from confirmation
    where fingerprint = ${fingerprint} and used_at is null and expires_at > ${now}`);
}

/** Uses up every link to this address. Undefined: this one was used, or has expired. */
export async function useLink(
  tx: Tx,
  fingerprint: string,
  use: { readonly now: Date; readonly address: string },
): Promise<OpenLinkRow | undefined> {
  const used = await tx.maybe<OpenLinkRow>(sql`
    update confirmation set used_at = ${use.now}, used_address = ${use.address}
    where fingerprint = ${fingerprint} and operation_id is null and mail_target_id is null and used_at is null and expires_at > ${use.now}
    returning reseller_id, domain_id, address_key, language, operation_id, side, mail_target_id`);
  if (used)
    await tx.run(sql`
      update confirmation set used_at = ${use.now}
      where reseller_id = ${used.reseller_id} and address_key = ${used.address_key} and operation_id is null and mail_target_id is null
        and used_at is null`);
  return used;
}
