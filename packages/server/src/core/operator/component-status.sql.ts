import { type Reader, sql } from '@namehold/postgres';

/** Our state at each registry, over all processes. */
export interface RegistryStatus {
  readonly id: string;
  /** The API of an upstream; null: EPP. */
  readonly dialect: string | null;
  readonly last_request_at: Date | null;
  readonly sessions: number;
  readonly sessions_open: number;
  readonly pause_code: number | null;
  readonly paused_until: Date | null;
  /** Commands that were sent and not answered, and whose outcome is still queried. */
  readonly unknown: number;
  readonly messages_open: number;
  readonly last_message_at: Date | null;
}

export async function registryStatuses(db: Reader): Promise<RegistryStatus[]> {
  return db.many<RegistryStatus>(sql`
    select r.id, case when r.profile ->> 'kind' in ('upstream', 'platform') then coalesce(r.profile ->> 'dialect', 'namehold') end as dialect,
      nullif(p.filled_at, to_timestamp(0::double precision)) as last_request_at, p.pause_code, case when p.paused_until > now() then p.paused_until end as paused_until,
      (select count(*)::integer from registry_slot s where s.registry_id = r.id) as sessions,
      (select count(*)::integer from registry_slot s where s.registry_id = r.id and s.leased_until > now()) as sessions_open,
      (select count(*)::integer from operation o where o.registry_id = r.id and o.state = 'unknown') as unknown,
      (select count(*)::integer from poll_message m where m.registry_id = r.id and m.processed_at is null) as messages_open,
      (select max(m.received_at) from poll_message m where m.registry_id = r.id) as last_message_at
    from registry r left join registry_pace p on p.registry_id = r.id order by r.id`);
}

interface NameserverStatus {
  readonly id: string;
  /** At most one more than requested. */
  readonly behind: number;
  readonly oldest_change: Date | null;
  readonly checked_at: Date | null;
  readonly error: string | null;
}

/** Zones for which an active nameserver does not answer with the present serial; counted only up to this number. */
export async function nameserverStatuses(db: Reader, most: number): Promise<NameserverStatus[]> {
  return db.many<NameserverStatus>(sql`
    select n.id, b.behind, b.oldest_change, l.checked_at, l.error
    from nameserver n
    cross join lateral (
      select count(*)::integer as behind, min(x.changed_at) as oldest_change from (
        select z.changed_at from zone z left join zone_publication p on p.zone_id = z.id and p.nameserver_id = n.id
        where n.is_active and z.state = 'active' and p.serial is distinct from z.serial limit ${most + 1}) x) b
    left join lateral (
      select p.checked_at, p.error from zone_publication p where p.nameserver_id = n.id order by p.checked_at desc nulls last limit 1) l on true
    order by n.id`);
}
