import { sql } from '../sql/sql.ts';

/** The WAL position of the primary: every change that was confirmed to a client is before it. */
export interface Position {
  readonly lsn: string;
  /** Each promotion begins a new timeline. */
  readonly timeline: number;
  /** The system identifier of the cluster. Positions of other clusters cannot be compared. */
  readonly system: string;
}

/** The flushed position: changes that are written but not flushed have been confirmed only under `asyncCommit`. */
export const primaryPosition = sql`
  select pg_current_wal_flush_lsn()::text as lsn, ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline,
    (select s.system_identifier::text from pg_control_system() s) as system`;

/**
 * The timeline is that of the standby's last restart point, so a standby is not read for some minutes after a failover. A standby that
 * was ahead of the new primary has WAL positions of an abandoned timeline, which prove nothing.
 * A standby without a WAL receiver is not read either: it may have been promoted alone and reuse the same positions.
 */
export const hasReached = ({ lsn, timeline, system }: Position) => sql`
  select pg_is_in_recovery() as standby,
    exists (select from pg_stat_wal_receiver) and pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn and (select c.timeline_id from pg_control_checkpoint() c) = ${timeline}
      and (select s.system_identifier::text from pg_control_system() s) = ${system} as holds`;
