import { genericGrace, maxDsRecords, noNames, plainNames, thickRules, usd } from './shared.ts';
import type { SandboxTld, TldFees } from './tld.ts';

/** Name servers are attributes of the domain, glue included. A restore completes with the request, without a report. */
export const fr: SandboxTld = {
  tld: 'fr',
  rules: { ...thickRules, hostModel: 'attributes', requiredContacts: ['tech'], minNameServers: 2, maxNameServers: 8 },
  currency: 'USD',
  fees: usd(560, 560, 560, 1_500),
  graceDays: { ...genericGrace, add: 0, autoRenew: 30, pendingRestore: 0 },
  autoRenew: true,
  ...noNames,
  name: plainNames,
  maxDsRecords: 6,
};

/** Days of the document review. */
const reviewDays = 3;
/** Days until missing documents must have arrived. */
const documentDays = 7;

const indonesian = (tld: string, fees: TldFees, minLength: number): SandboxTld => ({
  tld,
  rules: { ...thickRules, requiredContacts: ['admin', 'tech', 'billing'], minNameServers: 2, authInfoMaxLength: 24 },
  currency: 'USD',
  fees,
  // No add grace period: a delete on the first day refunds nothing. Expired names are held for five days, then redeemable for thirty.
  graceDays: { ...genericGrace, add: 0, renew: 0, transfer: 0, autoRenew: 0, expiredHold: 5 },
  autoRenew: false,
  premium: [],
  reserved: ['nic', 'pandi', 'whois', 'www', 'go', 'mil', 'ac', 'sch', 'or', 'net', 'desa', 'biz', 'ponpes'],
  name: { minLength, maxLength: 63, idn: false },
  pendingCreate: { reviewDays, documentDays },
  maxDsRecords,
});

/** A transfer does not extend the term. */
export const id: SandboxTld = { ...indonesian('id', usd(1_500, 1_500, 1_500, 3_000), 5), transferYears: 0 };
export const coId = indonesian('co.id', usd(700, 700, 700, 2_000), 2);
export const webId = indonesian('web.id', usd(350, 350, 350, 1_500), 2);
export const myId = indonesian('my.id', usd(100, 100, 100, 1_000), 2);
