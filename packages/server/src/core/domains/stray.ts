import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { House } from '../house.ts';

const keyOf = (registryId: string, name: string): string => `stray:${registryId}:${name}`;

/** The registry holds a name for us that our books do not know: somebody must find out what it is and who pays for it. */
export async function alarmStray(house: House, registryId: string, name: string): Promise<void> {
  await raiseAlarm(house, {
    key: keyOf(registryId, name),
    severity: 'critical',
    sentence: `registry ${registryId} holds ${name} for us, and our books do not know it: adopt it with \`namehold domain import\`, or delete it there`,
    facts: { registry_id: registryId, name },
  });
}

export const clearStray = (house: House, registryId: string, name: string): Promise<void> =>
  clearAlarm(house, keyOf(registryId, name));
