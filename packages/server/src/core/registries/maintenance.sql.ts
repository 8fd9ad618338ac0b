import { type Reader, sql, type Tx } from '@namehold/postgres';

interface MaintenanceFacts {
  readonly name: string | null;
  readonly reason: string;
  readonly environment: string;
  readonly systems: readonly { readonly name: string; readonly impact: string }[];
  readonly tlds: readonly string[];
  readonly description: string | null;
}

export interface MaintenanceRow {
  readonly registry_id: string;
  readonly maintenance_id: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly facts: MaintenanceFacts;
}

/** The latest message counts; a maintenance that was cancelled or is over can be announced again. */
export async function saveMaintenance(
  tx: Tx,
  row: MaintenanceRow,
  { now, isOver }: { readonly now: Date; readonly isOver: boolean },
): Promise<void> {
  await tx.run(sql`
    insert into registry_maintenance (registry_id, maintenance_id, starts_at, ends_at, facts, told_at, ended_at)
    values (${row.registry_id}, ${row.maintenance_id}, ${row.starts_at}, ${row.ends_at}, ${JSON.stringify(row.facts)}, ${now}, ${isOver ? now : null})
    on conflict (registry_id, maintenance_id) do update set starts_at = excluded.starts_at, ends_at = excluded.ends_at, facts = excluded.facts,
      told_at = excluded.told_at, ended_at = excluded.ended_at`);
}

/** Announced or in progress, the next first. */
export async function openMaintenances(db: Reader, limit: number): Promise<MaintenanceRow[]> {
  return db.many<MaintenanceRow>(sql`
    select registry_id, maintenance_id, starts_at, ends_at, facts from registry_maintenance
    where ended_at is null order by starts_at, maintenance_id limit ${limit}`);
}

/** Those that are over; each is returned once. */
export async function endMaintenances(
  tx: Tx,
  now: Date,
): Promise<Pick<MaintenanceRow, 'registry_id' | 'maintenance_id'>[]> {
  return tx.many(sql`
    update registry_maintenance set ended_at = ${now} where ended_at is null and ends_at <= ${now} returning registry_id, maintenance_id`);
}
