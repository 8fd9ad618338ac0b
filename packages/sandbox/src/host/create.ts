import { sql, violatedConstraint } from '@namehold/base';
import type { HostCreateRequest, ResponseSpec } from '@namehold/epp';
import { readHostName } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { checkAddresses } from './address.ts';
import { checkGlue, placeHost } from './place.ts';

/** RFC 5732 3.2.1. */
export async function createHost(call: Call, command: HostCreateRequest): Promise<ResponseSpec> {
  const name = readHostName(command.name);
  const addresses = checkAddresses(command.addresses ?? []);
  try {
    await call.registry.db.transaction(registryTenant, async (tx) => {
      const superordinate = await placeHost(tx, call, name);
      checkGlue(name, superordinate, addresses);
      await tx.run(sql`
        with made as (
          insert into host (name, superordinate, sponsor, creator, created_at)
          values (${name}, ${superordinate}, ${call.clientId}, ${call.clientId}, ${call.at}) returning id
        )
        insert into host_address (host_id, address)
        select made.id, unnest(${addresses.map((a) => a.address)}::inet[]) from made`);
    });
  } catch (error) {
    if (violatedConstraint(error) === 'host_name_key') refuse(2302, `host ${name} exists`);
    throw error;
  }
  return { results: [{ code: 1000 }], data: { object: 'host', type: 'creData', name, crDate: call.at } };
}
