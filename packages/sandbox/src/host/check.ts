import type { HostCheckRequest, ResponseSpec } from '@namehold/epp';
import { readHostName } from '../registry/names.ts';
import { Refusal, refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { takenHostNames } from './host.sql.ts';

/** RFC 5732 3.1.1. */
export async function checkHosts(call: Call, command: HostCheckRequest): Promise<ResponseSpec> {
  if (command.names.length > call.registry.endpoint.maxNamesPerCheck) {
    refuse(2004, `at most ${call.registry.endpoint.maxNamesPerCheck} names a check`);
  }
  const names = command.names.map((name) => name.toLowerCase());
  const taken = await takenHostNames(call.registry.db.as(registryTenant), names);
  const items = command.names.map((id) => {
    if (taken.has(id.toLowerCase())) return { id, available: false, reason: 'In use' };
    return isHostName(id) ? { id, available: true } : { id, available: false, reason: 'Invalid host name' };
  });
  return { results: [{ code: 1000 }], data: { object: 'host', type: 'chkData', items } };
}

function isHostName(text: string): boolean {
  try {
    readHostName(text);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
