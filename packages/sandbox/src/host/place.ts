import type { IpAddress } from '@namehold/epp';
import type { Tx } from '@namehold/postgres';
import { isDeleted } from '../domain/view.ts';
import { superordinateOf } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import type { Call } from '../registry/registry.ts';
import { maxAddressesPerHost } from './address.ts';
import { shareSuperordinate } from './host.sql.ts';

/** The id of the superordinate domain, or null for a host outside this registry's zones (RFC 5732 3.2.1). */
export async function placeHost(tx: Tx, call: Call, name: string): Promise<string | null> {
  const parent = superordinateOf(call.registry.tlds, name);
  if (parent === undefined) return null;
  const domain = await shareSuperordinate(tx, parent);
  if (domain === undefined) refuse(2303, `the domain ${parent} does not exist`);
  if (domain.sponsor !== call.clientId) refuse(2201, `the domain ${parent} is another registrar's`);
  if (isDeleted(domain.phase)) refuse(2304, `the domain ${parent} is being deleted`);
  return domain.id;
}

/** RFC 5732 1.1: glue exists only below its own domain. */
export function checkGlue(name: string, superordinate: string | null, addresses: readonly IpAddress[]): void {
  if (superordinate === null && addresses.length > 0) refuse(2306, `${name} is outside our zones and takes no address`);
  if (superordinate !== null && addresses.length === 0) refuse(2003, `${name} needs an address`);
  if (addresses.length > maxAddressesPerHost) refuse(2306, `a host has at most ${maxAddressesPerHost} addresses`);
}
