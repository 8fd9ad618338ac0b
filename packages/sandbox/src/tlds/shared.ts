import type { TldRules } from '@namehold/epp';
import type { TldFees, TldGraceDays, TldNameRules } from './tld.ts';

export const usd = (create: number, renew = create, transfer = renew, restore = 4_000): TldFees => ({
  create: BigInt(create),
  renew: BigInt(renew),
  transfer: BigInt(transfer),
  restore: BigInt(restore),
});

export const thickRules: TldRules = {
  hostModel: 'objects',
  dataModel: 'maximum',
  requiredContacts: ['admin', 'tech'],
  dnssec: 'ds',
  minNameServers: 0,
  maxNameServers: 13,
  minPeriodYears: 1,
  maxPeriodYears: 10,
  secureAuthInfo: true,
  authInfoMinLength: 8,
  authInfoMaxLength: 32,
  // RFC 9154 4.1 requires 128 bits: 24 characters out of 61 have 142.
  authInfoLength: 24,
  authInfoClasses: ['lower', 'upper', 'digit', 'symbol'],
};

/** The gTLD periods of ICANN's agreements. */
export const genericGrace: TldGraceDays = {
  add: 5,
  renew: 5,
  transfer: 5,
  autoRenew: 45,
  redemption: 30,
  pendingRestore: 7,
  pendingDelete: 5,
  pendingTransfer: 5,
  expiredHold: 0,
};

export const plainNames: TldNameRules = { minLength: 2, maxLength: 63, idn: true };
export const maxDsRecords = 8;
export const noNames = { premium: [], reserved: ['nic', 'whois', 'www', 'example'] } as const;
