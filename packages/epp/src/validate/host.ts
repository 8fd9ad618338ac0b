import type { HostRequest } from '../model/host.ts';
import type { RegistryProfile } from '../profile.ts';
import { checkAddresses, checkClientStatuses, checkCount, checkDistinct, checkName, refuse } from './common.ts';

const CLIENT_STATUSES = ['clientDeleteProhibited', 'clientUpdateProhibited'];

export function checkHostRequest(request: HostRequest, profile: RegistryProfile): void {
  if (request.verb === 'check') {
    checkCount(request.names.length, 'names', profile.limits.maxNamesPerCheck);
    for (const name of request.names) checkName(name, 'names');
    checkDistinct(request.names, 'names');
    return;
  }
  checkName(request.name, 'name');
  if (request.verb === 'create') checkAddresses(request.addresses, 'addresses');
  if (request.verb !== 'update') return;
  const { add, rem, newName } = request;
  if (add === undefined && rem === undefined && newName === undefined && request.ext?.other === undefined) {
    refuse('update', 'nothing to change');
  }
  checkAddresses(add?.addresses, 'add.addresses');
  checkAddresses(rem?.addresses, 'rem.addresses');
  checkClientStatuses(add?.statuses, CLIENT_STATUSES, 'add.statuses');
  checkClientStatuses(rem?.statuses, CLIENT_STATUSES, 'rem.statuses');
  if (newName !== undefined) checkName(newName, 'newName');
}
