import ipaddr from 'ipaddr.js';
import { badField } from '../errors.ts';

export interface ApiKey {
  readonly id: string;
  readonly reseller_id: string;
  readonly label: string;
  readonly hint: string;
  readonly ip_whitelist: string[];
  readonly scopes: string[];
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  /** The key or user that created it or rotated its secret last; null: the service or its command line. */
  readonly issued_by: string | null;
  readonly previous_expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly last_used_address: string | null;
  readonly created_at: Date;
}

export const areas = ['account', 'billing', 'customers', 'contacts', 'domains', 'dns', 'resellers'] as const;
export type Area = (typeof areas)[number];

export const scopeNames: readonly string[] = [
  'full',
  'read',
  ...areas.flatMap((area) => [`${area}:read`, `${area}:write`]),
  'domains:auth_code',
];

export const keyLimits = {
  whitelistEntries: 100,
  labelLength: 100,
  keysPerReseller: 100,
  rotationOverlapMaxMs: 7 * 86_400_000,
};

/** Whether a key with these scopes may do this. Write includes read of the same area; `full` is everything. */
export function allows(scopes: readonly string[], needed: string): boolean {
  if (scopes.includes('full') || scopes.includes(needed)) return true;
  const [area, verb] = needed.split(':');
  return verb === 'read' && (scopes.includes('read') || scopes.includes(`${area}:write`));
}

/** Addresses and ranges in one written form: `::ffff:10.0.0.1` is 10.0.0.1, host bits of a range are cleared. */
export function normaliseWhitelist(entries: readonly string[]): string[] {
  if (entries.length === 0) throw badField('whitelist', 'At least one address or range is required.', 'required');
  if (entries.length > keyLimits.whitelistEntries) {
    throw badField('whitelist', `Must have at most ${keyLimits.whitelistEntries} entries.`, 'too_many');
  }
  return [...new Set(entries.map((entry) => normaliseRange(entry.trim())))];
}

function normaliseRange(entry: string): string {
  const refuse = () =>
    badField('whitelist', `"${entry.slice(0, 60)}" is not an IPv4 or IPv6 address or a range such as 192.0.2.0/24.`);
  const [address = '', bits, ...rest] = entry.split('/');
  // ipaddr.js would read 010.0.0.1 as octal and 1.2 as a short form: only four decimal numbers are accepted.
  const strictV4 = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(address);
  if (rest.length > 0 || (!strictV4 && !address.includes(':')) || !ipaddr.isValid(address)) throw refuse();
  const parsed = ipaddr.process(address);
  const mapped = parsed.kind() === 'ipv4' && address.includes(':');
  const size = parsed.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return parsed.toString();
  if (!/^\d{1,3}$/.test(bits)) throw refuse();
  const prefix = mapped ? Number(bits) - 96 : Number(bits);
  if (prefix < 0 || prefix > size) throw refuse();
  const cidr = `${parsed.toString()}/${prefix}`;
  const network =
    parsed.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return prefix === size ? network.toString() : `${network.toString()}/${prefix}`;
}

export function checkScopes(scopes: readonly string[]): string[] {
  if (scopes.length === 0) throw badField('scopes', 'Choose at least one permission.', 'required');
  for (const scope of scopes) {
    if (!scopeNames.includes(scope)) {
      throw badField('scopes', `"${scope.slice(0, 60)}" is not a scope. Use ${scopeNames.join(', ')}.`);
    }
  }
  return [...new Set(scopes)];
}
