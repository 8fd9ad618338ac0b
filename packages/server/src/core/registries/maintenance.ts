import { everyTenant } from '@namehold/base';
import { clearAlarms } from '../alarms/alarm.sql.ts';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { RegistryMaintenance } from '../domains/registry/registry.ts';
import type { House } from '../house.ts';
import { endMaintenances, type MaintenanceRow, openMaintenances, saveMaintenance } from './maintenance.sql.ts';

const alarmKey = (row: Pick<MaintenanceRow, 'registry_id' | 'maintenance_id'>): string =>
  `registry:${row.registry_id}:maintenance:${row.maintenance_id}`;

const minute = (at: Date): string => `${at.toISOString().slice(0, 16)}Z`;

/** In one line, for people. */
export function describeMaintenance({ starts_at, ends_at, maintenance_id, facts }: MaintenanceRow): string {
  const systems = facts.systems.map(({ name, impact }) => `${name} ${impact}`).join(', ');
  const about = [systems, facts.tlds.join(' '), facts.environment === 'production' ? '' : facts.environment];
  const words = [...about, facts.description ?? ''].filter((text) => text !== '').join('; ');
  return `${facts.reason} maintenance ${facts.name ?? maintenance_id} from ${minute(starts_at)} to ${minute(ends_at)}${words ? `: ${words}` : ''}`;
}

/** A registry tells when it works on its systems. The operator sees it until it is over or called off. */
export async function noteMaintenance(house: House, registryId: string, told: RegistryMaintenance): Promise<string> {
  const now = house.clock.now();
  const row: MaintenanceRow = {
    registry_id: registryId,
    maintenance_id: told.id,
    starts_at: told.start,
    ends_at: told.end,
    facts: {
      name: told.name,
      reason: told.reason,
      environment: told.environment,
      systems: told.systems,
      tlds: told.tlds,
      description: told.description,
    },
  };
  const isOver = told.isOver || told.end <= now;
  await house.db.transaction(everyTenant, (tx) => saveMaintenance(tx, row, { now, isOver }));
  if (isOver) {
    await clearAlarm(house, alarmKey(row));
    return `maintenance ${told.id} is over`;
  }
  await raiseAlarm(house, {
    key: alarmKey(row),
    severity: 'warning',
    sentence: `registry ${registryId}: ${describeMaintenance(row)}`,
    facts: { registry_id: registryId, starts_at: told.start, ends_at: told.end },
  });
  return `maintenance ${told.id} from ${told.start.toISOString()} to ${told.end.toISOString()}`;
}

/** What is over is no news any more, also where the registry does not say so. */
export async function endOverdueMaintenances(house: House): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    const over = await endMaintenances(tx, house.clock.now());
    if (over.length > 0) await clearAlarms(tx, over.map(alarmKey), house.wall.now());
  });
}

const shownAtMost = 100;

export const comingMaintenances = (house: House): Promise<MaintenanceRow[]> =>
  openMaintenances(house.db.as(everyTenant), shownAtMost);
