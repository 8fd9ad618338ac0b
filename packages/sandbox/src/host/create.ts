import type { HostCreateRequest, ResponseSpec } from '@namehold/epp';
import { violatedConstraint } from '@namehold/postgres';
import { readHostName } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { checkAddresses } from './address.ts';
import { insertHost } from './host.sql.ts';
import { checkGlue, placeHost } from './place.ts';

/** RFC 5732 3.2.1. */
export async function createHost(call: Call, command: HostCreateRequest): Promise<ResponseSpec> {
  const name = readHostName(command.name);
  const addresses = checkAddresses(command.addresses ?? []);
  try {
    await call.registry.db.transaction(registryTenant, async (tx) => {
      const superordinate = await placeHost(tx, call, name);
      checkGlue(name, superordinate, addresses);
      await insertHost(tx, { name, superordinate, sponsor: call.clientId, createdAt: call.at, addresses });
    });
  } catch (error) {
    if (violatedConstraint(error) === 'host_name_key') refuse(2302, `host ${name} exists`);
    throw error;
  }
  return { results: [{ code: 1000 }], data: { object: 'host', type: 'creData', name, crDate: call.at } };
}
