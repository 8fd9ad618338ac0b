import type { PlainType } from '../../../core/zones/records/plain-record.ts';

/** The record types of the contract's calls, by their path segment. */
export const contractTypes = {
  ip: 'A',
  ipv6: 'AAAA',
  cname: 'CNAME',
  mx: 'MX',
  ns: 'NS',
  srv: 'SRV',
  txt: 'TXT',
} as const satisfies Record<string, PlainType>;
export type ContractType = keyof typeof contractTypes;
