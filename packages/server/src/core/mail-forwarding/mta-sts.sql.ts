import { type Reader, sql, type Tx } from '@namehold/base';
import type { Domain } from '../domains/domain.ts';

/** `none`: it is taken back. `off`: the owner has records of its own in its place. */
export type StsMode = 'testing' | 'enforce' | 'none' | 'off';

/** The policy of a name, and since when. */
export interface Sts {
  readonly mode: StsMode;
  readonly since: Date | null;
  /** When it ceased to be enforced: senders remember that for a while. */
  readonly enforcedUntil?: Date | null;
}

type Owned = Pick<Domain, 'id' | 'reseller_id'>;

/** What senders hold for a day must hold for a day. */
const believed = sql`h.is_good and h.seen_at > now() - interval '1 day' and h.not_after > now() + interval '1 day'`;
const allBelieved = (hosts: readonly string[]) => sql`
  (select count(*) from mail_host h where h.host = any(${hosts}::text[]) and ${believed}) = cardinality(${hosts}::text[])`;
/** Of a name `d`: an edge can serve its policy. */
const isServed = sql`exists (select from certificate c where c.domain_id = d.id and c.not_after > now()
  and c.names && array['mta-sts.' || d.name, '*.' || d.name])`;

/** Whether a policy of this name may be enforced. Asked as the clockwork. */
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

/** As edges serve it; they are told when this commits. */
export async function keepPolicy(tx: Tx, domain: Owned, policy: string | undefined, now: Date): Promise<void> {
  if (policy === undefined) {
    await tx.many(sql`
      with saved as (
        update forwarding set mail_policy = null, changed_xid = pg_current_xact_id()
        where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id} and mail_policy is not null returning domain_id)
      select pg_notify('namehold_forwarding', domain_id::text)::text as told from saved`);
    return;
  }
  await tx.many(sql`
    with saved as (
      insert into forwarding (domain_id, reseller_id, rules, version, changed_at, mail_policy)
      values (${domain.id}, ${domain.reseller_id}, '[]', 0, ${now}, ${policy})
      on conflict (domain_id) do update set mail_policy = excluded.mail_policy, changed_xid = pg_current_xact_id()
        where forwarding.mail_policy is distinct from excluded.mail_policy
      returning domain_id)
    select pg_notify('namehold_forwarding', domain_id::text)::text as told from saved`);
}

/** Names whose policy may have to change, some of them: that asks less than they do, and nothing changes where nothing has to. */
export async function stsDue(
  db: Reader,
  found: {
    readonly hosts: readonly string[];
    readonly isOffered: boolean;
    /** Modes with their texts. */
    readonly policies: Readonly<Record<string, string>>;
    /** Policies since before then may be enforced; taken back before then may go. */
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
