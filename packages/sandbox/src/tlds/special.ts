import { genericGrace, maxDsRecords, noNames, plainNames, thickRules, usd } from './shared.ts';
import type { SandboxTld } from './tld.ts';

const special = (tld: string, cents: number): SandboxTld => ({
  tld,
  rules: thickRules,
  currency: 'USD',
  fees: usd(cents),
  graceDays: genericGrace,
  autoRenew: true,
  ...noNames,
  name: plainNames,
  maxDsRecords,
});

/** Takes keys and makes the DS records by itself (RFC 5910 4.2). */
export const nl: SandboxTld = { ...special('nl', 450), rules: { ...thickRules, dnssec: 'key' } };
