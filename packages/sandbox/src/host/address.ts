import { canonicalAddress } from '@namehold/base';
import type { IpAddress } from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';

export const maxAddressesPerHost = 13;

/** RFC 5732 2.5: the text must be an address of the stated version. */
export function checkAddress({ address, version }: IpAddress): IpAddress {
  const canonical = canonicalAddress(address);
  if (canonical === undefined || versionOf(canonical) !== version)
    refuse(2005, `${address} is not an IP${version} address`);
  return { version, address: canonical };
}

/** From the database's text, which for some addresses is not our form. */
export function addressOf(text: string): IpAddress {
  return { version: versionOf(text), address: canonicalAddress(text) ?? text };
}

const versionOf = (address: string) => (address.includes(':') ? 'v6' : 'v4');

export function checkAddresses(addresses: readonly IpAddress[]): IpAddress[] {
  const checked = addresses.map(checkAddress);
  if (new Set(checked.map((address) => address.address)).size !== checked.length) {
    refuse(2306, 'an address is named twice');
  }
  return checked;
}
