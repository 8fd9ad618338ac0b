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

/** Accepts keys and makes the DS records itself (RFC 5910 4.2). */
export const nl: SandboxTld = { ...special('nl', 450), rules: { ...thickRules, dnssec: 'key' } };

/** In its claims phase: the registrant of a claimed name must have seen the notice (RFC 8334). */
export const sale: SandboxTld = { ...special('sale', 1_900), registration: { launch: 'claims' } };
/** In its sunrise phase: names for trademark holders. */
export const gallery: SandboxTld = { ...special('gallery', 6_000), registration: { launch: 'sunrise' } };
/** Names only with a token from the registry (RFC 8495). */
export const vip: SandboxTld = { ...special('vip', 900), registration: { token: true } };
/** Internationalised names must state their table. */
export const koeln: SandboxTld = { ...special('koeln', 1_300), registration: { idnTables: ['de', 'fr'] } };

/** Registries that still use the drafts of RFC 8748 (`systems`), with premium names whose fee must be agreed to. */
const drafted = (tld: string, cents: number): SandboxTld => ({
  ...special(tld, cents),
  premium: [{ label: 'gem-*', class: 'premium', fees: usd(12_000, 4_000, 4_000, 8_000) }],
});
export const wiki = drafted('wiki', 1_700);
export const ink = drafted('ink', 1_800);
export const bar = drafted('bar', 2_100);

/** Requires the registrant and a technical contact, and no other. */
export const page: SandboxTld = {
  ...special('page', 1_100),
  rules: { ...thickRules, requiredContacts: ['tech'], sentContacts: ['tech'] },
};
