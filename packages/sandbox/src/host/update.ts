import type { HostUpdateRequest, IpAddress, ResponseSpec } from '@namehold/epp';
import { violatedConstraint } from '@namehold/postgres';
import { readHostName } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant, success } from '../registry/registry.ts';
import { changeStatuses, refuseUnlessUpdatable } from '../registry/status.ts';
import { checkAddresses } from './address.ts';
import { saveHost } from './host.sql.ts';
import { lockOwnHost } from './own.ts';
import { checkGlue, placeHost } from './place.ts';

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
      await saveHost(tx, {
        id: host.id,
        name,
        superordinate,
        statuses,
        updater: call.clientId,
        updatedAt: call.at,
        addresses,
      });
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
    if (kept.some((known) => known.address === address.address))
      refuse(2302, `the host has the address ${address.address} already`);
    kept.push(address);
  }
  return kept;
}
