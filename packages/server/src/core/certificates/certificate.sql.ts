import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';
import type { Rule } from '../forwarding/rule.ts';
import type { CertificateState } from '../model/certificate.ts';
import type { ReadChain } from './certificate.ts';

/** A domain or mail host to check, with its current certificate. */
export interface CertificateToCheck {
  readonly subject: string;
  /** Time since which it is due. */
  readonly look_at: string;
  readonly domain_id: string | null;
  /** A mail host. */
  readonly host: string | null;
  readonly rules: Rule[];
  /** Its mail is forwarded and an edge serves its MTA-STS policy. */
  readonly has_policy: boolean;
  readonly names: readonly string[];
  readonly id: string | null;
  readonly chain: string | null;
  readonly is_due: boolean;
  readonly authority: string | null;
  readonly state: CertificateState;
  readonly reason: string | null;
  readonly failures: number;
}

/** Domains and mail hosts that are due and have no open order. */
export async function certificatesToCheck(
  db: Reader,
  hosts: readonly string[],
  limit: number,
): Promise<CertificateToCheck[]> {
  return db.many<CertificateToCheck>(sql`
    select c.subject, c.look_at::text, c.domain_id, c.host, coalesce(f.rules, '[]') as rules, f.mail_policy is not null as has_policy, c.names, c.id, c.chain, coalesce(c.renew_at <= now(), true) as is_due,
           c.authority, c.state, c.reason, c.failures
    from certificate c left join forwarding f on f.domain_id = c.domain_id
    where c.look_at <= now() and (f.domain_id is not null or c.host = any(${hosts}::text[]))
      and not exists (select from certificate_order o where o.subject = c.subject and o.state = 'open')
    order by c.look_at limit ${limit}`);
}

/**
 * Marks the row as checked. `againMs` null: the next check follows a change or the renewal date. A row that changed since it was read
 * stays due.
 */
export async function recordRecheck(
  tx: Tx,
  { subject, look_at }: Pick<CertificateToCheck, 'subject' | 'look_at'>,
  note: {
    readonly state: CertificateState;
    readonly reason: string | null;
    readonly againMs: number | null;
    readonly renewAt?: Date | undefined;
  },
): Promise<void> {
  await tx.run(sql`
    update certificate set state = ${note.state}, reason = ${note.reason}, renew_at = coalesce(${note.renewAt ?? null}::timestamptz, renew_at),
      look_at = case when look_at <> ${look_at}::timestamptz then look_at
                     when ${note.againMs}::float8 is null then greatest(coalesce(renew_at, 'infinity'), now() + interval '1 hour')
                     else now() + ${note.againMs}::float8 * interval '1 millisecond' end
    where subject = ${subject}`);
}

interface NewCertificate extends ReadChain {
  readonly id: string;
  readonly names: readonly string[];
  readonly chain: string;
  readonly encryptedKey: string;
  readonly authority: string;
}

/** Locks the rules first, in the same order as writers of rules, so that the two cannot deadlock. */
export async function keepCertificate(
  tx: Tx,
  of: { readonly subject: string; readonly domain_id: string | null },
  made: NewCertificate,
): Promise<void> {
  await tx.run(sql`select from forwarding where domain_id = ${of.domain_id} for no key update`);
  await tx.run(sql`
    update certificate set id = ${made.id}, names = ${made.names}, chain = ${made.chain}, key_sealed = ${made.encryptedKey},
      not_before = ${made.notBefore}, not_after = ${made.notAfter}, renew_at = ${made.renewAt}, authority = ${made.authority},
      live_since = case when authority is not distinct from ${made.authority} and not_after > now() then live_since else now() end,
      state = 'live', reason = null, failures = 0, look_at = now()
    where subject = ${of.subject}`);
}

export async function failuresOf(
  tx: Tx,
  subject: string,
): Promise<{ readonly failures: number; readonly has_one: boolean }> {
  const row = await tx.maybe<{ failures: number; has_one: boolean }>(sql`
    select failures, chain is not null as has_one from certificate where subject = ${subject} for no key update`);
  return row ?? { failures: 0, has_one: false };
}

/** Records another consecutive failure; the pause grows with their number. */
export async function noteFailure(
  tx: Tx,
  subject: string,
  failure: { readonly state: CertificateState; readonly reason: string; readonly againMs: number },
): Promise<void> {
  await tx.run(sql`
    update certificate set state = ${failure.state}, reason = ${failure.reason}, failures = failures + 1,
      look_at = now() + ${failure.againMs}::float8 * interval '1 millisecond'
    where subject = ${subject}`);
}

/** Marks certificates of all other authorities as due. */
export async function scheduleForeignChecks(alone: Autocommit, authorities: readonly string[]): Promise<number> {
  return alone.run(sql`
    update certificate set look_at = now()
    where not authority = any(${authorities}::text[]) and look_at > now() and failures = 0`);
}

/** Domains without a certificate that visitors request by HTTPS get priority. A pause after a failure still applies. */
export async function prioritiseChecks(alone: Autocommit, domainIds: readonly string[]): Promise<void> {
  await alone.run(sql`
    update certificate set look_at = now() - interval '1 day'
    where domain_id = any(${domainIds}::bigint[]) and chain is null and failures = 0 and look_at > now() - interval '1 hour'`);
}

/** The certificate of the domain from this authority. */
export async function presentChain(db: Reader, subject: string, authority: string): Promise<string | undefined> {
  const row = await db.maybe<{ chain: string | null }>(sql`
    select chain from certificate where subject = ${subject} and authority = ${authority}`);
  return row?.chain ?? undefined;
}

/** Another authority takes over: the domain is due at once and its failures are reset. */
export async function scheduleCheckNow(tx: Tx, subject: string): Promise<void> {
  await tx.run(sql`
    update certificate set state = case when chain is null then 'waiting' else 'live' end, look_at = now() where subject = ${subject}`);
}

/** Certificates that end soon, which means that their renewal is late. */
export async function endingSoon(
  db: Reader,
  hosts: readonly string[],
): Promise<{ readonly count: number; readonly first: string | null }> {
  const row = await db.one<{ n: string; first: string | null }>(sql`
    select count(*) as n, min(coalesce(c.host, d.name)) as first from certificate c
    left join forwarding f on f.domain_id = c.domain_id
    left join domain d on d.id = c.domain_id and d.state = 'live'
    where c.not_after < now() + (c.not_after - c.not_before) / 6
      and (c.host = any(${hosts}::text[]) or (d.id is not null and (jsonb_array_length(f.rules) > 0 or f.mail_policy is not null)))`);
  return { count: Number(row.n), first: row.first };
}
