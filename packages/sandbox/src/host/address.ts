import { isIPv4, isIPv6 } from 'node:net';
import type { IpAddress } from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';

export const maxAddressesPerHost = 13;

/** RFC 5732 2.5: the text must be an address of the version that it is called. */
export function checkAddress(address: IpAddress): IpAddress {
  const fits = address.version === 'v4' ? isIPv4(address.address) : isIPv6(address.address);
  if (!fits || address.address.includes('%')) refuse(2005, `${address.address} is not an IP${address.version} address`);
  return { version: address.version, address: canonical(address) };
}

/** One form (RFC 5952 4), so that two spellings of one address are one address; the database has another for some. */
export function canonical({ address, version }: IpAddress): string {
  return version === 'v4' ? address : new URL(`http://[${address}]`).hostname.slice(1, -1);
}

export function checkAddresses(addresses: readonly IpAddress[]): IpAddress[] {
  const checked = addresses.map(checkAddress);
  if (new Set(checked.map((address) => address.address)).size !== checked.length) {
    refuse(2306, 'an address is named twice');
  }
  return checked;
}
