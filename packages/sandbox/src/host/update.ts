import { sql, violatedConstraint } from '@namehold/base';
import type { HostUpdateRequest, IpAddress, ResponseSpec } from '@namehold/epp';
import { readHostName } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant, success } from '../registry/registry.ts';
import { changeStatuses, refuseUnlessUpdatable } from '../registry/status.ts';
import { checkAddresses } from './address.ts';
import { checkGlue, placeHost } from './place.ts';
import { lockOwnHost } from './record.ts';

/** RFC 5732 3.2.5, renames included. */
export async function updateHost(call: Call, command: HostUpdateRequest): Promise<ResponseSpec> {
  const { add, rem } = command;
  const newName = command.newName === undefined ? undefined : readHostName(command.newName);
  const changesMore = newName !== undefined || add !== undefined || rem?.addresses !== undefined;
  if (!changesMore && rem === undefined) refuse(2003, 'the update changes nothing');
  try {
    await call.registry.db.transaction(registryTenant, async (tx) => {
      const host = await lockOwnHost(tx, call, readHostName(command.name));
      refuseUnlessUpdatable(host.statuses, { rem: rem?.statuses, changesMore });
      const statuses = changeStatuses('host', host.statuses, { add: add?.statuses, rem: rem?.statuses });
      const addresses = changeAddresses(host.addresses, add?.addresses ?? [], rem?.addresses ?? []);
      const name = newName ?? host.name;
      const superordinate = newName === undefined ? host.superordinate : await placeHost(tx, call, name);
      checkGlue(name, superordinate, addresses);
      await tx.run(sql`update host set name = ${name}, superordinate = ${superordinate}, statuses = ${statuses},
        updater = ${call.clientId}, updated_at = ${call.at} where id = ${host.id}`);
      await tx.run(sql`delete from host_address where host_id = ${host.id}`);
      await tx.run(sql`insert into host_address (host_id, address)
        select ${host.id}, unnest(${addresses.map((a) => a.address)}::inet[])`);
    });
  } catch (error) {
    if (violatedConstraint(error) === 'host_name_key') refuse(2302, `host ${newName} exists`);
    throw error;
  }
  return success;
}

function changeAddresses(current: readonly IpAddress[], add: readonly IpAddress[], rem: readonly IpAddress[]) {
  const gone = new Set(checkAddresses(rem).map((address) => address.address));
  for (const address of gone) {
    if (!current.some((known) => known.address === address)) refuse(2303, `the host has no address ${address}`);
  }
  const kept = current.filter((address) => !gone.has(address.address));
  for (const address of checkAddresses(add)) {
    if (kept.some((known) => known.address === address.address)) refuse(2302, `${address.address} is there already`);
    kept.push(address);
  }
  return kept;
}
