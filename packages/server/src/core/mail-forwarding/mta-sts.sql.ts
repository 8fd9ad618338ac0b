import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../model/domain.ts';

/** `none`: withdrawn. `off`: replaced by records of the owner. */
export type StsMode = 'testing' | 'enforce' | 'none' | 'off';

/** The policy of a domain and its start. */
export interface Sts {
  readonly mode: StsMode;
  readonly since: Date | null;
  /** End of enforcement. Senders cache the policy for a while. */
  readonly enforcedUntil?: Date | null;
}

type Owned = Pick<Domain, 'id' | 'reseller_id'>;

/** Senders cache a policy for a day, so a certificate must be valid for at least a day. */
const believed = sql`h.is_good and h.seen_at > now() - interval '1 day' and h.not_after > now() + interval '1 day'`;
const allBelieved = (hosts: readonly string[]) => sql`
  (select count(*) from mail_host h where h.host = any(${hosts}::text[]) and ${believed}) = cardinality(${hosts}::text[])`;
/** An edge can serve the policy of domain `d`. */
const isServed = sql`exists (select from certificate c where c.domain_id = d.id and c.not_after > now()
  and c.names && array['mta-sts.' || d.name, '*.' || d.name])`;

/** Whether the policy of this domain may be enforced. Read with the scheduler login. */
export async function stsGrounds(db: Reader, domain: Pick<Domain, 'id'>, hosts: readonly string[]): Promise<boolean> {
  const row = await db.maybe<{ safe: boolean }>(sql`
    select ${allBelieved(hosts)} and ${isServed} as safe from domain d where d.id = ${domain.id}`);
  return row?.safe ?? false;
}

export async function keepSts(tx: Tx, domain: Owned, sts: Sts | undefined): Promise<void> {
  await tx.run(sql`
    update mail_domain set sts_mode = ${sts?.mode ?? null}, sts_since = ${sts?.since ?? null}, sts_enforced_until = ${sts?.enforcedUntil ?? null}
    where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id}`);
}

/** The policy that edges serve; they are notified at commit. */
export async function keepPolicy(tx: Tx, domain: Owned, policy: string | undefined, now: Date): Promise<void> {
  if (policy === undefined) {
    await tx.many(sql`
      with saved as (
        update forwarding set mail_policy = null, changed_xid = pg_current_xact_id()
        where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id} and mail_policy is not null returning domain_id)
      select pg_notify('namehold_forwarding', domain_id::text)::text as notified from saved`);
    return;
  }
  await tx.many(sql`
    with saved as (
      insert into forwarding (domain_id, reseller_id, rules, version, changed_at, mail_policy)
      values (${domain.id}, ${domain.reseller_id}, '[]', 0, ${now}, ${policy})
      on conflict (domain_id) do update set mail_policy = excluded.mail_policy, changed_xid = pg_current_xact_id()
        where forwarding.mail_policy is distinct from excluded.mail_policy
      returning domain_id)
    select pg_notify('namehold_forwarding', domain_id::text)::text as notified from saved`);
}

/** A batch of domains whose policy may need a change. The conditions are wider than those of the change itself. */
export async function stsDue(
  db: Reader,
  found: {
    readonly hosts: readonly string[];
    readonly isOffered: boolean;
    /** Modes with their policy texts. */
    readonly policies: Readonly<Record<string, string>>;
    /** Policies tested since before then may be enforced; those withdrawn before then may be removed. */
    readonly testedBefore: Date;
    readonly takenBackBefore: Date;
    readonly limit: number;
  },
): Promise<Owned[]> {
  return db.many<Owned>(sql`
    select d.id, d.reseller_id from mail_domain m
    join domain d on d.id = m.domain_id and d.state in ('live', 'pending_transfer')
    join zone z on z.domain_id = d.id and z.reseller_id = d.reseller_id and z.state = 'active'
    left join forwarding f on f.domain_id = d.id
    cross join lateral (select ${found.isOffered}::boolean and exists (
      select from mail_forward w where w.domain_id = d.id and w.enabled) as wanted) w
    where case m.sts_mode
        when 'off' then not w.wanted
        when 'none' then w.wanted or m.sts_since <= ${found.takenBackBefore}
        when 'testing' then not w.wanted or (m.sts_since <= ${found.testedBefore} and ${allBelieved(found.hosts)} and ${isServed})
        when 'enforce' then not w.wanted or not (${allBelieved(found.hosts)} and ${isServed})
        else w.wanted end
      or (m.sts_mode <> 'off' and f.mail_policy is distinct from ${JSON.stringify(found.policies)}::jsonb ->> m.sts_mode)
    order by random() limit ${found.limit}`);
}
