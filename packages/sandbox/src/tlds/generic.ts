import { genericGrace, maxDsRecords, noNames, plainNames, thickRules, usd } from './shared.ts';
import type { SandboxTld, TldFees } from './tld.ts';

/** A TLD with the usual rules of generic ones. */
export const thick = (tld: string, fees: TldFees): SandboxTld => ({
  tld,
  rules: thickRules,
  currency: 'USD',
  fees,
  graceDays: genericGrace,
  autoRenew: true,
  ...noNames,
  name: plainNames,
  maxDsRecords,
});

/** Host objects, and no contacts at the registry. */
const thin = (tld: string, fees: TldFees): SandboxTld => ({
  ...thick(tld, fees),
  rules: { ...thickRules, dataModel: 'thin', requiredContacts: [] },
});

/** Each command names the product that it is about. */
export const com: SandboxTld = { ...thin('com', usd(1_026)), product: 'dotCOM' };
export const net: SandboxTld = { ...thin('net', usd(1_091)), product: 'dotNET' };
/** The system of these two checks the characters of an auth code. */
const mixedCodes = { authInfoHas: ['letter', 'digit', 'sign'] } as const;
export const org: SandboxTld = { ...thick('org', usd(1_074)), ...mixedCodes };
export const info: SandboxTld = { ...thick('info', usd(1_684)), ...mixedCodes };
export const biz = thick('biz', usd(1_487));

/** Nexus: eligibility and purpose. */
export const us: SandboxTld = {
  ...thick('us', usd(695)),
  extra: 'us',
  forbidsPrivacy: true,
  name: { minLength: 3, maxLength: 63, idn: false },
};
/** Charter eligibility: a contact in the region must declare it. */
export const asia: SandboxTld = { ...thick('asia', usd(1_100)), extra: 'asia', name: { ...plainNames, minLength: 3 } };

/** ICANN's minimum data set: the registry keeps no contacts and refuses a create that names one. */
export const app: SandboxTld = {
  ...thick('app', usd(1_200)),
  rules: { ...thickRules, dataModel: 'minimum', requiredContacts: [] },
  name: { ...plainNames, idn: false },
};

export const cc: SandboxTld = { ...thin('cc', usd(820)), notifiesRestore: true };

/** Premium names with prices of their own, reserved names, required fee agreements. */
export const shop: SandboxTld = {
  ...thick('shop', usd(350, 2_400, 2_400, 8_000)),
  rules: { ...thickRules, authInfoMaxLength: 48 },
  premium: [
    { label: 'gold', class: 'premium', fees: usd(250_000, 25_000, 25_000, 8_000) },
    { label: 'coffee', class: 'premium', fees: usd(80_000, 80_000, 80_000, 8_000) },
    { label: 'tea', class: 'premium', fees: usd(40_000, 2_400, 40_000, 8_000) },
    { label: 'shoes', class: 'premium-low', fees: usd(9_900, 9_900, 9_900, 8_000) },
    { label: 'gem-*', class: 'premium', fees: usd(12_000, 4_000, 4_000, 8_000) },
  ],
  reserved: ['nic', 'whois', 'www', 'example', 'registry', 'icann', 'police', 'bank'],
};
