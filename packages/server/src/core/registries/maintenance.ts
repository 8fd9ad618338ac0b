import { allTenants } from '@namehold/postgres';
import { clearAlarms } from '../alarms/alarm.sql.ts';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import type { RegistryMaintenance } from '../ports/registry.ts';
import { endMaintenances, type MaintenanceRow, openMaintenances, saveMaintenance } from './maintenance.sql.ts';

const alarmKey = (row: Pick<MaintenanceRow, 'registry_id' | 'maintenance_id'>): string =>
  `registry:${row.registry_id}:maintenance:${row.maintenance_id}`;

const minute = (at: Date): string => `${at.toISOString().slice(0, 16)}Z`;

/** In one line, for display. */
export function describeMaintenance({ starts_at, ends_at, maintenance_id, facts }: MaintenanceRow): string {
  const systems = facts.systems.map(({ name, impact }) => `${name} ${impact}`).join(', ');
  const about = [systems, facts.tlds.join(' '), facts.environment === 'production' ? '' : facts.environment];
  const details = [...about, facts.description ?? ''].filter((text) => text !== '').join('; ');
  return `${facts.reason} maintenance ${facts.name ?? maintenance_id} from ${minute(starts_at)} to ${minute(ends_at)}${details ? `: ${details}` : ''}`;
}

/** A registry announces maintenance. The operator sees it until it is over or cancelled. */
export async function noteMaintenance(
  ctx: AppContext,
  registryId: string,
  maintenance: RegistryMaintenance,
): Promise<string> {
  const now = ctx.clock.now();
  const row: MaintenanceRow = {
    registry_id: registryId,
    maintenance_id: maintenance.id,
    starts_at: maintenance.start,
    ends_at: maintenance.end,
    facts: {
      name: maintenance.name,
      reason: maintenance.reason,
      environment: maintenance.environment,
      systems: maintenance.systems,
      tlds: maintenance.tlds,
      description: maintenance.description,
    },
  };
  const isOver = maintenance.isOver || maintenance.end <= now;
  await ctx.db.transaction(allTenants, (tx) => saveMaintenance(tx, row, { now, isOver }));
  if (isOver) {
    await clearAlarm(ctx, alarmKey(row));
    return `maintenance ${maintenance.id} is over`;
  }
  await raiseAlarm(ctx, {
    key: alarmKey(row),
    severity: 'warning',
    sentence: `registry ${registryId}: ${describeMaintenance(row)}`,
    facts: { registry_id: registryId, starts_at: maintenance.start, ends_at: maintenance.end },
  });
  return `maintenance ${maintenance.id} from ${maintenance.start.toISOString()} to ${maintenance.end.toISOString()}`;
}

/** Clears a maintenance that is over, even if the registry does not report its end. */
export async function endOverdueMaintenances(ctx: AppContext): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    const over = await endMaintenances(tx, ctx.clock.now());
    if (over.length > 0) await clearAlarms(tx, over.map(alarmKey), ctx.wall.now());
  });
}

const shownAtMost = 100;

export const comingMaintenances = (ctx: AppContext): Promise<MaintenanceRow[]> =>
  openMaintenances(ctx.db.as(allTenants), shownAtMost);
