import { sql } from './sql.ts';

/** How far the primary has come: what it has answered is in its log up to here. */
export interface Position {
  readonly lsn: string;
  /** Each promotion begins a new one. */
  readonly timeline: number;
  /** Of the cluster: others count from the same numbers. */
  readonly system: string;
}

/** What is written but not flushed was answered to nobody who may rely on it (`asyncCommit`). */
export const primaryPosition = sql`
  select pg_current_wal_flush_lsn()::text as lsn, ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline,
    (select s.system_identifier::text from pg_control_system() s) as system`;

/**
 * The timeline is that of its last restart point, so a standby is not read for some minutes after a failover: one that was ahead of the new primary has
 * positions of a log that nobody goes on with, and those say nothing.
 * Nor do those of one that follows nobody: it may have been started alone meanwhile, and have gone on under the same numbers.
 */
export const hasReached = ({ lsn, timeline, system }: Position) => sql`
  select pg_is_in_recovery() as standby,
    exists (select from pg_stat_wal_receiver) and pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn and (select c.timeline_id from pg_control_checkpoint() c) = ${timeline}
      and (select s.system_identifier::text from pg_control_system() s) = ${system} as holds`;
